"""From pasted text to records."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.condense import condense, primary, salience
from tfhelp.kb.text import Record

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 12, in <module>
    model.fit(x, y)
    ^^^^^^^^^^^^^^^
  File "/home/user/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
ValueError: Input 0 of layer "dense" is incompatible with the layer: expected shape=(None, 8), found shape=(None, 4)
"""
NOTEBOOK = """\
---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Cell In[3], line 2
      1 model = build()
----> 2 model.fit(x, y)

File ~/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py:122, in filter_traceback.<locals>.error_handler(*args)
    120     filtered_tb = _process_traceback_frames(e.__traceback__)
--> 122     raise e.with_traceback(filtered_tb) from None

ValueError: Unrecognized data type: x=[[1], [2]] (of type <class 'list'>)
"""


def records_of(text: str) -> list[Record]:
    return read(text).records


def kinds(text: str) -> list[str]:
    return [record.kind for record in records_of(text)]


def test_a_traceback_is_one_record_that_ends_in_its_exception() -> None:
    (record,) = records_of(TRACEBACK)
    assert record.kind == "traceback"
    assert record.exception == "ValueError"
    assert record.message.startswith('ValueError: Input 0 of layer "dense"')
    assert (record.first_line, record.last_line) == (1, 7)


def test_a_notebooks_traceback_with_colours_is_one_record() -> None:
    coloured = NOTEBOOK.replace("ValueError", "\x1b[0;31mValueError\x1b[0m")
    record = records_of(coloured)[-1]
    assert record.kind == "traceback"
    assert record.message == "ValueError: Unrecognized data type: x=[[1], [2]] (of type <class 'list'>)"


@pytest.mark.parametrize(
    "first",
    [
        "/usr/lib/python2.7/dist-packages/keras/engine/training.pyc in fit(self, x, y, batch_size)",
        "~/anaconda3/lib/python3.7/site-packages/keras/engine/training.py in fit(self, x, y, batch_size)",
        r"c:\users\me\envs\tf\lib\site-packages\keras\engine\training.py in fit(self, x, y, batch_size)",
        "<ipython-input-14-0a1b2c3d> in <module>()",
        "Cell In[14], line 8",
        "----> 1426         initial_epoch=initial_epoch)",
    ],
)
def test_an_older_notebooks_traceback_that_begins_with_a_call_is_one_record(first: str) -> None:
    text = first + "\n   1425         shuffle=shuffle,\n-> 1426         initial_epoch=initial_epoch)\n\nValueError: no data"
    (record,) = records_of(text)
    assert (record.kind, record.message) == ("traceback", "ValueError: no data")
    assert kinds("It stops in fit of my model:\n" + text) == ["prose", "traceback"]


def test_a_notebooks_traceback_without_its_head_is_one_record() -> None:
    frames = r"File c:\Python312\Lib\site-packages\keras\src\utils\traceback_utils.py:122, in error_handler(*args, **kwargs)"
    (record,) = records_of(f"{frames}\n    120     del filtered_tb\n\nAttributeError: 'NoneType' object has no attribute 'items'")
    assert (record.kind, record.exception) == ("traceback", "AttributeError")


def test_a_chain_keeps_its_order_and_its_connector_is_no_record() -> None:
    text = (
        TRACEBACK
        + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + TRACEBACK.replace("Value", "Runtime")
    )
    first, second = records_of(text)
    assert (first.chain, second.chain) == (0, 1)
    assert (first.exception, second.exception) == ("ValueError", "RuntimeError")


def test_a_log_line_keeps_its_level_and_loses_its_source() -> None:
    old, new = records_of(
        "2021-05-04 10:00:00.123456: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load it\n"
        "E0000 00:00:1795172612.101368    8215 cuda_platform.cc:52] failed call to cuInit: UNKNOWN ERROR (303)\n"
    )
    assert (old.kind, old.level, old.message) == ("log", "W", "Could not load it")
    assert (new.kind, new.level, new.message) == ("log", "E", "failed call to cuInit: UNKNOWN ERROR (303)")


@pytest.mark.parametrize(
    "source", ["./tensorflow/core/framework/tensor.h", ".\\tensorflow/core/util/mkl_util.h", "tensorflow/core/a.cc"]
)
def test_a_line_without_a_date_is_a_log_line_below_other_words(source: str) -> None:
    words, log = records_of(
        f"Training a 3D network ends with this message:\nF {source}:607] Check failed: dims == sizes.size() (5 vs. 4)"
    )
    assert (words.kind, log.kind, log.level, log.origin) == ("prose", "log", "F", "tensorflow")


def test_a_python_warning_is_a_log_line_with_its_source_line() -> None:
    output, warning = records_of(
        "vocabulary: 8\n/home/user/venv/keras/a.py:74: UserWarning: `shuffle` is ignored.\n  self.data = x"
    )
    assert (output.kind, warning.kind, warning.level) == ("output", "log", "W")
    assert warning.message == "`shuffle` is ignored. self.data = x"


