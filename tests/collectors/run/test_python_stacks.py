"""Stacks as the fault handler and py-spy write them, and the call in which a thread waits."""

import pathlib
import subprocess
import sys

import hypothesis
import hypothesis.strategies as st
import pytest

from tfhelp.collectors.run.processes import ProcessRecord, rank_of, read_processes
from tfhelp.collectors.run.python_stacks import StackFrame, ThreadStack, read_dumps, read_spy
from tfhelp.collectors.run.waiting_calls import kind_in, makes_data, wait_of

LIB = "/usr/lib/python3.11"
EAGER = f"{LIB}/site-packages/tensorflow/python/eager"
CRASH = f"""Fatal Python error: Segmentation fault

Thread 0x00007fc12ad4a6c0 (most recent call first):
  File "{LIB}/threading.py", line 982 in run
  File "{LIB}/threading.py", line 1002 in _bootstrap

Current thread 0x00007fc12b9cfb80 (most recent call first):
  File "{LIB}/ctypes/__init__.py", line 519 in string_at
  File "/home/me/train.py", line 4 in <module>

Extension modules: numpy.core (total: 1)
"""
ASKED = f"""Thread 0x0000000000000001 (most recent call first):
  File "/home/me/train.py", line 5 in loader
  File "{LIB}/threading.py", line 1002 in _bootstrap
Current thread 0x0000000000000002 (most recent call first):
  File "{LIB}/threading.py", line 327 in wait
  File "{LIB}/queue.py", line 171 in get
  File "/home/me/train.py", line {{line}} in step
  File "/home/me/train.py", line 30 in <module>
"""


def test_a_crash_names_the_thread_that_crashed() -> None:
    (dump,) = read_dumps(CRASH)
    assert dump.fatal == "SIGSEGV"
    crashed = dump.crashed()
    assert crashed is not None and crashed.is_main()
    assert crashed.own_line() == StackFrame("/home/me/train.py", 4, "<module>")
    assert dump.threads[0].own_line() is None


def test_dumps_that_were_asked_for_one_after_the_other_are_told_apart() -> None:
    dumps = read_dumps("pid 3\n" + ASKED.format(line=10) + ASKED.format(line=12) + "ended\n" + CRASH)
    lines = [main.own_line() for dump in dumps if (main := dump.main())]
    assert [line and line.line for line in lines] == [10, 12, 4]
    assert [dump.fatal for dump in dumps] == ["", "", "SIGSEGV"]


def test_names_of_threads_of_newer_pythons_and_lines_that_are_not_known() -> None:
    (dump,) = read_dumps(
        'Thread 0x0001 [loader] (most recent call first):\n  File "a.py", line ??? in load\n  <tstate is freed>\n'
    )
    assert dump.threads[0] == ThreadStack("loader", False, [StackFrame("a.py", 0, "load")])


@pytest.mark.parametrize("name", ["größe", "训练", "\U0001f600", "C:\\Users\\me\\code", "plain"])
def test_names_that_the_fault_handler_escapes(tmp_path: pathlib.Path, name: str) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text("import ctypes\nctypes.string_at(0)\n", encoding="utf-8")
    ran = subprocess.run([sys.executable, "-X", "faulthandler", str(path)], capture_output=True, text=True, check=False)
    [dump] = read_dumps(ran.stderr)
    crashed = dump.crashed()
    assert crashed is not None
    line = crashed.own_line()
    assert line is not None
    assert (line.file, line.line) == (str(path), 2)


def test_py_spy() -> None:
    dump = read_spy(
        'Process 7: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\nThread 7 (idle): "MainThread"\n'
        "    wait (threading.py:320)\n    Queue.get (queue.py:171)\n    <module> (train.py:12)\n"
        'Thread 8 (active): "loader"\n    load (C:\\data\\load.py:3)\n'
    )
    assert dump is not None
    main = dump.main()
    assert main is not None and main.frames[1] == StackFrame("queue.py", 171, "get")
    assert dump.threads[1].frames == [StackFrame("C:\\data\\load.py", 3, "load")]
    assert read_spy("Error: Permission Denied: Try running again with elevated permissions") is None


