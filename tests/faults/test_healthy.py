"""No failure is found in the output of healthy programs: only harmless messages, or nothing."""

import pathlib

import pytest

from tests.faults.errors import UnsupportedError
from tests.faults.knowledge import diagnose, read
from tests.faults.runner import run_program
from tests.turns import has_turn

HEALTHY = pathlib.Path(__file__).resolve().parents[1] / "healthy"
RECORDINGS = sorted(HEALTHY.glob("*.json"))
PROGRAMS = sorted((HEALTHY / "programs").glob("*.py"))
TURNS = 3


def failures(output: str, exit_code: int | None = None) -> list[str]:
    """Entries in the answer that are not benign."""
    answer = diagnose(output, exit_code, None)
    return [match["entry"] for match in answer["matches"] if match["severity"] != "benign"]


def test_there_is_a_recording_of_every_program() -> None:
    assert len(PROGRAMS) >= 15
    assert [path.stem for path in RECORDINGS] == [path.stem for path in PROGRAMS]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_healthy_log_is_not_called_a_failure(path: pathlib.Path) -> None:
    recorded = read(path)
    assert recorded["exit_code"] == 0
    assert failures(recorded["output"], 0) == []
    assert failures(recorded["output"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_healthy_program_runs_and_is_not_called_a_failure(path: pathlib.Path) -> None:
    if not has_turn(path.stem, TURNS):
        pytest.skip("the turn of other healthy programs; make programs-all runs all of them")
    try:
        outcome = run_program(path)
    except UnsupportedError as error:
        pytest.skip(str(error))
    assert outcome.exit_code == 0, outcome.output[-3000:]
    assert failures(outcome.output) == []
