"""Run the silent programs under ``tfhelp run --watch-learning`` and keep the readings.

``python -m tests.silent.record [NAME ...]`` writes ``recordings/NAME.json``: for ``broken`` and ``fixed`` the output, the exit
code and the facts of the learning.
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import typing

from tests.silent.cases import WANTED
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.watched_run import WatchedRun

HERE = pathlib.Path(__file__).parent
_PATHS = re.compile(r"/[^\s'\":,]*/(site-packages|programs)/")
_TIMES = re.compile(r"^(?:WARNING: All log|[IWE]0000 00:00:)")
_LONGEST = 6000


def observe(program: pathlib.Path) -> dict[str, typing.Any]:
    """Run one program and read it, as ``tfhelp run --watch-learning`` does."""
    os.environ.update(CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_STATE_HOME"] = place
        watched = WatchedRun([sys.executable, str(program)], RunFolder.make(1), ("stacks", "learning"))
        with _silence():
            watched.watch(None, lambda: None)
        facts = watched.facts()
        return {"output": _clean(watched.text()), "exit_code": facts["run"]["exit_code"], "learning": facts.get("learning", {})}


class _silence:  # noqa: N801 - a statement's word
    """While the program runs, its output goes only into the run's folder."""

    def __enter__(self) -> None:
        sys.stdout.flush()
        self._kept = [os.dup(1), os.dup(2)]
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)

    def __exit__(self, *_: object) -> None:
        for stream, kept in zip((1, 2), self._kept, strict=True):
            os.dup2(kept, stream)
            os.close(kept)


def _clean(text: str) -> str:
    lines = [line for line in text.splitlines() if not _TIMES.match(line)]
    return _PATHS.sub(r"/home/user/\1/", "\n".join(lines))[-_LONGEST:]


def main(names: list[str]) -> None:
    """Record the named programs, or all."""
    (HERE / "recordings").mkdir(exist_ok=True)
    for name in names or list(WANTED):
        kinds = ("broken", "fixed")
        recorded = {kind: observe(HERE / "programs" / f"{name}.{kind}.py") for kind in kinds}
        path = HERE / "recordings" / f"{name}.json"
        path.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(name, *(recorded[kind]["exit_code"] for kind in kinds), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
