"""What follows from the stacks of a run that hangs, and from processes that have disappeared."""

import typing

import pytest

from tests.kb.test_derived import value
from tfhelp.kb.fact_sheet import UNKNOWN

Document = dict[str, typing.Any]
HANG: Document = {"hung": True, "processes": 3, "cores_busy": 0.01}
APART: Document = {
    **HANG,
    "worker_lines": ["a.py line 3", "a.py line 9"],
    "workers_forked": False,
    "workers_wait_in": ["tensorflow"],
}
AT_CLUSTER: Document = {**HANG, "waits_in": "process", "workers_wait_in": ["cluster"]}
IN_POOL: Document = {**HANG, "waits_in": "process", "workers_wait_in": []}
AT_EXIT: Document = {**HANG, "phase": "exit", "waits_for": "lock", "thread_line": "train.py line 5: work.put(1)"}
FAILED: Document = {"exit_code": 1, "processes_lost": 1}


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        ("hung_in_validation", {"run": {"hung": True, "phase": "validation"}}, True),
        ("hung_in_validation", {"run": {"hung": True, "phase": "training"}}, False),
        ("hung_in_validation", {"run": {"hung": True}}, UNKNOWN),
        ("hung_in_tracing", {"run": {"hung": True, "phase": "tracing"}}, True),
        ("hung_in_step", {"run": {"hung": True, "phase": "training", "waits_in": "tensorflow"}}, True),
        ("hung_in_step", {"run": {"hung": True, "phase": "training", "waits_in": "lock"}}, False),
        ("hung_at_exit", {"run": {"hung": True, "phase": "exit"}}, True),
        ("hung_at_exit", {"run": {"hung": True, "phase": "training"}}, False),
        ("hung_at_exit", {"run": {"hung": True}}, UNKNOWN),
        ("hang_at_exit_line", {"run": AT_EXIT}, "train.py line 5: work.put(1)"),
        ("hang_at_exit_line", {"run": {**HANG, "phase": "exit", "worker_lines": ["a.py line 3"]}}, "a.py line 3"),
        ("hang_at_exit_line", {"run": {**HANG, "phase": "exit"}}, UNKNOWN),
        ("python_waits_for_lock", {"run": {**HANG, "waits_for": "lock"}}, True),
        ("python_waits_for_lock", {"run": AT_EXIT}, False),
        ("data_code_waits", {"run": {**AT_EXIT, "data_waits_in": "queue"}}, False),
        ("workers_wait", {"run": AT_EXIT}, False),
        ("keeps_computing", {"run": {**HANG, "waits_for": "nothing"}}, True),
        ("keeps_computing", {"run": {**HANG, "waits_for": "lock"}}, False),
        ("keeps_computing", {"run": {**HANG, "phase": "tracing"}}, True),
        ("hung_at_cluster", {"run": {**HANG, "waits_in": "cluster"}}, True),
        ("hung_at_cluster", {"run": AT_CLUSTER}, True),
        ("hung_at_cluster", {"run": HANG}, UNKNOWN),
        ("cluster_misses_worker", {"run": AT_CLUSTER}, True),
        ("cluster_misses_worker", {"run": {**AT_CLUSTER, "processes_failed": 1}}, False),
        ("cluster_lost_worker", {"run": {**AT_CLUSTER, "processes_failed": 1}}, True),
        ("cluster_lost_worker", {"run": AT_CLUSTER}, False),
        ("pool_lost_worker", {"run": {**IN_POOL, "processes_lost": 1}}, True),
        ("pool_lost_worker", {"run": {**IN_POOL, "processes_lost": 0}}, False),
        ("pool_lost_worker", {"run": {**AT_CLUSTER, "processes_lost": 1}}, False),
        ("workers_apart", {"run": APART}, True),
        ("workers_apart", {"run": {**APART, "workers_forked": True}}, False),
        ("workers_apart", {"run": {**APART, "worker_lines": ["a.py line 3"]}}, False),
        ("workers_apart", {"run": {**APART, "cores_busy": 1.0}}, False),
        ("workers_apart", {"run": {**APART, "workers_wait_in": ["sleep"]}}, False),
        ("workers_wait", {"run": HANG}, True),
        ("workers_wait", {"run": AT_CLUSTER}, False),
        ("workers_wait", {"run": APART}, False),
        ("worker_vanished", {"run": FAILED}, True),
        ("worker_vanished", {"run": {**FAILED, "exit_code": 0}}, False),
        ("worker_vanished", {"run": {**FAILED, "processes_failed": 1}}, False),
        ("crash_in_own_native_code", {"run": {"crash_in": "own-code", "crash_recursion": False}}, True),
        ("crash_in_own_native_code", {"run": {"crash_in": "own-code", "crash_recursion": True}}, False),
        ("crash_in_own_native_code", {"run": {"crash_in": "tensorflow", "crash_recursion": False}}, False),
        ("failed_under_file_size_limit", {"run": {"exit_code": 1, "seconds": 9.0}, "host": {"file_size_limit_mib": 4.0}}, True),
        ("failed_under_file_size_limit", {"run": {"exit_code": 0, "seconds": 9.0}, "host": {"file_size_limit_mib": 4.0}}, False),
        ("failed_under_file_size_limit", {"run": {"exit_code": 1, "seconds": 9.0}}, UNKNOWN),
        (
            "failed_under_file_size_limit",
            {"run": {"exit_code": 1, "seconds": 9.0}, "host": {"file_size_limit_mib": 4.0}, "log": {"exception": "KeyError"}},
            False,
        ),
        (
            "failed_at_memory_limit",
            {"run": {"exit_code": 139, "data_peak_mib": 990.0}, "host": {"data_limit_mib": 1000.0}},
            True,
        ),
    ],
)
def test_what_follows_from_a_hang(name: str, document: Document, expected: object) -> None:
    assert value(name, document) is expected
