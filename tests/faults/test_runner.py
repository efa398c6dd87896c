"""The runner does to a program what its metadata asks for. The programs are small and run on bare Python."""

import json
import os
import pathlib
import typing

import psutil
import pytest

from tests.faults.errors import UnsupportedError
from tests.faults.runner import Outcome, run_program, signal_of

Run = typing.Callable[[str, str], Outcome]


@pytest.fixture
def run(tmp_path: pathlib.Path) -> Run:
    """Runs a program given by its options and its body."""

    def run_it(options: str, body: str) -> Outcome:
        path = tmp_path / "some-cause.broken.py"
        lines = "".join(f"# {line}\n" for line in options.splitlines())
        path.write_text(f"# /// script\n# [tool.tfhelp]\n{lines}# ///\n{body}\n")
        return run_program(path)

    return run_it


def test_output_is_merged_in_order_and_paths_are_neutral(run: Run) -> None:
    outcome = run(
        "", "import sys, os\nprint('a')\nprint('b', file=sys.stderr)\nprint(os.getcwd(), sys.prefix, os.environ['HOME'])\n1/0"
    )
    lines = outcome.output.splitlines()
    assert lines[:3] == ["a", "b", "/home/user/project /home/user/venv /home/user"]
    assert '  File "/home/user/project/train.py", line 8, in <module>' in lines
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert (outcome.exit_code, outcome.signal) == (1, None)


def test_success_prints_nothing_of_the_shell(run: Run) -> None:
    outcome = run("", "print('fine')")
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("fine\n", 0, None)


def test_an_exit_code_is_the_programs_own(run: Run) -> None:
    outcome = run("", "raise SystemExit(7)")
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("", 7, None)


def test_the_shell_reports_a_signal_from_inside(run: Run) -> None:
    outcome = run("", "import ctypes\nctypes.string_at(0)")
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("Segmentation fault\n", 139, "SIGSEGV")


def test_a_signal_is_sent_when_a_text_appears(run: Run) -> None:
    body = "import time\nprint('warming up')\ntime.sleep(0.2)\nprint('ready')\ntime.sleep(60)"
    outcome = run('send-signal = {name = "SIGKILL", when = "ready"}', body)
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("warming up\nready\nKilled\n", 137, "SIGKILL")


def test_ctrl_c_gives_the_traceback_and_130(run: Run) -> None:
    outcome = run('send-signal = {name = "SIGINT", when = "ready", after = 0.2}', "import time\nprint('ready')\ntime.sleep(60)")
    assert outcome.output.rstrip().endswith("KeyboardInterrupt")
    assert (outcome.exit_code, outcome.signal) == (130, "SIGINT")


def test_what_holds_too_much_memory_is_killed(run: Run) -> None:
    outcome = run("memory_mib = 150", "held = []\nwhile True:\n    held.append(b'x' * (1 << 20))")
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("Killed\n", 137, "SIGKILL")


@pytest.mark.parametrize(
    ("limit", "body", "last"),
    [
        ("open_files = 32", "held = [open('/dev/null') for _ in range(64)]", "Too many open files: '/dev/null'"),
        ("address_space_mib = 200", "held = bytearray(400 << 20)", "MemoryError"),
        ("data_mib = 100", "held = bytearray(400 << 20)", "MemoryError"),
        ("file_size_mib = 1", "open('big', 'wb').write(bytes(2 << 20))", "OSError: [Errno 27] File too large"),
        ("cpu_seconds = 1", "while True: pass", "Killed"),
        ("stack_kib = 128", "import resource\nprint(resource.getrlimit(resource.RLIMIT_STACK)[0])", "131072"),
    ],
)
def test_limits_bind(run: Run, limit: str, body: str, last: str) -> None:
    outcome = run(f"limits = {{{limit}}}", body)
    assert outcome.output.splitlines()[-1].endswith(last)


def test_the_number_of_threads_is_limited(run: Run) -> None:
    body = "import threading, time\nfor _ in range(40):\n    threading.Thread(target=time.sleep, args=(1,)).start()"
    try:
        outcome = run("limits = {processes = 20}", body)
    except UnsupportedError as error:
        pytest.skip(str(error))
    assert outcome.output.endswith("RuntimeError: can't start new thread\n")


def test_what_the_machine_must_have_is_named_where_it_is_missing(run: Run) -> None:
    with pytest.raises(UnsupportedError, match="this machine has no no-such-shell"):
        run('needs = ["no-such-shell", "/dev/null"]', "print('never')")
    assert run('needs = ["bash", "/dev/null"]', "print('ran')").output == "ran\n"


def test_a_full_disk(run: Run) -> None:
    try:
        outcome = run(
            'tmpfs_mib = 2\nfiles = {"a.txt" = "kept"}', "print(open('a.txt').read())\nopen('big', 'wb').write(bytes(4 << 20))"
        )
    except UnsupportedError as error:
        pytest.skip(str(error))
    assert outcome.output.splitlines()[0] == "kept"
    assert outcome.output.endswith("OSError: [Errno 28] No space left on device\n")


