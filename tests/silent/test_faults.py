"""Which fault the facts of a learning indicate, one small state for each, and states that indicate none."""

import json
import pathlib
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.collectors.run import learning
from tfhelp.kb import compiled
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.facts import fact_table
from tfhelp.service.run.learning import facts_of_learning, learned_badly

Json = dict[str, typing.Any]
BAD: Json = {"steps": 50, "first_bad_step": 9, "first_bad": "loss", "loss_first": 1.0, "loss_before_bad": 1.1}
STUCK: Json = {
    "steps": 400,
    "loss": "binary_crossentropy",
    "own_loss": False,
    "from_logits": False,
    "loss_first": 0.7,
    "loss_last": 0.69,
    "loss_of_constant": 0.69,
    "last_activation": "sigmoid",
    "output_units": 1,
    "target_form": "binary",
    "target_classes": 2,
    "target_largest_share": 0.5,
    "learning_rate": 0.001,
    "optimizer": "Adam",
    "input_minimum": -2.0,
    "input_maximum": 2.0,
    "trainable_share": 1.0,
}
LEARNED = STUCK | {"loss_last": 0.1}
REGRESSION = LEARNED | {
    "loss": "mse",
    "target_form": "real",
    "target_minimum": -3.0,
    "target_maximum": 3.0,
    "last_activation": "linear",
}

FAULTS: list[tuple[Json, str | None]] = [
    (BAD | {"input_nonfinite": 1}, "bad-data"),
    (BAD | {"target_nonfinite": 2}, "bad-data"),
    (BAD | {"targets_beyond_units": True}, "label-out-of-range"),
    (BAD | {"first_bad": "layer", "first_bad_dtype": "float16", "half_precision": True, "loss_scaling": True}, "half-precision"),
    (BAD | {"half_precision": True, "loss_scaling": False}, "half-precision"),
    (BAD | {"loss_before_bad": 1e9}, "exploded"),
    (BAD | {"weights_grew": 1e5}, "exploded"),
    (BAD | {"activations_largest": 1e20}, "exploded"),
    (BAD, "unsafe-math"),
    (BAD | {"first_bad": "gradient", "gradient_largest": 3.0}, "unsafe-math"),
    (BAD | {"first_bad": "unknown"}, "bad-values"),
    (BAD | {"first_bad": "unknown", "learning_rate": 10.0, "optimizer": "SGD"}, "exploded"),
    (LEARNED | {"unrestored": ["dense/kernel"]}, "not-restored"),
    (LEARNED | {"restored_from_nothing": True}, "not-restored"),
    (LEARNED | {"replicas_made": 4, "replicas_used": 1}, "strategy-unused"),
    (LEARNED | {"replicas_made": 4, "replicas_used": 4}, None),
    (LEARNED | {"asked_scale_ratio": 255.0}, "asked-otherwise"),
    (LEARNED | {"asked_scale_ratio": 3.0}, None),
    (LEARNED | {"last_activation": "softmax"}, "activation"),
    (STUCK | {"last_activation": "relu"}, "activation"),
    (STUCK | {"last_activation": "sigmoid", "predictions_maximum": 1.7}, "activation"),
    (STUCK | {"loss": "CategoricalCrossentropy", "output_units": 4, "target_form": "one-hot"}, "activation"),
    (LEARNED | {"loss": "CategoricalCrossentropy", "output_units": 4, "target_form": "one-hot"}, None),
    (
        LEARNED | {"from_logits": True, "predictions_minimum": 0.1, "predictions_maximum": 0.9, "last_layer": "Reshape"},
        "activation",
    ),
    (LEARNED | {"from_logits": True, "predictions_minimum": 0.1, "predictions_maximum": 0.9, "last_layer": "Dense"}, None),
    (LEARNED | {"from_logits": True, "last_activation": "linear", "predictions_minimum": -4.0}, None),
    (REGRESSION | {"last_activation": "relu"}, "activation"),
    (REGRESSION | {"last_activation": "sigmoid"}, "activation"),
    (REGRESSION, None),
    (STUCK | {"hidden_layers_linear": True}, "activation"),
    (LEARNED | {"hidden_layers_linear": True}, None),
    (STUCK | {"loss": "mse"}, "activation"),
    (STUCK | {"trainable_share": 0.0}, "not-trained"),
    (STUCK | {"trainable_share": 0.2, "not_given": ["a/kernel"], "own_loop": True}, "not-trained"),
    (LEARNED | {"trainable_share": 0.2, "not_given": ["a/kernel"], "own_loop": True}, None),
    (STUCK | {"inputs_same": True}, "labels"),
    (STUCK | {"learning_rate": 1.0}, "rate"),
    (STUCK | {"learning_rate": 1e-8}, "rate"),
    (STUCK | {"learning_rate": 0.02}, "rate"),
    (LEARNED | {"learning_rate": 1.0}, None),
    (STUCK | {"dead_share": 1.0}, "rate"),
    (STUCK | {"input_maximum": 255.0}, "unscaled"),
    (LEARNED | {"input_maximum": 255.0}, None),
    (STUCK | {"input_maximum": 255.0, "input_dtype": "int64"}, None),
    (STUCK | {"leading_class_share": 1.0, "target_largest_share": 0.95}, "majority"),
    (STUCK | {"leading_class_share": 1.0, "target_largest_share": 0.5}, None),
    (STUCK, None),
    (STUCK | {"steps": 10, "learning_rate": 1.0}, None),
    (STUCK | {"steps": 10, "last_activation": "softmax"}, "activation"),
    (STUCK | {"accuracy": 0.9}, None),
    (LEARNED | {"labels_sorted": True}, "sorted"),
    (LEARNED | {"validation_classes_differ": 0.9, "validation_loss_last": 2.0}, "split"),
    (LEARNED | {"loss_in_training": 0.1, "loss_in_inference": 2.0}, "modes-differ"),
    (LEARNED | {"loss_in_training": 0.1, "loss_in_inference": 0.12}, None),
    (LEARNED | {"validation_loss_best": 0.5, "validation_loss_last": 1.2}, "overfitting"),
    (LEARNED | {"validation_loss_best": 0.12, "validation_loss_last": 0.13}, None),
]