@hypothesis.given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300), st.sampled_from(CRASH.splitlines()))
def test_whatever_stands_in_the_file_is_read(text: str, line: str) -> None:
    for part in (text, f"{line}\n{text}\n{line}", f"{CRASH}{text}"):
        for dump in read_dumps(part):
            assert dump.threads
        read_spy(part)


@pytest.mark.parametrize(
    ("inner", "kind", "call"),
    [
        ([(f"{LIB}/threading.py", "wait"), (f"{LIB}/queue.py", "get")], "queue", "queue.get"),
        ([(f"{LIB}/threading.py", "_wait_for_tstate_lock"), (f"{LIB}/threading.py", "join")], "thread", "threading.join"),
        ([(f"{LIB}/threading.py", "wait"), (f"{LIB}/threading.py", "wait")], "lock", "threading.wait"),
        ([(f"{LIB}/selectors.py", "select"), (f"{LIB}/subprocess.py", "communicate")], "process", "subprocess.communicate"),
        (
            [(f"{LIB}/socket.py", "readinto"), (f"{LIB}/site-packages/requests/api.py", "get")],
            "network",
            "socket.readinto",
        ),
        (
            [
                (f"{LIB}/site-packages/tensorflow/python/eager/execute.py", "quick_execute"),
                (f"{LIB}/site-packages/keras/src/backend/tensorflow/trainer.py", "fit"),
            ],
            "tensorflow",
            "execute.quick_execute",
        ),
        (
            [
                (f"{LIB}/queue.py", "get"),
                (f"{LIB}/site-packages/keras/src/trainers/data_adapters/py_dataset_adapter.py", "get"),
                (f"{LIB}/site-packages/keras/src/backend/tensorflow/trainer.py", "fit"),
            ],
            "data",
            "py_dataset_adapter.get",
        ),
        (
            [
                (f"{EAGER}/context.py", "ensure_initialized"),
                (f"{LIB}/site-packages/tensorflow/python/framework/constant_op.py", "constant"),
            ],
            "tensorflow",
            "context.ensure_initialized",
        ),
        (
            [(f"{EAGER}/context.py", "set_server_def"), (f"{EAGER}/remote.py", "connect_to_cluster")],
            "cluster",
            "remote.connect_to_cluster",
        ),
        ([(f"{LIB}/site-packages/numpy/linalg/linalg.py", "svd")], None, "linalg.svd"),
    ],
)
def test_the_outermost_call_that_waits_names_the_kind(inner: list[tuple[str, str]], kind: str, call: str) -> None:
    frames = [StackFrame(file, 1, name) for file, name in [*inner, ("/home/me/train.py", "<module>")]]
    wait = wait_of(ThreadStack("1", True, frames))
    assert wait is not None
    assert (wait.kind, wait.call) == (kind, call)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("with weights_lock:", "lock"),
        ("lock.acquire()", "lock"),
        ("with self.guards[key]:", "lock"),
        ("with tf.device('/CPU:0'):", None),
        ("time.sleep(60)", "sleep"),
        ("batch = sum(values)", None),
        ("name = input('name? ')", "input"),
        ("os.waitpid(child, 0)", "process"),
    ],
)
def test_a_call_without_a_frame_is_told_from_the_readers_line(tmp_path: pathlib.Path, source: str, kind: str | None) -> None:
    (tmp_path / "train.py").write_text(f"import os, time\n{source}\n")
    wait = wait_of(ThreadStack("1", True, [StackFrame(str(tmp_path / "train.py"), 2, "<module>")]))
    assert wait is not None
    assert (wait.kind, wait.line().partition(" line 2: ")[2]) == (kind, source)


def test_a_thread_of_a_library_alone_is_not_the_readers() -> None:
    assert wait_of(ThreadStack("1", False, [StackFrame(f"{LIB}/threading.py", 1002, "_bootstrap")])) is None