def test_a_log_line_behind_a_progress_bar_is_a_record_of_its_own() -> None:
    text = (
        "12/99 [==>.....] - ETA: 11s - loss: 0.5532019-02-28 14:12:40.579127: F tensorflow/core/ops.cc:521] Check failed: x == y"
    )
    progress, log = records_of(text)
    assert (progress.kind, log.kind, log.level) == ("progress", "log", "F")
    assert progress.first_line == log.first_line == 1


def test_a_shells_word_behind_a_progress_bar_is_a_record_of_its_own() -> None:
    progress, shell = records_of("165376/296960 [===============>..............] - ETA: 365s - loss: 2.1371Killed")
    assert (progress.kind, shell.kind, shell.text) == ("progress", "shell", "Killed")


@pytest.mark.parametrize(
    "printed",
    [
        "2020-10-15 12:44:11.916045: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1716] Found device 0 with properties: \npciBusID: 0000:02:00.0",
        "ValueError: Shapes (None, 1) and (None, 5) are incompatible",
        'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nValueError: Shapes (None, 1) and (None, 5) are incompatible',
    ],
)
def test_a_persons_sentence_right_below_is_not_the_programs(printed: str) -> None:
    first, second = records_of(printed + "\nI cannot find libcudnn.so.7 anywhere.")
    assert second.text == "I cannot find libcudnn.so.7 anywhere."
    assert first.kind in ("log", "exception", "traceback")


@pytest.mark.parametrize("fence", ["```", "~~~", "  ````", "``` python"])
def test_a_fence_separates_code_from_the_sentence_below_it(fence: str) -> None:
    said = "After the training I get `ValueError: bad shape` and do not know why."
    records = read(f"This is how I load it.\n{fence}\nmodel = load(path)\n{fence.split()[0]}\n{said}\n").records
    assert [(record.kind, record.first_line) for record in records] == [("prose", 1), ("output", 3), ("prose", 5)]
    assert records[-1].text == said


def test_a_fence_ends_an_exception() -> None:
    records = read("```\nValueError: bad shape\n```\nIt came with the second batch of the data.\n").records
    assert [(record.kind, record.text) for record in records] == [
        ("exception", "ValueError: bad shape"),
        ("prose", "It came with the second batch of the data."),
    ]


def test_repeated_lines_are_folded() -> None:
    lines = "\n".join(
        f"2024-01-01 10:00:{second:02d}.000000: W tensorflow/a.cc:1] step {second} was slow" for second in range(50)
    )
    (record,) = records_of(lines)
    assert record.count == 50


def test_workers_lines_are_told_apart() -> None:
    text = 'worker-0 | Traceback (most recent call last):\nworker-1 | Epoch 1/2\nworker-0 |   File "a.py", line 1, in <module>\nworker-0 | ValueError: no'
    found = {record.worker: record.kind for record in records_of(text)}
    assert found == {"worker-0": "traceback", "worker-1": "progress"}


def test_a_shells_last_word_is_a_record() -> None:
    for word in (
        "Killed",
        "Segmentation fault (core dumped)",
        "./run.sh: line 3: 4711 Killed   python train.py",
        "zsh: killed     python train.py",
    ):
        assert kinds(f"Epoch 1/5\n{word}") == ["progress", "shell"], word


@pytest.mark.parametrize(
    "said",
    ["已杀死", "Getötet", "Terminado (killed)", "段错误 (核心已转储)", "Speicherzugriffsfehler (Speicherabzug geschrieben)"],
)
def test_a_shells_last_word_in_another_language_is_a_record(said: str) -> None:
    assert kinds(f"step 1 of 1000\n{said}\n") == ["output", "shell"]


def test_exit_code_0_is_not_a_failure() -> None:
    for last in ("Process finished with exit code 0", "Exited with code 0"):
        assert kinds(f"Epoch 4/90\n{last}") == ["progress", "output"], last
        assert kinds(f"Epoch 4/90\n{last}1") == ["progress", "shell"], last
        assert "stops after" in condense(records_of(f"Training stops after the fourth epoch of ninety.\n\nEpoch 4/90\n\n{last}"))
    assert kinds("Process finished with exit code -1073740791 (0xC0000409)") == ["shell"]


def test_a_status_code_is_a_last_word() -> None:
    assert kinds("Epoch 4/90\nExited with status code 137") == ["progress", "shell"]


def test_few_words_among_progress_lines_are_condensed() -> None:
    bars = "\n".join(f"{step}/640 [====>.....] - ETA: 15s - loss: 2.41" for step in (597, 598))
    assert condense(records_of(f"why stuck?\n{bars}")) == "why stuck?"
    assert condense(records_of(bars)) == ""


def test_a_signal_ends_a_traceback_and_prose_stays_prose() -> None:
    assert kinds("After the second epoch it just stops and nothing is printed.") == ["prose"]
    assert (
        kinds('Fatal Python error: Segmentation fault\n\nThread 0x01 (most recent call first):\n  File "a.py", line 1 in f')[0]
        == "shell"
    )


def test_json_of_a_notebook_is_read() -> None:
    text = '{"name": "KeyError", "message": "no", "stack": "-----\\nKeyError  Traceback (most recent call last)\\nCell In[1], line 2\\n----> 1 x[2]\\n\\nKeyError: 2"}'
    assert any(record.exception == "KeyError" and record.kind == "traceback" for record in records_of(text))


