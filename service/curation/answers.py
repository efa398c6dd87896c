"""Test the knowledge base on itself: its examples, states and recordings must get the right answers."""

import typing

from tfhelp.collectors.reading import read
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.load import Fault, LoadedEntry
from tfhelp.service.curation.own_cases import OwnCase, own_cases
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.diagnosis.confidence import THRESHOLD
from tfhelp.service.diagnosis.diagnoser import Diagnoser

_MARGIN = 0.005
"""Least distance of a confidence from the threshold. Each machine trains the classifier itself, and the last digits depend on its
processor: a near miss at 0.399 on one machine was answered on another.
"""


def answer_faults(loaded: list[LoadedEntry], diagnoser: Diagnoser, close: bool = True) -> list[Fault]:
    """The knowledge base's own cases that get a wrong answer, and the states of facts in which a wrong cause wins.

    Args:
        loaded: the entries.
        diagnoser: answers the cases.
        close: whether a confidence close to the threshold is a fault. Otherwise such a case is not judged.
    """
    return [
        *(fault for case in own_cases(loaded) if (fault := _fault_of_case(case, diagnoser, close))),
        *(fault for item in loaded for fault in _state_faults(item, diagnoser)),
    ]


def _fault_of_case(case: OwnCase, diagnoser: Diagnoser, close: bool) -> Fault | None:
    answer = diagnoser.diagnose(case.text, case.facts)
    first = answer["matches"][0] if answer["matches"] else None
    got = first["entry"] if first else None
    path = case.item.folder / (case.name if case.name.endswith(".json") else "examples.yaml")
    nearest = first or next(iter(answer.get("nearest", ())), None)
    if nearest and nearest["entry"] in (case.entry, case.not_entry) and abs(nearest["confidence"] - THRESHOLD) < _MARGIN:
        if not close:
            return None
        confidence = f"{nearest['entry']} has a confidence of {nearest['confidence']:.3f}"
        return Fault(
            path, 1, case.name, f"{confidence}, too close to the threshold of {THRESHOLD}: another machine may decide otherwise"
        )
    if case.not_entry is not None and got == case.not_entry:
        return Fault(path, 1, case.name, f"is answered with {got}, which it must not")
    if case.entry is not None and got != case.entry:
        return Fault(path, 1, case.name, f"must be {case.entry}, is {got or 'abstained on'}")
    if case.cause is not None and first and first["causes"][0]["cause"] != case.cause:
        return Fault(path, 1, case.name, f"its cause must be {case.cause}, is {first['causes'][0]['cause']}")
    return None


def _state_faults(item: LoadedEntry, diagnoser: Diagnoser) -> typing.Iterator[Fault]:
    compiled = diagnoser.knowledge.entry(item.entry.id)
    for cause, state in item.examples.wins_when.items():
        sheet = FactSheet()
        for path, value in state.facts.items():
            sheet.put(path, value, "given")
        winner = rank(compiled, sheet, read(state.text or "").records)[0].cause["id"]
        if winner != cause:
            yield Fault(item.folder / "examples.yaml", 1, f"wins_when.{cause}", f"{winner} wins")
