"""Some fresh inputs for every reader, guided by coverage: each run has the same number and seed, so failures are reproducible.

A minute for each of thirty readers would be half of the time for all tests. 'make fuzz' takes those minutes, and also
checks how the time grows, which a busy machine would distort.
"""

import os
import pathlib
import subprocess
import sys

import pytest

from tests.fuzz import inputs
from tests.fuzz.targets import TARGETS
from tests.fuzz.worker_log import executed

pytestmark = pytest.mark.slow
RUNS = 400  # inputs of each reader


def test_fresh_inputs_show_no_fault(repository: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python")
    for target in TARGETS.values():
        inputs.as_files(target, tmp_path)
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.worker",
        "all",
        str(tmp_path),
        f"-runs={RUNS}",
        "-seed=1",
        "-print_final_stats=1",
    ]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, errors="replace", check=False)
    faults = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("faults/*/*.txt"))]
    assert not faults, "\n\n".join(faults)
    assert done.returncode == 0, done.stderr[-3000:]
    assert all(count >= RUNS for count in executed(done.stderr)) and len(executed(done.stderr)) == len(TARGETS)


def test_a_fault_is_found_and_kept(repository: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The fuzzer reaches, step by step, a word that no seed contains, in a reader that breaks on it."""
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python")
    program = (
        "import atheris, pathlib, sys\n"
        "from tests.fuzz.target import Target\n"
        "from tests.fuzz.worker import Faults, fuzz\n"
        "@atheris.instrument_func\n"
        "def read(data):\n"
        "    if data[:1] == b'B' and data[1:2] == b'U' and data[2:3] == b'G':\n"
        "        raise ValueError('found')\n"
        f"fuzz(Target('x', read, lambda: []), Faults(pathlib.Path({str(tmp_path)!r})), False, ['-runs=200000', '-seed=1'])\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, check=True)
    (kept,) = [path for path in tmp_path.iterdir() if path.suffix != ".txt"]
    assert kept.read_bytes()[:3] == b"BUG"
    assert "ValueError at" in kept.with_suffix(".txt").read_text()
