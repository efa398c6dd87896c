"""Messages while something takes long: only at a terminal, and removed at the end. The terminals are real ones."""

import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.service.terminals import Terminal
from tfhelp.service.doors.cli.progress import Activity

DTYPE = "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:AddV2]"
CLEARED = "\r\x1b[K"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def at_a_terminal(program: str) -> str:
    """The output of a Python program to a terminal."""
    with Terminal(
        [], program=[sys.executable, "-c", f"from tfhelp.service.doors.cli.progress import Activity\nimport time\n{program}"]
    ) as terminal:
        said = terminal.rest()
    assert terminal.status == 0, said
    return said


def test_a_long_activity_shows_a_line_and_removes_it() -> None:
    said = at_a_terminal(
        "with Activity('counting', after=0.05) as it:\n    time.sleep(2); it(5_000_000); time.sleep(2)\nprint('done')"
    )
    assert re.match(r"\rtfhelp: counting \(\d s\)\x1b\[K", said)
    assert "\rtfhelp: read 5 MB, " in said
    assert said.endswith(CLEARED + "done\r\n")


def test_a_short_one_is_not_told_of() -> None:
    assert at_a_terminal("with Activity('counting', after=60):\n    pass\nprint('done')") == "done\r\n"


def test_it_is_taken_away_after_a_failure_too() -> None:
    program = "try:\n    with Activity('counting', after=0.01, updates=False):\n        time.sleep(2); raise OSError\nexcept OSError:\n    print('done')"
    assert at_a_terminal(program) == f"\rtfhelp: counting\x1b[K{CLEARED}done\r\n"


def test_without_a_terminal_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Activity("counting", after=0.0):
        time.sleep(0.05)
    assert stream.getvalue() == ""


def test_a_slow_pipe_shows_progress_and_is_answered_at_its_end() -> None:
    reading, writing = os.pipe()
    with Terminal(["ask", "--no-collect", "--no-input"], stdin=reading) as terminal:
        os.close(reading)
        os.write(writing, DTYPE.encode())
        said = terminal.until("tfhelp: reading what is piped in")
        os.close(writing)
        said += terminal.rest()
    assert terminal.status == 0
    assert "dtype-mismatch" in said.rpartition(CLEARED)[2]


def test_a_slow_look_at_the_machine_shows_a_progress_line(tmp_path: pathlib.Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nsleep 5\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    with Terminal(["collect", "--python", str(python)]) as terminal:
        said = terminal.until("tfhelp: looking at this machine (")
        said += terminal.rest()
    assert terminal.status == 0
    assert '"executable"' in said.rpartition(CLEARED)[2]


def test_ctrl_c_ends_it_without_a_traceback_and_takes_the_line_away() -> None:
    reading, writing = os.pipe()
    with Terminal(["ask", "--no-collect"], stdin=reading) as terminal:
        os.close(reading)
        said = terminal.until("tfhelp: reading what is piped in")
        terminal.write("\x03")
        said += terminal.rest()
        os.close(writing)
    assert terminal.status == 130
    assert "Traceback" not in said
    assert said.rstrip("\r\n").endswith(CLEARED)


@pytest.mark.parametrize("command", [["ask", "--no-collect"], ["condense"], ["report", "--no-collect"]])
def test_an_interrupt_is_status_130(command: list[str]) -> None:
    waiting = subprocess.Popen([sys.executable, "-m", "tfhelp.service", *command], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert waiting.stdin
    waiting.stdin.write(b"x" * 200_000)  # more than the pipe holds: once it is written, the command reads
    waiting.stdin.flush()
    waiting.send_signal(signal.SIGINT)
    _, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, err) == (130, b"")
