"""Every broken program still fails as recorded and is diagnosed as its cause; every fixed one runs to its end.

``turns.py`` decides which of them run in a session.
"""

import pathlib

import pytest

from tests.faults.errors import UnsupportedError
from tests.faults.knowledge import Json, causes, diagnose, first_answer, read
from tests.faults.record import unexpected
from tests.faults.runner import Outcome, run_program
from tests.faults.turns import is_due
from tfhelp.kb.programs import read_program

pytestmark = pytest.mark.slow

BROKEN = causes(".broken.py")
FIXED = causes(".fixed.py")


def run(path: pathlib.Path, *, may_hang: bool = False) -> Outcome:
    """Run a program if it is due.

    A program that must not hang has a second try if it is still running when its time is over. The machine may be busy, and old
    releases of TensorFlow hang now and then when Python ends.
    """
    if not is_due(path):
        pytest.skip("unchanged since it passed, and another sixteenth's turn; make programs-all runs it")
    try:
        outcome = run_program(path)
        return run_program(path) if outcome.exit_code is None and not may_hang else outcome
    except UnsupportedError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(("cause", "path"), BROKEN, ids=[cause for cause, _ in BROKEN])
def test_broken_program_fails_as_recorded(cause: str, path: pathlib.Path) -> None:
    program = read_program(str(path), path.read_text(encoding="utf-8"))
    if program.rate < 1:
        pytest.skip(f"fails in {program.rate:.0%} of runs only; its recording is tested")
    outcome = run(path, may_hang=program.exit == "hangs")
    assert not unexpected(program, outcome), outcome.output[-3000:]
    recorded = read(path.with_name(path.name.replace(".broken.py", ".recorded.json")))
    assert (outcome.exit_code, outcome.signal) == (recorded["exit_code"], recorded["signal"]), outcome.output[-3000:]
    facts = _observed_groups(outcome)
    answer = diagnose(outcome.output, outcome.exit_code, outcome.signal, facts)
    assert first_answer(answer) == cause, f"{facts}\n{outcome.output[-3000:]}"


def _observed_groups(outcome: Outcome) -> Json | None:
    return (
        None
        if outcome.facts is None
        else {group: outcome.facts[group] for group in ("run", "host", "code") if group in outcome.facts}
    )


@pytest.mark.parametrize(("cause", "path"), FIXED, ids=[cause for cause, _ in FIXED])
def test_fixed_program_runs(cause: str, path: pathlib.Path) -> None:
    outcome = run(path)
    assert outcome.exit_code == 0, f"{cause}: {outcome.output[-3000:]}"
