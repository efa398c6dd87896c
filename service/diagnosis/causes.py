"""The causes of an entry, ranked by its checks against the facts.

The score is a sum of log-odds: how common the cause is, the checks that hold, and those that count against it. A strong check
makes a cause twenty times as likely, a medium one four to five times, a weak one twice.
"""

import math
import typing

from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis.checks import Evidence, evaluate
from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCause, CompiledCheck, CompiledEntry
    from tfhelp.service.diagnosis.answer import CauseVerdict

WEIGHTS = {"strong": 3.0, "medium": 1.5, "weak": 0.7}
FREQUENCIES = {"common": 1.0, "occasional": 0.0, "rare": -1.5}
_DECIDES = 6.0  # a deciding check outweighs any two strong ones
_NONE_OF_THESE = -0.5  # the share of causes that the entry does not list
MARGIN = 1.0  # log-odds by which the best must lead its rivals to be called likely
_LIKENESS = 2.5  # added for an identical phrase of the cause; half the likeness adds half


class RankedCause:
    """A cause with its evidence.

    Attributes:
        cause: the cause as compiled.
        evidence: outcomes of its checks.
        score: log-odds against the entry's other causes; minus infinity if ruled out.
        confidence: share among the causes, given the entry.
        verdict: ``confirmed``, ``likely``, ``possible`` or ``ruled-out``.
    """

    __slots__ = ("cause", "confidence", "evidence", "score", "verdict")

    def __init__(self, cause: "CompiledCause", evidence: list[Evidence], score: float) -> None:
        self.cause = cause
        self.evidence = evidence
        self.score = score
        self.confidence = 0.0
        self.verdict: CauseVerdict = "possible"


def rank(
    entry: "CompiledEntry", sheet: FactSheet, records: list[Record], likeness: dict[str, float] | None = None
) -> list[RankedCause]:
    """The causes of an entry, best first.

    Args:
        entry: as compiled.
        sheet: all facts, derived ones included.
        records: the records of the text.
        likeness: cause id -> likeness of its best phrase to the text, 0 to 1.
    """
    ranked = []
    for cause in entry["causes"]:
        evidence = [_evaluated(check, sheet, records) for check in cause["checks"]]
        ranked.append(RankedCause(cause, evidence, _score(cause, evidence, (likeness or {}).get(cause["id"], 0.0))))
    ranked.sort(key=lambda item: -item.score)  # stable: ties stay in the entry's order
    _share(ranked)
    _judge(ranked)
    return ranked


def _evaluated(check: "CompiledCheck", sheet: FactSheet, records: list[Record]) -> Evidence:
    """The outcome of a check. If its evaluation raises, the outcome is unknown, with the reason."""
    try:
        return evaluate(check, sheet, records)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the other checks still count, whatever is broken here
        log_fault("a check", error)
        whole = {"says": "a check of this cause", "weight": "weak", "decides": False, "required": False, **check}
        return Evidence(typing.cast("CompiledCheck", whole), "unknown", "this check failed in tfhelp, so it says nothing", "")


def _score(cause: "CompiledCause", evidence: list[Evidence], likeness: float) -> float:
    score = FREQUENCIES[cause["frequency"]] + _LIKENESS * likeness
    for item in evidence:
        check = item.check
        if item.outcome == "holds":
            score += _DECIDES if check["decides"] else WEIGHTS[check["weight"]]
        elif item.outcome == "fails":
            if check["required"]:
                return -math.inf
            score -= WEIGHTS[check["against"]] if "against" in check else 0.0
    return score


def _share(ranked: list[RankedCause]) -> None:
    total = math.exp(_NONE_OF_THESE) + sum(math.exp(item.score) for item in ranked)
    for item in ranked:
        item.confidence = math.exp(item.score) / total


def _judge(ranked: list[RankedCause]) -> None:
    for item in ranked:
        if item.score == -math.inf:
            item.verdict = "ruled-out"
        elif any(found.outcome == "holds" and found.check["decides"] for found in item.evidence):
            item.verdict = "confirmed"
    best = ranked[0]
    supported = any(found.outcome == "holds" for found in best.evidence)
    ahead = len(ranked) == 1 or best.score - ranked[1].score >= MARGIN
    if best.verdict == "possible" and supported and ahead:
        best.verdict = "likely"
