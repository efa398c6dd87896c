"""The same output gives the same result behind every launcher, and when the lines of two processes are mixed."""

import json
import pathlib
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collectors.reading.launchers import LAUNCHERS, PAIRS, interleaved
from tfhelp.collectors import text_facts
from tfhelp.collectors.reading import read, read_parts
from tfhelp.kb.text import Text

ENTRIES = pathlib.Path(__file__).parents[3] / "kb" / "entries"
OUTPUTS = [
    output
    for path in sorted(ENTRIES.rglob("*.recorded.json"))
    if (output := json.loads(path.read_text(encoding="utf-8"))["output"].rstrip("\n"))
]
# What is rare in the knowledge base: a driver's table, last messages of a kernel and of a scheduler, a progress bar.
OUTPUTS += [
    (
        "+------+\n| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |\n|---+---|\n"
        "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
        "| N/A   42C    P0    58W / 300W |  15512MiB / 16130MiB |     97%   E. Process |\n+------+"
    ),
    "Epoch 1/3\n10/10 [==============================] - 1s 2ms/step - loss: 0.5\nEpoch 2/3\n 3/10 [======>.......] - ETA: 2s - loss: nan\nKilled",
    (
        "[8123.4] Out of memory: Killed process 4242 (python3) total-vm:61204512kB, anon-rss:31457280kB, file-rss:0kB\n"
        "NVRM: Xid (PCI:0000:01:00): 79, pid=1234, GPU has fallen off the bus."
    ),
    "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=811.batch.\nExit Code:    137",
    "Package       Version\n------------- -------\nml-dtypes     0.2.0\npip           23.0.1\ntensorflow    2.15.0",
]
OUTPUT = st.sampled_from(OUTPUTS)
TURNS = st.lists(st.booleans(), max_size=60)


def said(text: Text, worker: str | None = None) -> list[tuple[str, str, str]]:
    return [
        (record.kind, record.message, record.exception) for record in text.records if worker is None or record.worker == worker
    ]


def facts(text: Text) -> dict[str, typing.Any]:
    values = dict(text_facts.read(text).values)
    values.pop("log.workers", None)
    return values


@pytest.mark.parametrize("launcher", LAUNCHERS)
@settings(max_examples=12, deadline=None)
@given(output=OUTPUT)
def test_behind_a_launcher_the_same_is_said(launcher: str, output: str) -> None:
    plain = read(output)
    wrapped = read("\n".join(LAUNCHERS[launcher](output.split("\n"))))
    assert said(wrapped) == said(plain)
    assert facts(wrapped) == facts(plain)
    assert [record.origin for record in wrapped.records] == [record.origin for record in plain.records]
    assert [record.frames for record in wrapped.records] == [record.frames for record in plain.records]


@pytest.mark.parametrize("launcher", PAIRS)
@settings(max_examples=12, deadline=None)
@given(output=OUTPUT, turns=TURNS)
def test_two_processes_mixed_say_the_same_as_one(launcher: str, output: str, turns: list[bool]) -> None:
    lines = output.split("\n")
    one, other = (wrap(lines) for wrap in PAIRS[launcher])
    mixed = read("\n".join(interleaved(one, other, turns)))
    plain = read(output)
    workers = sorted({record.worker for record in mixed.records})
    assert len(workers) == 2
    assert [sorted(said(mixed, worker)) for worker in workers] == [sorted(said(plain))] * 2
    assert facts(mixed) == facts(plain)


@settings(max_examples=60, deadline=None)
@given(output=OUTPUT, launcher=st.sampled_from(sorted(LAUNCHERS)), first=st.integers(1, 10**9))
def test_lines_keep_their_numbers(output: str, launcher: str, first: int) -> None:
    content = "\n".join(LAUNCHERS[launcher](output.split("\n")))
    text, part = read(content), read_parts([(first, content)])
    assert {line.number for line in text.lines} == set(range(1, content.count("\n") + 2))
    assert [line._replace(number=line.number - first + 1) for line in part.lines] == list(text.lines)
    assert [record.first_line - first + 1 for record in part.records] == [record.first_line for record in text.records]


def test_nothing_goes_on_over_lines_that_were_left_out() -> None:
    head = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>'
    text = read_parts([(1, head), (900, "    f()\nValueError: no")])
    assert text.records[0].first_line == 1
    assert all(record.first_line >= 900 for record in text.records[1:]) and text.records[-1].exception == "ValueError"
    assert text.records[0].last_line == 2
    whole = read_parts([(1, head), (3, "    f()\nValueError: no")])
    assert [(record.kind, record.exception, record.last_line) for record in whole.records] == [("traceback", "ValueError", 4)]


@pytest.mark.parametrize(
    ("pasted", "clean", "worker"),
    [
        ("(RayTrainWorker pid=7, ip=10.0.0.1) slow input [repeated 3x across cluster]", "slow input", "7"),
        ("2026-11-22T09:41:02.1234567Z ##[error]Process completed with exit code 1.", "Process completed with exit code 1.", ""),
        ("##[group]Run python train.py", "Run python train.py", ""),
        ("Nov 22 09:41:02 gpu07 kernel: NVRM: Xid (PCI:0000:01:00): 79", "kernel: NVRM: Xid (PCI:0000:01:00): 79", ""),
        ('{"level":"info","msg":"Epoch 1/5"}', "Epoch 1/5", ""),
        ('{"cluster": {"worker": ["a:1"]}}', '{"cluster": {"worker": ["a:1"]}}', ""),
        (">>> import tensorflow", ">>> import tensorflow", ""),
        ("|   0  Tesla T4 | Off |", "|   0  Tesla T4 | Off |", ""),
        ("E       ValueError: no", "ValueError: no", ""),
        ("12:30:59 is a time", "12:30:59 is a time", ""),
    ],
)
def test_one_line(pasted: str, clean: str, worker: str) -> None:
    assert [(line.text, line.worker) for line in read(pasted).lines] == [(clean, worker)]


def test_a_blank_behind_a_tag_is_the_programs_unless_every_line_has_one() -> None:
    tight = read("[1,3]<stderr>:def f():\n[1,3]<stderr>:    pass")
    loose = read("[1,3]<stderr>: def f():\n[1,3]<stderr>:     pass\n[1,3]<stderr>:")
    assert [line.text for line in tight.lines] == ["def f():", "    pass"]
    assert [line.text for line in loose.lines] == ["def f():", "    pass", ""]
    assert {line.worker for line in tight.lines} == {"3"}


@pytest.mark.parametrize(
    "prefix", ["gpu07: ", "train  | ", "[3] ", "09:41:02 ", "2026-11-22 09:41:02 ", "2026-11-22 09:41:02.123 "]
)
def test_a_prefix_that_most_lines_have_is_none_of_the_programs(prefix: str) -> None:
    lines = ["Epoch 1/5", " 3/10 [===>....] - ETA: 2s - loss: 0.5", "Killed"]
    wrapped = read("\n".join(f"{prefix}{line}" for line in lines))
    assert [line.text for line in wrapped.lines] == lines
    assert read(f"{prefix}Epoch 1/5\nand then\nit was over").lines[0].text == f"{prefix}Epoch 1/5"


def test_bytes_are_read_by_their_mark() -> None:
    assert read("Kür\r\nKilled".encode("utf-16")).records[-1].text == "Killed"
    assert read(b"\xef\xbb\xbfKilled").records[0].kind == "shell"
    assert read(b"K\xff\nKilled").records[-1].kind == "shell"
