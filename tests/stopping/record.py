"""Run the programs under ``tfhelp run`` and keep the readings.

``python -m tests.stopping.record [NAME ...]`` writes ``recordings/NAME.json``: for the broken program the text, the facts and the
findings when it hung or ended, for the fixed one whether there was anything to report.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import typing

import psutil

from tests.stopping.cases import HANGS, WANTED, WORKERS
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.watched_run import WatchedRun

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "programs"
HANG_SECONDS = 30.0  # seconds of silence; the time of an import does not count, because a busy machine makes it any length
WORKER_SECONDS = 120.0  # a pool waits forever for a lost worker, and a worker imports TensorFlow before it is lost
# A program that fails may be silent for longer before it ends: oneDNN's allocator waits 10 s for each tensor that does not fit.
END_SECONDS = 300.0
_FOLDERS = re.compile(r"(?:tests/stopping|/[^\s'\":,]*)/(site-packages|programs)/")
_LIBRARY = re.compile(r"/[^\s'\":,]*/lib/python3\.\d+/(?!site-packages)")
_TIMES = re.compile(r"^(?:WARNING: All log|[IWE]0000 00:00:)")
_LONGEST = 6000
_IMPORTER = "<frozen importlib._bootstrap>"
Json = dict[str, typing.Any]


class Observed(typing.NamedTuple):
    """The readings of a program when it hung, else at its end. ``alarm``: there was something to report."""

    text: str
    facts: Json
    findings: Json
    hung: bool
    alarm: bool


def observe(name: str, kind: str) -> Observed:
    """Run a program as ``tfhelp run --hang-after`` does; one that hangs is examined and ended.

    Args:
        name: the name of the program and its twin.
        kind: "broken" or "fixed".
    """
    program = PROGRAMS / f"{name}.{kind}.py"
    hang_after = HANG_SECONDS if name in HANGS else WORKER_SECONDS if name in WORKERS else END_SECONDS
    os.environ.update(CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_STATE_HOME"] = place
        watched = WatchedRun([sys.executable, str(program)], RunFolder.make(1))
        hangs: list[Observed] = []

        def look() -> None:
            if imports(watched):
                watched.observation.output.last_at = time.monotonic()  # the silence begins again
                return
            hangs.append(_read(watched, True))
            _end(watched.observation.child.pid)

        with _silence():
            watched.watch(hang_after, look)
        return hangs[0] if hangs else _read(watched, False)


def imports(watched: WatchedRun) -> bool:
    """Whether the program is still importing a module, by the stacks that ``WatchedRun.watch`` has just taken."""
    mains = [record.dumps[-1].main() for record in watched.observation.waiting() if record.pid == watched.observation.child.pid]
    return any(main is not None and any(frame.file == _IMPORTER for frame in main.frames) for main in mains)


def _read(watched: WatchedRun, hung: bool) -> Observed:
    facts = watched.facts(hung)
    text = watched.text() + watched.hidden_text(facts["run"].get("waits_in") if hung else None)
    alarm = hung or not watched.ended_well()
    return Observed(_clean(text), _without_false(facts), dict(watched.findings(hung)), hung, alarm)


def _without_false(facts: Json) -> Json:
    """Facts that are false in the script, and the sources of facts, make the recordings long without adding anything."""
    found = {group: values for group, values in facts.items() if group != "_about"}
    return found | {"code": {name: value for name, value in facts.get("code", {}).items() if value}}


def _end(pid: int) -> None:
    """End the program and everything that it has started."""
    program = psutil.Process(pid)
    for process in (program, *program.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            process.send_signal(signal.SIGKILL)


@contextlib.contextmanager
def _silence() -> typing.Iterator[None]:
    """While the program runs, its output goes only into the run's folder."""
    sys.stdout.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    try:
        yield
    finally:
        for stream, own in zip((1, 2), kept, strict=True):
            os.dup2(own, stream)
            os.close(own)


def _clean(text: str) -> str:
    lines = [line for line in text.splitlines() if not _TIMES.match(line)]
    return "\n".join(lines)[-_LONGEST:]


def _without_paths(document: Json) -> Json:
    text = _LIBRARY.sub("/usr/lib/python3/", _FOLDERS.sub(r"/home/user/\1/", json.dumps(document)))
    cleaned: Json = json.loads(text)
    return cleaned


def main(names: list[str]) -> None:
    """Record the named programs, or all."""
    (HERE / "recordings").mkdir(exist_ok=True)
    for name in names or list(WANTED):
        broken, fixed = (observe(name, kind) for kind in ("broken", "fixed"))
        recorded = {"broken": broken._asdict(), "fixed": {"alarm": fixed.alarm, "text": fixed.text}}
        path = HERE / "recordings" / f"{name}.json"
        path.write_text(json.dumps(_without_paths(recorded), indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(
            name, "hung" if broken.hung else broken.facts["run"].get("exit_code"), "alarm" if fixed.alarm else "fine", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
