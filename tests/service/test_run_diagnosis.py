"""A run that ends badly without a usable message: the readings of it determine entry and cause."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import typing

import pytest

from tests.service.run_tool import TFHELP, RunTool
from tfhelp.service.run.ending import unwell

HEALTHY = pathlib.Path(__file__).resolve().parents[1] / "healthy"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits, control groups and mounts of Linux")

LEAK = """
import time
kept = []
for step in range({steps}):
    kept.append(bytearray(b"x") * ({mib} << 20))
    print("batch", step, "loss 0.5", flush=True)
    time.sleep(0.12)
"""


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    return RunTool(tmp_path)


@pytest.fixture
def control_group() -> typing.Iterator[str]:
    """A control group with 300 MiB of memory; its file of processes."""
    root = "/sys/fs/cgroup/memory" if os.path.isdir("/sys/fs/cgroup/memory") else "/sys/fs/cgroup"
    folder = f"{root}/tfhelp-test-{os.getpid()}"
    limit = "memory.limit_in_bytes" if root.endswith("memory") else "memory.max"
    try:
        os.mkdir(folder)
        pathlib.Path(folder, limit).write_text(str(300 << 20))
    except OSError as error:
        if os.path.isdir(folder):
            os.rmdir(folder)
        pytest.skip(f"no control group can be made here: {error}")
    yield f"{folder}/cgroup.procs"
    os.rmdir(folder)


def mounted(*command: str) -> tuple[str, ...]:
    """A prefix that runs a command in its own mount namespace, after the given mount."""
    prefix = ("unshare", "--mount", "sh", "-c", f'{" ".join(command)} && exec "$@"', "sh")
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting needs root")
    return prefix


def facts(tool: RunTool) -> dict[str, typing.Any]:
    document: dict[str, typing.Any] = json.loads(tool.file("facts.json").read_text())
    return document


def test_a_leak_that_the_kernel_ends_at_a_containers_limit(tool: RunTool, control_group: str) -> None:
    prefix = ("sh", "-c", f'echo $$ > {control_group} && exec "$@"', "sh")
    ended = tool.python(LEAK.format(steps=400, mib=2), prefix=prefix)
    assert ended.status == 137
    known = facts(tool)["run"]
    assert known["killed_by"] == "oom-killer"
    assert known["memory_pattern"] == "steady-growth"
    assert known["memory_limit_mib"] == 300.0
    assert tool.first() == ("host-out-of-memory", "host-memory-leak")
    assert "▁" in ended.err.decode()


def test_one_large_step_at_a_containers_limit_is_no_leak(tool: RunTool, control_group: str) -> None:
    prefix = ("sh", "-c", f'echo $$ > {control_group} && exec "$@"', "sh")
    source = "import time\ntime.sleep(4)\nlarge = bytearray(b'x') * (900 << 20)\n"
    assert tool.python(source, prefix=prefix).status == 137
    assert tool.first() == ("host-out-of-memory", "container-limit")


def test_a_worker_that_the_kernel_kills_unnoticed_by_its_parent(tool: RunTool, control_group: str) -> None:
    prefix = ("sh", "-c", f'echo $$ > {control_group} && exec "$@"', "sh")
    source = """
import multiprocessing, time
def work():
    time.sleep(1)
    large = bytearray(b"x") * (900 << 20)
if __name__ == "__main__":
    worker = multiprocessing.get_context("spawn").Process(target=work)
    worker.start()
    worker.join()
    print("trained")
"""
    ended = tool.python(source, prefix=prefix)
    assert (ended.status, ended.out) == (0, b"trained\n")
    assert facts(tool)["run"]["killed_by"] == "oom-killer"
    assert tool.first()[0] == "host-out-of-memory"


def test_a_leak_at_the_limit_of_address_space(tool: RunTool) -> None:
    source = (
        LEAK.format(steps=600, mib=3)  # slow enough that a busy machine does not distort the curve
        .replace("import time", "import time, resource, os")
        .replace("kept = []", "resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))\nkept = []")
    )
    assert tool.python(source).status == 1
    assert tool.first() == ("host-out-of-memory", "host-memory-leak")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, 137), (signal.SIGTERM, 143)])
def test_a_signal_from_outside(tool: RunTool, number: int, status: int) -> None:
    source = "import os, time\nprint('ready', os.getpid(), flush=True)\nprint('Epoch 3/10', flush=True)\ntime.sleep(60)\n"
    with tool.start(sys.executable, tool.script(source)) as process:
        os.kill(tool.pid_of_child(process), number)
        process.communicate(timeout=60)
    assert process.returncode == status
    assert facts(tool)["run"]["killed_by"] == "outside"
    assert tool.first() == ("training-stops-silently", "killed-from-outside")


def test_a_crash_in_native_code(tool: RunTool) -> None:
    assert tool.python("import ctypes\nprint('Epoch 1/5')\nctypes.string_at(0)\n").status == 139
    assert tool.first()[0] == "native-crash"
    assert facts(tool)["run"]["killed_by"] == "itself"


def test_a_stack_that_overflows_in_native_code(tool: RunTool) -> None:
    source = """
import sys, threading
sys.setrecursionlimit(1 << 30)
class Layer:
    def __getattribute__(self, name):
        return getattr(self, name + "x")
threading.stack_size(256 << 10)
thread = threading.Thread(target=lambda: Layer().call)
thread.start()
thread.join()
"""
    assert tool.python(source).status == 139
    assert tool.first()[0] == "native-crash"


def test_worker_processes_that_wait_for_each_other(tool: RunTool) -> None:
    source = """
