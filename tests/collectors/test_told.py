"""A value that another process reported as a fact is believed if it is of the fact's kind."""

import json

import pytest

from tfhelp.collectors import environment, gpu
from tfhelp.collectors.probe_child import MARKER, Outcome, answers
from tfhelp.collectors.reported import fits
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.facts import fact_table


def outcome(*told: object) -> Outcome:
    found = Outcome()
    found.exit_code = 0
    found.output = "".join(f"\n{MARKER}{one if isinstance(one, str) else json.dumps(one)}\n" for one in told)
    return found


@pytest.mark.parametrize(
    "written", ['{"cuda": 1e400}', '{"cuda": NaN}', '{"a":' * 100_000, '{"cuda": ' + "9" * 5_000 + "}", '{"a']
)
def test_an_answer_that_is_not_json_is_left_out(written: str) -> None:
    assert answers(outcome(written, {"done": True})) == [{"done": True}]


def test_half_a_character_is_replaced() -> None:
    assert answers(outcome('{"driver": "5\\ud800"}', '{"driver": "\\ud83d\\ude00"}')) == [
        {"driver": "5?"},
        {"driver": "\U0001f600"},
    ]


@pytest.mark.parametrize("value", [3, True, [], {}, ["a"]])
def test_a_value_of_another_type_affects_only_that_fact(value: object) -> None:
    sheet = FactSheet()
    told = {"python": {"version": value, "executable": "/p", "bits": "64" if value == 3 else value}, "_plan": [["a", "/b"]]}
    assert environment._put_document(sheet, told) == [["a", "/b"]]
    assert sheet.values == {"python.executable": "/p"}


def test_the_kinds_of_the_environment_are_those_of_the_facts() -> None:
    table = fact_table()
    for path in environment._TEXTS - {"packages.*"}:
        assert table[path].removeprefix("one of ") == environment._kind_of(path), path


def test_the_kinds_of_a_gpu_are_those_of_the_facts() -> None:
    table = fact_table()
    assert {name[7:]: kind for name, kind in table.items() if name[:7] == "gpus[]." and "[]" not in name[7:]} == {
        **gpu._CARD,
        "processes": "list",
    }
    assert {name[19:]: kind for name, kind in table.items() if name.startswith("gpus[].processes[].")} == gpu._PROCESS


def test_a_gpu_keeps_what_is_of_its_kind() -> None:
    card = {
        "name": ["A100"],
        "mig_mode": True,
        "memory_total_mib": "many",
        "processes": [7, {"pid": "x", "name": "python"}],
        "x": 1,
    }
    sheet = FactSheet()
    gpu._put_answers(sheet, outcome({"driver": 5}, {"cuda": "12"}, {"gpu": card}, {"error": [], "at": 3}, {"done": True}))
    assert sheet.values["gpus"] == [{"mig_mode": True, "processes": [{"name": "python"}]}]
    read_document(sheet.document(), fact_table())


@pytest.mark.parametrize(
    ("value", "kind", "whether"), [(True, "integer", False), (1, "number", True), ([None], "texts", False), ("a", "a|b", True)]
)
def test_kinds(value: object, kind: str, whether: bool) -> None:
    assert fits(value, kind) is whether
