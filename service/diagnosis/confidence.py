"""How sure an answer is, and when there is none.

The numbers come out of a logistic map of the first candidate's score and its lead; ``tests`` and ``tfhelp eval``
measure whether nine in ten of the answers given with 0.9 are right.
"""

import math

from tfhelp.service.diagnosis.candidates import Candidate

THRESHOLD = 0.4  # below it the answer abstains
NEVER = 1.1
PLAIN = 0.75  # the threshold of an answer by likeness alone, where a harmless message would explain the text

_OFFSET = -3.2
_PER_SCORE = 1.0
_PER_LEAD = 0.6
_MOST = 0.99  # nothing here is certain
_MOST_LEAD = 3.0
_OUT_OF_SCOPE = 12.0  # a text about other software, times how plainly
_UNEXPLAINED = 2.5  # a plain failure that no signature knows stands in the text


def of_failures(ranked: list[Candidate], out_of_scope: float, unexplained: bool) -> list[float]:
    """Confidence of each candidate, 0 to 1, in the order given (best first).

    Args:
        ranked: the candidates.
        out_of_scope: how plainly the text is about other software, 0 to 1, and more where nothing in it is TensorFlow's.
        unexplained: the text holds a plain failure that no signature knows.
    """
    values: list[float] = []
    for place, item in enumerate(ranked):
        lead = item.score - max((other.score for other in ranked[1:]), default=0.0) if place == 0 else 0.0
        logit = _OFFSET + _PER_SCORE * item.score + _PER_LEAD * min(_MOST_LEAD, max(0.0, lead)) - _OUT_OF_SCOPE * out_of_scope
        if unexplained and not item.decisive:
            logit -= _UNEXPLAINED
        value = 1 / (1 + math.exp(-logit))
        values.append(min(value, values[-1]) if values else min(value, _MOST))
    return values


def of_benign(item: Candidate) -> float:
    """Confidence that a harmless message is what the person asks about, where nothing else is wrong."""
    return 0.95 if item.decisive else 0.5
