"""With real TensorFlow: watching the learning changes no result, and finds the same today as when it was recorded."""

import os
import pathlib
import subprocess
import sys

import pytest

from tests.silent.cases import NUMERIC, SILENT
from tests.silent.record import observe
from tests.silent.test_silent import recorded
from tests.turns import due
from tfhelp.collectors.run.injected import environment_with_hooks
from tfhelp.kb import compiled
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import read_document

pytestmark = pytest.mark.slow
HERE = pathlib.Path(__file__).parent


def printed(hooks: tuple[str, ...], folder: pathlib.Path) -> str:
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
    environment = environment_with_hooks(environment, hooks, str(folder))
    ended = subprocess.run(
        [sys.executable, str(HERE / "same_result.py")], env=environment, capture_output=True, text=True, check=True
    )
    return ended.stdout


def test_results_are_the_same_with_and_without(tmp_path: pathlib.Path) -> None:
    watched = printed(("learning",), tmp_path)
    assert len(list(tmp_path.glob("learning-*.json"))) == 1
    assert watched.count("\n") == 7
    assert watched == printed((), tmp_path)


def fault_of(learning: dict[str, object]) -> object:
    sheet = read_document({"learning": learning}, compiled.load().fact_types)
    derive(sheet, compiled.load().tables)
    return sheet.get("derived.learning_fault")


@pytest.mark.parametrize("name", [*due(NUMERIC), *due(SILENT)])
def test_a_watched_run_shows_what_was_recorded(name: str) -> None:
    for kind in ("broken", "fixed"):
        run = observe(HERE / "programs" / f"{name}.{kind}.py")
        assert run["exit_code"] == recorded(name, kind)["exit_code"]
        assert fault_of(run["learning"]) == fault_of(recorded(name, kind)["learning"])
