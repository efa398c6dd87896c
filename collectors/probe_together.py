"""Environment and GPUs at the same time: both wait for child processes, so together they take as long as the slower one."""

import threading

from tfhelp.collectors import environment, gpu
from tfhelp.collectors.environment_interpreter import find_interpreter
from tfhelp.kb.fact_sheet import Document


def collect_both(python: str | None = None, budget_seconds: float = 5.0, deep: bool = False) -> tuple[Document, Document]:
    """The documents of ``environment.collect`` and of ``gpu.collect``, which take the same arguments.

    Raises:
        CollectorError: the interpreter that was asked for is not there; nothing has been started then.
    """
    interpreter = find_interpreter(python)
    graphics: list[Document] = []
    failure: list[BaseException] = []

    def collect_graphics() -> None:
        try:
            graphics.append(gpu.collect(budget_seconds))
        except BaseException as error:  # noqa: BLE001 - raised again below, where the caller can see it
            failure.append(error)

    thread = threading.Thread(target=collect_graphics)
    thread.start()
    try:
        surroundings = environment.collect(interpreter, budget_seconds, deep)
    finally:
        thread.join()
    if failure:
        raise failure[0]
    return surroundings, graphics[0]
