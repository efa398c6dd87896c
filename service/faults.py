"""What is logged when tfhelp itself fails: where, and never what was pasted."""

import sys
import traceback

_FRAMES = 6

SENTENCE = "tfhelp failed on this request; the fault is logged on the server, without your text"


def log_fault(where: str, error: BaseException) -> None:
    """One line on standard error: the exception's class and the places in the code.

    The message of an exception may quote the text, so it is left out.
    """
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " <- ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    print(f"tfhelp: {where}: {type(error).__name__} at {places}", file=sys.stderr, flush=True)
