"""A part of the diagnosis that fails takes only itself away: the answer is given without it, and says so."""

import typing

from tfhelp.collectors.errors import CollectorError
from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.faults import log_fault

T = typing.TypeVar("T")


def spared(faults: list[str], without: str, function: typing.Callable[[], T], otherwise: T) -> T:
    """What a part gives, or something else where it fails.

    Args:
        faults: takes a sentence about the failure, for the notes of the answer.
        without: what the answer is given without, as words.
        function: the part.
        otherwise: stands for what it gives.

    Raises:
        FactError: the facts that were given do not fit, which is no failure of ours.
        CollectorError: nor is a place to look at that is not there.
        MemoryError: there is too little memory for anything else either.
    """
    try:
        return function()
    except (CollectorError, FactError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever is broken there, the rest of the answer stands
        log_fault(without, error)
        sentence = f"A part of tfhelp failed, so this answer was given without {without}. The fault is logged."
        if sentence not in faults:
            faults.append(sentence)
        return otherwise
