"""What ``tfhelp run`` sees of the run's processes: where they wait, which failed first, what their parents hide."""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.service.run_tool import TFHELP, RunTool, Terminal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux")

HANG = """
import queue, signal, sys, threading; signal.signal(signal.SIGUSR2, lambda *_: sys.exit(0))
work, lock = queue.Queue(), threading.Lock()
def load():
    with lock:
        work.put(1)
lock.acquire()
threading.Thread(target=load, daemon=True).start()
print("Starting to train", flush=True)
def train():
    try:
        work.get(timeout={seconds})
    except queue.Empty:
        raise SystemExit(0)
train()
"""

WORKERS = """
import multiprocessing, os, sys
def work(number, turn):
    sys.stderr = open(os.devnull, "w")
    turn.wait()
    if number == 1:
        raise RuntimeError("OOM when allocating tensor with shape[4096,4096] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc")
    if number == 2:
        import ctypes
        ctypes.string_at(0)
if __name__ == "__main__":
    context = multiprocessing.get_context("{method}")
    turns = [context.Event() for _ in range(3)]
    workers = [context.Process(target=work, args=(number, turns[number])) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker, turn in zip(workers, turns):  # one after another, however busy the machine is
        turn.set()
        worker.join()
    print("all done")
"""


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    return RunTool(tmp_path)


def test_a_hang_shows_the_line_of_every_thread(tool: RunTool) -> None:
    script = tool.script(HANG.format(seconds=600))
    options = ("--hang-after", "2", "--json", "answer.json")
    ended = tool.hang(b"work.get(timeout=600)", sys.executable, "-u", script, options=options)
    said = ended.err.decode()
    assert "main thread: train.py line 12: work.get(timeout=600), waits for an item of a queue" in said
    assert "a thread: train.py line 5: with lock:, waits for a lock" in said
    known = tool.answer()["facts"]["run"]
    assert known["waits_in"] == "queue"
    assert known["waits_line"] == "train.py line 12: work.get(timeout=600)"
    assert known["worker_processes"] == 0
    assert tool.first() == ("fit-hangs", "input-never-yields")
    assert ended.out == b"Starting to train\n"


def test_a_program_that_has_run_its_last_line_waits_for_its_thread(tool: RunTool) -> None:
    source = """
import queue, signal, sys, threading
signal.signal(signal.SIGUSR2, lambda *_: work.get())  # the thread can go on, and the program ends
work = queue.Queue(maxsize=1)
def load():
    for number in range(2):
        work.put(number)
threading.Thread(target=load).start()
print("training is over", flush=True)
"""
    options = ("--hang-after", "2", "--json", "answer.json")
    ended = tool.hang(b"work.put(number)", sys.executable, "-u", tool.script(source), options=options)
    known = tool.answer()["facts"]["run"]
    assert (known["phase"], known["thread_line"]) == ("exit", "train.py line 7: work.put(number)")
    assert tool.first() == ("fit-hangs", "thread-still-runs")
    assert ended.status == 0


def test_a_shell_around_the_training_is_not_one_of_its_workers(tool: RunTool) -> None:
    script = tool.script(HANG.format(seconds=600).replace("work.get(timeout=600)", "lock.acquire(timeout=600)"))
    tool.hang(
        b"lock.acquire(timeout=600)", "sh", "-c", f"{sys.executable} {shlex.quote(script)}; true", options=("--hang-after", "2")
    )
    assert tool.first() == ("fit-hangs", "deadlock-in-python")


