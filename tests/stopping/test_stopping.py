"""Programs that hang, are killed or lose a worker: the readings give entry, cause and line; their fixed twins raise no alarm."""

import functools
import json
import pathlib
import sys
import typing

import pytest

from tests.stopping.cases import BLIND, HANGS, KILLS, UNTIL_311, WANTED, WORKERS
from tests.stopping.record import PROGRAMS, Observed, observe
from tests.turns import due
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.run.ending import unwell

HERE = pathlib.Path(__file__).parent
Json = dict[str, typing.Any]
ENDED = [name for name in KILLS | WORKERS if sys.version_info < (3, 12) or name not in UNTIL_311]


@functools.cache
def recorded(name: str) -> Json:
    document: Json = json.loads((HERE / "recordings" / f"{name}.json").read_text(encoding="utf-8"))
    return document


def answer(text: str, facts: Json) -> tuple[str, str]:
    """The first entry and its first cause."""
    match = Diagnoser.load().diagnose(text, facts, collected={})["matches"][0]
    return match["entry"], match["causes"][0]["cause"]


def lines(findings: Json) -> list[str]:
    """The reader's own lines that are shown to the reader."""
    return [row["line"] for row in (*findings["waits"], *findings["failures"])]


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_recorded_run_names_entry_cause_and_line(name: str) -> None:
    run, wanted = recorded(name)["broken"], WANTED[name]
    assert run["alarm"]
    assert answer(run["text"], run["facts"]) == (wanted.entry, wanted.cause)
    assert any(wanted.line in line for line in lines(run["findings"])) or not wanted.line


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_repaired_twin_is_left_alone(name: str) -> None:
    assert not recorded(name)["fixed"]["alarm"]
    assert not unwell(recorded(name)["fixed"]["text"])


def test_every_hang_names_a_line_of_the_readers() -> None:
    assert all(wanted.line for wanted in HANGS.values())
    assert all(recorded(name)["broken"]["hung"] for name in HANGS)


def test_every_program_has_a_twin_and_a_recording() -> None:
    assert {path.name for path in PROGRAMS.glob("*.py")} == {
        f"{name}.{kind}.py" for name in WANTED for kind in ("broken", "fixed")
    }
    assert {path.stem for path in (HERE / "recordings").iterdir()} == set(WANTED)
    assert set(WANTED) >= BLIND


@pytest.mark.slow
@pytest.mark.parametrize("name", [*due(HANGS), *due(ENDED)])
def test_a_run_of_today_says_what_was_recorded(name: str) -> None:
    run: Observed = observe(name, "broken")
    assert run.hung == recorded(name)["broken"]["hung"]
    assert answer(run.text, run.facts) == (WANTED[name].entry, WANTED[name].cause)
    assert any(WANTED[name].line in line for line in lines(run.findings)) or not WANTED[name].line
