"""Failures of machines and programs that have nothing of TensorFlow: the exit code, the scheduler and the crash are anybody's."""

import pytest

from tests.faults.knowledge import diagnoser

BUILD = """The nightly build of our map editor fails after three hours.

Ubuntu 22.04 with Docker 24.0, NVIDIA runtime installed, 16 GiB of memory.

It ends with

  Took 512.2s to run EditorCommandlet, ExitCode=137
  BUILD FAILED: the command for the shaders returned an error
"""
SLURM = "slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0. Some of the step tasks have been OOM Killed."
SOLVER = f"""The flow around our wing does not get beyond the first iteration of the pressure solver on four nodes.

{SLURM}

How many tasks should the job have on each node, so that the mesh fits?
"""
TRAINING = f"""My training on the cluster of the university ends in the third epoch, always at the same place.

{SLURM}
"""
JVM = """# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f31bc1ab842, pid=4711, tid=0x00007f31a06af700
#
Aborted
"""


@pytest.mark.parametrize("text", [BUILD, SOLVER, JVM])
def test_what_another_programs_user_tells_is_not_answered(text: str) -> None:
    assert diagnoser().diagnose(text)["matches"] == []


@pytest.mark.parametrize("text", [TRAINING, SLURM])
def test_a_schedulers_line_alone_or_with_a_training_is_answered(text: str) -> None:
    assert diagnoser().diagnose(text)["matches"][0]["entry"] == "job-killed-by-scheduler"


def test_a_long_message_of_tensorflow_without_its_name_is_answered() -> None:
    text = "kernel version 535.129.3 does not match DSO version 535.154.5 -- cannot find working devices in this configuration"
    assert diagnoser().diagnose(text)["matches"][0]["entry"] == "driver-library-mismatch"
