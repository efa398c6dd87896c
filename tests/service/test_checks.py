"""Checks are three-valued and give a reason."""

import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.reading import read
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.service.diagnosis.checks import compare, evaluate


def sheet(**facts: object) -> FactSheet:
    made = FactSheet()
    for name, value in facts.items():
        made.put(name.replace("__", "."), value, "given")
    return made


@pytest.mark.parametrize(
    ("value", "wanted", "outcome"),
    [
        (UNKNOWN, True, None),
        (UNKNOWN, {"present": False}, None),
        (None, {"present": False}, True),
        (None, {"version": ">=2"}, False),
        (None, "linux", False),
        ("Linux", "linux", True),
        (0.3, {"above": 0.2}, True),
        (0.2, {"above": 0.2}, False),
        ("2.10", {"version": ">=2.10,<2.11"}, True),
        ("6.5v2", {"version": "<7"}, True),
        ("nightly", {"version": ">=2"}, None),
        ("a", {"any_of": ["a", "b"]}, True),
        ("a", {"none_of": ["a", "b"]}, False),
        (["libcudart.so.12"], {"contains": "libcudart"}, True),
        ("Ubuntu 22.04", {"matches": "^Ubuntu"}, True),
        (137, 137, True),
    ],
)
def test_compare(value: object, wanted: object, outcome: bool | None) -> None:
    assert compare(value, wanted) is outcome


def test_a_holding_check_says_why_with_the_values_and_where_from() -> None:
    check = {
        "says": "it is low",
        "fact": "host.shm_total_mib",
        "is": {"at_most": 64},
        "because": "only {host.shm_total_mib} MiB",
        "required": False,
    }
    evidence = evaluate(check, sheet(host__shm_total_mib=64.0), [])
    assert (evidence.outcome, evidence.because, evidence.source) == ("holds", "only 64 MiB", "given")


def test_a_text_check_fails_only_where_absence_speaks() -> None:
    records = read("Epoch 1/5").records
    silent = {"says": "it was killed", "text": "Killed", "literals": [["killed"]], "required": False}
    assert evaluate(silent, sheet(), records).outcome == "unknown"
    assert evaluate(silent | {"against": "weak"}, sheet(), records).outcome == "fails"
    assert evaluate(silent | {"against": "weak"}, sheet(), []).outcome == "unknown"
    assert evaluate(silent, sheet(), read("Epoch 1/5\nKilled").records).source == "log line 2"


_VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.just(UNKNOWN)
_TEXT_WANTED = [
    {"version": ">=2.10"},
    {"present": True},
    {"contains": "x"},
    {"matches": "x"},
    {"any_of": ["a"]},
    True,
    "linux",
    3,
]


@given(_VALUES, st.sampled_from(_TEXT_WANTED))
def test_no_value_makes_a_comparison_fail_loudly(value: typing.Any, wanted: typing.Any) -> None:
    assert compare(value, wanted) in (True, False, None)
