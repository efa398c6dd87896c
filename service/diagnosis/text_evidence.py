"""What signatures capture becomes facts, and whose facts win when sources disagree."""

import re

from tfhelp.collectors.reading.condense import primary
from tfhelp.index.signatures import Hit
from tfhelp.kb import release_range, versions
from tfhelp.kb.derived.releases import SHOWN_TENSORFLOW
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.text import Text

_SIZE = re.compile(r"([\d.,]+)\s*([KMGT]?)i?B?", re.IGNORECASE)
_UNITS = {"": 1 / (1 << 20), "K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0 * 1024}


def put_exception(text: Text, sheet: FactSheet) -> None:
    """Put the class of the primary exception on the sheet."""
    failure = primary(text.records)
    if failure is not None and failure.exception:
        sheet.put("log.exception", failure.exception, f"log line {failure.last_line}")


# One of these begins a line in nearly every piece of code about TensorFlow; what is pasted without code pays for no more
# than a look.
_SIGNS_OF_CODE = ("```", ">>> ", "import tensorflow", "from tensorflow", "import keras", "from keras", "model", "with strategy")


CODE_IN_TEXT = "text"  # the name of a program that is in the text: its facts have sources such as "text line 3"


def put_code(text: Text, sheet: FactSheet) -> None:
    """Put what code inside the text shows on the sheet, behind what is known already.

    The code is a part of a program: only what it shows is known, never that something is missing.
    """
    if not any(line.text.lstrip().startswith(_SIGNS_OF_CODE) for line in text.lines):
        return
    from tfhelp.collectors import code
    from tfhelp.collectors.code.text import from_text

    source, numbers = from_text(text)
    if source:
        sheet.add(code.facts(code.examine(source, CODE_IN_TEXT, part=True, numbers=numbers)))


def put_captures(hits: list[Hit], sheet: FactSheet, types: dict[str, str]) -> None:
    """Put what decisive signatures captured on the sheet; a fact that is already known stays.

    A size captured for a ``*_mib`` fact is converted from its unit (bytes without one); what does not fit the fact's
    type is left out.
    """
    for hit in hits:
        if hit.signature.strength == "never":
            continue
        for path, text in hit.captured.items():
            value = _converted(path, text, types.get(path) or types.get(f"{path.partition('.')[0]}.*", ""))
            if value is not None and sheet.get(path) is UNKNOWN:
                sheet.put(path, value, f"log line {hit.record.first_line}")


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


# Facts that tell one machine from another: of the text or given, they must agree with what was collected here.
_IDENTITY = ("os.name", "packages.tensorflow", "python.version", "driver.version")


def add_collected(sheet: FactSheet, collected: FactSheet) -> None:
    """Add facts of this machine, unless the text or the user speaks of another one; then they step back, visibly."""
    for path in _IDENTITY:
        mine, theirs = sheet.get(path), collected.get(path)
        if mine not in (UNKNOWN, None) and theirs not in (UNKNOWN, None) and not _agree(path, mine, theirs):
            why = f"{sheet.source(path) or 'the text'} shows {path} {mine}, this machine has {theirs}: another machine"
            _lose(sheet, collected, why)
            return
    why = _shows_other_releases(sheet, collected)
    if why:
        _lose(sheet, collected, why)
    else:
        sheet.add(collected)


def _lose(sheet: FactSheet, collected: FactSheet, why: str) -> None:
    sheet.lost += [(lost, value, collected.source(lost), why) for lost, value in collected.values.items()]


def _shows_other_releases(sheet: FactSheet, collected: FactSheet) -> str:
    """Why the text is of another machine, where its tracebacks are possible only in other releases than the one here."""
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
