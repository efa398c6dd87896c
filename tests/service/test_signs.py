"""Whether a text mentions TensorFlow or Keras."""

import pytest

from tfhelp.collectors.reading import ours, read
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import signs


def count(*texts: str, version: str = "") -> int:
    sheet = FactSheet()
    if version:
        sheet.put("derived.tensorflow_version", version, "given")
    return signs.count_signs([Record("output", text, 1, 1) for text in texts], [], sheet)


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow",
        "keras.layers.Dense(1)",
        "x = tf.constant(1)",
        "I train with TF on two cards",
        "OOM [Op:Conv2D]",
        "/job:localhost/replica:0/task:0/device:GPU:0",
        "InvalidArgumentError: shapes",
        "the TFRecord file is broken",
    ],
)
def test_signs_are_seen(text: str) -> None:
    assert count(text) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "torch.cuda.OutOfMemoryError: CUDA out of memory",
        "external/org_tensorflow/tensorflow/compiler/xla/pjrt/pjrt_client.cc:1] E",
        "rerun with (set TF_CPP_MIN_LOG_LEVEL=0 for details)",
        "TensorFlow.js cannot load model.json",
        "tensorflow serving finds no servable",
        "the tflite interpreter on a phone",
        "TF Lite delegate",
        "RuntimeError: NCCL error",
    ],
)
def test_words_of_other_software_are_not_signs(text: str) -> None:
    assert count(text) == 0


def test_a_version_is_a_sign_and_an_empty_text_points_to_no_other_software() -> None:
    assert count("it does not work", version="2.15.0") == 1
    assert count() == 1


@pytest.mark.parametrize(
    "text", ["Epoch 3/10", "python train.py", "run.ipynb", "CUDA is busy", "it dies when I train on the GPU"]
)
def test_an_ending_may_be_a_trainings_where_these_words_are(text: str) -> None:
    sheet = FactSheet()
    sheet.put("run.signal", "SIGKILL", "log line 2")
    assert signs.may_be_a_training([Record("output", text, 1, 1), Record("shell", "Killed", 2, 2)], sheet, True)


def test_an_ending_may_be_any_programs_unless_it_was_observed() -> None:
    records = [Record("output", "ready for connections on port 3306", 1, 1), Record("shell", "Killed", 2, 2)]
    sheet = FactSheet()
    sheet.put("run.signal", "SIGKILL", "log line 2")
    assert not signs.may_be_a_training(records, sheet, True)
    assert signs.may_be_a_training(records[1:], sheet, True)
    code = Record("output", "import zorbgbm as zg\nmodel = zg.train(rows)", 1, 1)
    assert not signs.may_be_a_training([code, Record("output", "python train.py", 3, 3), records[1]], sheet, True)
    own = Record("output", "import os\nimport numpy as np\npython train.py", 1, 1)
    assert signs.may_be_a_training([own, records[1]], sheet, True)
    assert not signs.may_be_a_training([own, records[1]], sheet, False)
    sheet.put("run.exit_code", 137, "observed")
    assert signs.may_be_a_training(records, sheet, True)


def test_in_a_long_text_the_failure_counts_and_a_chance_mention_does_not() -> None:
    noise = [Record("output", f"order {number} was packed", number, number) for number in range(1, 2_001)]
    raised = Record("traceback", "errors_impl.DataLossError: corrupted record", 900, 905)
    raised.exception = "DataLossError"
    mention = Record("output", "meeting on tensorflow at noon", 900, 900)
    assert signs.count_signs([*noise[:900], raised, *noise[901:]], [], FactSheet()) == 1
    assert signs.count_signs([*noise[:900], mention, *noise[901:]], [], FactSheet()) == 0


@pytest.mark.parametrize(("package", "signs"), [("autokeras", 1), ("imageai", 1), ("torch", 0), ("zorblax", 0)])
def test_a_package_that_runs_on_nothing_else_is_a_sign(package: str, signs: int) -> None:
    record = Record("traceback", "ValueError: no", 1, 1)
    record.origin = f"library:{package}"
    assert ours.signs_in([record]) == signs


@pytest.mark.parametrize(
    ("packages", "signs"),
    [(["zorblax"], 0), (["zorblax", "tensorflow"], 1), (["zorblax", "autokeras"], 2), ([], 1)],
)
def test_the_class_of_an_exception_is_no_sign_below_another_frameworks_frames(packages: list[str], signs: int) -> None:
    frames = "".join(
        f'  File "/venv/lib/python3.11/site-packages/{package}/run.py", line 3, in f\n    f()\n' for package in packages
    )
    raised = "ResourceExhaustedError: Out of memory error on GPU 0\n"
    text = f'Traceback (most recent call last):\n  File "run.py", line 1, in <module>\n    f()\n{frames}{raised}'
    for record in (records := read(text).records):
        record.text = raised
    assert ours.signs_in(records) == signs


@pytest.mark.parametrize(("origin", "signs"), [("library:zorblax", 0), ("user", 1)])
def test_model_fit_is_no_sign_where_another_library_raised_the_error(origin: str, signs: int) -> None:
    record = Record("traceback", "model.fit(x, y)\nValueError: no", 1, 2)
    record.exception, record.origin = "ValueError", origin
    assert ours.signs_in([record]) == signs


@pytest.mark.parametrize(
    ("texts", "elsewhere"),
    [
        ([("traceback", "library:zorblax")], True),
        ([("prose", "program:zorbd")], True),
        ([("prose", "person"), ("exception", "library:zorblax")], True),
        ([("exception", "library:zorblax"), ("traceback", "user")], False),
        ([("log", "program:zorbd"), ("prose", "person")], False),
        ([("exception", "unknown")], False),
        ([("shell", "program:xla")], False),
    ],
)
def test_whose_failure_it_is(texts: list[tuple[str, str]], elsewhere: bool) -> None:
    records = []
    for number, (kind, origin) in enumerate(texts, 1):
        record = Record(kind, "it failed", number, number)
        record.origin = origin
        record.exception = "ValueError" if kind in ("traceback", "exception") else ""
        records.append(record)
    assert signs.failed_elsewhere(records) == elsewhere
