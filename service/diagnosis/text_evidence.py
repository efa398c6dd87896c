"""Turn the captures of signatures into facts, and decide which facts win if sources disagree."""

import re
import typing

from tfhelp.collectors.reading.condense import primary
from tfhelp.index.signatures import Hit
from tfhelp.kb import release_range, versions
from tfhelp.kb.derived.releases import SHOWN_TENSORFLOW
from tfhelp.kb.derived.versions import DISTRIBUTIONS
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.text import Text

_SIZE = re.compile(r"([\d.,]+)\s*([KMGT]?)i?B?", re.IGNORECASE)
_UNITS = {"": 1 / (1 << 20), "K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0 * 1024}


def put_exception(text: Text, sheet: FactSheet) -> None:
    """Add the class of the primary exception to the sheet."""
    failure = primary(text.records)
    if failure is not None and failure.exception:
        sheet.put("log.exception", failure.exception, f"log line {failure.last_line}")


# One of these begins a line in nearly every piece of TensorFlow code, so a text without code only costs a quick search.
_SIGNS_OF_CODE = (
    "```",
    ">>> ",
    "import tensorflow",
    "from tensorflow",
    "import keras",
    "from keras",
    "model",
    "with strategy",
    "with tf.",
)
_ASSIGNED = (" = tf.", " = keras.")  # at the left margin: a traceback indents the lines that it quotes


CODE_IN_TEXT = "text"  # the name of a program that is in the text: its facts have sources such as "text line 3"


def put_code(text: Text, sheet: FactSheet) -> None:
    """Add the facts of code inside the text to the sheet; known facts win.

    The code is only part of a program: it can show that something is there, never that something is missing.
    """
    if not any(_may_be_code(line.text) for line in text.lines):
        return
    from tfhelp.collectors import code
    from tfhelp.collectors.code.text import from_text

    source, numbers = from_text(text)
    if source:
        sheet.add(code.facts(code.examine(source, CODE_IN_TEXT, part=True, numbers=numbers)))


def _may_be_code(line: str) -> bool:
    return line.lstrip().startswith(_SIGNS_OF_CODE) or (line[:1].strip() != "" and any(sign in line for sign in _ASSIGNED))


def put_captures(hits: list[Hit], sheet: FactSheet, types: dict[str, str]) -> None:
    """Add the captures of all signatures except ``never`` ones to the sheet; a fact that is already known stays.

    A size captured for a ``*_mib`` fact is converted from its unit (bytes without one); a value that does not fit the fact's type
    is left out.
    """
    for hit in hits:
        if hit.signature.strength == "never":
            continue
        for path, text in hit.captured.items():
            value = _converted(path, text, types.get(path) or types.get(f"{path.partition('.')[0]}.*", ""))
            if value is not None and sheet.get(path) is UNKNOWN:
                sheet.put(path, value, f"log line {hit.line}")


def _converted(path: str, text: str, kind: str) -> str | float | int | None:
    if kind == "text":
        return text[:500]
    found = _SIZE.fullmatch(text.strip())
    if not found or found[1].count(".") > 1:
        return None
    number = float(found[1].replace(",", "").rstrip(".") or 0)
    if kind == "number":
        return number * _UNITS[found[2].upper()] if path.endswith("_mib") else number
    return int(number) if kind == "integer" else None


# Facts that distinguish machines: if they are given or in the text, they must agree with what was collected here.
_TENSORFLOW = "packages.tensorflow"
_IDENTITY = ("os.name", _TENSORFLOW, "python.version", "driver.version")


def add_collected(sheet: FactSheet, collected: FactSheet) -> None:
    """Add facts of this machine, unless the text or the given facts are about another; then they are dropped, with a reason."""
    for path in _IDENTITY:
        mine, theirs = sheet.get(path), collected.get(path)
        if path == _TENSORFLOW and theirs in (UNKNOWN, None):
            theirs = _of_another_package(sheet, collected)
        if mine not in (UNKNOWN, None) and theirs not in (UNKNOWN, None) and not _agree(path, mine, theirs):
            why = f"{sheet.source(path) or 'the text'} shows {path} {mine}, this machine has {theirs}: another machine"
            _lose(sheet, collected, why)
            return
    why = _shows_other_releases(sheet, collected)
    if why:
        _lose(sheet, collected, why)
        return
    if _of_another_package(sheet, collected) is not None:
        # What prints TensorFlow's version does not say which package it comes from.
        said = sheet.values.pop(_TENSORFLOW)
        sheet.lost.append((_TENSORFLOW, said, sheet.source(_TENSORFLOW), "this machine has it from another package"))
        sheet.about.pop(_TENSORFLOW, None)
    sheet.add(collected)


def _of_another_package(sheet: FactSheet, collected: FactSheet) -> typing.Any:
    """The version of the only package here that contains TensorFlow, if its name is not tensorflow; else ``None``."""
    if not sheet.known(_TENSORFLOW) or collected.known(_TENSORFLOW):
        return None
    paths = [f"packages.{name}" for name in DISTRIBUTIONS]
    found = [collected.get(path) for path in paths if collected.known(path) and not sheet.known(path)]
    return found[0] if len(found) == 1 else None


def _lose(sheet: FactSheet, collected: FactSheet, why: str) -> None:
    sheet.lost += [(lost, value, collected.source(lost), why) for lost, value in collected.values.items()]


def _shows_other_releases(sheet: FactSheet, collected: FactSheet) -> str:
    """The reason why the text is from another machine, if its tracebacks are only possible in other releases."""
    here, shown = versions.minor_release(collected.get("packages.tensorflow")), sheet.get(SHOWN_TENSORFLOW)
    if here is None or release_range.satisfies(shown, f"=={here}.*") is not False:
        return ""
    return f"{sheet.source(SHOWN_TENSORFLOW)} shows TensorFlow {shown}, this machine has {here}: another machine"


def _agree(path: str, one: object, other: object) -> bool:
    if path == "os.name":
        return one == other
    first, second = versions.parse(one), versions.parse(other)
    if first is None or second is None:
        return True
    length = min(len(first[0]), len(second[0]))  # "2.10" in a log may be 2.10.1 here
    return first[0][:length] == second[0][:length]