import multiprocessing, time
def work(lock):
    with lock:
        pass
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    lock = context.Lock()
    lock.acquire()
    workers = [context.Process(target=work, args=(lock,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    begun = time.process_time()
    while time.process_time() < begun + 0.5:  # what was computed before the hang does not count
        pass
    print("Starting to train", flush=True)
    time.sleep(14)
    lock.release()
    print("Trained", flush=True)
"""
    ended = tool.python(source, options=("--hang-after", "7"))
    assert ended.status == 0
    said = ended.err.decode()
    assert said.count("no output for 7.0 s; the program goes on") == 1
    assert tool.answer()["facts"]["run"].get("hung") is True
    assert tool.answer()["facts"]["run"]["workers_wait_for"] == ["lock"]
    assert tool.first() == ("worker-processes-deadlock", "fork-with-tensorflow")
    assert b"Trained" in ended.out  # it went on


def test_a_loss_that_turns_nan_though_the_program_ends_well(tool: RunTool) -> None:
    source = (
        "for n in range(1, 4):\n    print(f'Epoch {n}/3\\n10/10 - 1s - 90ms/step - loss: {[0.7, 1e9, float(\"nan\")][n - 1]}')\n"
    )
    ended = tool.python(source)
    assert ended.status == 0
    assert tool.first()[0] == "nan-loss"


def test_a_disk_that_is_full(tool: RunTool) -> None:
    small = tool.folder / "small"
    small.mkdir()
    prefix = mounted("mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(small), "&&", "cd", str(small))
    source = """
import os, time
print("Epoch 1/5", flush=True)
try:
    with open("checkpoint", "wb") as file:
        for _ in range(100):
            file.write(b"x" * (1 << 20))
            file.flush()
            time.sleep(0.05)
except OSError:
    time.sleep(5)  # until tfhelp has certainly looked
    os._exit(1)
"""
    assert tool.python(source, prefix=prefix).status == 1
    assert tool.first() == ("disk-full", "checkpoints-or-logs")


def test_shared_memory_that_is_too_small(tool: RunTool) -> None:
    prefix = mounted("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", "/dev/shm")
    source = """
import mmap, os
handle = os.open("/dev/shm/tfhelp-test", os.O_RDWR | os.O_CREAT)
os.ftruncate(handle, 64 << 20)
block = mmap.mmap(handle, 64 << 20)
for place in range(0, 64 << 20, 4096):
    block[place] = 1
"""
    assert tool.python(source, prefix=prefix).status == 128 + signal.SIGBUS
    assert tool.first() == ("shared-memory-too-small", "container-shm")


def test_files_that_are_used_up(tool: RunTool) -> None:
    source = """
import os, time
opened = []
try:
    while True:
        opened.append(open("/dev/null"))
        time.sleep(0.001)
except OSError:
    time.sleep(5)  # until tfhelp has certainly looked
    os._exit(1)
"""
    assert tool.python(source, prefix=("prlimit", "--nofile=512:512")).status == 1
    assert tool.first() == ("too-many-open-files", "descriptor-limit")
    assert facts(tool)["host"]["open_files_limit"] == 512


def test_a_training_that_ends_before_its_last_epoch(tool: RunTool) -> None:
    source = "for n in range(1, 5):\n    print(f'Epoch {n}/20\\n10/10 - 1s - 90ms/step - loss: 0.{9 - n}')\n"
    ended = tool.python(source)
    assert ended.status == 0
    assert tool.first() == ("training-stops-silently", "stopped-by-callback")


@pytest.mark.parametrize("path", sorted(HEALTHY.glob("*.json")), ids=lambda path: path.stem)
def test_the_output_of_healthy_programs_needs_no_answer(path: pathlib.Path) -> None:
    assert unwell(json.loads(path.read_text())["output"]) is False


def test_a_failure_that_the_program_survived_is_not_reported() -> None:
    assert (
        unwell("FileNotFoundError: [Errno 2] No such file or directory: 'cache.npz'\nloading from the source instead\n") is False
    )
    assert unwell("UserWarning: Your input ran out of data; interrupting training.") is True


def test_a_full_last_bar_does_not_count_if_the_script_asks_for_more_batches() -> None:
    said = "UserWarning: Your input ran out of data; interrupting training.\n6/6 - 0s - 4ms/step - loss: 0.5\n"
    assert unwell(said) is False
    assert unwell(said, lacks_batches=True) is True


def test_the_script_is_read_too(tool: RunTool) -> None:
    source = """
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
    tool.run(sys.executable, "-c", "print()", options=("--no-diagnose",))
    assert "code" not in facts(tool)
    shadow = tool.folder / "tensorflow.py"
    shadow.write_text("raise SystemExit(3)\n")
    assert tool.python(source).status == 3
    assert facts(tool)["code"]


def test_asking_again_gives_the_same_answer(tool: RunTool) -> None:
    tool.python("import ctypes\nctypes.string_at(0)\n")
    again = subprocess.run(
        [*TFHELP, "ask", "--json", "--run", tool.runs()[-1].name], capture_output=True, check=False, env=tool.environment
    )
    first, second = tool.answer(), json.loads(again.stdout)
    assert {**first, "took_ms": 0} == {**second, "took_ms": 0}
    unknown = subprocess.run([*TFHELP, "ask", "--run", "x"], capture_output=True, text=True, check=False, env=tool.environment)
    assert unknown.returncode == 2
    assert "no run 'x' is kept" in unknown.stderr


def test_the_interpreter_is_the_one_that_ran(tool: RunTool) -> None:
    environment = tool.folder / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    tool.run("sh", "-c", f"{shlex.quote(str(environment))}/bin/python -c 'import time; time.sleep(5)'; exit 3")
    assert tool.answer()["facts"]["python"]["executable"].startswith(str(environment))
