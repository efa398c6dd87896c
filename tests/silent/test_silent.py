"""Programs without a usable message: their recorded learning gives entry and cause, and their fixed twins raise no alarm."""

import functools
import json
import pathlib
import typing

import pytest

from tests.silent.cases import WANTED
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.lint.linting import document_of_code
from tfhelp.service.run.ending import unwell
from tfhelp.service.run.learning import learned_badly
from tfhelp.service.run.watched_run import _WRONG_IN_SILENCE

HERE = pathlib.Path(__file__).parent
Json = dict[str, typing.Any]


@functools.cache
def recorded(name: str, kind: str) -> Json:
    document: Json = json.loads((HERE / "recordings" / f"{name}.json").read_text(encoding="utf-8"))[kind]
    return document


def facts_of(name: str, kind: str) -> Json:
    """What a watched run knows at its end: its end, its learning, its script."""
    run = recorded(name, kind)
    code = document_of_code(str(HERE / "programs" / f"{name}.{kind}.py"))
    return {"run": {"exit_code": run["exit_code"]}, "learning": run["learning"], "code": code["code"]}


def alarmed(name: str, kind: str) -> bool:
    """Whether a watched run of the program would give an answer."""
    facts = facts_of(name, kind)
    script = any(facts["code"].get(fact) is True for fact in _WRONG_IN_SILENCE)
    return script or unwell(recorded(name, kind)["output"]) or learned_badly({"learning": facts["learning"]})


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_fault_is_named_with_its_cause(name: str) -> None:
    assert recorded(name, "broken")["exit_code"] == 0
    assert alarmed(name, "broken")
    first = Diagnoser.load().diagnose(recorded(name, "broken")["output"], facts_of(name, "broken"))["matches"][0]
    assert (first["entry"], first["causes"][0]["cause"]) == WANTED[name]
    assert "{learning" not in json.dumps(first)  # every sentence is filled in with the values


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_repaired_twin_is_left_alone(name: str) -> None:
    assert recorded(name, "fixed")["exit_code"] == 0
    assert not alarmed(name, "fixed")


def test_every_program_has_a_twin_and_a_recording() -> None:
    assert {path.name for path in (HERE / "programs").iterdir()} == {
        f"{name}.{kind}.py" for name in WANTED for kind in ("broken", "fixed")
    }
    assert {path.stem for path in (HERE / "recordings").iterdir()} == set(WANTED)
