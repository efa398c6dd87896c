"""Processes that diagnose: what is said when they cannot."""

import asyncio
import os

import pytest

from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.workers.limits import UnavailableError


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
