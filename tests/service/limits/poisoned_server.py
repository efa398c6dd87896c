"""Serves the real doors over processes that can be poisoned on purpose; run as a program by ``serving.Server``.

No text is known that stops the diagnosis. So a few words in a text stand for one: the process then holds the interpreter in
an endless pattern match, ends itself, or takes all available memory. Everything else is the service unchanged.

Options: ``--workers N``, ``--queue N``, ``--deadline S``, ``--patience S`` for all timeouts of a connection, ``--files N`` for
the files that it may open, ``--trust-proxy NETWORK``.
"""

import argparse
import contextlib
import resource
import sys

from tests.service.limits.poison import load
from tests.service.small_server import small_diagnoser
from tfhelp.service.access.addresses import Networks
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.connections import BoundedProtocol, Patience
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.doors.http.server import listening_socket, max_bytes_from_environment, run_application
from tfhelp.service.workers.limits import Limits


def main() -> int:
    """Serve on a free port until a signal ends it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--queue", type=int, default=4)
    parser.add_argument("--deadline", type=float, default=20.0)
    parser.add_argument("--patience", type=float, default=0.0)
    parser.add_argument("--files", type=int, default=0)
    parser.add_argument("--trust-proxy", action="append", default=[])
    options = parser.parse_args()
    if options.files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (options.files, options.files))
    if options.patience:
        BoundedProtocol.patience = Patience(*[options.patience] * len(Patience._fields))
    limits = Limits(options.deadline, options.queue)
    knowledge = small_diagnoser().knowledge
    with (
        contextlib.closing(DiagnosisProcesses(knowledge, options.workers, limits, load)) as processes,
        listening_socket("127.0.0.1", 0) as listener,
    ):
        processes.warm_up()
        app = create_app(processes, max_bytes=max_bytes_from_environment())
        return run_application(app, listener, "127.0.0.1", Networks(options.trust_proxy))


if __name__ == "__main__":
    sys.exit(main())
