"""What a silent cell is waiting for, from its stack, by the same rules as for a run that hangs."""

import typing

from tfhelp.collectors.run.phases import phase_of
from tfhelp.collectors.run.python_stacks import read_dumps
from tfhelp.collectors.run.waiting_calls import wait_of

Json = dict[str, typing.Any]


def facts_of_stack(stack: str) -> Json:
    """The members of ``run`` that follow from a stack.

    Args:
        stack: one thread, as the fault handler writes it.
    """
    dumps = read_dumps(stack)
    thread = dumps[-1].main() if dumps else None
    if thread is None:
        return {}
    facts: Json = {}
    phase, wait = phase_of(thread), wait_of(thread)
    if phase:
        facts["phase"] = phase
    if wait is not None:
        facts["waits_line"] = wait.line()
        if wait.kind:
            facts["waits_in"] = wait.kind
    return facts
