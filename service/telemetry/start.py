"""The watch of ``tfhelp serve``: log, metrics and traces, for as long as the server runs."""

import contextlib
import typing

from tfhelp.service import faults
from tfhelp.service.telemetry import logs
from tfhelp.service.telemetry.metrics import Metrics
from tfhelp.service.telemetry.tracing import tracing_of_environment
from tfhelp.service.telemetry.watch import Watch
from tfhelp.service.version import VERSION


@contextlib.contextmanager
def watching(kb_version: str, log: str) -> typing.Iterator[Watch]:
    """Start the watch, and end it with the server.

    Args:
        kb_version: version of the knowledge base.
        log: format of the log, one of ``logs.FORMATS``.

    Raises:
        tfhelp.service.errors.InputError: traces are asked for and cannot be sent.
    """
    watch = Watch(Metrics(VERSION, kb_version), tracing_of_environment())
    logs.start_logging(log)
    faults.write_faults_with(logs.fault, lambda *_: watch.metrics.fault())
    try:
        yield watch
    finally:
        faults.write_faults_with()
        if watch.tracing is not None:
            watch.tracing.close()
