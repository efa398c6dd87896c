"""The intake recognises each kind of input and mixtures of them, and loses nothing that it does not recognise."""

import bz2
import gzip
import json
import lzma
import pickle
import struct
import subprocess
import sys
import zipfile

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.collectors.intake import samples
from tests.collectors.intake.samples import FAILURE, LOG, NVIDIA_SMI, SCRIPT
from tfhelp.collectors.intake import binaries, documents, take, take_text
from tfhelp.kb.facts import Facts


def test_a_log_is_a_text_and_stays_as_it_is() -> None:
    intake = take(LOG.encode())
    assert (intake.text, intake.kinds, intake.notes, intake.facts, intake.scripts) == (LOG, ["text"], [], [], [])


@pytest.mark.parametrize("around", [("", ""), ("```json\n", "```\n"), ("~~~\n", "\n~~~\n")])
def test_collected_facts_below_a_log_leave_the_log_alone(around: tuple[str, str]) -> None:
    before, behind = around
    intake = take(f"{LOG}\n{before}{samples.collected()}{behind}".encode())
    assert intake.text == LOG
    assert intake.facts == [json.loads(samples.collected())]
    assert intake.kinds == ["facts", "text"]
    line = 4 + bool(before)
    assert intake.notes[0].startswith("Read ") and intake.notes[0].endswith(f"tfhelp collect at line {line}.")


def test_collected_facts_before_and_inside_a_log_leave_every_line_its_number() -> None:
    for before in ("", "first\n"):
        pasted = f"{before}{samples.collected()}{LOG}{samples.collected()}{LOG}"
        intake = take(pasted.encode())
        assert len(intake.facts) == 2
        lines, kept = pasted.split("\n"), intake.text.split("\n")
        assert len(lines) == len(kept)
        assert [number for number, line in enumerate(kept) if line == FAILURE] == [
            number for number, line in enumerate(lines) if line == FAILURE
        ]
        assert '"' not in intake.text


def test_collected_facts_alone_are_no_text() -> None:
    intake = take(samples.collected().encode())
    assert (intake.text, intake.kinds) == ("", ["facts"])


def test_the_groups_are_those_of_the_model() -> None:
    # The course is derived from a text, and no document states it.
    assert set(Facts.model_fields) - {"about", "course"} == documents.GROUPS


@pytest.mark.parametrize(
    "text",
    [
        '{"log": "Epoch 1", "stream": "stdout"}\n{"log": "ValueError: x", "stream": "stderr"}\n',  # docker's JSON lines
        '{"os": {"name": "linux"}, "batch_size": 32}\n',  # a configuration
        '{"host": {"name": "a"}, "code": 7}\n',
        '{"_about": {"driver.version": \n',  # cut off
        '{"python": {"version": NaN}, "os": {}}\n',
        '{"os": {"name": "linux"}, "python": {"version": "3.11"}} and more\n',
        '{"cells": 3}\n',
        '{"os": ' * 5000,
        "[" * 100_000 + '"_about"',
    ],
)
def test_what_only_looks_like_a_document_stays_in_the_text(text: str) -> None:
    intake = take(text.encode())
    assert (intake.text, intake.facts, intake.scripts) == (text, [], [])


def test_a_small_facts_document_is_read_alone() -> None:
    assert take(b'{"packages": {"tensorflow": "2.16.1"}}').facts == [{"packages": {"tensorflow": "2.16.1"}}]


def test_a_notebook_gives_its_outputs_as_text_and_its_cells_as_code() -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": ["Epoch 1/3\n", "loss 3\n"]}
    image = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 1000}, "metadata": {}}
    intake = take(samples.notebook(stream, image, samples.error_output()).encode(), "train.ipynb")
    assert intake.kinds == ["notebook", "text"]
    assert intake.text.startswith("Epoch 1/3\nloss 3\n") and FAILURE.partition(": ")[2] in intake.text
    assert "iVBOR" not in intake.text and "My training" not in intake.text
    assert [script.name for script in intake.scripts] == ["train.ipynb"]
    assert intake.notes[0].startswith("Read a notebook: 1 code cell, 2 outputs, of which 1 error.")


def test_a_notebook_of_the_old_format_is_read() -> None:
    output = {"output_type": "pyerr", "ename": "ValueError", "evalue": "bad", "traceback": ["ValueError: bad"]}
    cell = {"cell_type": "code", "input": "x = 1", "outputs": [output], "language": "python"}
    intake = take(json.dumps({"metadata": {}, "nbformat": 3, "worksheets": [{"cells": [cell]}]}).encode())
    assert (intake.text, intake.kinds) == ("ValueError: bad\n", ["notebook", "text"])


def test_code_of_a_notebook_that_is_too_long_is_not_parsed() -> None:
    intake = take(samples.notebook(samples.error_output(), code="import tensorflow as tf\n" + "a;" * 100_000).encode())
    assert intake.scripts == [] and intake.notes[-1] == "The notebook's code is too long to be read as code."