def test_workers_of_a_hang_are_named(tool: RunTool) -> None:
    source = """
import multiprocessing, signal, sys
def work(lock, started):
    started.release()
    with lock:
        pass
if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, lambda *_: sys.exit(0))
    context = multiprocessing.get_context("spawn")
    lock, started = context.Lock(), context.Semaphore(0)
    lock.acquire()
    workers = [context.Process(target=work, args=(lock, started), daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        started.acquire()
    print("Starting to train", flush=True)  # the silence begins now, however long the workers took to start
    for worker in workers:
        worker.join(600)
"""
    tool.hang(b"worker.join(600)", sys.executable, tool.script(source), options=("--hang-after", "2"))
    known = tool.answer()["facts"]["run"]
    assert (known["worker_processes"], known["workers_wait_in"]) == (2, ["lock"])
    assert known["waits_in"] == "process"
    rows = tool.answer()["run"]["waits"]
    assert [row["line"] for row in rows] == ["train.py line 19: worker.join(600)", *["train.py line 5: with lock:"] * 2]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_parent_that_hides_its_workers(tool: RunTool, method: str) -> None:
    ended = tool.python(WORKERS.replace("{method}", method))
    assert (ended.status, ended.out) == (0, b"all done\n")
    said = ended.err.decode()
    assert "exit code 0" in said and "but a process that it started failed" in said
    assert "First failed: process" in said and "RuntimeError: OOM when allocating tensor" in said
    assert "after it: process" in said and "SIGSEGV in train.py line 10: ctypes.string_at(0)" in said
    assert tool.first()[0] == "gpu-out-of-memory"
    failures = tool.answer()["run"]["failures"]
    assert [failure["root"] for failure in failures] == [True, False]
    assert failures[0]["line"].startswith("train.py line 7: raise RuntimeError(")
    again = subprocess.run(
        [*TFHELP, "ask", "--run", "last"], capture_output=True, text=True, check=False, env=tool.environment, cwd=tool.folder
    )
    assert "First failed: process" in again.stdout


def test_programs_that_look_for_something_fail_all_the_time(tool: RunTool) -> None:
    source = """
import subprocess, sys
for command in (["-c", "import no_such_module"], ["-m", "no_such_module"], ["-c", "import ctypes; ctypes.string_at(0)"]):
    subprocess.run([sys.executable, *command], stderr=subprocess.DEVNULL)
subprocess.run(["sh", "-c", "exit 3"])
subprocess.run(["ls", "/no/such/folder"], stderr=subprocess.DEVNULL)
"""
    ended = tool.python(source)
    assert ended.status == 0
    assert len(ended.err.decode().splitlines()) == 1


def test_exceptions_that_a_pool_hands_on_and_workers_that_are_stopped_are_no_failures(tool: RunTool) -> None:
    source = """
import concurrent.futures, multiprocessing, time
def work(number):
    raise ValueError(number)
if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        print(type(pool.submit(work, 1).exception()).__name__)
    worker = multiprocessing.Process(target=time.sleep, args=(60,))
    worker.start()
    worker.terminate()
    worker.join()
"""
    ended = tool.python(source)
    assert (ended.status, ended.out) == (0, b"ValueError\n")
    assert len(ended.err.decode().splitlines()) == 1


def test_without_stacks_the_programs_environment_is_ours(tool: RunTool) -> None:
    source = "import os\nprint(sorted(name for name in os.environ if name.startswith(('PYTHONPATH', 'TFHELP_'))))\n"
    bare = subprocess.run([sys.executable, tool.script(source)], capture_output=True, check=True, env=tool.environment).stdout
    assert tool.python(source, options=("--no-stacks",)).out == bare
    assert list(tool.file("processes").iterdir()) == []


def test_a_crash_names_the_readers_line(tool: RunTool) -> None:
    ended = tool.python("import ctypes\ndef step():\n    ctypes.string_at(0)\nstep()\n")
    assert ended.status == 139
    assert "SIGSEGV in train.py line 3: ctypes.string_at(0)" in ended.err.decode()
    assert tool.answer()["facts"]["run"]["crash_line"] == "train.py line 3: ctypes.string_at(0)"
    assert tool.answer()["facts"]["run"]["crash_call"] == "ctypes/__init__.py string_at"


def test_a_program_without_our_hook_is_looked_at_from_outside(tool: RunTool) -> None:
    if shutil.which("py-spy") is None:
        pytest.skip("py-spy is not installed")
    ended = tool.run(sys.executable, "-I", tool.script(HANG.format(seconds=12)), options=("--hang-after", "3"))
    if b"Where process" not in ended.err:
        pytest.skip("this system does not let py-spy look")
    assert b"main thread: train.py line 12: work.get(timeout=12), waits for an item of a queue" in ended.err


def test_control_c_on_a_hang_is_answered(tool: RunTool) -> None:
    script = tool.script(HANG.format(seconds=60))
    command = [*TFHELP, "run", "--hang-after", "1.5", "--", sys.executable, script]
    terminal = Terminal(command, tool.environment, tool.folder, (24, 200))
    terminal.wait_for(b"work.get(timeout=60)")  # a slow start is a silence too
    before = terminal.written.count(b"Where process")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert b"it had made no progress when you interrupted it" in terminal.written
    assert terminal.written.count(b"Where process") == before + 1
    assert tool.answer()["facts"]["run"]["hung"] is True
    assert tool.first()[0] == "fit-hangs"


