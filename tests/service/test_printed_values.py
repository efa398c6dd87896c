"""Values that a program prints are no failure, however many shapes and dtypes they name."""

import pytest

from tfhelp.service.diagnosis.diagnoser import Diagnoser

PRINTED = {
    "a tensor": "tf.Tensor(\n[[ 2.04091912 -2.55566503]\n [-0.45264929 -0.21559716]], shape=(2, 2), dtype=float64)",
    "two tensors": "labels:\ntf.Tensor([3 1 2], shape=(3,), dtype=int32)\nweights:\ntf.Tensor([0.5 0.2 0.1], shape=(3,), dtype=float32)",
    "the form of repr": "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>",
    "half precision": "tf.Tensor([1.5], shape=(1,), dtype=float16)",
    "a variable": "<tf.Variable 'bias:0' shape=(2,) dtype=float32, numpy=array([0., 0.], dtype=float32)>",
    "classes": "tf.Tensor([2 0 0 4 2 0], shape=(6,), dtype=int64)",
    "a list": "[<tf.Tensor: shape=(), dtype=float32, numpy=1.0>, <tf.Tensor: shape=(), dtype=float32, numpy=2.0>]",
    "shapes": "tf.Tensor([2 3], shape=(2,), dtype=int32)\ntf.Tensor(2, shape=(), dtype=int32)",
    "a data set": "<_RangeDataset element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None)>",
}


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load()


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED)
def test_printed_values_are_not_diagnosed(diagnoser: Diagnoser, text: str) -> None:
    assert diagnoser.diagnose(text, {}, collected={})["matches"] == []


def test_a_message_below_them_is_diagnosed(diagnoser: Diagnoser) -> None:
    error = "InvalidArgumentError: cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a double tensor"
    answer = diagnoser.diagnose(f"{PRINTED['a tensor']}\n{error} [Op:MatMul] name: ", {}, collected={})
    assert answer["matches"][0]["entry"] == "dtype-mismatch"