def test_files_input_arguments_and_variables_reach_the_program(run: Run) -> None:
    options = 'name = "go.py"\nfiles = {"data/a.bin" = {base64 = "AAEC"}}\n'
    options += 'stdin = "typed\\n"\nargs = ["--x", "1 $HOME"]\nenv = {A = "b c"}'
    body = "import os, sys\nprint(sys.argv, input(), os.environ['A'], open('data/a.bin', 'rb').read())"
    assert run(options, body).output == "['go.py', '--x', '1 $HOME'] typed b c b'\\x00\\x01\\x02'\n"


def test_nothing_of_our_own_environment_reaches_the_program(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")
    outcome = run("", "import json, os\nprint(json.dumps(dict(os.environ)))")
    seen = json.loads(outcome.output)
    assert {"PYTHONPATH", "TF_CPP_MIN_LOG_LEVEL"} & set(seen) == set()
    assert seen["USER"] == "user"


def test_workers_get_a_cluster_and_their_lines_stay_whole(run: Run) -> None:
    body = "import json, os\nfor _ in range(200):\n    print(json.dumps(json.loads(os.environ['TF_CONFIG'])))"
    outcome = run("workers = 3", body)
    configurations = [json.loads(line) for line in outcome.output.splitlines()]
    assert outcome.exit_code == 0
    assert len(configurations) == 600
    assert {item["task"]["index"] for item in configurations} == {0, 1, 2}
    addresses = {tuple(item["cluster"]["worker"]) for item in configurations}
    assert len(addresses) == 1
    assert len(set(addresses.pop())) == 3


def test_the_worker_that_fails_first_gives_the_exit_code(run: Run) -> None:
    body = "import time\nprint('up')\ntime.sleep(1.5)"
    outcome = run('workers = 2\nsend-signal = {name = "SIGKILL", when = "up", worker = 1}', body)
    assert (outcome.exit_code, outcome.signal) == (137, "SIGKILL")
    assert sorted(outcome.output.split()) == ["Killed", "up", "up"]


def test_a_worker_that_hangs_does_not_speak_of_the_end_of_another(run: Run) -> None:
    body = (
        "import fcntl, json, os, time\n"
        "rank = json.loads(os.environ['TF_CONFIG'])['task']['index']\n"
        "lock = open('lock', 'w')\n"
        "while rank and not os.path.exists('locked'):\n    time.sleep(0.05)\n"
        "print('up', rank)\nfcntl.flock(lock, fcntl.LOCK_EX)\nopen('locked', 'w').close()\n"
        "print('has the lock', rank)\ntime.sleep(600)"
    )
    outcome = run("timeout = 2\nworkers = 2", body)
    assert outcome.exit_code is None
    assert sorted(outcome.output.splitlines()) == ["has the lock 0", "up 0", "up 1"]


def test_an_observed_run_has_facts_and_no_output_of_the_shell(run: Run) -> None:
    body = "import time\nprint('ready')\ntime.sleep(60)"
    outcome = run('observed = true\nsend-signal = {name = "SIGKILL", when = "ready", after = 1}', body)
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("ready\n", 137, "SIGKILL")
    assert outcome.facts is not None
    assert outcome.facts["run"]["killed_by"] == "outside"
    assert outcome.facts["run"]["memory_peak_mib"] < 500
    assert "code" in outcome.facts
    assert run("", "print()").facts is None


def test_an_observed_run_that_hangs_was_looked_at(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.faults.worker._HANG_SECONDS", 1.0)
    outcome = run("observed = true\ntimeout = 4", "import time\nprint('waiting', flush=True)\ntime.sleep(600)")
    assert (outcome.output, outcome.exit_code) == ("waiting\n", None)
    assert outcome.facts is not None
    assert outcome.facts["run"]["hung"] is True
    assert outcome.facts["run"]["cores_busy"] < 0.2


def test_the_kernel_kills_at_a_control_groups_limit(run: Run) -> None:
    body = "held = []\nwhile True:\n    held.append(bytearray(b'x') * (1 << 20))"
    try:
        outcome = run("observed = true\nlimits = {group_memory_mib = 200}", body)
    except UnsupportedError as error:
        pytest.skip(str(error))
    assert (outcome.output, outcome.signal) == ("", "SIGKILL")
    assert outcome.facts is not None
    assert outcome.facts["run"]["killed_by"] == "oom-killer"
    assert outcome.facts["run"]["memory_limit_mib"] == 200


def test_what_hangs_is_ended_with_its_children(run: Run) -> None:
    mark = f"tfhelp-test-{os.getpid()}"
    body = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', '{mark}'])\n"
        "print('waiting', end='', flush=True)\ntime.sleep(600)"
    )
    outcome = run("timeout = 1", body)
    assert (outcome.output, outcome.exit_code, outcome.signal) == ("waiting", None, None)
    left = [process.pid for process in psutil.process_iter(["cmdline"]) if mark in (process.info["cmdline"] or [])]
    assert left == []


def test_an_interpreter_that_nobody_has_is_named(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.broken.py"
    path.write_text('# /// script\n# requires-python = "==3.2.*"\n# ///\n')
    with pytest.raises(UnsupportedError, match=r"needs Python ==3\.2\.\*, and this machine has none that fits"):
        run_program(path)


@pytest.mark.parametrize(
    ("exit_code", "name"), [(None, None), (0, None), (1, None), (128, None), (137, "SIGKILL"), (134, "SIGABRT"), (255, None)]
)
def test_signal_of_an_exit_code(exit_code: int | None, name: str | None) -> None:
    assert signal_of(exit_code) == name
