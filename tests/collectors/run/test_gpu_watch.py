"""GPUs while a program runs: the real pynvml with a small C library that stands in for NVIDIA's."""

import csv
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time
import typing

import pytest

SOURCE = pathlib.Path(__file__).parents[1] / "fake_nvml" / "nvml.c"
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the stand-in is built for Linux")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of the stand-in."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("nvml")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "libnvidia-ml.so.1", SOURCE], check=True)
    return folder


Rows = list[dict[str, str]]


def run(library: pathlib.Path, folder: pathlib.Path, scenario: str, enough: typing.Callable[[Rows], bool]) -> Rows:
    """Run a program until there are enough rows in the table of its curves; return them."""
    environment = os.environ | {"LD_LIBRARY_PATH": str(library), "FAKE_NVML": scenario, "XDG_STATE_HOME": str(folder)}
    program = (
        f"while [ ! -e {shlex.quote(str(folder))}/enough ]; do echo on; sleep 0.2; done"  # the table is written after new output
    )
    command = [sys.executable, "-m", "tfhelp.service", "run", "--no-diagnose", "--", "sh", "-c", program]
    rows: Rows = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        end = time.monotonic() + 120
        while not enough(rows) and time.monotonic() < end:
            time.sleep(0.1)
            for table in folder.glob("tfhelp/runs/*/curves.csv"):
                with table.open(newline="") as file:
                    rows = list(csv.DictReader(file))
        (folder / "enough").write_text("")
        assert process.wait(timeout=120) == 0
    return rows


def of_gpus(rows: Rows) -> Rows:
    return [row for row in rows if row.get("gpu_0_utilisation_percent")]


def test_a_busy_gpu_has_curves(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    seen = of_gpus(run(library, tmp_path, "busy", lambda rows: bool(of_gpus(rows))))
    assert seen
    assert 0 <= float(seen[-1]["gpu_0_utilisation_percent"]) <= 100
    assert float(seen[-1]["gpu_0_memory_used_mib"]) > 0
    assert float(seen[-1]["gpu_0_temperature_celsius"]) > 0


def test_a_driver_that_hangs_holds_up_nobody(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rows = run(library, tmp_path, "hang", lambda rows: len(rows) > 3)
    assert len(rows) > 3
    assert "gpu_0_utilisation_percent" not in rows[0]


def test_no_gpu_has_no_curves(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rows = run(library, tmp_path, "none", lambda rows: len(rows) > 3)
    assert "gpu_0_utilisation_percent" not in rows[0]
