"""``tfhelp run`` and a program's surroundings: its group, what it leaves behind, shared streams, a full disk."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import typing

import psutil
import pytest

from tests.service.run_tool import TFHELP, RunTool
from tfhelp.service.run.folder import RunFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups of POSIX")

COUNTS = """\
import os, signal, sys
signals = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
signal.pthread_sigmask(signal.SIG_BLOCK, (*signals, signal.SIGALRM))
got = []
print("ready", os.getpid(), flush=True)
while True:
    number = signal.sigwait((*signals, signal.SIGALRM))
    if number == signal.SIGALRM:
        break
    got.append(signal.Signals(number).name)
    signal.setitimer(signal.ITIMER_REAL, 1.0)  # a second one would come within that time
print(*got, flush=True)
"""


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    return RunTool(tmp_path)


@pytest.mark.parametrize("to_group", [True, False], ids=["whole group", "tfhelp alone"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGUSR1"])
def test_the_program_gets_a_signal_once(tool: RunTool, name: str, to_group: bool) -> None:
    process = tool.start(sys.executable, "-u", tool.script(COUNTS), options=("--no-diagnose",))
    tool.pid_of_child(process)
    if to_group:
        os.killpg(process.pid, getattr(signal, name))
    else:
        os.kill(process.pid, getattr(signal, name))
    out, _ = process.communicate(timeout=60)
    assert out.decode().split() == [name]


def companions(pid: int) -> set[int]:
    """The processes next to the program that show what the whole group got."""
    found = set()
    for child in psutil.Process(pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # the one that ended was collected meanwhile
            found |= {child.pid} if child.name() == "cat" else set()
    return found


def test_two_signals_to_the_group_are_two(tool: RunTool) -> None:
    """The first signal ends the process that reports it; the second one must find another."""
    source = COUNTS.replace("    signal.setitimer", "    print('more', flush=True)\n    signal.setitimer")
    process = tool.start(sys.executable, "-u", tool.script(source), options=("--no-diagnose",))
    tool.pid_of_child(process)
    assert process.stdout is not None
    first = companions(process.pid)
    os.killpg(process.pid, signal.SIGUSR1)
    assert process.stdout.readline() == b"more\n"
    while not companions(process.pid) - first:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGUSR2)
    out, _ = process.communicate(timeout=60)
    assert out.decode().split() == ["more", "SIGUSR1", "SIGUSR2"]


def test_a_process_that_outlives_the_program_writes_on(tool: RunTool) -> None:
    os.mkfifo(tool.folder / "go")
    process = subprocess.Popen(
        [*TFHELP, "run", "--no-diagnose", "--", "sh", "-c", "(read line < go; echo late; echo later) & echo main"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tool.folder,
        env=tool.environment,
    )
    assert process.wait(timeout=60) == 0  # tfhelp does not wait for it, as a shell would not either
    (tool.folder / "go").write_text("now\n")
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.read() == b"main\nlate\nlater\n"


def test_a_healthy_run_has_a_document_too(tool: RunTool) -> None:
    answer = tool.folder / "answer.json"
    assert tool.run("true", options=("--json", str(answer))).status == 0
    assert json.loads(answer.read_text())["verdict"] == "nothing-failed"


@pytest.mark.parametrize("last", ["no line end", "a line\\n"])
def test_the_document_begins_a_line_of_its_own_and_cuts_nothing_off(tool: RunTool, last: str) -> None:
    written = tool.folder / "all.txt"
    with written.open("wb") as file:
        subprocess.run(
            [*TFHELP, "run", "--json", "/dev/fd/1", "--", "printf", last],
            stdout=file,
            stderr=subprocess.DEVNULL,
            env=tool.environment,
            timeout=120,
            check=True,
        )
    first, second = written.read_text().splitlines()
    assert first == last.replace("\\n", "")
    assert json.loads(second)["verdict"] == "nothing-failed"


def test_a_full_disk_leaves_no_half_file(tool: RunTool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tool.folder / "state"))
    folder = RunFolder.make(3)
    limit = 4096
    program = (
        "import resource, signal, sys\n"
        "from tfhelp.service.run.folder import RunFolder\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        f"folder = RunFolder({folder.identifier!r})\n"
        "folder.write('small.log', b'x')\n"
        "try:\n"
        f"    folder.write('output.log', b'x' * {8 * limit})\n"
        "except OSError:\n"
        "    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=tool.environment, check=True)
    assert done.stdout == "refused\n"
    assert _names(folder.path) == ["small.log"]


def _names(path: str) -> typing.Sequence[str]:
    return sorted(os.listdir(path))
