"""The doors over the small knowledge base with Slack on and a memory; run as a program by ``serving.Server``."""

import os
import sys

from tests.service.slack.listed_memory import ListedMemory
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.server import listening_socket, max_bytes_from_environment, run_application
from tfhelp.service.doors.slack.events import slack_settings


def main() -> int:
    """Serve on a free port until a signal ends it."""
    path = os.environ.get("LISTED_MEMORY", "")
    memory = ListedMemory(path) if path else None  # without one, the service's own memory
    settings = slack_settings(os.environ)
    app = create_app(small_diagnoser(), max_bytes=max_bytes_from_environment(), slack=settings, memory=memory)
    with listening_socket("127.0.0.1", 0) as listener:
        return run_application(app, listener, "127.0.0.1")


if __name__ == "__main__":
    sys.exit(main())