@pytest.mark.parametrize("name", ["", "train.py", "train.py.gz"])
def test_a_script_alone_is_code_and_no_text(name: str) -> None:
    content = gzip.compress(SCRIPT.encode()) if name.endswith("gz") else SCRIPT.encode()
    intake = take(content, name)
    assert (intake.text, intake.kinds[-1]) == ("", "script")
    assert intake.scripts == [(name.removesuffix(".gz") or "script", SCRIPT)]
    assert intake.facts[0]["env"] == {"TF_CPP_MIN_LOG_LEVEL": "2"}


def test_only_variables_that_affect_training_become_facts_of_a_script() -> None:
    settings = 'os.environ["DB_PASS"] = "hunter2"\nos.environ["MY_THING"] = "x"\nos.environ["CUDA_VISIBLE_DEVICES"] = "-1"\n'
    facts = take(f"import os\n{settings}import tensorflow as tf\nmodel.fit(x, y)\n".encode()).facts
    assert facts[0]["env"] == {"CUDA_VISIBLE_DEVICES": "-1"}


def test_an_annotated_name_is_code() -> None:
    assert len(take((SCRIPT + "count: int\n").encode()).scripts) == 1


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT + "ValueError: x\n",
        SCRIPT + LOG,
        SCRIPT + 'Traceback (most recent call last):\n  File "train.py", line 3\nValueError: x\n',
        SCRIPT + "Killed\n",
        SCRIPT + "loss: nan\n",
        SCRIPT + "loss is nan\n",
        'error: "input size does not match"\n' + SCRIPT,
        SCRIPT + "val_loss: inf\n",
        "import tensorflow\n",
        "import tensorflow as tf\nmodel.fit\n",
        "import error\nfrom time import sleep ... what is this",
        "import a\n" + "(" * 10_000,
        "import a\n" + "-" * 200_000 + "1",
    ],
)
def test_a_script_with_more_than_code_stays_a_text(text: str) -> None:
    intake = take(text.encode())
    assert (intake.text, intake.scripts) == (text, [])


def test_a_file_that_is_no_python_is_read_as_text_and_that_is_said() -> None:
    intake = take(b"import os\nprint 'loss', 3\n", "train.py")
    assert intake.text == "import os\nprint 'loss', 3\n"
    assert "train.py is not Python 3 (line 2:" in intake.notes[0]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("nvidia-smi", NVIDIA_SMI),
        ("pip list", samples.pip_list("columns")),
        ("pip freeze", samples.pip_list("freeze")),
        ("conda list", "# packages in environment at /opt/conda:\n#\n# Name  Version\nnumpy 1.26.4 py311 \n"),
        ("nvidia-smi -q", "\n==============NVSMI LOG==============\n\nDriver Version : 535.1\n"),
    ],
)
def test_listings_are_named_and_stay_in_the_text(kind: str, text: str) -> None:
    intake = take((LOG + text).encode())
    assert intake.text == LOG + text
    assert intake.kinds == [kind, "text"]


def test_everything_at_once() -> None:
    pasted = (
        f"{LOG}\n{samples.collected()}\n{NVIDIA_SMI}\n{samples.pip_list('freeze')}\n{samples.notebook(samples.error_output())}"
    )
    intake = take(gzip.compress(pasted.encode("utf-16")), "all.txt.gz")
    assert intake.kinds == ["gzip", "facts", "notebook", "nvidia-smi", "pip freeze", "text"]
    assert len(intake.facts) == 1 and len(intake.scripts) == 1
    for part in (LOG, NVIDIA_SMI, samples.pip_list("freeze")):
        assert part in intake.text


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstandard.compress}


@pytest.mark.parametrize("kind", PACKERS)
def test_compressed_logs_are_unpacked(kind: str) -> None:
    packed = PACKERS[kind](LOG.encode())
    intake = take(packed + packed)
    assert (intake.text, intake.kinds) == (LOG + LOG, [kind, "text"])


@pytest.mark.parametrize("kind", PACKERS)
def test_a_compressed_log_that_is_cut_off_gives_what_there_is(kind: str) -> None:
    lines = "".join(f"step {number} loss {number * 7919 % 1013}\n" for number in range(200_000))
    intake = take(PACKERS[kind](lines.encode())[:-2000])
    assert not intake.refused and len(intake.text) > 1000
    assert lines.startswith(intake.text)
    assert any("is cut off or damaged" in note for note in intake.notes)


@pytest.mark.parametrize("kind", PACKERS)
def test_a_bomb_is_refused_with_advice(kind: str) -> None:
    intake = take(PACKERS[kind](b"\0" * (3 << 20)), "train.log.gz", 1 << 20)
    assert intake.refused.startswith("train.log.gz unpacks to more than 1 MiB. Read it with the command line: ")
    assert intake.text == ""


