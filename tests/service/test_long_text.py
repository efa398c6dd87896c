"""Long texts: a failure is found wherever it is, short texts cost nothing extra, and any length takes little memory."""

import functools
import hashlib
import io
import os
import pathlib
import random
import subprocess
import sys
import typing

import pytest

from tests import turns
from tests.benchmarks import long_log, recordings
from tests.benchmarks.timing import run_measured
from tfhelp.service.diagnosis import long_text
from tfhelp.service.diagnosis.diagnoser import Diagnoser

COUNT = 120
MOST_LOST = 2
FAILURE = "tensorflow.python.framework.errors_impl.ResourceExhaustedError: weights.h5; No space left on device\n"
NEAR = 200  # lines of noise around a failure in a text that is read record by record
ASK = [sys.executable, "-m", "tfhelp.service", "ask", "--no-collect", "--exit-code", "1"]

Named = tuple[str, str]


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def stream(text: str) -> long_text.Stream:
    file = io.BytesIO(text.encode())
    return long_text.Stream(file.read(long_text.LONG), file.read)


def first(answer: dict[str, typing.Any]) -> Named:
    match = answer["matches"][0] if answer["matches"] else {"entry": "", "causes": []}
    return match["entry"], match["causes"][0]["cause"] if match["causes"] else ""


@functools.cache
def noise(shape: str, size: int) -> list[str]:
    return long_log.lines(shape, size)


def drawn(shape: str, count: int) -> list[recordings.Recording]:
    """Recordings in an order of their own for each shape; a new recording takes the place of one other at most."""
    return sorted(recordings.failures(), key=lambda one: hashlib.sha256(f"{shape} {one.entry}/{one.cause}".encode()).digest())[
        :count
    ]


def lost(diagnoser: Diagnoser, shape: str, size: int, count: int) -> list[tuple[Named, Named]]:
    """(answer, answer alone) of the failures whose answer noise changes, although it does not change it in a short text."""
    wrong = []
    for recording in drawn(shape, count):
        chance = random.Random(f"{shape} {recording.entry}/{recording.cause}")
        alone = first(diagnoser.diagnose(recording.output, recording.facts))
        planted = long_log.planted(shape, noise(shape, size), recording.output, chance)
        found = first(diagnoser.diagnose(stream(planted), recording.facts))
        if found != alone:
            near = long_log.planted(shape, noise(shape, size)[:NEAR], recording.output, chance)
            if found != first(diagnoser.diagnose(near[: long_text.LONG], recording.facts)):
                wrong.append((found, alone))
    return wrong


@pytest.mark.parametrize("shape", long_log.SHAPES)
def test_a_failure_is_found_wherever_it_stands(diagnoser: Diagnoser, shape: str) -> None:
    assert not lost(diagnoser, shape, 1_000_000, 5)


@pytest.mark.slow
@pytest.mark.parametrize("shape", long_log.SHAPES)
def test_failures_in_8_megabytes_are_found(diagnoser: Diagnoser, shape: str) -> None:
    if shape not in turns.due(long_log.SHAPES):
        pytest.skip(f"another shape's turn; {turns.EVERY}=1 runs all of them")
    # Measured: 0 or 1 of 120, by shape. Words between the lines of a failure can change what the text is similar to.
    assert len(lost(diagnoser, shape, 8_000_000, COUNT)) <= MOST_LOST


def test_facts_far_from_the_failure_are_read_and_lines_keep_their_numbers(diagnoser: Diagnoser) -> None:
    lines = noise("application", 3_000_000)
    told = ["tensorflow.__version__: 2.4.1\n", "Python 3.8.10 (default, Jun  2 2021, 10:49:15) \n", "OSError: disk is gone\n"]
    third = len(lines) // 4
    text = "".join([*lines[:third], told[0], *lines[third : 2 * third], told[1], *lines[2 * third :], told[2]])
    values = diagnoser.diagnose(text)["facts"]
    assert values["packages"]["tensorflow"] == "2.4.1"
    assert values["python"]["version"] == "3.8.10"
    about = diagnoser.read(text).sheet.about
    assert about["packages.tensorflow"]["source"] == f"log line {third + 1}"
    assert about["python.version"]["source"] == f"log line {2 * third + 2}"


def test_a_long_string_and_a_stream_give_the_same_answer(diagnoser: Diagnoser) -> None:
    recording = recordings.failures()[0]
    text = long_log.planted("absl", noise("absl", 1_000_000), recording.output, random.Random(3))
    answers = [diagnoser.diagnose(source, recording.facts) for source in (text, stream(text))]
    for answer in answers:
        answer.pop("took_ms")
    assert answers[0] == answers[1]


def test_without_hyperscan_the_answer_is_the_same(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    slower = long_text._by_literals(diagnoser.knowledge)
    for recording in random.Random(5).sample(recordings.failures(), 6):
        text = long_log.planted("absl", noise("absl", 1_000_000), recording.output, random.Random(3))
        quick = first(diagnoser.diagnose(stream(text), recording.facts))
        with monkeypatch.context() as patched:
            patched.setitem(long_text._scanners, diagnoser.knowledge.version, slower)
            assert first(diagnoser.diagnose(stream(text), recording.facts)) == quick


def test_a_short_text_does_not_import_the_sieve() -> None:
    code = (
        "import sys; from tfhelp.service.diagnosis.diagnoser import Diagnoser; Diagnoser.load().diagnose('OSError: no'); "
        "print([name for name in sys.modules if 'hyperscan' in name or 'index.sieve' in name])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.skipif(os.name == "nt", reason="peak memory is a POSIX figure")
@pytest.mark.slow
def test_any_length_takes_little_memory(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "train.log"
    path.touch()
    nothing = run_measured([*ASK, "-f", str(path)]).peak
    long_log.write(path, 400_000_000, "application", FAILURE)
    assert run_measured([*ASK, "-f", str(path)]).peak - nothing < 64_000_000


def test_a_pipe_and_a_file_are_read_alike(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "train.log"
    long_log.write(path, 2_000_000, "progress", recordings.failures()[0].output)
    by_file = subprocess.run([*ASK, "-f", str(path)], capture_output=True, check=False)
    by_pipe = subprocess.run(ASK, input=path.read_bytes(), capture_output=True, check=False)
    assert (by_pipe.returncode, by_pipe.stdout, by_pipe.stderr) == (by_file.returncode, by_file.stdout, b"")
