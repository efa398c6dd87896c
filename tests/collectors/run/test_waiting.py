"""What processes wait for, as the kernel shows it: real processes in real waits."""

import pathlib
import subprocess
import sys
import time
import typing

import psutil
import pytest

from tfhelp.collectors.run.waiting import waits_for, waits_of_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")

POOL = """
import multiprocessing, sys, time
context = multiprocessing.get_context("fork")
lock, (ours, theirs) = context.Lock(), context.Pipe()
lock.acquire()
for kind in sys.argv[1:]:
    context.Process(target=lock.acquire if kind == "lock" else ours.recv).start()
print("up", flush=True)
time.sleep(600)
"""


@pytest.fixture
def start() -> typing.Iterator[typing.Callable[..., psutil.Process]]:
    """Starts a Python program and returns its process after it has printed ``up``."""
    started: list[subprocess.Popen[bytes]] = []

    def start_it(source: str, *arguments: str, shell: bool = False) -> psutil.Process:
        command = [sys.executable, "-c", source, *arguments]
        if shell:
            command = ["sh", "-c", '"$@"; true', "sh", *command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        return psutil.Process(process.pid)

    yield start_it
    for process in started:
        for child in psutil.Process(process.pid).children(recursive=True):
            child.kill()
        process.kill()
        process.communicate()


def settled(look: typing.Callable[[], object], expected: object) -> object:
    """What a look shows once the processes have come to their waits: what is expected, else whatever they show after a minute."""
    end = time.monotonic() + 60
    while (found := look()) != expected and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import threading\nlock = threading.Lock()\nlock.acquire()\nprint('up', flush=True)\nlock.acquire()", "lock"),
        ("import os\nreading, writing = os.pipe()\nprint('up', flush=True)\nos.read(reading, 1)", "pipe"),
        ("import time\nprint('up', flush=True)\ntime.sleep(600)", "sleep"),
        (
            "import select, socket\nprint('up', flush=True)\nours, theirs = socket.socketpair()\nselect.select([ours], [], [])",
            "event",
        ),
        ("import subprocess\nprint('up', flush=True)\nsubprocess.run(['sleep', '600'])", "child"),
        ("print('up', flush=True)\nwhile True: pass", "nothing"),
    ],
)
def test_what_a_process_waits_for(start: typing.Callable[..., psutil.Process], source: str, expected: str) -> None:
    process = start(source)
    assert settled(lambda: waits_for(process.pid), expected) == expected


def test_workers_that_wait_for_locks_are_told_from_idle_ones(start: typing.Callable[..., psutil.Process]) -> None:
    for kinds in (("lock", "lock"), ("lock", "pipe", "lock")):
        process = start(POOL, *kinds)
        expected = ("sleep", sorted(set(kinds)))
        assert settled(lambda process=process: waits_of_run(process), expected) == expected


def test_a_shell_that_only_waits_is_not_the_program(start: typing.Callable[..., psutil.Process]) -> None:
    process = start(POOL, "lock", shell=True)
    assert settled(lambda: waits_of_run(process), ("sleep", ["lock"])) == ("sleep", ["lock"])


def test_what_is_not_told_is_unknown(tmp_path: pathlib.Path) -> None:
    assert waits_for(7, str(tmp_path)) is None
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "wchan").write_text("0")
    (tmp_path / "7" / "stat").write_text("7 (a) name) S 1 7")
    assert waits_for(7, str(tmp_path)) is None
    for function, expected in (("nvidia_poll", "driver"), ("folio_wait_bit_common", "disk"), ("kthreadd", "other")):
        (tmp_path / "7" / "wchan").write_text(function)
        assert waits_for(7, str(tmp_path)) == expected
