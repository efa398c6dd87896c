"""How often the answers are right on recorded runs, and how well their confidence is calibrated."""

import itertools
import typing

from tests.benchmarks.recordings import Recording
from tfhelp.service.diagnosis.diagnoser import Diagnoser

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0001)


class Outcome(typing.NamedTuple):
    """One answer: whether the first entry and its first cause are the recorded ones, and its confidence in the entry."""

    recording: Recording
    entry_right: bool
    cause_right: bool
    confidence: float
    abstained: bool


def answer_all(recordings: list[Recording], with_exit: bool) -> list[Outcome]:
    """Answer each recording.

    Args:
        recordings: failures.
        with_exit: whether exit code, signal and observations are given as facts, as ``tfhelp run`` would.
    """
    diagnoser = Diagnoser.load(warm=True)
    return [_outcome(diagnoser, recording, with_exit) for recording in recordings]


def _outcome(diagnoser: Diagnoser, recording: Recording, with_exit: bool) -> Outcome:
    answer = diagnoser.diagnose(recording.output, recording.facts if with_exit and recording.facts else None)
    first = answer["matches"][0] if answer["matches"] else None
    if first is None:
        return Outcome(recording, False, False, 0.0, True)
    right = first["entry"] == recording.entry
    cause = first["causes"][0]["cause"] if first["causes"] else ""
    return Outcome(recording, right, right and cause == recording.cause, first["confidence"], False)


def wrongly_alarmed(recordings: list[Recording]) -> list[str]:
    """For healthy runs: the entry of each first match that is not benign."""
    diagnoser = Diagnoser.load(warm=True)
    firsts = [diagnoser.diagnose(recording.output, recording.facts or None) for recording in recordings]
    return [
        answer["matches"][0]["entry"] for answer in firsts if answer["matches"] and answer["matches"][0]["severity"] != "benign"
    ]


def calibration(outcomes: list[Outcome]) -> list[tuple[str, int, float, float]]:
    """(range of confidence, answers, mean confidence, share of right answers) for each range that has answers."""
    rows = []
    for low, high in itertools.pairwise(BINS):
        inside = [outcome for outcome in outcomes if not outcome.abstained and low <= outcome.confidence < high]
        if inside:
            sure = sum(outcome.confidence for outcome in inside) / len(inside)
            right = sum(outcome.entry_right for outcome in inside) / len(inside)
            rows.append((f"{low:.2f} to {min(high, 1):.2f}", len(inside), sure, right))
    return rows
