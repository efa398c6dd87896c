"""Serves the real doors over the small knowledge base of these tests; run as a program by ``serving.Server``.

The diagnosis, the application and the HTTP server are the real ones; only the entries are few and do not change, so
that a test can state what a page must show.
"""

import functools
import os
import pathlib
import sys

from tfhelp.kb.compile import compile_knowledge
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.load import load_entries
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.server import listening_socket, max_bytes_from_environment, run_application
from tfhelp.service.doors.slack.events import slack_settings
from tfhelp.service.memory.keeping import memory_of_server
from tfhelp.service.telemetry.start import watching
from tfhelp.service.workers.limits import BusyError

ENTRIES = pathlib.Path(__file__).parent / "small_knowledge"


class _Broken(Diagnoser):
    """Fails like one of our own faults, with the pasted text in the exception's message; or has no room."""

    def diagnose(self, text, *arguments, **named):  # type: ignore[no-untyped-def]
        if "FAIL-ON-PURPOSE" in text:
            raise RuntimeError(f"cannot handle {text}")
        if "BUSY-ON-PURPOSE" in text:
            raise BusyError("The service has as many questions as it can answer. Ask again in a moment.")
        return super().diagnose(text, *arguments, **named)


@functools.cache
def small_diagnoser() -> Diagnoser:
    """The real diagnosis over the small knowledge base."""
    entries, faults = load_entries(ENTRIES)
    assert not faults, "\n".join(map(str, faults))
    return _Broken(Knowledge(compile_knowledge(entries)), warm=True)


def main() -> int:
    """Serve on a free port until a signal ends it."""
    local = (lambda: {"os": {"name": "linux", "container": True}}) if "--local-facts" in sys.argv else None
    diagnoser = small_diagnoser()
    where = sys.argv[sys.argv.index("--memory") + 1] if "--memory" in sys.argv else ""
    with (
        memory_of_server(where) as memory,
        watching(diagnoser.knowledge.version, "json" if "json" in sys.argv else "text") as watch,
        listening_socket("127.0.0.1", 0) as listener,
    ):
        app = create_app(
            diagnoser,
            max_bytes=max_bytes_from_environment(),
            local_facts=local,
            slack=slack_settings(os.environ),
            watch=watch,
            memory=memory,
        )
        return run_application(app, listener, "127.0.0.1")


if __name__ == "__main__":
    sys.exit(main())
