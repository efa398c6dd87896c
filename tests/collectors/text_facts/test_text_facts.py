"""The reading as a whole: the model has every fact, no input makes it fail, and it looks at few lines of a long text."""

import collections
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfhelp.collectors import text_facts
from tfhelp.collectors.reading import read as read_text
from tfhelp.collectors.text_facts import make_table, read
from tfhelp.collectors.text_facts.by_word import lines_by_word
from tfhelp.collectors.text_facts.reader import Lines, Reader, load
from tfhelp.collectors.text_facts.statements import Statements
from tfhelp.collectors.text_facts.word_table import WORDS_AND_SIGNS
from tfhelp.kb.fact_sheet import read_document
from tfhelp.kb.facts import fact_table
from tfhelp.kb.text import Text

TABLE = fact_table()
FACTS = text_facts.FACTS

FRAGMENTS = st.sampled_from(
    [
        "Created device /job:localhost/device:GPU:",
        "-> device: ",
        ", name: X, pci bus id: 0, compute capability: ",
        "Found device 0 with properties",
        "name: ",
        "major: ",
        " minor: ",
    ]
    + [
        "totalMemory: ",
        "GiB",
        "MiB",
        " | ",
        "| NVIDIA-SMI 1.1   Driver Version: 2.2   CUDA Version: 3.3",
        "Package  Version",
        "---",
        "tensorflow",
        "==",
        "numpy   1.2",
    ]
    + [
        "exit code ",
        "Killed",
        "signal ",
        "Epoch ",
        "/",
        "[====>]",
        "- ETA",
        "loss: nan",
        "step = ",
        "shape[",
        "]",
        "OOM when allocating tensor with shape[1,,2]",
        "Limit: ",
        "InUse: ",
    ]
    + [
        "TF_CONFIG={",
        '"cluster": ',
        "[",
        "}",
        "export TF_X=",
        "environ['TF_Y']='",
        "### TensorFlow version",
        "- GPU model: RTX 3090 24GB",
        "CUDA/cuDNN: ",
        "\n",
        "\n",
        "\n",
        "\r",
        "\\n",
    ]
    + [
        "Mem: ",
        "Swap: 1 2 3",
        "Filesystem Size Used Avail Use% Mounted on",
        "/dev/x 1 2 3 4% /",
        "open files (-n) ",
        "NVRM: Xid (a): ",
        "NVSMI LOG",
        "GPU 0000:00:00.0",
        "Product Name : ",
        " : ",
    ]
    + [
        'File "/home/x/python3.8/site-packages/',
        "C:\\Users\\x\\",
        "I use TF ",
        "Python ",
        "cuda ",
        "99999999999",
        "0",
        "1.5",
        "-1",
        "٣",
        "\x1b[0m",
        "\x00",
        "\ud800",
        "\u2028",
        "version",
        ": ",
        ", ",
        "  ",
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.one_of(FRAGMENTS, st.text(max_size=8)), max_size=40).map("".join))


@settings(deadline=None, max_examples=600, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_no_text_makes_it_fail_and_all_it_says_fits_the_model(text: str) -> None:
    sheet = read(read_text(text))
    read_document(sheet.document(), TABLE)
    lines = text.count("\n") + 1
    for path in sheet.values:
        number = sheet.source(path).removeprefix("log line ")
        assert 1 <= int(number) <= lines
        assert path in FACTS or f"{path.partition('.')[0]}.*" in FACTS


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_every_reader_handles_every_line(text: str) -> None:
    """The words choose which lines a reader sees; it must also work if they are chosen badly."""
    lines = [line.text for line in read_text(text).lines]
    for reader in map(load, WORDS_AND_SIGNS):
        said = Statements()
        reader.read(lines, list(range(len(lines))), said)
        for path in said.sheet().values:
            assert not path.endswith("*")  # reader.says may name a group so, but a fact has a name of its own
            assert path in reader.says or f"{path.partition('.')[0]}.*" in reader.says


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_the_signs_shut_out_no_reader_that_has_something_to_say(text: str) -> None:
    lines = [line.text for line in read_text(text).lines]
    clean = "\n".join(lines)
    for name, (_, signs) in WORDS_AND_SIGNS.items():
        said = Statements()
        load(name).read(lines, list(range(len(lines))), said)
        assert not signs or not said.sheet().values or any(sign in clean for sign in signs), name


def test_every_declared_fact_is_one_of_the_model() -> None:
    assert set(FACTS) <= set(TABLE)


@given(st.lists(st.sampled_from(["Killed", "a b", "GPU:0 0x1f", "", "\t", "ü killed", "killed_by"]), max_size=20))
def test_words_stand_where_they_are_found(lines: list[str]) -> None:
    found = lines_by_word(lines, frozenset((b"killed", b"gpu")))
    assert found.get(b"killed", []) == [
        number for number, line in enumerate(lines) if "killed" in line.lower() and "_" not in line
    ]
    assert found.get(b"gpu", []) == [number for number, line in enumerate(lines) if "GPU" in line]


def test_the_table_of_words_is_current() -> None:
    assert make_table.TABLE.read_text(encoding="utf-8") == make_table.table_text()


def test_words_are_as_a_line_is_split_into_them() -> None:
    """A word with a digit could never match: a line's words are without digits."""
    assert all(re.fullmatch("[a-z_]+", word) for words, _ in WORDS_AND_SIGNS.values() for word in words.split())


def lines_of(text: str) -> Text:
    """A text without records: the facts need only the records of a person's sentences."""
    return Text(read_text(text).lines, [])


def test_the_first_and_last_lines_of_a_frequent_shape_are_read() -> None:
    lines = [f"Epoch {number}/5000" for number in range(1, 5001)]
    sheet = read(lines_of("\n".join(lines)))
    assert (sheet.get("log.epochs_announced"), sheet.source("log.epochs_announced")) == (5000, "log line 5000")
    text = "\n".join(["filler line " + "x" * 30] * 5000 + ["Loaded cuDNN version 8600"] + ["other filler"] * 5000)
    assert read(lines_of(text)).source("cudnn.version") == "log line 5001"


def _shown(text: str, monkeypatch: pytest.MonkeyPatch) -> collections.Counter[str]:
    """Lines that each reader is shown, over all calls."""
    shown: collections.Counter[str] = collections.Counter()

    def counted(name: str) -> Reader:
        found = load(name)

        def read_and_count(lines: Lines, at: list[int], said: Statements) -> None:
            shown[name] += len(at)
            found.read(lines, at, said)

        return found._replace(read=read_and_count)

    monkeypatch.setattr(text_facts, "load", counted)
    read(lines_of(text))
    return shown


def test_readers_see_few_lines_of_a_long_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of one shape are looked at once, at both ends of the text."""
    lines = [
        f"2024-03-01 10:00:00.{number:06d}: W tensorflow/core/x.cc:{number}] step {number} of the GPU, version {number}, 0x{number:x}"
        for number in range(20_000)
    ]
    shown = _shown("\n".join(lines), monkeypatch)
    assert shown
    assert max(shown.values()) < 500
