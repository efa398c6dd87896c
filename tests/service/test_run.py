"""``tfhelp run`` does not interfere with a program: exit status, output, terminal, signals, forks, floods."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import pytest

from tests.service.run_tool import TFHELP, MemoryPeak, RunTool, Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="terminals and signals of POSIX")

# Root may enter every folder; without these capabilities it may enter its own, as any user.
AS_A_USER = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.name == "posix" and os.geteuid() == 0 else ()


@pytest.fixture
def tool(tmp_path: pathlib.Path) -> RunTool:
    return RunTool(tmp_path)


def test_a_healthy_run_prints_one_line(tool: RunTool) -> None:
    ended = tool.python("import sys, time\nprint('out')\nprint('err', file=sys.stderr)\ntime.sleep(3)\n")
    assert ended.status == 0
    assert ended.out == b"out\n"
    theirs, ours = ended.err.decode().splitlines()
    assert theirs == "err"
    assert ours.startswith("tfhelp: exit code 0 after ")
    assert ours.endswith(f"curves: {tool.file('curves.svg')}")
    assert sorted(tool.file("output.log").read_bytes().splitlines()) == [b"err", b"out"]  # two pipes have no common order
    assert tool.file("curves.csv").read_text().splitlines()[0].startswith("seconds,memory,processes,cpu_cores")
    assert len(tool.file("curves.csv").read_text().splitlines()) > 2
    assert "<polyline" in tool.file("curves.svg").read_text()
    assert not tool.file("answer.json").exists()


def test_the_answer_is_never_written_between_the_programs_own_lines() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tfhelp.service", "run", "--json", "-", "--", "true"], capture_output=True, timeout=60, check=False
    )
    assert ended.returncode == 2 and b"--json -: the program's own output goes there; name a file" in ended.stderr


def test_the_run_folder_is_private(tool: RunTool) -> None:
    tool.python("raise SystemExit(4)")
    assert tool.runs()[-1].stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in tool.runs()[-1].iterdir())


def test_the_list_says_where_the_runs_are_and_how_to_delete_one(tool: RunTool) -> None:
    def listed() -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*TFHELP, "run", "--list"], capture_output=True, text=True, check=True, env=tool.environment)

    assert listed().stderr == "tfhelp: no run is kept\n"
    tool.python("raise SystemExit(4)")
    assert str(tool.runs()[-1].parent) in listed().stderr
    assert len(listed().stdout.splitlines()) == 1


@pytest.mark.parametrize("status", [0, 1, 2, 77, 255])
def test_the_exit_status_is_the_programs(tool: RunTool, status: int) -> None:
    assert tool.python(f"raise SystemExit({status})", options=("--no-diagnose",)).status == status


def test_a_signal_is_128_and_its_number(tool: RunTool) -> None:
    source = "import os, signal\nos.kill(os.getpid(), signal.{})\n"
    assert tool.python(source.format("SIGKILL"), options=("--no-diagnose",)).status == 137
    assert tool.python(source.format("SIGSEGV"), options=("--no-diagnose",)).status == 139


def test_a_failed_start_is_reported_as_by_a_shell(tool: RunTool) -> None:
    missing = tool.run("no-such-program")
    assert (missing.status, missing.err.decode()) == (127, "tfhelp: cannot run no-such-program: No such file or directory\n")
    closed = tool.folder / "closed"
    closed.mkdir(mode=0)
    tool.environment["PATH"] = f"{closed}{os.pathsep}{tool.environment['PATH']}"
    missing = tool.run("no-such-program", prefix=AS_A_USER)
    assert (missing.status, missing.err.decode()) == (127, "tfhelp: cannot run no-such-program: No such file or directory\n")
    (tool.folder / "data.txt").write_text("no program")
    assert tool.run("./data.txt").status == 126
    assert tool.runs() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "no command to run"),
        (["run", "--keep", "0", "--", "true"], "--keep must be at least 1"),
        (["run", "--hang-after", "-1", "--", "true"], "--hang-after must be more than 0"),
        (["ask", "--run", "last"], "no run is kept in"),
        (["ask", "text", "--run", "last"], "give a text or --run, not both"),
    ],
)
def test_bad_usage_is_a_sentence(tool: RunTool, arguments: list[str], message: str) -> None:
    done = subprocess.run([*TFHELP, *arguments], capture_output=True, text=True, check=False, env=tool.environment)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_bytes_pass_as_they_are(tool: RunTool) -> None:
    data = bytes(range(256)) * 5000
    (tool.folder / "data").write_bytes(data)
    assert tool.run("cat", "data").out == data


def test_the_order_of_one_stream_for_both_is_kept(tool: RunTool) -> None:
    script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done"
    done = subprocess.run(
        [*TFHELP, "run", "--", "sh", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
        env=tool.environment,
    )
    expected = "".join(f"out {i}\nerr {i}\n" for i in range(1, 6))
    assert done.stdout.decode().startswith(expected)


def test_a_flood_without_line_ends_passes_and_stays_small(tool: RunTool) -> None:
    source = "import sys\nfor _ in range(1024):\n    sys.stdout.write('x' * (1 << 20))\nraise SystemExit(3)\n"
    passed = 0
    with tool.start(sys.executable, tool.script(source)) as process, MemoryPeak(process.pid) as memory:
        assert process.stdout is not None and process.stderr is not None
        while piece := process.stdout.read(1 << 20):
            passed += len(piece)
        process.stderr.read()
    assert process.returncode == 3
    assert passed == 1 << 30
    assert tool.file("output.log").stat().st_size < 6 << 20
    assert 0 < memory.kibibytes < 300 << 10  # it includes the diagnosis of some MiB


def test_a_closed_output_pipe_ends_the_program_as_without_tfhelp(tool: RunTool) -> None:
    source = "import sys\nwhile True:\n    sys.stdout.write('line\\n')\n"
    command = (
        f"{sys.executable} -m tfhelp.service run --no-diagnose -- {sys.executable} {shlex.quote(tool.script(source))} | head -n 1"
    )
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=True, env=tool.environment)
    assert done.stdout == b"line\n"
    assert b"BrokenPipeError" in done.stderr  # the program's own words


def test_a_grandchild_that_lives_on_does_not_hold_us(tool: RunTool) -> None:
    process = tool.start("sh", "-c", "sleep 100 & echo done")
    try:
        # It keeps the stream open, as it would without tfhelp, so only the first line is read.
        assert process.stdout is not None and process.stdout.readline() == b"done\n"
        assert process.wait(timeout=50) == 0
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_memory_of_all_processes_counts(tool: RunTool) -> None:
    source = """
