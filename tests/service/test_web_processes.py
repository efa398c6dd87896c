"""Processes that diagnose: the messages when they cannot."""

import asyncio
import gc
import os
import sys

import psutil
import pytest

from tests.service import few_processes
from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.workers.limits import Limits, UnavailableError, WorkerLostError
from tfhelp.service.workers.pool import Pool
from tfhelp.service.workers.starting import Alone, Template


@pytest.mark.slow
def test_processes_that_cannot_start_are_told() -> None:
    processes = DiagnosisProcesses(compiled.load(), 1, make_ready=os.abort)
    try:
        with pytest.raises(ArtefactError, match="end as they start"):
            processes.warm_up()
        with pytest.raises(UnavailableError, match="end as they start"):
            asyncio.run(processes.diagnose("OOM when allocating tensor", None, 3))
    finally:
        processes.close()


@pytest.mark.slow
def test_where_nothing_can_be_forked_each_worker_loads_for_itself() -> None:
    pool = Pool(Alone(gc.collect, 1 << 30), 2, Limits(deadline_s=60))
    try:
        pool.wait_until_ready()
        worker = psutil.Process(pool.submit("", os.getpid).result(60))
        assert worker.pid != os.getpid()
        with pytest.raises(WorkerLostError):
            pool.submit("", os.abort).result(60)
        assert pool.submit("", sorted, [2, 1]).result(60) == [1, 2]
    finally:
        pool.close()
    assert psutil.wait_procs([worker], timeout=30)[1] == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are forked on Linux alone")
def test_a_machine_without_room_for_another_process_keeps_the_workers_it_has() -> None:
    pool = Pool(Template(few_processes.two, 1 << 30), 2, Limits(deadline_s=60, queue=20))
    try:
        pool.wait_until_ready()
        both = {job.result(60) for job in [pool.submit("", few_processes.slow_pid) for _ in range(2)]}
        assert len(both) == 2
        working = pool.submit("", few_processes.slow_pid)
        with pytest.raises(UnavailableError, match="No process could be started"):
            pool.submit("", os.abort).result(60)
        left = working.result(60)
        # The seat without a worker takes no question that it could only refuse.
        assert {job.result(60) for job in [pool.submit("", os.getpid) for _ in range(10)]} == {left}
        assert left in both
    finally:
        pool.close()
