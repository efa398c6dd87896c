"""What a person hands to a command: what comes as an argument, in a file or on standard input, and a facts file."""

import json
import os
import sys
import typing

from tfhelp.collectors.intake import Intake, take, take_text
from tfhelp.service.errors import InputError

LARGEST_TEXT = 256 << 20  # bytes; above it the head and tail are read, and the person is told


def read_input(argument: str | None, path: str | None) -> tuple[Intake, bool]:
    """What was given as the argument, else in the file (``-`` is standard input), else on standard input when it is piped.

    Returns:
        What was recognised in it, and whether it was cut.

    Raises:
        InputError: two sources at once, a file that cannot be read, or none at all on a terminal.
    """
    if argument is not None and argument != "-" and path is not None:
        raise InputError("give the text as an argument or as a file (-f), not both")
    if argument is not None and argument != "-":
        return take_text(argument), False
    if path is not None and path != "-":
        try:
            with open(path, "rb") as file:
                return _read(file, os.fstat(file.fileno()).st_size, os.path.basename(path))
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    if argument is None and path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError("no text: give it as an argument, with -f FILE, or pipe it in (python train.py 2>&1 | tfhelp ask)")
    return _read(sys.stdin.buffer, 0)


def _read(file: typing.BinaryIO, size: int, name: str = "") -> tuple[Intake, bool]:
    if size > LARGEST_TEXT:
        head = file.read(LARGEST_TEXT // 2)
        file.seek(size - LARGEST_TEXT // 2)
        return _of_two_parts(head, file.read(), name), True
    content = file.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        # A pipe cannot be wound back: keep the head, and the last half of what still comes.
        tail = content[LARGEST_TEXT // 2 :]
        while piece := file.read(16 << 20):
            tail = (tail + piece)[-LARGEST_TEXT // 2 :]
        return _of_two_parts(content[: LARGEST_TEXT // 2], tail, name), True
    return _accepted(take(content, name, LARGEST_TEXT)), False


def _of_two_parts(head: bytes, tail: bytes, name: str) -> Intake:
    first, last = _accepted(take(head, name)), take(tail)
    intake = take_text(first.text + "\n" + last.text)
    intake.notes = first.notes
    return intake


def _accepted(intake: Intake) -> Intake:
    """Raises: InputError: it is no text."""
    if intake.refused:
        raise InputError(intake.refused)
    return intake


def say_notes(notes: list[str]) -> None:
    """Tell on standard error what was recognised; standard output is for the answer."""
    for note in notes:
        print(f"tfhelp: {note}", file=sys.stderr)


def read_facts(path: str | None) -> dict[str, typing.Any]:
    """A facts file as JSON; an empty document without one.

    Raises:
        InputError: it cannot be read or is no JSON.
    """
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {type(error).__name__}") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected a JSON object of facts")
    return document
