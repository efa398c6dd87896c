"""Readings of a real program's memory."""

import pathlib
import sys

import pytest

from tests.waiting import until
from tfhelp.collectors.run.observation import Observation

GROWS = """
import pathlib, resource, sys, time
resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, resource.RLIM_INFINITY))
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
held = b"x" * (400 << 20)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit private memory")
def test_growth_after_the_last_reading_counts(tmp_path: pathlib.Path) -> None:
    go = tmp_path / "go"
    observation = Observation([sys.executable, "-c", GROWS, str(go)])
    assert until(lambda: bool(observation.sampler.limits.get("RLIMIT_DATA") and observation.sampler.samples))
    observation.sampler.stop()
    before = observation.facts()["run"]["data_peak_mib"]
    go.touch()
    assert observation.child.ended.wait(120)
    observation.finish()
    assert before + 390 < observation.facts()["run"]["data_peak_mib"] < before + 450
