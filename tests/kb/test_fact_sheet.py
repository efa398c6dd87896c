"""The facts document, the sheet, and that the flat table agrees with the pydantic model."""

import typing

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.fact_sheet import UNKNOWN, FactError, FactSheet, read_document
from tfhelp.kb.facts import Facts, fact_table

TABLE = fact_table()


def test_three_states_of_a_fact() -> None:
    sheet = read_document({"os": {"name": "linux", "wsl": None}}, TABLE)
    assert (sheet.get("os.name"), sheet.get("os.wsl"), sheet.get("os.container")) == ("linux", None, UNKNOWN)


def test_a_package_list_that_was_read_whole_tells_what_is_missing() -> None:
    document = {"packages": {"numpy": "2.1"}}
    assert read_document(document, TABLE).get("packages.tensorflow") is UNKNOWN
    whole = document | {"_about": {"packages": {"source": "pip metadata", "state": "ok"}}}
    assert read_document(whole, TABLE).get("packages.tensorflow") is None


def test_package_names_have_one_spelling() -> None:
    sheet = read_document({"packages": {"tf_keras": "2.16.0"}}, TABLE)
    assert sheet.get("packages.tf-keras") == sheet.get("packages.TF.keras") == "2.16.0"


def test_losing_facts_are_kept() -> None:
    text, given_facts = FactSheet(), FactSheet()
    text.put("python.version", "3.8", "log line 3")
    given_facts.put("python.version", "3.11", "given")
    text.add(given_facts)
    assert text.get("python.version") == "3.8"
    assert text.lost == [("python.version", "3.11", "given", "log line 3 says otherwise")]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "facts: expected a JSON object, got a list"),
        ({"oss": {}}, "oss: no such fact"),
        ({"os": {"nam": "linux"}}, "os.nam: no such fact"),
        ({"os": {"name": "beos"}}, "os.name: expected one of linux|windows|macos, got 'beos'"),
        ({"python": {"version": 3.11}}, "python.version: expected text, got a number"),
        ({"run": {"exit_code": True}}, "run.exit_code: expected integer, got a boolean"),
        ({"gpus": [{"nme": "x"}]}, "gpus[0].nme: no such fact"),
        ({"gpus": [{"processes[].pid": 1}]}, "gpus[0].processes[].pid: no such fact"),
        ({"gpus[]": {"processes": []}}, "gpus[].processes: no such fact"),
        ({"env": {"": None}}, "env.: no such fact"),
        ({"gpus": {}}, "gpus: expected a list, got an object"),
        ({"derived": {}}, "derived.*: derived facts are computed and cannot be given"),
        ({"_about": {"os.name": "x"}}, "_about.os.name: expected an object of strings"),
    ],
)
def test_what_does_not_fit_is_named(document: typing.Any, message: str) -> None:
    with pytest.raises(FactError, match="^" + message.replace("[", r"\[").replace("*", r"\*").replace("|", r"\|")):
        read_document(document, TABLE)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"gpus": []},
        {"cudnn": {"version": "6.5v2"}},
        {"run": {"signal": "SIGKILL"}},
        {"gpus": [{"processes": [{"pid": 1}]}]},
        {"log": {"failed_shape": "3"}},
    ],
)
def test_odd_but_legal_facts_are_taken(document: typing.Any) -> None:
    read_document(document, TABLE)
    Facts.model_validate(document)


_LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["linux", "3.8", ""])
)
_GROUPS = sorted({path.partition(".")[0].partition("[")[0] for path in TABLE})
_NAMES = sorted({path.rpartition(".")[2] for path in TABLE}) + ["nonsense", ""]
_VALUE = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3), max_leaves=4
)


@given(st.dictionaries(st.sampled_from([*_GROUPS, "nonsense"]), _VALUE, max_size=3))
def test_table_and_model_accept_and_refuse_the_same(document: dict[str, typing.Any]) -> None:
    try:
        read_document(document, TABLE)
        by_table = True
    except FactError:
        by_table = False
    try:
        Facts.model_validate(document)
        by_model = True
    except pydantic.ValidationError:
        by_model = False
    assert by_table == by_model
