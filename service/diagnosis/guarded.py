"""If a part of the diagnosis fails, the answer is given without it, and says so."""

import typing

from tfhelp.collectors.errors import CollectorError
from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.faults import log_fault

T = typing.TypeVar("T")


def guarded(faults: list[str], without: str, function: typing.Callable[[], T], otherwise: T) -> T:
    """The result of a part, or a default if it fails.

    Args:
        faults: receives a sentence about the failure, for the notes of the answer.
        without: what the answer lacks, in words.
        function: the part.
        otherwise: the default.

    Raises:
        FactError: the given facts do not match the model, which is the user's mistake.
        CollectorError: a place to inspect does not exist, which is the user's mistake too.
        MemoryError: there is not enough memory to go on.
    """
    try:
        return function()
    except (CollectorError, FactError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever is broken there, the rest of the answer is still valid
        log_fault(without, error)
        sentence = f"A part of tfhelp failed, so this answer was given without {without}. The fault is logged."
        if sentence not in faults:
            faults.append(sentence)
        return otherwise
