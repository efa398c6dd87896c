"""What the recorder takes for a hang: a program that is silent in its own code, and not one whose import takes long."""

import pathlib
import sys
import threading

import pytest

from tests.stopping.record import imports
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.watched_run import WatchedRun

_WAITS = """\
import pathlib, time
pathlib.Path({here!r}).touch()
while not pathlib.Path({go!r}).exists():
    time.sleep(0.05)
"""


@pytest.mark.parametrize(("waiting", "importing"), [("slow_module", True), ("program", False)])
def test_a_program_imports_only_while_a_module_of_it_is_being_read(
    waiting: str, importing: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    go, here = tmp_path / "go", tmp_path / "here"
    wait = _WAITS.format(here=str(here), go=str(go))
    (tmp_path / "slow_module.py").write_text(wait if waiting == "slow_module" else "")
    (tmp_path / "program.py").write_text("import slow_module\n" + (wait if waiting == "program" else ""))
    watched = WatchedRun([sys.executable, str(tmp_path / "program.py")], RunFolder.make(1))
    said: list[bool] = []
    before: list[int] = []  # the number of its stacks when it was seen to wait: those that come later show where

    def look() -> None:
        taken = sum(len(record.dumps) for record in watched.observation.waiting())
        if not before and here.exists():
            before.append(taken)
        elif before and taken > before[0]:
            said.append(imports(watched))
            go.touch()
            return
        watched.observation.output.last_at -= 1  # look again

    ends = threading.Timer(300, go.touch)  # only a test that fails waits for this
    ends.start()
    watched.watch(0.1, look)
    ends.cancel()
    assert said == [importing]
