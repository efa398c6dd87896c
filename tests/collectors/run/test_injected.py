"""The hooks inside a watched program: what they write, and that the program does not notice them."""

import json
import os
import pathlib
import subprocess
import sys
import time
import typing

import pytest

from tfhelp.collectors.run.injected import environment_with_hooks
from tfhelp.collectors.run.injected.learning_watch import Shared, Watch
from tfhelp.collectors.run.learning import facts_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="real-time signals and forks")

CRASH = "import ctypes\nctypes.string_at(0)\n"


class Place:
    """A folder with a program in it, run with hooks."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.kept = folder / "kept"
        self.kept.mkdir()
        self.environment = environment_with_hooks(os.environ, ["stacks"], str(self.kept))

    def write(self, name: str, source: str) -> str:
        """Write a file next to the program."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        return str(path)

    def run(self, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
        """Run this interpreter with arguments, in the folder."""
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.environment | more,
            check=False,
            timeout=60,
        )

    def texts(self, kind: str) -> list[str]:
        """The files of one kind that were written, one for each process."""
        return [path.read_text() for path in sorted(self.kept.glob(f"{kind}-*.txt"))]


@pytest.fixture
def place(tmp_path: pathlib.Path) -> Place:
    return Place(tmp_path)


def test_a_crash_leaves_the_stack_and_the_programs_streams_alone(place: Place) -> None:
    place.write("train.py", CRASH)
    done = place.run("train.py")
    assert (done.returncode, done.stdout, done.stderr) == (-11, "", "")
    (text,) = place.texts("stacks")
    assert "Fatal Python error: Segmentation fault" in text
    assert 'train.py", line 2 in <module>' in text
    assert "command ['" in text


@pytest.mark.parametrize("arguments", [["-c", CRASH], ["-m", "train"], ["-X", "importtime", "-m", "train"], ["-s", "train.py"]])
def test_every_way_to_start_python_counts(place: Place, arguments: list[str]) -> None:
    place.write("train.py", CRASH)
    assert place.run(*arguments).returncode == -11
    assert "Segmentation fault" in place.texts("stacks")[0]


@pytest.mark.parametrize("option", ["-I", "-E", "-S"])
def test_where_python_ignores_the_environment_nothing_happens(place: Place, option: str) -> None:
    place.write("train.py", "print('hello')")
    done = place.run(option, "train.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n", "")
    assert place.texts("stacks") == []


def test_the_program_sees_the_path_modules_and_descriptors_that_it_always_sees(place: Place) -> None:
    place.write(
        "look.py",
        "import os, sys\n"
        "print(sys.path, 'sitecustomize' in sys.modules, os.open('/dev/null', 0), sys.excepthook is sys.__excepthook__)\n"
        "import importlib.util\n"
        "found = [importlib.util.find_spec(name) for name in ('sitecustomize', 'stacks', 'learning')]\n"
        "print([spec and spec.origin for spec in found])\n",  # Debian's Python has a sitecustomize
    )
    bare = subprocess.run([sys.executable, "look.py"], capture_output=True, text=True, cwd=place.folder, check=True)
    done = place.run("look.py")
    assert (done.stdout, done.stderr) == (bare.stdout, "")
    assert len(place.texts("stacks")) == 1


def test_the_users_own_sitecustomize_runs(place: Place) -> None:
    place.write("site/sitecustomize.py", "print('theirs')\nvalue = 3\n")
    place.write("look.py", "import sitecustomize\nprint(sitecustomize.value, sitecustomize.__file__)\n")
    theirs = str(place.folder / "site")
    place.environment = environment_with_hooks(os.environ | {"PYTHONPATH": theirs}, ["stacks"], str(place.kept))
    assert place.run("look.py").stdout.splitlines() == ["theirs", f"3 {theirs}/sitecustomize.py"]
    assert len(place.texts("stacks")) == 1


