"""``tfhelp`` and ``python -m tfhelp.service``."""

import gc
import os
import sys

from tfhelp.service.doors.cli.command_line import main

# Garbage collection and interpreter shutdown took a sixth of a cold answer's time. The other commands run longer, or have threads
# and files that need a clean shutdown.
_QUICK = ("ask",)
_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def start() -> None:
    """Run the command of ``sys.argv`` and end the process with its exit status."""
    quick = sys.argv[1:2] and sys.argv[1] in _QUICK
    if quick:
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    status = main()
    if quick:
        sys.stderr.flush()
        os._exit(status)  # main has flushed the output, and handled a closed pipe
    sys.exit(status)


if __name__ == "__main__":
    start()
