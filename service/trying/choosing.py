"""Which experiment to run next: the one that could move the ranking of the causes most, for its cost."""

import math
import typing

from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.service.diagnosis.causes import RankedCause
from tfhelp.service.diagnosis.checks import compare
from tfhelp.service.diagnosis.questions import move

Json = dict[str, typing.Any]
_LEAST_MOVE = 0.3  # a smaller move decides nothing
_GROUP = "tried."


class Planned(typing.NamedTuple):
    """An experiment that would decide something: its name and row, how far it could move the ranking, and its planned seconds."""

    name: str
    experiment: Json
    moves: float
    seconds: float


def plan(
    ranked: list[RankedCause], sheet: FactSheet, experiments: dict[str, Json], first_seconds: float, tried: set[str]
) -> list[Planned]:
    """The experiments that could decide between causes, most useful for their cost first.

    Args:
        ranked: the causes, best first.
        sheet: all facts.
        experiments: by name.
        first_seconds: how long the unchanged program ran.
        tried: names of the experiments that were already run.
    """
    moves = _moves(ranked)
    found = [
        Planned(name, row, moves[name], row["cost"] * first_seconds)
        for name, row in experiments.items()
        if moves.get(name, 0.0) >= _LEAST_MOVE and name not in tried and _makes_sense(row, sheet)
    ]
    return sorted(found, key=lambda item: (-item.moves / item.experiment["cost"], item.name))


def _moves(ranked: list[RankedCause]) -> dict[str, float]:
    """Experiment -> how far its outcome could move the ranking."""
    moves: dict[str, float] = {}
    for item in ranked:
        if item.score == -math.inf:
            continue
        for evidence in item.evidence:
            path = evidence.check.get("fact", "")
            if evidence.outcome == "unknown" and path.startswith(_GROUP):
                name = "numerics_checked" if path == "tried.bad_op" else path.removeprefix(_GROUP)
                moves[name] = max(moves.get(name, 0.0), move(evidence.check, item, ranked))
    return moves


def _makes_sense(experiment: Json, sheet: FactSheet) -> bool:
    values = ((sheet.get(need["fact"]), need["is"]) for need in experiment["needs"])
    return all(value is not UNKNOWN and compare(value, wanted) for value, wanted in values)
