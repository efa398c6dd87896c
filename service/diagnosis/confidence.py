"""How sure an answer is, and when there is none.

The numbers come out of a logistic map of the first candidate's score and its lead; ``tests`` and ``tfhelp eval``
measure whether nine in ten of the answers given with 0.9 are right.
"""

import math
import typing

from tfhelp.collectors.reading.condense import plain_failure
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.framework import foreign_share

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.reading import Reading

THRESHOLD = 0.4  # below it the answer abstains

_OFFSET = -3.2
_PER_SCORE = 1.0
_PER_LEAD = 0.6
_MOST = 0.99  # nothing here is certain
_MOST_LEAD = 3.0
_OUT_OF_SCOPE = 12.0  # a text about other software, times how plainly
_UNEXPLAINED = 2.5  # a plain failure that no signature knows stands in the text


def of_failures(ranked: list[Candidate], reading: "Reading") -> list[float]:
    """Confidence of each candidate, 0 to 1, in the order given (best first)."""
    # Of a program that ended with exit code 0 a line that speaks of an error is no failure: it went on.
    ended_well = reading.sheet.get("derived.ended_well") is True
    unexplained = not ended_well and any(map(plain_failure, reading.unexplained()))
    out_of_scope = max(_told_out_of_scope(ranked, reading, unexplained), foreign_share(reading.records, reading.sheet))
    values: list[float] = []
    for place, item in enumerate(ranked):
        lead = item.score - max((other.score for other in ranked[1:]), default=0.0) if place == 0 else 0.0
        logit = _OFFSET + _PER_SCORE * item.score + _PER_LEAD * min(_MOST_LEAD, max(0.0, lead)) - _OUT_OF_SCOPE * out_of_scope
        if unexplained and not item.decisive:
            logit -= _UNEXPLAINED
        value = 1 / (1 + math.exp(-logit))
        values.append(min(value, values[-1]) if values else min(value, _MOST))
    return values


def _told_out_of_scope(ranked: list[Candidate], reading: "Reading", unexplained: bool) -> float:
    """What the words say of other software.

    A mere "it does not work" beside a script that shows a fault says nothing, and beside a decisive signature the words
    around it say half as much: only names of other software, which are counted apart, say more.
    """
    decided = any(item.decisive for item in ranked)
    if any(item.shown_by_script for item in ranked) and not unexplained and not decided:
        return 0.0
    return reading.out_of_scope / 2 if decided else reading.out_of_scope


def of_benign(item: Candidate) -> float:
    """Confidence that a harmless message is what the person asks about, where nothing else is wrong."""
    return 0.95 if item.decisive else 0.5
