"""Readings of a real program's memory."""

import pathlib
import sys

import pytest

from tests.waiting import until
from tfhelp.collectors.run.observation import Observation

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit private memory")

GROWS = """
import pathlib, resource, sys, time
folder = pathlib.Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, resource.RLIM_INFINITY))
while not (folder / "go").exists():
    time.sleep(0.01)
held = b"x" * (400 << 20)
with open("/proc/self/status") as file:
    [peak] = [line.split()[1] for line in file if line.startswith("VmHWM")]
(folder / "peak").write_text(peak)
"""


def test_growth_after_the_last_reading_counts(tmp_path: pathlib.Path) -> None:
    observation = Observation([sys.executable, "-c", GROWS, str(tmp_path)])
    assert until(lambda: bool(observation.sampler.limits.get("RLIMIT_DATA") and observation.sampler.samples))
    observation.sampler.stop()
    before = observation.sampler.peaks(None)
    (tmp_path / "go").touch()
    assert observation.child.ended.wait(120)
    observation.finish()
    after = observation.sampler.peaks(int((tmp_path / "peak").read_text()) / 1024)
    assert before.private + 380 < after.private < before.private + 450
    assert before.addresses + 380 < after.addresses < before.addresses + 450
    assert observation.facts()["host"]["data_limit_mib"] == 2048.0


def test_our_own_memory_is_not_the_programs(tmp_path: pathlib.Path) -> None:
    held = b"x" * (300 << 20)  # until it starts its program, the system counts our memory as the child's
    observation = Observation(["true"])
    assert observation.child.ended.wait(120)
    observation.finish()
    assert len(held) == 300 << 20
    assert observation.child.peak_memory_mib is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not report the peak")
def test_a_run_that_ends_before_the_first_sample_has_a_peak() -> None:
    observation = Observation(["true"])
    assert observation.child.ended.wait(120)
    observation.finish()
    observation.sampler.samples.clear()
    peak = observation.facts()["run"]["memory_peak_mib"]
    assert 0 < peak < observation.facts()["run"]["memory_limit_mib"] / 2
