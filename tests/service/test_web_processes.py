"""Processes that diagnose: what is said when they cannot."""

import asyncio
import concurrent.futures
import multiprocessing
import os

import pytest

from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError
from tfhelp.service.doors.http.processes import DiagnosisProcesses


class CrashingProcesses(DiagnosisProcesses):
    """Real processes that end as they start."""

    def _start(self) -> concurrent.futures.ProcessPoolExecutor:
        return concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), os.abort)


@pytest.mark.slow
def test_processes_that_cannot_start_are_told() -> None:
    processes = CrashingProcesses(compiled.load(), 1)
    try:
        with pytest.raises(ArtefactError, match="end as they start"):
            processes.warm_up()
        with pytest.raises(RuntimeError, match="ended without an answer"):
            asyncio.run(processes.diagnose("OOM when allocating tensor", None, 3))
    finally:
        processes.close()