import multiprocessing, time
def work(both):
    block = bytearray(b"x") * (150 << 20)
    both.wait()
    time.sleep(6)  # a busy machine may stop tfhelp for a second or two
    assert len(block)
if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    both = spawn.Barrier(2)
    workers = [spawn.Process(target=work, args=(both,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    raise SystemExit(1)
"""
    tool.python(source)
    facts = json.loads(tool.file("facts.json").read_text())["run"]
    assert facts["memory_peak_mib"] > 300
    assert facts["exit_code"] == 1


def test_on_a_terminal_the_program_has_one_too(tool: RunTool) -> None:
    source = """
import os, sys
print("terminal", sys.stdout.isatty(), sys.stderr.isatty(), os.get_terminal_size())
print("\\x1b[32mgreen\\x1b[0m")
sys.stdout.write("10%\\r20%\\r30%\\n")
"""
    terminal = Terminal([*TFHELP, "run", "--", sys.executable, tool.script(source)], tool.environment, tool.folder, (33, 101))
    assert terminal.end() == 0
    assert b"terminal True True os.terminal_size(columns=101, lines=33)\r\n" in terminal.written
    assert b"\x1b[32mgreen\x1b[0m\r\n10%\r20%\r30%\r\n" in terminal.written


def test_the_keyboard_reaches_the_program(tool: RunTool) -> None:
    source = "print('you said', input('name? '))\n"
    terminal = Terminal([*TFHELP, "run", "--", sys.executable, tool.script(source)], tool.environment, tool.folder, (24, 80))
    terminal.wait_for(b"name? ")
    terminal.press(b"Ada\n")
    assert terminal.end() == 0
    assert b"you said Ada" in terminal.written


def test_control_c_ends_the_program_in_its_own_way(tool: RunTool) -> None:
    source = """
import time
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
    print("saved the model", flush=True)
    raise
"""
    terminal = Terminal([*TFHELP, "run", "--", sys.executable, tool.script(source)], tool.environment, tool.folder, (24, 80))
    terminal.wait_for(b"ready")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert b"saved the model" in terminal.written
    assert b"tfhelp: ended by SIGINT" in terminal.written
    assert b"sure" not in terminal.written  # no prompt asks why it ended
    assert b"saved the model" in tool.file("output.log").read_bytes()


def test_a_second_control_c_reaches_it_too(tool: RunTool) -> None:
    source = """
import time
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    try:
        print("once", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        print("twice", flush=True)
        raise SystemExit(5)
"""
    terminal = Terminal([*TFHELP, "run", "--", sys.executable, tool.script(source)], tool.environment, tool.folder, (24, 80))
    terminal.wait_for(b"ready")
    terminal.press(b"\x03")
    terminal.wait_for(b"once")
    terminal.press(b"\x03")
    assert terminal.end() == 5
    assert b"twice" in terminal.written


def test_a_signal_to_us_reaches_the_program(tool: RunTool) -> None:
    source = """
import os, signal, sys, time
def stop(number, frame):
    print("saving", flush=True)
    raise SystemExit(9)
signal.signal(signal.SIGTERM, stop)
print("ready", os.getpid(), flush=True)
time.sleep(60)
"""
    process = tool.start(sys.executable, tool.script(source), options=("--no-diagnose",))
    tool.pid_of_child(process)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 9
    assert b"saving" in out


def test_a_signal_that_is_ignored_stays_ignored(tool: RunTool) -> None:
    source = "import signal\nprint(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)\n"
    assert tool.run(sys.executable, tool.script(source), prefix=("nohup",)).out == b"True\n"


def test_after_tfhelp_is_killed_the_run_can_still_be_asked_about(tool: RunTool) -> None:
    source = """
import os, time
print("ready", os.getpid(), flush=True)
print("E external/xla: CUDA_ERROR_OUT_OF_MEMORY: out of memory", flush=True)
time.sleep(60)
"""
    process = tool.start(sys.executable, tool.script(source))
    child = tool.pid_of_child(process)
    end = time.monotonic() + 120
    while not (tool.runs() and b"OUT_OF_MEMORY" in tool.written("output.log")) and time.monotonic() < end:
        time.sleep(0.1)
    process.kill()
    process.wait()
    os.kill(child, signal.SIGKILL)
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()
    asked = subprocess.run([*TFHELP, "ask", "--run", "last"], capture_output=True, text=True, check=False, env=tool.environment)
    assert "how it ended was not seen" in asked.stderr
    assert asked.returncode in (0, 1)


def test_only_the_last_runs_are_kept(tool: RunTool) -> None:
    for number in range(3):
        tool.run("sh", "-c", f"echo {number}", options=("--keep", "2"))
    assert [folder.joinpath("output.log").read_text() for folder in tool.runs()] == ["1\n", "2\n"]


def test_two_runs_of_the_same_second_are_ordered_by_process_id(tool: RunTool) -> None:
    """Its process id may have one more digit, so that its name comes first in the alphabet."""
    for number in (9998, 10003):
        (tool.folder / "state" / "tfhelp" / "runs" / f"20260301-120000-{number}").mkdir(parents=True)
    listed = subprocess.run([*TFHELP, "run", "--list"], capture_output=True, text=True, check=True, env=tool.environment)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["20260301-120000-9998", "20260301-120000-10003"]


def test_without_a_place_to_keep_it_the_run_goes_on(tool: RunTool) -> None:
    (tool.folder / "state").write_text("a file where a folder should be")
    ended = tool.run("echo", "hello")
    assert (ended.status, ended.out) == (0, b"hello\n")
    assert b"this run is not kept" in ended.err
