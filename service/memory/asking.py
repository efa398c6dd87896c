"""What every door does with an answer: it asks the memory about the failure, and stores the answer.

If the memory fails, the answer is still sent, with a note about it.
"""

import typing

from tfhelp.service.access.identity import NotAllowedError
from tfhelp.service.faults import log_fault
from tfhelp.service.memory.memory import Seen
from tfhelp.service.memory.recall import recalled_by

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.memory import Kept, Memory

Json = dict[str, typing.Any]

NOT_ASKED = "The memory of this server did not answer, so this answer says nothing about earlier failures."
NOT_KEPT = "The answer could not be kept, so it has no link."


class Remembered(typing.NamedTuple):
    """An answer after the memory was asked.

    Attributes:
        answer: with what is recalled about its failure, and with a note on each thing that the memory could not do.
        given: what was given, with ``seen``: how often the failure was met before, as a dictionary or None.
        token: of the kept answer; empty if it is not kept.
        seen: the same as in ``given``.
    """

    answer: Json
    given: Json
    token: str
    seen: Seen | None


def is_team_memory(memory: "Memory") -> bool:
    """Return whether a memory recalls earlier failures, as a team's memory does; one that only serves links does not."""
    return hasattr(memory, "recall")


def remembered(memory: "Memory", answer: Json, given: Json, sender: str = "", keep: bool = True, token: str = "") -> Remembered:
    """Ask a memory about the failure of an answer, then keep the answer.

    Args:
        memory: any.
        answer: the document that the API sends. It is not changed.
        given: see ``tfhelp.service.memory.memory.Kept``. It is not changed.
        sender: the sender, as an opaque identifier.
        keep: if False, nothing is kept, but the memory is still asked.
        token: of a request that may come twice (``Memory.keep``). The second time it gets the answer that was kept the first time,
            which therefore does not count itself among the earlier failures.
    """
    try:
        kept = _kept_before(memory, token) if token and keep else None
        if kept is not None:
            counted = kept.given.get("seen")
            return Remembered(kept.answer, kept.given, token, Seen(**counted) if counted else None)
        seen = memory.seen(answer)
        answer = recalled_by(memory, answer, given, sender)
    except Exception as error:  # noqa: BLE001 - a database driver has its own classes, and no error may prevent the answer
        log_fault("recalling", error)
        seen, answer = None, _noted(answer, NOT_ASKED)
    given = {**given, "seen": seen._asdict() if seen else None}
    if not keep:
        return Remembered(answer, given, "", seen)
    try:
        return Remembered(answer, given, memory.keep(answer, given, sender, token), seen)
    except Exception as error:  # noqa: BLE001 - as above
        log_fault("keeping an answer", error)
        return Remembered(_noted(answer, NOT_KEPT), given, "", seen)


def _kept_before(memory: "Memory", token: str) -> "Kept | None":
    """The answer that the same request got before; None for a caller who may not read answers, who gets a new one."""
    try:
        return memory.read(token)
    except NotAllowedError:
        return None


def without_memory(answer: typing.Mapping[str, typing.Any], given: Json, keep: bool = True) -> Remembered:
    """What ``remembered`` returns if the memory does not answer: notes say what it could not do."""
    noted = _noted(answer, NOT_ASKED)
    return Remembered(_noted(noted, NOT_KEPT) if keep else noted, {**given, "seen": None}, "", None)


def _noted(answer: typing.Mapping[str, typing.Any], note: str) -> Json:
    return {**answer, "notes": [*answer.get("notes", []), note]}
