"""Derived facts of training on several devices or machines."""

import typing

import pytest

from tfhelp.kb import compat_tables
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import FactSheet

TABLES = compat_tables.tables()


def known(path: str, **facts: object) -> typing.Any:
    """The derived fact from given facts, named with ``__`` for the dot; ``None`` where it stays unknown."""
    sheet = FactSheet()
    for name, value in facts.items():
        sheet.put(name.replace("__", "."), value, "given")
    derive(sheet, TABLES)
    return sheet.get(path) if sheet.known(path) else None


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"log__strategy": "MirroredStrategy"}, True),
        ({"log__replicas": 4}, True),
        ({"log__cluster_workers": 2}, True),
        ({"log__replicas": 1}, False),
        ({"log__strategy": "OneDeviceStrategy"}, False),
        ({}, None),
    ],
)
def test_distributed(facts: dict[str, object], expected: bool | None) -> None:
    assert known("derived.distributed", **facts) is expected


def test_a_segmentation_fault_counts_only_with_several_devices() -> None:
    assert known("derived.segfault_when_distributed", run__exit_code=139, log__replicas=2) is True
    assert known("derived.segfault_when_distributed", run__exit_code=139) is False
    assert known("derived.segfault_when_distributed", run__exit_code=137, log__replicas=2) is False
    assert known("derived.segfault_when_distributed", log__replicas=2) is None


def test_aborted_at_exit_needs_all_epochs() -> None:
    assert known("derived.aborted_at_exit", run__exit_code=134, log__epochs_done=3, log__epochs_announced=3) is True
    assert known("derived.aborted_at_exit", run__exit_code=134, log__epochs_done=2, log__epochs_announced=3) is False
    assert known("derived.aborted_at_exit", run__exit_code=134) is None


def test_a_worker_waits_until_something_else_stands_in_the_text() -> None:
    server = {"log__server_target": "grpc://10.0.0.5:2222"}
    assert known("derived.waits_for_cluster", **server) is True
    assert known("derived.waits_for_cluster", **server, log__steps_done=4) is False
    assert known("derived.waits_for_cluster", **server, log__exception="ValueError") is False
    assert known("derived.waits_for_cluster", **server, run__signal="SIGKILL") is False
    assert known("derived.waits_for_cluster", **server, run__signal="SIGKILL", course__end="waiting") is True
    assert known("derived.waits_for_cluster", **server, run__exit_code=0) is False
    assert known("derived.waits_for_cluster") is None


def test_stuck_needs_the_timer_and_several_devices() -> None:
    assert known("derived.stuck_when_distributed", log__stuck_for="0:00:20", log__replicas=2) is True
    assert known("derived.stuck_when_distributed", log__stuck_for="0:00:20") is False
