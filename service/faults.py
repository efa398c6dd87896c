"""Log failures of tfhelp itself: the place in the code, and never the pasted text."""

import sys
import typing

_FRAMES = 6

SENTENCE = "tfhelp failed on this request; the fault is logged on the server, without your text"


def _print(where: str, name: str, places: str) -> None:
    print(f"tfhelp: {where}: {name} at {places}", file=sys.stderr, flush=True)


_writers: list[typing.Callable[[str, str, str], object]] = [_print]


def log_fault(where: str, error: BaseException) -> None:
    """Log one line, on standard error or in the server's log: the exception's class and the places in the code.

    The message of an exception may quote the text, so it is left out.
    """
    import traceback  # at the top, it would cost a cold answer 2 ms

    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " <- ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    for write in _writers:
        write(where, type(error).__name__, places)


def write_faults_with(*writers: typing.Callable[[str, str, str], object]) -> None:
    """Send faults to these functions from now on: what was being done, the exception's class, and the places in the code.

    Without any function, faults go to standard error again.
    """
    _writers[:] = writers or [_print]