def test_the_primary_failure_is_the_first_that_stands_highest() -> None:
    text = "2024-01-01 10:00:00.000000: W tensorflow/a.cc:1] slow\n" + TRACEBACK + "Aborted (core dumped)\n"
    failure = primary(records_of(text))
    assert failure is not None
    assert failure.exception == "ValueError"
    assert condense(records_of(text)).startswith("ValueError: Input 0")


def test_the_pointer_of_tensorflow_1_belongs_to_the_exceptions_head() -> None:
    for before in ("", 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    run()\n'):
        (record,) = records_of(before + "NotFoundError (see above for traceback): Key dense/kernel not found in checkpoint\n")
        assert record.exception == "NotFoundError"
        assert "Key dense/kernel" in record.message


def test_an_ignored_exception_stands_below_a_real_one() -> None:
    ignored, real = records_of(
        "Exception ignored in: <function Pool.__del__ at 0x7f>\n" + TRACEBACK + "\n\n" + TRACEBACK.replace("Value", "Type")
    )
    assert salience(ignored) < salience(real)


@given(st.text(max_size=2000))
def test_any_text_is_split_and_lines_stay_in_range(text: str) -> None:
    records = records_of(text)
    lines = text.count("\n") + 1
    for record in records:
        assert 1 <= record.first_line <= record.last_line <= lines
        assert record.text == " ".join(record.text.split())
        assert 0 < salience(record) <= 1


_PIECES = [
    *TRACEBACK.splitlines(),
    *NOTEBOOK.splitlines(),
    "Killed",
    "Epoch 1/5",
    "",
    "worker-1 | x",
    "  indented",
    "W0000 00:00:1795172612.101368 1 a.cc:1] b",
    "2024-01-01 10:00:00.000000: F tensorflow/a.cc:1] Check failed:",
    "During handling of the above exception, another exception occurred:",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40))
def test_any_mixture_of_real_lines_is_split_once(lines: list[str]) -> None:
    records = records_of("\n".join(lines))
    spans = sorted((record.first_line, record.last_line) for record in records if not record.worker and record.count == 1)
    assert all(one[0] <= other[0] for one, other in itertools.pairwise(spans))
    assert len(records) <= max(1, len(lines))


def test_a_message_goes_on_behind_the_blank_line_of_keras() -> None:
    text = "TypeError: Exception encountered when calling Twice.call().\n\ncannot add float and half\n\nArguments received by Twice.call():\n  inputs=x"
    (record,) = records_of(text)
    assert record.text.endswith("cannot add float and half Arguments received by Twice.call(): inputs=x")


def test_a_salutation_belongs_to_the_sentence_below_it() -> None:
    text = "Hello everyone,\nmy training reaches the last step of the epoch (312/312) and then it waits.\nNothing is printed.\n\nThanks for any idea."
    records = records_of(text)
    assert [record.kind for record in records] == ["prose", "prose"]
    assert "waits" in condense(records)


@pytest.mark.parametrize(
    "text", ["Hello,\nx = tf.constant([1, 2])", "Results:\n0.93 0.91 0.95 0.94", "Layers:\nconv1 conv2 conv3 conv4"]
)
def test_a_few_words_above_code_or_numbers_make_no_sentence(text: str) -> None:
    assert kinds(text) == ["output"]


KERAS_MESSAGE = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 12, in <module>
    model.predict(x)
ValueError: Exception encountered when calling Functional.call().

\x1b[1mInput 0 of layer 'conv' is incompatible with the layer: expected axis -1 to have value 1\x1b[0m

Arguments received by Functional.call():
  \u2022 training=False
  \u2022 mask=None
"""


@pytest.mark.parametrize(
    ("words", "line"), [("File", 4), ("ValueError", 4), ("Input 0", 6), ("value 1", 6), ("Arguments", 8), ("mask=None", 10)]
)
def test_a_match_in_a_long_message_points_at_its_own_line(words: str, line: int) -> None:
    (record,) = records_of(KERAS_MESSAGE)
    assert record.line_of(record.text.index(words)) == line


@given(words=st.lists(st.integers(10**6, 10**7 - 1), min_size=1, max_size=3_000, unique=True))
def test_every_word_of_a_message_points_at_the_line_that_holds_it(words: list[int]) -> None:
    """Also where the middle of a message is left out, because it is too long."""
    (record,) = records_of("ValueError: no\n" + "".join(f"  {word} words\n" for word in words))
    for number, word in enumerate(words, 2):
        offset = record.text.find(str(word))
        assert offset < 0 or record.line_of(offset) == number


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("训练时内存一直增加", "prose"),
        ("モデルが学習しません", "prose"),
        ("epoch 3/10 完成 loss: 0.31 val_loss: 0.42", "output"),
    ],
)
def test_a_line_in_chinese_or_japanese_is_the_users_words(line: str, kind: str) -> None:
    assert [record.kind for record in records_of(line)] == [kind]
