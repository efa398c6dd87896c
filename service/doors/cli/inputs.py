"""What a person hands to a command: text from an argument, a file or standard input, and a facts file."""

import json
import os
import sys
import typing

from tfhelp.service.errors import InputError

LARGEST_TEXT = 256 << 20  # bytes; above it the head and tail are read, and the person is told


def read_text(argument: str | None, path: str | None) -> tuple[str, bool]:
    """The text, from the argument, else the file (``-`` is standard input), else standard input when it is piped.

    Returns:
        The text, and whether it was cut.

    Raises:
        InputError: two sources at once, a file that cannot be read, or none at all on a terminal.
    """
    if argument is not None and argument != "-" and path is not None:
        raise InputError("give the text as an argument or as a file (-f), not both")
    if argument is not None and argument != "-":
        return argument, False
    if path is not None and path != "-":
        try:
            with open(path, "rb") as file:
                return _decode(file, os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    if argument is None and path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError("no text: give it as an argument, with -f FILE, or pipe it in (python train.py 2>&1 | tfhelp ask)")
    return _decode(sys.stdin.buffer, 0)


def _decode(file: typing.BinaryIO, size: int) -> tuple[str, bool]:
    if size > LARGEST_TEXT:
        head = file.read(LARGEST_TEXT // 2)
        file.seek(size - LARGEST_TEXT // 2)
        return _text(head) + "\n" + _text(file.read()), True
    content = file.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        # A pipe cannot be wound back: keep the head, and the last half of what still comes.
        tail = content[LARGEST_TEXT // 2 :]
        while piece := file.read(16 << 20):
            tail = (tail + piece)[-LARGEST_TEXT // 2 :]
        return _text(content[: LARGEST_TEXT // 2]) + "\n" + _text(tail), True
    return _text(content), False


def _text(content: bytes) -> str:
    """Text of any bytes: UTF-16 where its mark says so, else UTF-8; what cannot be read is replaced, not dropped."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8", "replace").replace("\x00", "")


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
