"""The facts of a program that is still running."""

import sys
import time

from tests.waiting import until
from tfhelp.collectors.run.observation import Observation

_SILENT_THEN_BUSY = """
import time
print("Starting to train", flush=True)
time.sleep(5)
end = time.process_time() + 2
while time.process_time() < end:
    pass
"""


def test_what_a_run_computes_after_its_stacks_were_asked_for_is_no_part_of_its_hang() -> None:
    observation = Observation([sys.executable, "-c", _SILENT_THEN_BUSY])
    try:
        assert until(lambda: observation.output.total > 0)
        time.sleep(3)
        observation.take_stacks()
        assert observation.child.ended.wait(120)
        busy = observation.facts(hung=True)["run"]["cores_busy"]
    finally:
        observation.finish()
    assert busy < 0.1
