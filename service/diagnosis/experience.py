"""Reorder the causes of an answer by a team's experience: within bounds, visibly, and only after the ranking.

The verdict and the entries stay unchanged, so that an abstention never becomes an answer. This module does not know the source of
the experience: the caller passes it in.
"""

import math
import typing

from tfhelp.service.diagnosis.causes import MARGIN

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, CauseRow, EvidenceRow, Match

SOURCE = "your team's memory"


class Shift(typing.NamedTuple):
    """How far experience moves a cause: log-odds, and the reason as a sentence without its full stop."""

    log_odds: float
    says: str


def weigh(answer: "Answer", shifts: typing.Mapping[str, Shift]) -> "Answer":
    """A copy of the answer with its causes moved; the given answer is not changed.

    Args:
        answer: the document that the API sends.
        shifts: ``entry/cause`` -> shift. A cause that is ruled out stays ruled out, and no cause overtakes a confirmed one.
    """
    if not shifts or answer["abstained"] or answer["verdict"] == "nothing-failed":
        return answer
    return {**answer, "matches": [_weighed(match, shifts) for match in answer["matches"]]}


def _weighed(match: "Match", shifts: typing.Mapping[str, Shift]) -> "Match":
    own = [shifts.get(f"{match['entry']}/{row['cause']}") for row in match["causes"]]
    if not any(own):
        return match
    weights = [
        row["confidence"] * math.exp(shift.log_odds if shift else 0.0) for row, shift in zip(match["causes"], own, strict=True)
    ]
    none_of_these = max(0.0, 1.0 - sum(row["confidence"] for row in match["causes"]))
    total = sum(weights) + none_of_these or 1.0
    rows = [_moved(row, weight / total, shift) for row, weight, shift in zip(match["causes"], weights, own, strict=True)]
    rows.sort(key=lambda row: (row["verdict"] != "confirmed", row["verdict"] == "ruled-out", -row["confidence"]))
    return {**match, "causes": _judged(rows)}


def _moved(row: "CauseRow", confidence: float, shift: Shift | None) -> "CauseRow":
    moved: CauseRow = {**row, "confidence": round(confidence, 3)}
    if shift and row["verdict"] != "ruled-out":
        moved["evidence"] = [*row["evidence"], _evidence(shift, confidence - row["confidence"])]
    return moved


def _evidence(shift: Shift, change: float) -> "EvidenceRow":
    said = f"{change:+.0%}" if abs(change) >= 0.005 else "by less than 1%"
    return {
        "check": "what your team said about this cause",
        "outcome": "holds" if shift.log_odds > 0 else "fails",
        "because": f"{shift.says}: {said}",
        "source": SOURCE,
    }


def _judged(rows: "list[CauseRow]") -> "list[CauseRow]":
    """The best cause is likely if one of its checks supports it and it is ahead, as in ``causes.rank``."""
    for place, row in enumerate(rows):
        if row["verdict"] not in ("likely", "possible"):
            continue
        supported = any(item["outcome"] == "holds" and item["source"] != SOURCE for item in row["evidence"])
        ahead = place == 0 and (len(rows) == 1 or _log(row) - _log(rows[1]) >= MARGIN)
        row["verdict"] = "likely" if supported and ahead else "possible"
    return rows


def _log(row: "CauseRow") -> float:
    return math.log(max(row["confidence"], 1e-4))
