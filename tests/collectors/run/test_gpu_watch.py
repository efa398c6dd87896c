"""GPUs while a program runs: the real pynvml with a small C library that stands in for NVIDIA's."""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

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


def run(library: pathlib.Path, folder: pathlib.Path, scenario: str) -> list[dict[str, str]]:
    """Run a program for four seconds; return the table of its curves."""
    environment = os.environ | {"LD_LIBRARY_PATH": str(library), "FAKE_NVML": scenario, "XDG_STATE_HOME": str(folder)}
    command = [sys.executable, "-m", "tfhelp.service", "run", "--", "sleep", "4"]
    subprocess.run(command, check=True, capture_output=True, env=environment, timeout=120)
    (table,) = folder.glob("tfhelp/runs/*/curves.csv")
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_busy_gpu_has_curves(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rows = run(library, tmp_path, "busy")
    seen = [row for row in rows if row["gpu_0_utilisation_percent"]]
    assert seen
    assert 0 <= float(seen[-1]["gpu_0_utilisation_percent"]) <= 100
    assert float(seen[-1]["gpu_0_memory_used_mib"]) > 0
    assert float(seen[-1]["gpu_0_temperature_celsius"]) > 0


def test_a_driver_that_hangs_holds_up_nobody(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rows = run(library, tmp_path, "hang")
    assert len(rows) > 3
    assert "gpu_0_utilisation_percent" not in rows[0]


def test_no_gpu_has_no_curves(library: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rows = run(library, tmp_path, "none")
    assert "gpu_0_utilisation_percent" not in rows[0]
