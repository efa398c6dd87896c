"""Code inside pasted texts and notebooks."""

import json
import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.collectors import code
from tfhelp.collectors.code import text as pasted_code
from tfhelp.collectors.code.notebook import plain_cell, source_of_notebook
from tfhelp.collectors.reading import read

SCRIPT = "import tensorflow as tf\n\nopt = tf.keras.optimizers.Adam(lr=0.1)\n"
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/home/user/project/train.py", line 3, in <module>\n'
    "    model.fit(x, y)\n"
    "ValueError: lr is not an optimizer argument\n"
)


def from_text(text: str) -> str:
    return pasted_code.from_text(read(text)).source


def found(text: str) -> list[tuple[str, int]]:
    source, numbers = pasted_code.from_text(read(text))
    return [(item.fact, numbers[item.line - 1]) for item in code.examine(source, "text", part=True).findings]


def test_code_behind_a_launcher_and_in_a_json_record_keeps_its_lines() -> None:
    prefixed = "".join(f"trainer-1  | {line}\n" for line in SCRIPT.splitlines())
    assert found("it says\n\n" + prefixed) == [("code.lr_argument", 5)]
    record = "\n\n" + json.dumps({"message": f"```\n{SCRIPT}```"})
    assert found(record) == [("code.lr_argument", 3)]


def test_a_bomb_is_told_before_it_is_parsed() -> None:
    for bomb in ("a;" * 1_500_000, "a;\n" * 1_000_000, ("a;" * 9_000 + "\n") * 160, "(" * 3_000_000):
        tracemalloc.start()
        assert len(from_text(f"```python\nimport tensorflow as tf\n{bomb}\n```\n")) < 300_000
        parsed = code.examine("import tensorflow as tf\n" + bomb)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert parsed.fault is not None and parsed.findings == []
        assert peak < 256 << 20, (bomb[:10], peak >> 20)


def test_a_fenced_block_keeps_the_lines_of_the_text() -> None:
    text = f"It fails:\n\n```python\n{SCRIPT}```\nwith this:\n{TRACEBACK}"
    assert found(text) == [("code.lr_argument", 6)]


def test_an_indented_fence_and_a_fence_of_another_language() -> None:
    indented = "\n".join("  " + line for line in f"```\n{SCRIPT}```".split("\n"))
    assert found(f"1. so:\n{indented}\n") == [("code.lr_argument", 5)]
    assert from_text("```bash\npip install keras\nmodel=big python train.py\n```\n") == ""


def test_prompts_of_the_interpreter_without_what_it_printed() -> None:
    text = (
        ">>> import tensorflow as tf\n"
        ">>> with tf.Session() as s:\n"
        "...     pass\n"
        "...\n" + TRACEBACK + ">>> tf.keras.optimizers.Adam(lr=0.1)\n<Adam object>\n"
    )
    assert found(text) == [("code.tf1_names", 2), ("code.lr_argument", 9)]


def test_a_script_between_prose_and_a_traceback() -> None:
    text = f"Hello, my program is this one.\n\n{SCRIPT}\nand it says\n\n{TRACEBACK}"
    assert found(text) == [("code.lr_argument", 5)]


def test_a_script_alone_and_one_with_magics() -> None:
    assert found(SCRIPT) == [("code.lr_argument", 3)]
    assert found("!pip install tensorflow\n" + SCRIPT) == [("code.lr_argument", 4)]


def test_two_lines_about_tensorflow_are_code_and_one_is_not() -> None:
    callback = 'stop = EarlyStopping(monitor="value_loss")\n'
    fit = "model.fit(x, y, validation_split=0.2, callbacks=[stop])\n"
    assert ("code.monitor_not_reported", 1) in found(callback + fit + "\nIt never stops.\n")
    assert from_text(callback + "\nIt never stops.\n") == ""


def test_code_that_names_no_module_and_calls_its_model_something_else_is_code() -> None:
    network = 'net = Sequential()\nnet.add(LSTM(4, input_shape=(3, 1)))\nnet.add(Dense(1, activation="softmax"))\n'
    training = 'net.compile(optimizer="adagrad", loss="binary_crossentropy")\nnet.fit(series, following, epochs=100)\n'
    text = f"I wrote this network for a series of bits.\n{network}{training}It always answers 1.\n"
    assert ("code.single_unit_with_categorical_loss", 4) in found(text)


def test_logs_tracebacks_and_prose_hold_no_code() -> None:
    for text in (
        TRACEBACK,
        "my model.fit is slow with tf.data, what can I do about keras.layers?",
        "2026-11-20 10:00:00.000000: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary\n" * 20,
        "Epoch 1/5\n 10/100 [==>.....] - loss: 0.5\nmodel = big\nKilled\n",
        "import of tensorflow fails on Windows\nfrom keras I get nothing\n",
        "```\nValueError: bad\n```\n",
        "",
    ):
        assert from_text(text) == "", text


def test_a_script_after_a_long_log_is_found_with_its_lines() -> None:
    log = "".join(f"step {number}: loss 0.5\n" for number in range(1, 4101))
    assert found(f"{log}```python\n{SCRIPT}```\n") == [("code.lr_argument", 4104)]


def test_what_real_programs_printed_holds_no_code(repository) -> None:  # type: ignore[no-untyped-def]
    recordings = sorted((repository / "kb/entries").rglob("*.recorded.json"))
    assert recordings
    for path in recordings:
        output = json.loads(path.read_text(encoding="utf-8")).get("output", "")
        assert code.examine(from_text(output), "text", part=True).findings == [], path


@given(st.text(alphabet=st.sampled_from(" \n`>.=()abtfkeras_model:\"'"), max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_text_is_searched_and_keeps_its_lines(text: str) -> None:
    source = from_text(text)
    assert source.rstrip("\n").count("\n") <= text.count("\n")


@given(
    st.lists(
        st.sampled_from([SCRIPT, TRACEBACK, "```python", "```", ">>> x = 1", "Some prose here.", "model.fit(", "@tf.function"]),
        max_size=12,
    )
)
@settings(max_examples=200, deadline=None)
def test_pieces_in_any_order_are_searched(pieces: list[str]) -> None:
    code.examine(from_text("\n".join(pieces)), "text", part=True)


def notebook(*cells: tuple[str, str | list[str]]) -> str:
    return json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in cells], "nbformat": 4})


def test_a_notebook_names_cell_and_line() -> None:
    text = notebook(
        ("code", ["%matplotlib inline\n", "import tensorflow as tf\n"]),
        ("markdown", "# Training"),
        ("code", "!pip install pandas\nfiles = !ls\nopt = tf.keras.optimizers.Adam(lr=0.1)"),
        ("code", "%%bash\nrm -rf 'x"),
    )
    examination = code.examine(text, "train.ipynb")
    assert examination.fault is None
    sheet = code.facts(examination)
    assert sheet.get("code.lr_argument") is True
    assert sheet.source("code.lr_argument") == "train.ipynb code cell 2 line 3"


def test_a_notebook_of_the_older_form() -> None:
    document = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}], "nbformat": 3}
    assert source_of_notebook(json.dumps(document)) == ("x = 1\ny = 2\n", [1])


def test_a_file_that_is_not_a_notebook_is_reported() -> None:
    for text in ("", "{}", "[]", "print(1)", '{"cells": 3}'):
        fault = code.examine(text, "a.ipynb").fault
        assert fault is not None
        assert "not a notebook" in fault[1]


def test_ipython_lines_are_not_python() -> None:
    assert plain_cell("!pip install a \\\n    b\nx = 1") == "pass\npass\nx = 1"
    assert plain_cell("tf.Variable??") == "pass"
