"""Scores over cases with known answers: how often the right entry and cause come first, and how good the confidence is.

A case is a JSON object: ``text``, ``facts``, ``entry`` (null: the right answer is to abstain), ``entries_ok``,
``cause``, ``causes_ok``. The cases are only used for measuring, not for training.
"""

import typing

from tfhelp.service.diagnosis.diagnoser import Diagnoser

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
_SURE = 0.9
_BINS = 10


class Outcome:
    """The answer to one case, and whether it was right.

    Attributes:
        case: the case.
        answer: the JSON document.
        right_entry, in_three: the right entry came first, or was among the first three.
        right_cause: the right cause came first in that entry; ``None`` if the case names no cause.
        false_answer: a case that should be abstained on was answered.
    """

    __slots__ = ("answer", "case", "false_answer", "in_three", "right_cause", "right_entry")

    def __init__(self, case: Json, answer: "Answer") -> None:
        self.case = case
        self.answer = answer
        names = [match["entry"] for match in answer["matches"]]
        right = {case["entry"], *case.get("entries_ok", [])} - {None}
        self.right_entry = bool(names) and names[0] in right
        self.in_three = bool(right & set(names[:3]))
        self.false_answer = not case["entry"] and bool(names) and names[0] not in right
        self.right_cause: bool | None = None
        if case["entry"] and case.get("cause"):
            first = answer["matches"][0]["causes"][0]["cause"] if self.right_entry else None
            self.right_cause = first in {case["cause"], *case.get("causes_ok", [])}

    @property
    def missed(self) -> bool:
        """Return whether anything about the answer is wrong."""
        return self.false_answer or bool(self.case["entry"] and (not self.right_entry or self.right_cause is False))

    @property
    def confidence(self) -> float | None:
        """Confidence of the first match; ``None`` for an abstention."""
        return self.answer["matches"][0]["confidence"] if self.answer["matches"] else None


def evaluate(diagnoser: Diagnoser, cases: list[Json], with_facts: bool = True) -> list[Outcome]:
    """Answer every case.

    Raises:
        tfhelp.kb.fact_sheet.FactError: a case's facts do not match the model; the message names the case.
    """
    return [Outcome(case, diagnoser.diagnose(case["text"], case.get("facts") if with_facts else None)) for case in cases]


def measures(outcomes: list[Outcome]) -> dict[str, float | int | None]:
    """The figures: the number of cases, the calibration error, the AUROC, and shares of the outcomes that each applies to."""
    positives = [item for item in outcomes if item.case["entry"]]
    negatives = [item for item in outcomes if not item.case["entry"]]
    answered = [item for item in outcomes if item.confidence is not None and (item.case["entry"] or item.false_answer)]
    sure = [item for item in answered if (item.confidence or 0) >= _SURE]
    return {
        "cases": len(outcomes),
        "entry@1": _share([item.right_entry for item in positives]),
        "entry@3": _share([item.in_three for item in positives]),
        "abstained on positives": _share([not item.answer["matches"] for item in positives]),
        "cause@1": _share([item.right_cause for item in positives if item.right_cause is not None]),
        "false answers": _share([item.false_answer for item in negatives]),
        "calibration error": _calibration_error(answered),
        "auroc": _auroc(answered),
        "sure": _share([item in sure for item in answered]),
        "sure and wrong": _share([not item.right_entry for item in sure]),
    }


def _share(values: typing.Sequence[bool | None]) -> float | None:
    return round(sum(map(bool, values)) / len(values), 4) if values else None


def _calibration_error(answered: list[Outcome]) -> float | None:
    """Expected calibration error over ten bins of confidence."""
    bins: dict[int, list[float]] = {}
    for item in answered:
        confidence = item.confidence or 0.0
        bins.setdefault(min(_BINS - 1, int(confidence * _BINS)), []).append(confidence - item.right_entry)
    return round(sum(abs(sum(part)) for part in bins.values()) / len(answered), 4) if answered else None


def _auroc(answered: list[Outcome]) -> float | None:
    """Share of pairs (a right answer, a wrong one) in which the right one has the higher confidence; ties count half."""
    right = [item.confidence or 0.0 for item in answered if item.right_entry]
    wrong = [item.confidence or 0.0 for item in answered if not item.right_entry]
    if not right or not wrong:
        return None
    wins = sum((one > other) + (one == other) / 2 for one in right for other in wrong)
    return round(wins / (len(right) * len(wrong)), 4)


def by_family(outcomes: list[Outcome], families: dict[str, str]) -> dict[str, tuple[int, int, int]]:
    """family -> (cases, right entries, right causes)."""
    table: dict[str, tuple[int, int, int]] = {}
    for item in outcomes:
        family = families.get(item.case["entry"] or "", "unknown entry") if item.case["entry"] else "to be abstained on"
        cases, entries, causes = table.get(family, (0, 0, 0))
        right = item.right_entry if item.case["entry"] else not item.false_answer
        table[family] = (cases + 1, entries + right, causes + bool(item.right_cause))
    return dict(sorted(table.items()))


def explain_miss(item: Outcome) -> Json:
    """The expected answer, the first answer, and the signs that matched it."""
    matches = item.answer["matches"]
    first = matches[0] if matches else None
    return {
        "id": item.case.get("id", ""),
        "wanted": item.case["entry"],
        "wanted_cause": item.case.get("cause"),
        "got": [match["entry"] for match in matches],
        "got_cause": first["causes"][0]["cause"] if first and first["causes"] else None,
        "confidence": item.confidence,
        "matched": first["matched"][:2] if first else [],
        "nearest": [row["entry"] for row in item.answer.get("nearest", [])],
        "condensed": item.answer["condensed"][:200],
    }