def test_an_error_in_the_users_sitecustomize_reads_as_without_us(place: Place) -> None:
    place.write("site/sitecustomize.py", "import no_such_module\n")
    theirs = os.environ | {"PYTHONPATH": str(place.folder / "site")}
    command = [sys.executable, "-c", "print('goes on')"]
    bare = subprocess.run(command, capture_output=True, text=True, env=theirs, check=False)
    hooked = environment_with_hooks(theirs, ["stacks"], str(place.kept))
    done = subprocess.run(command, capture_output=True, text=True, env=hooked, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (bare.returncode, bare.stdout, bare.stderr)


def test_a_hook_that_fails_or_is_missing_changes_nothing(place: Place) -> None:
    for more in ({"TFHELP_RUN_FOLDER": "/no/such/folder"}, {"TFHELP_RUN_HOOKS": "no_such_hook,,../x"}):
        done = place.run("-c", "print('hello')", **more)
        assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n", "")


def test_a_program_with_a_fault_handler_of_its_own_keeps_it(place: Place) -> None:
    done = place.run("-c", CRASH, PYTHONFAULTHANDLER="1")
    assert "Segmentation fault" in done.stderr
    assert "Segmentation fault" not in place.texts("stacks")[0]


def test_an_unhandled_exception_is_written_down(place: Place) -> None:
    place.write("train.py", "import atexit\natexit.register(print, 'bye')\ndef step():\n    raise KeyError('loss')\nstep()\n")
    done = place.run("train.py")
    assert (done.returncode, done.stdout) == (1, "bye\n")
    (text,) = place.texts("failed")
    assert text.endswith("KeyError: 'loss'\n")
    assert 'train.py", line 4, in step' in text
    assert place.texts("stacks")[0].endswith("ended\n")


@pytest.mark.parametrize(
    "source",
    [
        "raise SystemExit(3)",
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\nraise SystemExit(1)",
        "import sys\ntry:\n    1 / 0\nexcept ZeroDivisionError as error:\n    sys.last_value = error\n",
        "import code\ncode.InteractiveConsole().push('1 / 0')\n",
        "import os\nos._exit(4)",
    ],
)
def test_a_handled_exception_is_not_written(place: Place, source: str) -> None:
    program = "def main():\n" + "".join(f"    {line}\n" for line in source.splitlines()) + "main()\n"
    place.run(place.write("train.py", program))
    assert place.texts("failed") == []


def test_an_interrupt_ends_the_program_as_without_us(place: Place) -> None:
    done = place.run("-c", "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    assert done.returncode == -2
    assert done.stderr.endswith("KeyboardInterrupt\n")
    assert place.texts("failed") == []


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_multiprocessing(place: Place, method: str) -> None:
    place.write(
        "train.py",
        f"""
import multiprocessing, os, sys
def work(number):
    sys.stderr = open(os.devnull, "w")
    if number == 1:
        raise ValueError("worker 1 has no data")
    if number == 2:
        os.kill(os.getpid(), 11)
if __name__ == "__main__":
    context = multiprocessing.get_context("{method}")
    workers = [context.Process(target=work, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print([worker.exitcode for worker in workers])
""",
    )
    done = place.run("train.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 1, -11]\n", "")
    (failed,) = place.texts("failed")
    assert failed.endswith("ValueError: worker 1 has no data\n")
    assert sum("Segmentation fault" in text for text in place.texts("stacks")) == 1
    crashed = next(text for text in place.texts("stacks") if "Segmentation fault" in text)
    assert 'train.py", line 8 in work' in crashed


def test_an_exception_that_a_pool_hands_on_is_no_end_of_a_worker(place: Place) -> None:
    place.write(
        "train.py",
        """
import multiprocessing
def work(number):
    raise ValueError(number)
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        try:
            pool.map(work, range(3))
        except ValueError:
            print("handled")
""",
    )
    assert place.run("train.py").stdout == "handled\n"
    assert place.texts("failed") == []


def test_a_signal_asks_for_the_stacks_and_the_program_goes_on(place: Place) -> None:
    place.write(
        "train.py",
        "import queue, threading\nwork = queue.Queue()\n"
        "def loader():\n    threading.Event().wait(60)\n"
        "threading.Thread(target=loader, daemon=True).start()\n"
        "print('ready', flush=True)\ninput()\nprint('done')\n",
    )
    with subprocess.Popen(
        [sys.executable, "train.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=place.folder,
        env=place.environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        number = int(place.texts("stacks")[0].split("signal ")[1].split("\n")[0])
        end = time.monotonic() + 60
        wanted = {"line 7 in <module>", "line 4 in loader"}
        while not all(words in place.texts("stacks")[0] for words in wanted) and time.monotonic() < end:
            process.send_signal(number)  # again, because both threads are only on their way there
            time.sleep(0.1)
        out, _ = process.communicate("\n")
    assert (process.returncode, out) == (0, "done\n")
    assert all(f'train.py", {words}' in place.texts("stacks")[0] for words in wanted)


def test_a_program_that_closes_all_files_and_opens_its_own_is_safe(place: Place) -> None:
    place.write(
        "train.py",
        """
import os
os.closerange(3, 4096)
files = [os.open(f"file{number}", os.O_WRONLY | os.O_CREAT) for number in range(1010)]  # many users may open 1024
if os.fork() == 0:
    os.write(files[-1], b"theirs")  # still open, although one of them has our number
    os.write(1000, b"theirs")
    os._exit(0)
os.wait()
""",
    )
    assert place.run("train.py").returncode == 0
    assert (place.folder / "file997").read_text() == "theirs"
    assert sum(path.stat().st_size for path in place.folder.glob("file*")) == 12


def test_a_virtual_environment_has_the_hooks_too(place: Place) -> None:
    other = place.folder / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    place.write("train.py", CRASH)
    command = [str(other / "bin" / "python"), "train.py"]
    assert subprocess.run(command, cwd=place.folder, env=place.environment, check=False).returncode == -11
    assert len(place.texts("stacks")) == 1


def test_the_environment_without_hooks_has_no_trace_of_us() -> None:
    bare = {"PYTHONPATH": f"{os.sep}theirs", "HOME": "x"}
    hooked = environment_with_hooks(bare, ["stacks"], "folder")
    assert hooked["PYTHONPATH"].endswith(f"on_path{os.pathsep}{os.sep}theirs")
    assert environment_with_hooks(hooked, ["stacks", "learning"], "other") == hooked | {
        "TFHELP_RUN_HOOKS": "stacks,learning",
        "TFHELP_RUN_FOLDER": "other",
    }
    assert environment_with_hooks(hooked, [], "") == bare
    assert "PYTHONPATH" not in environment_with_hooks(environment_with_hooks({}, ["stacks"], "folder"), [], "")
    assert not environment_with_hooks({}, ["stacks"], "folder")["PYTHONPATH"].endswith(os.pathsep)


class Idle:
    """A model without variables."""

    name, built, optimizer = "m", True, None
    layers: typing.ClassVar[list[object]] = []
    variables: typing.ClassVar[list[object]] = []
    trainable_variables: typing.ClassVar[list[object]] = []


def watch_of(model: Idle, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The watch of a model in ``fit``."""
    monkeypatch.setenv("TFHELP_RUN_FOLDER", str(folder))
    return Shared().watch_of(model, "fit")


def test_a_long_run_keeps_all_epochs_and_the_best_validation_loss(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Idle()  # the watch keeps only a weak reference
    watch = watch_of(model, tmp_path, monkeypatch)
    for epoch in range(1000):  # the validation loss is best in epoch 41
        watch.epoch_begins()
        watch.steps += 10
        validation = 1.0 - epoch * 0.02 if epoch <= 40 else min(0.9, 0.2 + (epoch - 40) * 0.01)
        watch.epoch_ends({"loss": 1 / (epoch + 1), "val_loss": validation})
    watch.finish()
    document = json.loads(json.dumps({"version": 1, "models": [watch.document()]}))
    found = facts_of(document, document["models"][0])
    assert found["epochs"] == 1000
    losses = [found[f"validation_loss_{which}"] for which in ("first", "best", "last")]
    assert losses == [1.0, pytest.approx(0.2), 0.9]


def test_a_loss_that_is_nan_at_the_end_of_an_epoch_went_bad_in_it(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Idle()  # the watch keeps only a weak reference
    watch = watch_of(model, tmp_path, monkeypatch)
    for loss in (0.5, 0.5, float("nan")):
        watch.epoch_begins()
        watch.step_of_fit(1, lambda: 0.5)
        watch.epoch_ends({"loss": loss})
    assert watch.bad["epoch"] == 3
