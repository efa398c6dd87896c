"""pytest-xdist gives the tests of one group to one worker, so that what they share is made once.

pytest 9.2 gave its tests ids that pytest-xdist 3.8 could not change. Nothing said so, and each worker built all that it shared.
"""

import os
import pathlib
import subprocess
import sys

TESTS = """
import os, pathlib, time
import pytest

@pytest.mark.xdist_group("shared")
@pytest.mark.parametrize("number", range(6))
def test_writes_its_worker(number):
    time.sleep(0.2)
    pathlib.Path(__file__).with_name(f"{number}.worker").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_group_runs_in_one_worker(tmp_path: pathlib.Path) -> None:
    (tmp_path / "test_shared.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-p", "no:schemathesis", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    workers = [path.read_text(encoding="utf-8") for path in tmp_path.glob("*.worker")]
    assert len(workers) == 6
    assert len(set(workers)) == 1