def test_control_c_on_a_program_that_stays(tool: RunTool) -> None:
    source = """
import os, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("ready", flush=True)
# The test says when.
while not os.path.exists("go"):
    time.sleep(0.1)
"""
    command = [*TFHELP, "run", "--hang-after", "3", "--", sys.executable, tool.script(source)]
    terminal = Terminal(command, tool.environment, tool.folder, (24, 200))
    terminal.wait_for(b"train.py line 7: time.sleep(0.1)")
    before = terminal.written.count(b"Where process")
    terminal.press(b"\x03")
    terminal.wait_for(b"Where process", before + 1)  # Ctrl-C without an end
    (tool.folder / "go").write_text("")
    terminal.end()
    assert terminal.written.count(b"Where process") == before + 2  # and the end


def test_control_c_on_a_program_that_stays_is_answered_without_a_setting(tool: RunTool) -> None:
    source = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.readline()
"""
    at_once = (
        "import sys; from tfhelp.service.run import watched_run; watched_run._LONG_SILENCE = watched_run._TIMES_ITS_PAUSE = 0.0; "
        "from tfhelp.service.doors.cli.command_line import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", at_once, "run", "--", sys.executable, tool.script(source)]
    terminal = Terminal(command, tool.environment, tool.folder, (24, 200))
    terminal.wait_for(b"ready")
    terminal.press(b"\x03")
    terminal.wait_for(b"Where process")
    terminal.press(b"\n")
    assert terminal.end() == 0
    assert b"the program goes on. Looking for the reason." in terminal.written
    assert b"no diagnosis" not in terminal.written


def test_a_signal_to_end_reaches_what_the_program_left_behind(tool: RunTool) -> None:
    source = """
import subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
time.sleep(0.5)
print("ready", worker.pid, flush=True)
time.sleep(60)
"""
    with tool.start(sys.executable, tool.script(source), options=("--json", "answer.json")) as process:
        worker = tool.pid_of_child(process)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 143
    assert b"because SIGTERM came from outside and was passed on to it" in err
    end = time.monotonic() + 10
    while pathlib.Path(f"/proc/{worker}/stat").exists() and time.monotonic() < end:
        if pathlib.Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            break
        time.sleep(0.1)
    else:
        assert not pathlib.Path(f"/proc/{worker}/stat").exists()
    assert tool.first() == ("training-stops-silently", "killed-from-outside")
    assert json.loads((tool.folder / "answer.json").read_text())["facts"]["run"]["received_signal"] == "SIGTERM"


def test_a_program_that_catches_the_signal_still_counts_as_stopped(tool: RunTool) -> None:
    source = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
print("ready", os.getpid(), flush=True)
time.sleep(60)
"""
    with tool.start(sys.executable, tool.script(source)) as process:
        tool.pid_of_child(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 1
    assert tool.first() == ("training-stops-silently", "killed-from-outside")


def test_the_document_goes_to_a_stream_of_its_own(tool: RunTool) -> None:
    script = tool.script("print('no line end', end='')\nimport ctypes\nctypes.string_at(0)\n")
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        [*TFHELP, "run", "--json", f"/dev/fd/{theirs}", "--", sys.executable, "-u", script],
        pass_fds=(theirs,),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=tool.environment,
    )
    os.close(theirs)
    with os.fdopen(ours, "rb") as stream, process:
        answer = json.loads(stream.read())  # while it writes: a pipe holds less than an answer
        printed = process.stdout.read() if process.stdout else b""
    assert (process.returncode, printed) == (139, b"no line end")
    assert answer["matches"][0]["entry"] == "native-crash"


def test_a_good_run_writes_its_document_too(tool: RunTool) -> None:
    assert tool.python("print('fine')", options=("--json", "answer.json")).out == b"fine\n"
    document = json.loads((tool.folder / "answer.json").read_text())
    assert (document["verdict"], document["matches"], document["facts"]["run"]["exit_code"]) == ("nothing-failed", [], 0)
    refused = tool.python("", options=("--json", "no/such/answer.json"))
    assert (refused.status, b"there is no such folder" in refused.err) == (2, True)
