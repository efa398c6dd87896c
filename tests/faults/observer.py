"""Runs between a fault program and its shell, like ``tfhelp run``, and records what it observes.

``python -I observer.py FACTS HANG_AFTER COMMAND...``: the facts document is written to the file FACTS, at the program's end
and each time that the program has printed nothing for HANG_AFTER seconds. The exit status is the program's.
"""

import json
import os
import sys

from tfhelp.service.run.watched_run import WatchedRun


def main(arguments: list[str]) -> int:
    """Run the command; the file then holds the final facts."""
    target, hang_after, *command = arguments
    watched = WatchedRun(command, None)

    def write(hung: bool) -> None:
        with open(f"{target}.new", "w", encoding="utf-8") as file:
            json.dump(watched.facts(hung), file)
        os.replace(f"{target}.new", target)

    status = watched.watch(float(hang_after), lambda: write(hung=True))
    write(hung=False)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