def test_a_compressed_file_without_content_and_many_members_are_no_trap() -> None:
    assert take(b"\x1f\x8b\x08 and no more").refused == "This begins as a gzip file does, and cannot be unpacked."
    assert take(gzip.compress(b"x\n") * 5000).text.count("x\n") <= 1001


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-8"])
def test_encodings_of_windows_are_read(encoding: str) -> None:
    assert take(f"K\u00e4se\r\n{LOG}".encode(encoding)).text == f"K\u00e4se\r\n{LOG}"


def archive(*names: str) -> bytes:
    import io

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for name in names:
            zipped.writestr(name, "x")
    return file.getvalue()


def tfrecord(content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    checksum = binaries._crc32c(length)
    masked = ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return length + struct.pack("<I", masked) + content + b"\x00\x00\x00\x00"


@pytest.mark.parametrize(
    ("content", "name", "what"),
    [
        (samples.png(), "screen.png", "screen.png is a PNG image. Paste the text of the error instead."),
        (samples.png(), "", "This is a PNG image. Paste the text of the error instead."),
        (gzip.compress(samples.png(), mtime=0), "screen.png.gz", "This is a PNG image."),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "", "This is a JPEG image."),
        (samples.npz(), "", "This is a NumPy archive (.npz)."),
        (samples.hdf5(), "model.h5", "model.h5 is an HDF5 file"),
        (archive("a/b.py", "x-1.dist-info/METADATA"), "x-1-py3-none-any.whl", "is a Python wheel."),
        (archive("a.log"), "", "This is a ZIP archive. Unpack it, and paste the log that is in it."),
        (pickle.dumps({"a": 1}), "", "This is a pickle."),
        (pickle.dumps([1, 2], protocol=2), "", "This is a pickle."),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "", "This is a PDF document."),
        (tfrecord(b"\x09\x00\x00\x80\x87\x13\x11\xd9\x41\x1a\x0dbrain.Event:2"), "", "This is a TensorBoard events file."),
        (tfrecord(b"\x0a\x03abc"), "", "This is a TFRecord file."),
        (bytes(range(256)) * 40, "", "This is a binary file."),
        (bytes(range(256)) * 40, "saved_model.pb", "saved_model.pb is a protobuf file"),
    ],
    ids=range(15),  # the archive contains the time of day
)
def test_files_without_text_are_refused_by_name(content: bytes, name: str, what: str) -> None:
    intake = take(content, name)
    assert what in intake.refused
    assert (intake.text, intake.facts, intake.scripts) == ("", [], [])


def test_the_interpreter_itself_is_a_program_and_a_compiled_module_is_named() -> None:
    with open(sys.executable, "rb") as file:
        assert "compiled program or library (ELF)" in take(file.read(1 << 20)).refused or sys.platform != "linux"
    import importlib.util
    import py_compile

    path = py_compile.compile(samples.__file__, doraise=True) or importlib.util.cache_from_source(samples.__file__)
    with open(path, "rb") as file:
        assert "compiled Python code" in take(file.read()).refused


def test_the_checksum_is_crc_32c() -> None:
    assert binaries._crc32c(b"123456789") == 0xE3069283  # the check value of the catalogue of CRC algorithms


def test_a_long_log_is_searched_at_its_ends_only() -> None:
    long = "step 1 loss 0.3\n" * 400_000
    intake = take_text(f"{long}{samples.collected()}")
    assert len(intake.facts) == 1 and intake.text == long


@given(st.binary(max_size=400) | st.sampled_from([b"\x1f\x8b\x08", b"BZh91AY&SY", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"]))
def test_any_bytes_are_taken(content: bytes) -> None:
    intake = take(content)
    assert isinstance(intake.text, str)
    assert not (intake.refused and intake.text)


words = st.text(st.sampled_from('abc {}[]":,_\n`~=-#'), max_size=120)
signs = st.sampled_from(
    ['{"_about": {', '"os": {}', "import os\n", "\nfrom a import b\n", '{"cells": []', "```json\n", "Package Version\n---"]
)


@given(st.lists(words | signs, max_size=6).map("\n".join))
def test_every_line_that_is_not_recognised_is_kept(text: str) -> None:
    intake = take_text(text)
    if not intake.facts and not intake.scripts and "notebook" not in intake.kinds:
        assert intake.text == text
        again = take_text(intake.text)
        assert (again.text, again.kinds, again.notes) == (intake.text, intake.kinds, intake.notes)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=200))
def test_an_ordinary_text_comes_through_its_bytes(text: str) -> None:
    intake = take(text.encode())
    if not intake.refused and intake.kinds == ["text"]:
        assert intake.text == text
        assert take(intake.text.encode()).text == text


def test_a_short_text_imports_nothing_for_other_kinds() -> None:
    program = (
        "import sys\nfrom tfhelp.collectors.intake import take\nbefore = set(sys.modules)\n"
        f"take({LOG.encode()!r})\nprint(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "\n"
