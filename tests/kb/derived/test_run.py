"""What follows from an observed run: hangs, waiting GPUs, growing memory, missing steps."""

import typing

import pytest

from tests.kb.test_derived import value
from tfhelp.kb.fact_sheet import UNKNOWN

Document = dict[str, typing.Any]
HANG: Document = {"hung": True, "processes": 3, "cores_busy": 0.01}
GREW: Document = {"memory_pattern": "steady-growth", "seconds": 90.0, "seconds_since_output": 1.0}


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("workers_wait_for_locks", {"run": {**HANG, "workers_wait_for": ["lock"]}}, True),
        ("workers_wait_for_locks", {"run": {**HANG, "workers_wait_for": ["lock", "pipe"]}}, False),
        ("hung_while_gpus_work", {"run": {**HANG, "gpu_idle_share": 0.0}}, True),
        ("hung_while_gpus_work", {"run": {**HANG, "gpu_idle_share": 1.0}}, False),
        ("hung_among_workers", {"run": HANG, "log": {"cluster_workers": 2, "cluster_ready": True}}, True),
        ("hung_among_workers", {"run": {**HANG, "workers": 2}, "log": {"steps_done": 40}}, True),
        ("hung_among_workers", {"run": {**HANG, "workers": 2}}, UNKNOWN),
        ("hung_among_workers", {"run": {**HANG, "cores_busy": 1.0}, "log": {"cluster_workers": 2, "cluster_ready": True}}, False),
        ("gpu_mostly_idle", {"run": {"gpu_idle_share": 0.7}}, True),
        ("gpu_mostly_idle", {"run": {"gpu_idle_share": 0.7, "hung": True}}, False),
        ("gpu_waits_for_processor", {"run": {"gpu_idle_share": 0.7, "cores_busy": 2.0}}, True),
        ("gpu_waits_for_processor", {"run": {"gpu_idle_share": 0.7, "cores_busy": 0.1}}, False),
        ("gpu_idle_though_it_ended_well", {"run": {"gpu_idle_share": 0.7, "exit_code": 0, "seconds": 600.0}}, True),
        ("gpu_idle_though_it_ended_well", {"run": {"gpu_idle_share": 0.7, "exit_code": 0, "seconds": 20.0}}, False),
        ("gpu_idle_though_it_ended_well", {"run": {"gpu_idle_share": 0.7, "exit_code": 1, "seconds": 600.0}}, False),
        ("some_gpus_idle", {"run": {"gpus_held": 2, "gpus_busy": 1}}, True),
        ("some_gpus_idle", {"run": {"gpus_held": 2, "gpus_busy": 2}}, False),
        ("some_gpus_idle", {"run": {"gpus_held": 1, "gpus_busy": 1}}, False),
        ("memory_grew_while_training", {"run": GREW}, True),
        ("memory_grew_while_training", {"run": GREW, "log": {"steps_done": 0}}, False),
        ("memory_grew_while_training", {"run": {**GREW, "seconds_since_output": 60.0}}, False),
        ("memory_grew_while_training", {"run": {**GREW, "seconds_since_output": 60.0, "memory_grew_in_silence": False}}, True),
        ("memory_grew_though_it_ended_well", {"run": {**GREW, "exit_code": 0}}, True),
        ("memory_grew_though_it_ended_well", {"run": {**GREW, "seconds": 30.0, "exit_code": 0}}, False),
        ("memory_grew_though_it_ended_well", {"run": {**GREW, "exit_code": 137}}, False),
        ("failed_at_memory_limit", {"run": {**GREW, "exit_code": 139, "memory_peak_mib": 7600, "memory_limit_mib": 9000}}, True),
        ("failed_at_memory_limit", {"run": {**GREW, "exit_code": 0, "memory_peak_mib": 7600, "memory_limit_mib": 9000}}, False),
        ("failed_at_memory_limit", {"run": {**GREW, "exit_code": 139, "memory_peak_mib": 600, "memory_limit_mib": 9000}}, False),
        ("failed_at_memory_limit", {"run": {"exit_code": 134, "memory_peak_mib": 8900, "memory_limit_mib": 9000}}, True),
        ("failed_at_memory_limit", {"run": {"exit_code": 134, "memory_peak_mib": 7600, "memory_limit_mib": 9000}}, False),
        (
            "failed_at_memory_limit",
            {"run": {**GREW, "exit_code": 139, "address_space_peak_mib": 3900}, "host": {"address_space_limit_mib": 4000}},
            True,
        ),
        ("stopped_early", {"run": {"exit_code": 0}, "log": {"announced_steps_missing": True}}, True),
        ("stopped_early", {"run": {"exit_code": 1}, "log": {"announced_steps_missing": True}}, False),
        ("stopped_early", {"run": {"exit_code": 0}, "log": {"announced_steps_missing": False}}, False),
        ("stopped_early", {"run": {"exit_code": 0}, "log": {"epochs_done": 3, "epochs_announced": 9}}, True),
    ],
)
def test_what_follows_from_a_run(name: str, document: Document, expected: object) -> None:
    assert value(name, document) is expected
