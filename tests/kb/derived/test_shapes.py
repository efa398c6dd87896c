"""Shapes that a failure names, compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.derived import derive, shapes
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables


def _derived(name: str, **facts: str | int) -> object:
    sheet = FactSheet()
    for key, value in facts.items():
        sheet.put(f"log.{key}", value, "given")
    derive(sheet, Tables(lambda name: {}))
    return sheet.get(f"derived.{name}")


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("(None, 28, 28)", (None, 28, 28)),
        ("[32,?,10]", (32, None, 10)),
        ("()", ()),
        ("(4,)", (4,)),
        ("TensorShape([8, 3])", (8, 3)),
        ("(unknown)", None),
        ("<unknown>", None),
        (None, None),
    ],
)
def test_parse(text: str | None, axes: tuple[int | None, ...] | None) -> None:
    assert shapes.parse(text) == axes


@given(st.text(max_size=60))
def test_parse_takes_any_text(text: str) -> None:
    found = shapes.parse(text)
    assert found is None or all(axis is None or axis >= 0 for axis in found)


@given(st.lists(st.none() | st.integers(0, 10**9), max_size=shapes.MOST_AXES))
def test_parse_reads_what_python_prints(axes: list[int | None]) -> None:
    assert shapes.parse(str(tuple(axes))) == tuple(axes)


@pytest.mark.parametrize(
    ("facts", "difference"),
    [
        ({"expected_shape": "(None, 28, 28, 1)", "found_shape": "(28, 28, 1)"}, "no-batch-axis"),
        ({"expected_shape": "(None, 4)", "found_shape": "(4,)"}, "no-batch-axis"),
        ({"expected_shape": "(None, 28, 28, 1)", "found_shape": "(None, 28, 28)"}, "no-channel-axis"),
        ({"expected_shape": "(None, 32, 32, 3)", "found_shape": "(None, 3, 32, 32)"}, "channels-moved"),
        ({"expected_shape": "(None, 32, 32, 3)", "found_shape": "(None, 32, 32, 4)"}, "channel-count"),
        ({"expected_shape": "(None, 784)", "found_shape": "(None, 28, 28)"}, "axis-too-many"),
        ({"expected_shape": "(None, 5)", "found_shape": "(None, 4)"}, "size-differs"),
        ({"expected_shape": "(None, 96, 96, 3)", "found_shape": "(None, 40, 7)"}, "axis-missing"),
        ({"expected_rank": 4, "found_shape": "(None, 28, 28)"}, "no-channel-axis"),
        ({"expected_rank": 4, "found_shape": "(28, 28, 3)"}, "no-batch-axis"),
        ({"expected_rank": 3, "found_shape": "(None, 64)"}, "no-channel-axis"),
        ({"expected_rank": 3, "found_shape": "(None, 64)", "layer": "lstm"}, "no-channel-axis"),
        ({"expected_rank": 3, "found_shape": "(None, 64)", "layer": "lstm_1"}, "no-steps"),
        ({"expected_rank": 3, "found_shape": "(None, 64)", "layer": "global_max_pooling1d"}, "no-steps"),
        ({"expected_rank": 4, "found_shape": "(None, 64)", "layer": "lstm"}, "axis-missing"),
        ({"expected_rank": 2, "found_shape": "(4,)"}, "no-batch-axis"),
        ({"expected_rank": 2, "found_shape": "(None,)", "layer": "dense"}, "no-channel-axis"),
        ({"expected_rank": 2, "found_shape": "(None,)", "layer": "dense_1"}, "axis-removed"),
        ({"expected_rank": 2, "found_shape": "(None,)", "layer": "dense", "call_shape": "(None, 8)"}, "axis-removed"),
        ({"expected_rank": 4, "found_shape": "(None, 16)", "layer": "conv2d_1"}, "axis-removed"),
        ({"expected_rank": 4, "found_shape": "(None, 16)", "layer": "conv2d"}, "axis-missing"),
        ({"expected_rank": 4, "found_shape": "(None, 28, 28)", "layer": "conv2d_3"}, "no-channel-axis"),
        (
            {"expected_rank": 4, "found_shape": "(None, 28, 28)", "layer": "conv2d_3", "call_shape": "(None, 28, 28)"},
            "no-channel-axis",
        ),
        ({"expected_rank": 3, "found_shape": "(None, 64)", "layer": "lstm_1", "call_shape": "(None, 20, 8)"}, "no-steps"),
        # The code declares the input. Equal sizes may be data without a channel axis, in a notebook cell that ran twice.
        ({"expected_rank": 4, "found_shape": "(None, 14, 4)", "layer": "conv2d_1", "input_shape": "(16, 16, 3)"}, "axis-removed"),
        ({"expected_rank": 4, "found_shape": "(None, 14, 4)", "layer": "conv2d", "input_shape": "(16, 16, 3)"}, "no-batch-axis"),
        (
            {"expected_rank": 4, "found_shape": "(None, 28, 28)", "layer": "conv2d_1", "input_shape": "(28, 28, 1)"},
            "no-channel-axis",
        ),
        (
            {"expected_rank": 4, "found_shape": "(None, 28, 28)", "layer": "conv2d_1", "input_shape": "(28, 28)"},
            "no-channel-axis",
        ),
        ({"expected_rank": 4, "found_shape": "(None, 28)", "layer": "conv2d_1", "input_shape": "(28, 28, 1)"}, "axis-removed"),
        ({"expected_rank": 4, "found_shape": "(None, 16)", "layer": "conv2d_1", "input_shape": "(16,)"}, "axis-missing"),
        ({"expected_rank": 4, "found_shape": "(None, 30, 16)", "layer": "conv2d", "layer_in_chain": True}, "axis-missing-inside"),
        ({"expected_rank": 4, "found_shape": "(None, 16)", "layer": "conv2d", "layer_in_chain": True}, "axis-removed"),
        (
            {"expected_rank": 3, "found_shape": "(None, 7, 7, 64)", "layer": "lstm", "layer_in_chain": True},
            "axis-too-many-inside",
        ),
        (
            {
                "expected_rank": 4,
                "found_shape": "(None, 28, 28)",
                "layer": "conv2d",
                "layer_in_chain": True,
                "input_shape": "(28, 28)",
            },
            "no-channel-axis",
        ),
        ({"expected_axis": "-1", "expected_size": "3", "found_shape": "(None, 3, 64, 64)"}, "channels-moved"),
        ({"expected_axis": "-1", "expected_size": "784", "found_shape": "(None, 28)"}, "size-differs"),
        ({"expected_axis": "-3", "expected_size": "1", "found_shape": "(None, 28, 28, 1)"}, "channels-moved"),
        ({"expected_axis": "-4", "expected_size": "2", "found_shape": "(None, 16, 32, 32, 2)"}, "channels-moved"),
        ({"found_shape": "(None, 28)"}, UNKNOWN),
        ({"expected_shape": "(None, 28)", "found_shape": "(None, 28)"}, UNKNOWN),
    ],
)
def test_input_difference(facts: dict[str, str | int], difference: object) -> None:
    assert _derived("input_difference", **facts) == difference


@pytest.mark.parametrize(
    ("labels", "predictions", "difference"),
    [
        ("(None, 1)", "(None, 10)", "integer-labels"),
        ("(None,)", "(None, 10)", "integer-labels"),
        ("(None, 3)", "(None, 3)", "one-hot-labels"),
        ("[2500]", "[250,10]", "one-hot-labels"),
        ("[1200,4]", "[40,4]", "time-axis"),
        ("[960]", "[32,5000]", "time-axis"),
        ("[10]", "[490,3]", "image-axes-left"),
        ("(None, 30)", "(None, 9)", "class-count"),
        ("(None, 2)", "(None, 1)", "class-count"),
        ("(None, 128, 128, 1)", "(None, 128, 128, 21)", "integer-labels"),
        ("(None, 20, 1)", "(None, 20, 5000)", "integer-labels"),
        ("(None, 67)", "(None, 7, 7, 67)", "image-axes-left"),
        ("(None, 1)", "(None, 20, 1)", "time-axis"),
        ("()", "(28, 10)", "no-batch-axis"),
        ("(32, 1, 4)", "(32, 4)", "axis-too-many"),
        ("(unknown)", "(32, 4)", UNKNOWN),
        ("(1,)", "(10,)", "integer-labels"),
        ("(10,)", "(1,)", "one-hot-labels"),
        ("(12,)", "(10,)", "class-count"),
        ("(None,)", "(None,)", UNKNOWN),
    ],
)
def test_labels_difference(labels: str, predictions: str, difference: object) -> None:
    assert _derived("labels_difference", labels_shape=labels, predictions_shape=predictions) == difference


def test_steps_of_a_convolution_are_told_from_those_of_a_recurrent_layer_by_the_program() -> None:
    for flatten_missing, difference in ((False, "time-axis"), (True, "steps-left")):
        sheet = FactSheet()
        sheet.put("log.labels_shape", "(None, 1)", "given")
        sheet.put("log.predictions_shape", "(None, 96, 4)", "given")
        sheet.put("code.flatten_missing", flatten_missing, "given")
        derive(sheet, Tables(lambda name: {}))
        assert sheet.get("derived.labels_difference") == difference


@pytest.mark.parametrize(
    ("value", "end", "fault"),
    [
        ("10", "10", "off-by-one"),
        ("12", "10", "too-large"),
        ("-1", "10", "negative"),
        ("-2147483648", "10", "cast-nan"),
        ("-9223372036854775808", None, "cast-nan"),
        ("255", "21", "ignore-label"),
        ("10001", "10000", "too-large"),
        ("ten", "10", UNKNOWN),
    ],
)
def test_index_fault(value: str, end: str | None, fault: object) -> None:
    facts = {"out_of_range_value": value} | ({"valid_range_end": end} if end else {})
    assert _derived("index_fault", **facts) == fault


@pytest.mark.parametrize(
    ("one", "other", "last", "differs"),
    [
        ("[4,8]", "[32,8]", "step", True),
        ("[4,8]", "[32,8]", "validation", True),
        ("[4,8]", "[32,8]", "first-step", False),
        ("[4,8]", "[32,1]", "step", False),
        ("[4]", "[32]", "step", False),
        ("[4,8]", "[32,8]", None, UNKNOWN),
    ],
)
def test_later_batch_differs(one: str, other: str, last: str | None, differs: object) -> None:
    facts = {"log.expected_shape": one, "log.found_shape": other} | ({"course.last": last} if last else {})
    sheet = FactSheet()
    for path, value in facts.items():
        sheet.put(path, value, "given")
    derive(sheet, Tables(lambda name: {}))
    assert sheet.get("derived.later_batch_differs") == differs


@pytest.mark.parametrize(
    ("one", "other", "where"),
    [
        ("[32,64]", "[17,64]", "first-axis"),
        ("[32]", "[17]", "first-axis"),
        ("[32,5]", "[32,10]", "later-axis"),
        ("[32,5]", "[17,10]", "later-axis"),
        ("[32,10]", "[32]", "axis-count"),
        ("[32,10]", "[?,10]", UNKNOWN),
        ("[32,10]", "not a shape", UNKNOWN),
    ],
)
def test_shapes_differ_in(one: str, other: str, where: object) -> None:
    sheet = FactSheet()
    sheet.put("log.expected_shape", one, "given")
    sheet.put("log.found_shape", other, "given")
    derive(sheet, Tables(lambda name: {}))
    assert sheet.get("derived.shapes_differ_in") == where
