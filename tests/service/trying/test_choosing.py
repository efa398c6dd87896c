"""Which experiment is chosen, and how its outcome is interpreted."""

import typing

import pytest

from tfhelp.kb import compiled
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.doors.cli.commands.trying import seconds_of
from tfhelp.service.errors import InputError
from tfhelp.service.trying.choosing import plan
from tfhelp.service.trying.trial import Trial, facts_of

Json = dict[str, typing.Any]


@pytest.fixture(scope="module")
def experiments() -> Json:
    """All experiments."""
    return compiled.load().tables.table("experiments")


def trial(ended: str = "badly", entry: str = "", seconds: float = 5.0, text: str = "", **found: typing.Any) -> Trial:
    """A run as it would be observed."""
    answer = {"matches": [{"entry": entry}]} if entry else None
    return Trial(ended, seconds, 1, text, answer, {}, {}, found)


def names(sheet: FactSheet, experiments: Json, entry: str, tried: set[str] | None = None) -> list[str]:
    ranked = rank(compiled.load().entry(entry), sheet, [])
    return [item.name for item in plan(ranked, sheet, experiments, 10.0, tried or set())]


def test_every_experiment_is_of_use_to_some_cause(experiments: Json) -> None:
    knowledge = compiled.load()
    facts = {
        check.get("fact", "")
        for entry in knowledge.entries()
        for cause in knowledge.entry(entry)["causes"]
        for check in cause["checks"]
    }
    asked = {"numerics_checked" if fact == "tried.bad_op" else fact.removeprefix("tried.") for fact in facts if "tried." in fact}
    assert asked == set(experiments)


def test_the_cheapest_that_decides_comes_first(experiments: Json) -> None:
    found = names(FactSheet(), experiments, "nan-loss")
    assert found[0] in ("data_alone", "low_learning_rate")
    assert "cpu_only" not in found
    assert found[0] not in names(FactSheet(), experiments, "nan-loss", {found[0]})


def test_an_experiment_that_needs_a_gpu_is_left_out_without_one(experiments: Json) -> None:
    sheet = FactSheet()
    assert "cpu_only" not in names(sheet, experiments, "native-crash")
    sheet.put("derived.gpu_present", False, "test")
    assert "cpu_only" not in names(sheet, experiments, "native-crash")
    sheet = FactSheet()
    sheet.put("derived.gpu_present", True, "test")
    assert "cpu_only" in names(sheet, experiments, "native-crash")


def test_a_known_outcome_is_not_asked_again(experiments: Json) -> None:
    sheet = FactSheet()
    sheet.put("tried.low_learning_rate", "passes", "test")
    assert rank(compiled.load().entry("nan-loss"), sheet, [])[0].verdict == "confirmed"
    assert "low_learning_rate" not in names(sheet, experiments, "nan-loss")


@pytest.mark.parametrize(
    ("first", "then", "outcome"),
    [
        (trial(entry="nan-loss"), trial("well"), "passes"),
        (trial(entry="nan-loss"), trial(entry="nan-loss"), "same"),
        (trial(entry="nan-loss"), trial(entry="shape-mismatch"), "other"),
        (trial("hung", "fit-hangs"), trial("hung", "multi-gpu-hang"), "same"),
        (trial("hung", "fit-hangs"), trial("badly", "fit-hangs"), "other"),
        (trial(entry="nan-loss"), trial("stopped", seconds=60), "passes"),
        (trial(entry="nan-loss"), trial("stopped", seconds=6), None),
        (trial("hung", "fit-hangs"), trial("stopped", seconds=60), None),
    ],
)
def test_the_outcome_is_what_the_program_did(experiments: Json, first: Trial, then: Trial, outcome: str | None) -> None:
    expected = {"without_onednn": outcome} if outcome else {}
    assert facts_of(first, then, "without_onednn", experiments["without_onednn"]) == expected


def test_a_change_that_took_no_effect_shows_nothing(experiments: Json) -> None:
    assert facts_of(trial(), trial("well"), "float32", experiments["float32"]) == {}
    assert facts_of(trial(), trial("well", applied=True), "float32", experiments["float32"]) == {"float32": "passes"}


def test_data_count_as_stopped_only_if_the_run_had_to_be_ended(experiments: Json) -> None:
    row = experiments["data_alone"]
    assert facts_of(trial(), trial("hung", applied=True, outcome="stops"), "data_alone", row) == {"data_alone": "stops"}
    assert facts_of(trial(), trial("badly", applied=True, outcome="stops"), "data_alone", row) == {}
    assert facts_of(trial(), trial("well", applied=True, outcome="finite"), "data_alone", row) == {"data_alone": "finite"}


def test_the_op_is_read_from_tensorflows_message(experiments: Json) -> None:
    text = 'InvalidArgumentError: \n\n!!! Detected Infinity or NaN in output 0 of graph op "Log" (# of outputs: 1) !!!'
    then = trial("badly", text=text, applied=True)
    assert facts_of(trial(), then, "numerics_checked", experiments["numerics_checked"]) == {
        "numerics_checked": "found",
        "bad_op": "Log",
    }


@pytest.mark.parametrize("text", ["", "m", "-3s", "0", "1d", "inf", "nan", "5 minutes", "1e9h"])
def test_an_invalid_budget_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--budget"):
        seconds_of(text)
