"""The same failure has the same fingerprint, wherever and whenever it happens; different failures have different ones."""

import copy
import functools
import pathlib
import re
import typing
from unittest import mock

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.faults.knowledge import causes
from tests.faults.knowledge import read as read_recording
from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.service.curation.recordings import facts_of_recording
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.memory.fingerprint import Fingerprint, fingerprint, without_values

Json = dict[str, typing.Any]

RECORDINGS = causes(".recorded.json")
SAMPLE = [path for _, path in RECORDINGS[::5]]
"""Every fifth recorded program: an answer takes about 10 ms."""


@functools.cache
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


@functools.cache
def recorded(path: pathlib.Path) -> tuple[str, Fingerprint]:
    """A recorded output and its fingerprint."""
    output = read_recording(path)["output"]
    return output, of(output, facts_of_recording(path))


def of(output: str, facts: Json | None = None) -> Fingerprint:
    return fingerprint(dict(diagnoser().diagnose(output, facts or None)))


class Elsewhere(typing.NamedTuple):
    """Another machine, rank, path and run."""

    home: str
    venv: str
    pid: int
    object_at: int
    seconds: int
    rank: int | None

    def moved(self, output: str) -> str:
        """The output of the same program there."""
        text = output.replace("/home/user/venv", self.venv).replace("/home/user/project", self.home)
        text = text.replace("/home/user", self.home)
        text = re.sub(r"\b0x[0-9a-f]{6,16}\b", f"0x{self.object_at:012x}", text)
        text = re.sub(
            r"^(20\d\d-\d\d-\d\d \d\d:\d\d:)\d\d\.\d{6}",
            rf"\g<1>{self.seconds:02}.{self.pid % 10**6:06}",
            text,
            flags=re.MULTILINE,
        )
        text = re.sub(r"^([IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +)\d+ ", rf"\g<1>{self.pid} ", text, flags=re.MULTILINE)
        if self.rank is None:
            return text
        return "\n".join(f"[1,{self.rank}]<stderr>:{line}" for line in text.split("\n"))


NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=10)
PLACES = st.builds(
    Elsewhere,
    home=NAMES.map(lambda name: f"/home/{name}/{name}-runs"),
    venv=st.sampled_from(["/opt/env", "/usr/local", "/home/other/miniconda3/envs/tf"]),
    pid=st.integers(2, 4_000_000),
    object_at=st.integers(0x7F0000000000, 0x7FFFFFFFFFFF),
    seconds=st.integers(0, 59),
    rank=st.none() | st.integers(0, 7),
)


@hypothesis.settings(max_examples=50)
@hypothesis.given(st.sampled_from(SAMPLE), PLACES)
def test_the_same_failure_elsewhere_has_the_same_fingerprint(path: pathlib.Path, place: Elsewhere) -> None:
    output, expected = recorded(path)
    assert of(place.moved(output), facts_of_recording(path)) == expected


@hypothesis.settings(max_examples=25)
@hypothesis.given(st.sampled_from(SAMPLE))
def test_redaction_changes_no_fingerprint(path: pathlib.Path) -> None:
    answer = dict(diagnoser().diagnose(read_recording(path)["output"].replace("/home/user", "/home/zebediah")))
    assert fingerprint(redact_document(copy.deepcopy(answer))) == fingerprint(answer)


def test_other_programs_have_other_fingerprints() -> None:
    marks = {cause: recorded(path)[1] for cause, path in RECORDINGS if not cause.startswith("benign-")}
    groups: dict[str, list[str]] = {}
    for cause, mark in marks.items():
        groups.setdefault(mark.value, []).append(cause)
    shared = [group for group in groups.values() if len(group) > 1]
    # Programs with the same last messages: the text alone does not distinguish them, and each has the same entry as the others.
    assert all(len({cause.partition("/")[0] for cause in group}) == 1 for group in shared)
    assert sum(map(len, shared)) <= 0.15 * len(marks)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No such file or directory: '/data/a/b.csv'", "No such file or directory: 'C:\\data\\c.csv'"),
        ("shapes (32, 10) and (32, 1) differ", "shapes (64, 10, 3) and (8, 1) differ"),
        ("cannot reach 10.0.0.7:2222", "cannot reach gpu07.cluster.local:30001"),
        ("failed after 3.5 s at 0x7f3a", "failed after 12 s at 0x00ff12"),
        ("<Foo object at 0x7f3a11> of dense_3", "<Foo object at 0x1> of dense_41"),
        ("tensor 'a b c' is wrong", "tensor 'x y, z' is wrong"),
        ("run 0ecd9221-44a1 is gone", "run 9f1bc000-77aa is gone"),
        ("from https://a.example/x?y=1 came 404", "from http://b.example:80/ came 500"),
        ("it took 12.5 MiB, [1, 2, 3]", "it took 3 MiB, [7]"),
    ],
)
def test_values_leave_a_message(one: str, other: str) -> None:
    assert without_values(one) == without_values(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No module named 'keras_tuner'", "No module named 'pydot'"),
        ("got an unexpected keyword argument 'lr'", "got an unexpected keyword argument 'decay'"),
        ("expected float32, got int32", "expected float32, got float16"),
        ("Permission denied: '/a/b'", "No such file: '/a/b'"),
    ],
)
def test_words_stay_in_a_message(one: str, other: str) -> None:
    assert without_values(one) != without_values(other)


@hypothesis.given(st.text(max_size=300))
def test_a_message_without_values_has_none_left(text: str) -> None:
    once = without_values(text)
    assert len(once) <= 300
    assert not re.search(r"(?<![A-Za-z0-9])[0-9]", once)


@hypothesis.settings(max_examples=20)
@hypothesis.given(st.text("'\"/.:#0a[](){},_- \\@", max_size=1_000))
def test_any_message_is_read(text: str) -> None:
    without_values(text)


def test_a_confirmed_cause_is_a_part_and_a_guess_is_none() -> None:
    def answer(verdict: str, message: str = "it broke") -> Json:
        causes_ = [{"cause": "one", "verdict": verdict}, {"cause": "two", "verdict": "possible"}]
        failure = {"exception": "", "message": message, "own": "", "library": ""}
        return {"verdict": "diagnosed", "matches": [{"entry": "some", "causes": causes_}], "failure": failure}

    assert fingerprint(answer("confirmed")).cause == "one"
    assert fingerprint(answer("likely")).cause == ""
    assert fingerprint(answer("likely", "")).cause == "one"


def test_the_beginning_of_an_endless_message_is_read() -> None:
    """A message may be as long as a text that somebody sends; its values cost microseconds per character."""
    with mock.patch("tfhelp.service.memory.fingerprint.redact", side_effect=redact) as read:
        assert without_values("no room for tensor " + "9" * 3_000_000) == without_values("no room for tensor " + "9" * 30_000)
    assert max(len(call.args[0]) for call in read.call_args_list) <= 20_000