def test_code_that_tensorflow_runs_for_data() -> None:
    frames = [
        StackFrame("/home/me/load.py", 3, "gen"),
        StackFrame(f"{LIB}/site-packages/tensorflow/python/ops/script_ops.py", 9, "_call"),
    ]
    assert makes_data(ThreadStack("1", False, frames))


def test_a_worker_that_was_forked_in_a_thread_has_a_main_thread() -> None:
    keras = f"{LIB}/site-packages/keras/src/trainers/data_adapters/py_dataset_adapter.py"
    frames = [
        StackFrame(f"{LIB}/site-packages/tensorflow/python/ops/gen_array_ops.py", 1, "fill"),
        StackFrame(f"{LIB}/site-packages/tensorflow/python/ops/array_ops.py", 1, "ones"),
        StackFrame("/home/me/train.py", 24, "__getitem__"),
        StackFrame(keras, 1, "get_index"),
        StackFrame(f"{LIB}/multiprocessing/pool.py", 125, "worker"),
        StackFrame(f"{LIB}/multiprocessing/process.py", 314, "_bootstrap"),
        StackFrame(f"{LIB}/threading.py", 1002, "_bootstrap"),
    ]
    worker = ThreadStack("1", True, frames)
    wait = wait_of(worker)
    assert worker.is_main() and wait is not None and wait.kind == "tensorflow"


def test_a_loader_of_keras_waits_for_its_workers() -> None:
    keras = f"{LIB}/site-packages/keras/src/trainers/data_adapters/py_dataset_adapter.py"
    frames = [
        StackFrame(f"{LIB}/threading.py", 327, "wait"),
        StackFrame(f"{LIB}/multiprocessing/pool.py", 768, "get"),
        StackFrame(keras, 667, "get"),
        StackFrame(f"{LIB}/site-packages/tensorflow/python/ops/script_ops.py", 269, "__call__"),
    ]
    assert kind_in(ThreadStack("1", False, frames)) == "process"
    assert kind_in(ThreadStack("1", False, [])) is None


def test_files_of_the_hook(tmp_path: pathlib.Path) -> None:
    header = "pid {0}\nparent 1\nsignal 59\nrank 'RANK={0}'\ncommand ['python', 'train.py']\n"
    (tmp_path / "stacks-5.txt").write_text(header.format(5) + CRASH)
    (tmp_path / "stacks-6.txt").write_text(header.format(6) + "ended\n")
    (tmp_path / "failed-6.txt").write_text(
        header.format(6) + 'Traceback (most recent call last):\n  File "/home/me/train.py", line 2, in <module>\nValueError: x\n'
    )
    (tmp_path / "stacks-x.txt").write_text("pid")
    (tmp_path / "stacks-7.txt").write_text("command [(\npid\nrank 'TF_CONFIG={'")
    records = {record.pid: record for record in read_processes(str(tmp_path))}
    assert sorted(records) == [5, 6, 7]
    assert records[5].name() == "rank 5 (process 5, python train.py)"
    assert (records[5].how(), records[5].failed(), records[5].ended) == ("SIGSEGV", True, False)
    assert (records[6].how(), records[6].failed(), records[6].ended) == ("ValueError: x", True, True)
    assert records[6].failure.startswith("Traceback")
    assert (records[7].failed(), records[7].rank) == (False, "")
    assert read_processes(str(tmp_path / "none")) == []


def test_a_probe_on_a_command_line_is_no_failure_of_the_run() -> None:
    record = ProcessRecord(5)
    record.failure = (
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named 'x'\n"
    )
    assert not record.failed()
    record.failure = record.failure.replace("<string>", "/home/me/train.py")
    assert record.failed()
    record.failure = record.failure.replace("ModuleNotFoundError", "BrokenPipeError")
    assert not record.failed()


def test_ranks() -> None:
    assert rank_of('TF_CONFIG={"cluster": {}, "task": {"type": "worker", "index": 2}}') == "worker 2"
    assert rank_of("OMPI_COMM_WORLD_RANK=0") == "rank 0"
    assert rank_of("") == rank_of("RANK=x") == rank_of("TF_CONFIG=[]") == ""
