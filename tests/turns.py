"""What runs by turns because all of it takes too long: the commit selects it, so that a commit always runs the same."""

import functools
import hashlib
import os
import pathlib
import subprocess
import typing

EVERY = "TFHELP_EVERY_PROGRAM"
"""Set this environment variable to run everything."""
_LONGEST = ("export", "encoder", "changes")  # tests that take minutes of processor time each


def every() -> bool:
    """Whether everything runs, whoever's turn it is."""
    return bool(os.environ.get(EVERY))


@functools.cache
def number() -> int:
    """A number that the commit determines; 0 if there is no repository."""
    try:
        head = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(head.stdout[:8], 16)


def has_turn(name: str, turns: int) -> bool:
    """Whether a name is in the share that this commit runs, one of so many."""
    return every() or int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % turns == number() % turns


def due(names: typing.Iterable[str]) -> list[str]:
    """The name whose turn it is; all names if everything runs."""
    ordered = sorted(names)
    return ordered if every() else [ordered[number() % len(ordered)]]


def skip_unless_due(name: str) -> None:
    """Skip one of the longest tests if it is another one's turn."""
    import pytest

    if name not in due(_LONGEST):
        pytest.skip(f"another long test's turn; {EVERY}=1 runs all of them")
