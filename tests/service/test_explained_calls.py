"""A name or an argument that Python reports as missing: since when, until when, its replacement, at every door."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.reading import read
from tfhelp.kb.derived import names
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.tables import Tables
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.explained_calls import sentences
from tfhelp.service.diagnosis.explained_names import about
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.doors.slack.blocks import answer_blocks


def told(text: str) -> str:
    return " ".join(sentences(read(text).records))


def traceback(source: str, message: str) -> str:
    return f'Traceback (most recent call last):\n  File "/home/me/train.py", line 3, in <module>\n    {source}\n{message}\n'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("AttributeError: module 'tensorflow' has no attribute 'placeholder'", ["1.15 or older", "tf.compat.v1.placeholder"]),
        ("AttributeError: 'module' object has no attribute 'Session'", ["tf.compat.v1.Session takes its place"]),
        (
            traceback("x = tf.nn.rnn_cell.LSTMCell(3)", "AttributeError: 'module' object has no attribute 'rnn_cell'"),
            ["tf.nn.rnn_cell exists in TensorFlow 1.15 or older"],
        ),
        ("ModuleNotFoundError: No module named 'tensorflow.contrib'", ["tf.contrib ended with TensorFlow 1"]),
        (
            "ImportError: cannot import name 'to_categorical' from 'keras.utils.np_utils' (/x/y.py)",
            ["Keras 2.2 or older to 2.12", "keras.utils.to_categorical takes its place"],
        ),
        (
            traceback("from keras.utils import np_utils", "ImportError: cannot import name 'np_utils'"),
            ["keras.utils takes its place"],
        ),
        ("ImportError: cannot import name 'EarlyStopping'", ["The newest release has", "keras.callbacks.EarlyStopping"]),
        ("TypeError: Model.fit() got an unexpected keyword argument 'workers'", ["2.2 to 2.15", "PyDataset"]),
        ("TypeError: TensorFlowTrainer.fit() got an unexpected keyword argument 'workers'", ["keras.Model.fit takes workers"]),
        ("TypeError: Model.fit() got an unexpected keyword argument 'epoch'", ["The nearest one is epochs"]),
        (
            traceback("opt = Adam(lr=0.1)", "TypeError: __init__() got an unexpected keyword argument 'lr'"),
            ["keras.optimizers.Adam is learning_rate now"],
        ),
        ("TypeError: __init__() got an unexpected keyword argument 'lr'", ["If the class is one of keras.optimizers"]),
        ("ValueError: Argument(s) not recognized: {'lr': 0.001}", ["learning_rate", "Keras 3 refuses it"]),
        ("ValueError: Unrecognized keyword arguments passed to LSTM: {'time_major': True}", ["takes time_major in"]),
        ("TypeError: ('Keyword argument not understood:', 'batch_input_shape')", ["keras.Input(batch_shape=...)"]),
        ("TypeError: reduce_sum() got an unexpected keyword argument 'keep_dims'", ["1.15 or older", "is keepdims now"]),
        ("AttributeError: 'Sequential' object has no attribute 'predict_classes'", ["the largest output"]),
        ("AttributeError: 'Functional' object has no attribute 'fit_generator'", ["fit takes generators"]),
        ("TypeError: Dense.__init__() missing 1 required positional argument: 'units'", ["keras.layers.Dense takes (units,"]),
        ("TypeError: Dropout.__init__() takes 2 positional arguments but 4 were given", ["keras.layers.Dropout takes (rate,"]),
        ("AttributeError: module 'keras.api.layers' has no attribute 'Dens'", ["nearest", "keras.layers.Dense"]),
    ],
)
def test_a_missing_name_is_explained(text: str, parts: list[str]) -> None:
    said = told(text)
    assert all(part in said for part in parts), said


@pytest.mark.parametrize(
    "text",
    [
        "AttributeError: module 'tensorflow' has no attribute '__version__'",
        "AttributeError: 'Walrus' object has no attribute 'tusk'",
        "AttributeError: 'NoneType' object has no attribute 'fit'",
        "AttributeError: module 'torch' has no attribute 'placeholder'",
        "ImportError: cannot import name 'helper'",
        "TypeError: fit() missing 1 required positional argument: 'y'",
        "TypeError: mel() got an unexpected keyword argument 'lr'",
        "TypeError: __init__() got an unexpected keyword argument 'tusk'",
        "ModuleNotFoundError: No module named 'tensorflow'",
        "ModuleNotFoundError: No module named 'keras.src.engine'",
        "ValueError: nothing of the kind",
    ],
)
def test_a_name_of_unknown_origin_is_left_unchanged(text: str) -> None:
    assert told(text) == ""


@given(
    st.text(max_size=120), st.sampled_from(["has no attribute '", "cannot import name ", "got an unexpected keyword argument '"])
)
def test_any_message_is_read(text: str, words: str) -> None:
    told(f"TypeError: {text} {words}{text}'")


def test_every_door_says_it() -> None:
    answer = Diagnoser.load(warm=True).diagnose("AttributeError: module 'tensorflow' has no attribute 'placeholder'")
    said = "tf.compat.v1.placeholder takes its place"
    assert any(said in note for note in answer["notes"])
    page = io.StringIO()
    show_answer(answer, page)
    assert said in " ".join(page.getvalue().split())
    assert said in json.dumps(answer_blocks(answer)[1])


@pytest.mark.parametrize(
    ("name", "instead", "says"),
    [
        ("tf.placeholder", "tf.compat.v1.placeholder", "does not behave in exactly the same way"),
        ("tf.contrib.slim.conv2d", "tf_slim.conv2d", "pip install tf-slim"),
        ("tf.keras.optimizers.legacy.Adam", "tf.keras.optimizers.Adam", "it raises an exception when it is called"),
        ("keras.layers.merge", "keras.layers", "2.2 or older to 2.8"),
    ],
)
def test_explain_knows_the_table_of_renames(name: str, instead: str, says: str) -> None:
    found = about(name)
    assert found["renamed"]["instead"] == instead
    assert says in " ".join(found["says"])


def test_the_replacement_of_a_name_is_a_derived_fact() -> None:
    sheet = FactSheet()
    sheet.put("derived.missing_name", "tf.contrib.slim.conv2d", "given")
    assert names.name_instead(sheet, Tables(lambda name: {})) == "tf_slim.conv2d"


@pytest.mark.parametrize(
    ("said", "installed", "told"),
    [
        ("tensorflow 2.4 to 2.10", "2.21.0", "tensorflow 2.4 to 2.10"),
        ("tensorflow 2.4 to 2.10", "2.10.1", None),
        ("tensorflow 2.4 to 2.10", "2.3.0", "tensorflow 2.4 to 2.10"),
        ("tensorflow 2.4 to 2.10", None, "tensorflow 2.4 to 2.10"),
        ("tensorflow 2.16 or newer", None, None),
        ("tensorflow 2.16 or newer", "2.15.0", "tensorflow 2.16 or newer"),
        ("tensorflow 1.15 or older, keras 2.3", "1.15.5", "keras 2.3"),
    ],
)
def test_a_script_for_other_releases_is_told(said: str, installed: str | None, told: str | None) -> None:
    sheet = FactSheet()
    sheet.put("code.written_for", said, "train.py")
    if installed:
        sheet.put("derived.tensorflow_version", installed, "derived")
    assert names.written_for(sheet, Tables(lambda name: {})) == told


def test_only_the_latest_of_many_exceptions_are_looked_up() -> None:
    """Each look-up takes ten milliseconds, and a crafted log has thousands of them."""
    known = "TypeError: Model.fit() got an unexpected keyword argument 'workers'\n"
    names = [first + second for first in "abcdefg" for second in "hijklmn"]
    others = "".join(f"TypeError: {name}() got an unexpected keyword argument '{name}'\n" for name in names)
    assert "2.2 to 2.15" in told(others + known)
    assert told(known + others) == ""
