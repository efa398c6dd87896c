"""Run a command and write down its cost: ``python spend.py REPORT OUTPUT COMMAND...`` (POSIX only).

A process inherits the peak memory of its parent until it has replaced its image, so a large benchmark would report
its own size. This small program runs in between, and imports none of our code.
"""

import json
import os
import sys
import time


def main() -> None:
    """Write ``{"seconds", "peak", "status"}``: wall clock, peak resident memory in bytes, exit status."""
    report, output, *command = sys.argv[1:]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    started = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - started
    with open(report, "w", encoding="utf-8") as file:
        json.dump({"seconds": seconds, "peak": usage.ru_maxrss * 1024, "status": os.waitstatus_to_exitcode(status)}, file)


if __name__ == "__main__":
    main()
