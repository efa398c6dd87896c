"""Measures of batches: the kind of their targets, their order, their anomalies; any array will do."""

import json
import typing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tfhelp.collectors.run.injected import learning_data as measured


@pytest.mark.parametrize(
    ("targets", "form"),
    [
        ([0, 1, 1, 0], "binary"),
        ([[0.0], [1.0]], "binary"),
        ([0, 3, 2, 1, 1, 0, 2], "integer"),
        ([[0, 1, 0], [1, 0, 0]], "one-hot"),
        ([[0, 1, 1], [1, 0, 0]], "several"),
        ([0.2, 1.5], "real"),
        ([[1.5, 2.0]], "real"),
        (["a", "b"], ""),
        ([], ""),
    ],
)
def test_the_form_of_targets(targets: list[typing.Any], form: str) -> None:
    assert measured.form_of_targets(np.array(targets)) == form


def test_oddities_of_columns_are_counted() -> None:
    table = np.array([[1.0, 5.0, np.nan], [2.0, 5.0, 1.0], [3.0, 5.0, 2000.0]])
    found = measured.measures(table)
    assert (found["nonfinite"], found["constant_columns"], found["nonfinite_columns"], found["columns"]) == (1, 1, 1, 3)
    assert (found["largest_column"], found["smallest_column"], found["maximum"]) == (2000.0, 3.0, 2000.0)


def test_batches_of_one_class_are_told_from_mixed_ones() -> None:
    ordered, mixed = measured.Data(), measured.Data()
    for index in range(6):
        features = np.zeros((4, 2), "float32")
        same, other = np.full(4, index // 2), np.array([0, 1, 2, 1])
        ordered.add(index, [features], [same], (features, same))
        mixed.add(index, [features], [other], (features, other))
    assert ordered.document()["order"] == {"batches": 6, "in_batch": 1.0, "leading": pytest.approx(1 / 3, abs=1e-5), "leaders": 3}
    assert mixed.document()["order"]["in_batch"] == 0.5


def test_the_first_bad_batch_is_named() -> None:
    data = measured.Data()
    for index, value in enumerate([1.0, np.nan, 1.0]):
        features, targets = np.array([[value]]), np.array([1.0 if index < 2 else np.inf])
        data.add(index, [features], [targets], (features, targets))
    found = data.document()
    assert (found["first_bad_inputs"], found["first_bad_targets"], found["nonfinite_inputs"]) == (2, 3, 1)


KINDS = st.sampled_from(["float32", "float16", "int64", "uint8", "bool", "float64", "complex64", "U2"])


@settings(max_examples=120, deadline=None)
@given(KINDS.flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))))
def test_any_array_gives_a_document(array: typing.Any) -> None:
    with np.errstate(all="ignore"):
        document = {"inputs": measured.measures(array), "targets": measured.describe_targets(array)}
    json.dumps(document, allow_nan=False)
