"""What the user gives a command: an argument, a file or standard input, and a facts file."""

import io
import json
import os
import sys
import typing

from tfhelp.collectors.intake import Intake, needs_whole, take, take_text
from tfhelp.collectors.reading.byte_stream import decoded
from tfhelp.service.diagnosis.long_text import LONG, Stream
from tfhelp.service.doors.cli.progress import Activity
from tfhelp.service.errors import InputError

_LARGEST_WHOLE = 256 << 20  # bytes of a file that cannot be read as a stream, such as a compressed file or a notebook
_OF_LOGS = (".log", ".txt", ".out", ".err", ".gz")  # a lone word with such an ending is a file that the user means, not an error


def read_input(argument: str | None, path: str | None) -> tuple[Intake, Stream | None]:
    """The input from the argument, else from the file (``-`` is standard input), else from standard input if it is piped.

    An argument that is the name of a file stands for the file's content, which is said on standard error.

    Returns:
        What was recognised, and for a long text a stream of it; the stream may have any length.

    Raises:
        InputError: there are two sources, the file cannot be read or holds no text, the argument names a log that is not there,
            or there is no input on a terminal.
    """
    if argument is not None and argument != "-" and path is not None:
        raise InputError("give the text as an argument or as a file (-f), not both")
    if argument is not None and _may_name_a_file(argument):
        if os.path.isfile(argument):
            print(f"tfhelp: {argument} is a file; its content is the text", file=sys.stderr)
            argument, path = None, argument
        elif argument.lower().endswith(_OF_LOGS) and not any(map(str.isspace, argument)):
            raise InputError(f"there is no file {argument}; if this is the text itself, pipe it in")
    if argument is not None and argument != "-":
        return take_text(argument), None
    if path is not None and path != "-":
        try:
            return _opened(open(path, "rb", buffering=0), os.path.basename(path))
        except OSError as error:
            raise _unreadable(path, error) from None
    if argument is None and path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError("no text: give it as an argument, with -f FILE, or pipe it in (python train.py 2>&1 | tfhelp ask)")
    return _opened(sys.stdin.buffer, "")


def _may_name_a_file(text: str) -> bool:
    return 0 < len(text) < 256 and "\n" not in text


def _opened(file: typing.BinaryIO | io.RawIOBase, name: str) -> tuple[Intake, Stream | None]:
    if name:
        with Activity(f"reading {name}"):
            start = _start_of(file)
    elif sys.stdin.isatty():
        start = _start_of(file)  # the user is typing it
    else:
        # A program writes the input. It may write to the terminal too, hence no updates.
        with Activity("reading what is piped in", updates=False):
            start = _start_of(file)
    if len(start) < LONG:
        _close(file, name)
        return _accepted(take(start, name)), None

    def read(size: int) -> bytes:
        try:
            return file.read(size) or b""
        except OSError as error:
            raise _unreadable(name or "standard input", error) from None

    if needs_whole(start, name):
        with Activity(f"unpacking {name or 'what is piped in'}"):
            whole = start + b"".join(_bounded(read))
            _close(file, name)
            return _accepted(take(whole, name, _LARGEST_WHOLE)), None
    return Intake(), Stream(start, read)


def _start_of(file: typing.BinaryIO | io.RawIOBase) -> bytes:
    start = b""
    while len(start) < LONG and (more := file.read(LONG)):
        start += more
    return start


def _close(file: typing.BinaryIO | io.RawIOBase, name: str) -> None:
    """Close a file that was read to its end; standard input has no name and stays open."""
    if name:
        file.close()


def _bounded(read: typing.Callable[[int], bytes]) -> typing.Iterator[bytes]:
    left = _LARGEST_WHOLE
    while part := read(1 << 20):
        left -= len(part)
        if left < 0:
            raise InputError(
                f"a file of this kind may have at most {_LARGEST_WHOLE >> 20} MiB; unpack it, or give the log itself"
            )
        yield part


def whole_text(intake: Intake, stream: Stream | None) -> str:
    """All of the text in memory."""
    if stream is None:
        return intake.text
    return decoded(stream.start + b"".join(iter(lambda: stream.read(1 << 20), b"")))


def _unreadable(path: str, error: OSError) -> InputError:
    return InputError(f"cannot read {path}: {error.strerror or error}")


def _accepted(intake: Intake) -> Intake:
    """The input, checked. Raises: InputError: it is not text."""
    if intake.refused:
        raise InputError(intake.refused)
    return intake


def say_notes(notes: list[str]) -> None:
    """Write on standard error what was recognised; standard output is for the answer."""
    for note in notes:
        print(f"tfhelp: {note}", file=sys.stderr)


def read_facts(path: str | None) -> dict[str, typing.Any]:
    """A facts file as JSON; an empty document without one.

    Raises:
        InputError: it cannot be read or is not JSON.
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
