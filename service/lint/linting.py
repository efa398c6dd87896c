"""Read the training scripts that the user names, examine them, and turn them into facts."""

import os
import typing

from tfhelp.collectors.code import LONGEST_SOURCE, Examination, examine, facts_of_script
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]


class Script(typing.NamedTuple):
    """A file as it is on disk.

    Attributes:
        text: its characters, with its own line endings, without a byte-order mark.
        encoding: the declared one, which encodes the text to the same bytes again.
    """

    text: str
    encoding: str


def read_script(path: str) -> Script:
    """A script or a notebook.

    Raises:
        InputError: it cannot be read, or is not text.
    """
    try:
        if os.path.getsize(path) > 16 * LONGEST_SOURCE:
            raise InputError(f"{path}: larger than {16 * LONGEST_SOURCE >> 20} MiB, which no script is")
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    return decode_script(path, content)


def decode_script(path: str, content: bytes) -> Script:
    """The text of a script, decoded with the encoding that it declares (UTF-8 by default).

    Raises:
        InputError: it is not text.
    """
    import io
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return Script(content.decode(encoding), encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise InputError(f"{path}: not a text that Python reads: {error}") from None


def read_source(path: str) -> str:
    """The text of a script, with ``\\n`` as the line ending.

    Raises:
        InputError: it cannot be read, or is not text.
    """
    return read_script(path).text.replace("\r\n", "\n")


def examine_file(path: str, source: str | None = None) -> Examination:
    """Examine a script or a notebook.

    Raises:
        InputError: it cannot be read. Invalid Python is reported in ``fault`` of the result.
    """
    return examine(read_source(path) if source is None else source, os.path.basename(path))


def document_of_code(path: str) -> Json:
    """The facts of a script as a facts document, each with its line as source.

    Raises:
        InputError: the script cannot be read, or is not Python.
    """
    source = read_source(path)
    examination = examine_file(path, source)
    if examination.fault is not None:
        raise InputError(fault_of(path, examination))
    return facts_of_script(source, examination).document()


def fault_of(path: str, examination: Examination) -> str:
    """A sentence about what is not valid Python; empty if everything is valid."""
    if examination.fault is None:
        return ""
    line, message = examination.fault
    place = f"{path}: {examination.where(line)}" if examination.cells else f"{path}:{line}"
    return f"{place}: not Python 3: {message}"


def entries_by_fact(knowledge: typing.Any) -> dict[str, str]:
    """Code fact -> the entry that it supports most: one that lists it as a sign, else the one whose check weighs most."""
    weights = {"strong": 3, "medium": 2, "weak": 1}
    best: dict[str, tuple[int, str]] = {}
    for sign in knowledge.facts:
        if sign.is_ is True:
            best[sign.fact] = max(best.get(sign.fact, (0, "")), (10, sign.entry))
    for identifier in knowledge.entries():
        for cause in knowledge.entry(identifier)["causes"]:
            for check in cause["checks"]:
                if check.get("is") is True and str(check.get("fact", "")).startswith("code."):
                    value = 5 if check["decides"] else weights[check["weight"]]
                    best[check["fact"]] = max(best.get(check["fact"], (0, "")), (value, identifier))
    return {fact: identifier for fact, (_, identifier) in best.items()}