@pytest.mark.parametrize(("facts", "fault"), FAULTS)
def test_the_facts_mean_this_fault(facts: Json, fault: str | None) -> None:
    sheet = read_document({"learning": facts}, fact_table())
    derive(sheet, compiled.load().tables)
    assert sheet.get("derived.learning_fault") == fault
    assert learned_badly({"learning": facts}) is (fault is not None)


def test_without_the_hook_nothing_is_said_of_the_learning(tmp_path: pathlib.Path) -> None:
    (tmp_path / "learning-1.json").write_text(json.dumps({"version": 1, "models": [{"steps": 5}]}), encoding="utf-8")
    assert facts_of_learning(("stacks",), str(tmp_path)) == {}
    assert facts_of_learning(("stacks", "learning"), None) == {}
    assert facts_of_learning(("stacks", "learning"), str(tmp_path))["learning"]["steps"] == 5
    assert not learned_badly({})


SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.sampled_from(["nan", "inf", "mse", "train", ""])
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
KEYS = ("steps", "epochs", "losses", "bad", "loss", "about", "looks", "variables", "data")


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING), ANYTHING)
def test_a_damaged_document_raises_nothing(model: Json, restored: typing.Any) -> None:
    facts = learning._guarded({"version": 1, "restored": restored, "models": [model]}, model)
    assert isinstance(facts, dict)
    learning._weight(model)


def test_a_file_that_is_no_document_is_passed_over(tmp_path: pathlib.Path) -> None:
    for name, content in (
        ("1", b"{"),
        ("2", b"[]"),
        ("3", b"\xff\xfe"),
        ("4", b'{"version": 9}'),
        ("5", b'{"version": 1, "models": 3}'),
    ):
        (tmp_path / f"learning-{name}.json").write_bytes(content)
    assert "learning" not in learning.read_folder(str(tmp_path))
    assert "learning" not in learning.read_folder(str(tmp_path / "missing"))


@pytest.mark.parametrize(
    ("loss", "targets", "least"),
    [
        ("mse", {"spread": 3.0}, 9.0),
        ("MeanAbsoluteError", {"deviation": 2.0}, 2.0),
        ("SparseCategoricalCrossentropy", {"entropy": 1.1}, 1.1),
        ("binary_crossentropy", {"form": "one-hot", "kinds": [0, 1], "shares": [0.5, 0.5]}, 0.6931471805599453),
        ("own", {"spread": 3.0}, None),
    ],
)
def test_the_loss_of_a_constant_prediction(loss: str, targets: Json, least: float | None) -> None:
    assert learning.loss_of_constant(loss, targets) == least
