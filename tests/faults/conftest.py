"""Records which fault programs passed, if a session ran all of them."""

import pathlib

import pytest

from tests.faults.knowledge import causes
from tests.faults.turns import write_passed
from tests.turns import every

_TESTS = {"test_broken_program_fails_as_recorded": ".broken.py", "test_fixed_program_runs": ".fixed.py"}
_seen: dict[str, bool] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep each test's outcome; with several processes, the first one receives all."""
    if report.when == "call" or report.outcome != "passed":
        _seen[report.nodeid] = report.outcome == "passed" and _seen.get(report.nodeid, True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file of passes, in the process that receives the outcomes of all tests."""
    if not every() or hasattr(session.config, "workerinput"):
        return
    programs = {f"{test}[{cause}]": path for test, suffix in _TESTS.items() for cause, path in causes(suffix)}
    ended = {node.rpartition("::")[2]: passed for node, passed in _seen.items()}
    if ended.keys() >= programs.keys():
        write_passed(_passing(programs, ended))


def _passing(programs: dict[str, pathlib.Path], ended: dict[str, bool]) -> list[pathlib.Path]:
    return [path for name, path in programs.items() if ended[name]]
