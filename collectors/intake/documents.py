"""JSON documents in a text: the output of ``tfhelp collect`` and ``tfhelp report``, and notebooks.

A document may be the whole text, or come before, after or inside a log. Its lines become empty, so that nothing reads
it again as a log, and every other line keeps its number.
"""

import json
import typing

from tfhelp.collectors.intake import Intake, Json, Script
from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.json_numbers import finite, refuse_constant

GROUPS = frozenset(
    "os python packages env tensorflow cuda cudnn driver gpus host run log code learning tried".split()  # noqa: SIM905
)
"""The groups of ``tfhelp.kb.facts.Facts``; a test keeps the two in sync, because importing the model requires pydantic."""

_OF_A_TEXT = frozenset(("log", "code", "run", "learning", "tried"))  # other programs use these words as keys too
_NOTEBOOK_KEYS = frozenset(("cells", "metadata", "nbformat", "nbformat_minor", "worksheets"))
# A "{" at the start of a line, its first key, and the start of a value that is not a string: a log in JSON lines has strings.
_OPENING = Pattern(r'^[ \t]{0,40}(\{\s{0,200}"([A-Za-z_]{2,20})"\s{0,20}:\s{0,20})[\[{n0-9]', 1 << 3)  # re.MULTILINE
_LONGEST_FACTS = 1 << 20  # characters
_LONGEST_NOTEBOOK = 32 << 20
_MOST_VALUES = 1_000_000  # JSON values in a notebook; its images are a few long strings
_MOST_TRIES = 16


class _Found(typing.NamedTuple):
    start: int
    end: int
    document: Json


def take_out(intake: Intake, parts: list[tuple[int, int]], name: str) -> None:
    """Move facts documents and notebooks out of the text."""
    text = intake.text
    taken: list[tuple[int, int, str]] = []
    for found in _documents(text, parts):
        whole = not text[: found.start].strip() and not text[found.end :].strip()
        line = text.count("\n", 0, found.start) + 1
        if is_facts(found.document, whole):
            intake.facts.append(found.document)
            _add_kind(intake, "facts")
            intake.notes.append(_facts_note(found.document, line, whole))
            taken.append((found.start, found.end, ""))
        elif isinstance(found.document.get("cells", found.document.get("worksheets")), list):
            taken.append((found.start, found.end, _notebook(intake, found, name if whole else "", text)))
    if taken:
        intake.text = _without(text, taken)


def is_facts(document: Json, whole: bool) -> bool:
    """Return whether an object is a facts document; one without sources needs more evidence, unless it is the whole text."""
    groups = set(document) & GROUPS
    if not groups or not all(isinstance(document[group], (dict, list, type(None))) for group in groups):
        return False
    if isinstance(document.get("_about"), dict):
        return True
    if set(document) - GROUPS - {"derived"}:
        return False
    return len(groups) > 1 or (whole and not groups <= _OF_A_TEXT)


def _documents(text: str, parts: list[tuple[int, int]]) -> typing.Iterator[_Found]:
    done = 0
    tries = 0
    for start, end in parts:
        for opening in _OPENING.finditer(text, start, end):
            place = opening.start(1)
            if place < done or opening[2] not in GROUPS | _NOTEBOOK_KEYS | {"_about", "derived"}:
                continue
            tries += 1
            if tries > _MOST_TRIES:
                return
            found = _parsed(text, place, opening[2] in _NOTEBOOK_KEYS)
            if found is not None:
                done = found.end
                yield found


def _parsed(text: str, place: int, notebook: bool) -> _Found | None:
    """The object that begins at a place, with nothing else after it on its last line."""
    piece = text[place : place + (_LONGEST_NOTEBOOK if notebook else _LONGEST_FACTS)]
    if notebook and piece.count(",") + piece.count("[") + piece.count("{") > _MOST_VALUES:
        return None
    try:
        document, length = _DECODER.raw_decode(piece)
    except (ValueError, RecursionError):
        return None
    end = place + length
    line_end = text.find("\n", end)
    if text[end : line_end if line_end >= 0 else len(text)].strip() or not isinstance(document, dict):
        return None
    return _Found(place, end, _whole_characters(document, piece[:length]))


def _whole_characters(document: Json, written: str) -> Json:
    """The document without lone surrogates, which only an escape can produce and no answer could encode."""
    if "\\ud" not in written and "\\uD" not in written:
        return document
    clean: Json = json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))
    return clean


_DECODER = json.JSONDecoder(parse_constant=refuse_constant, parse_float=finite)


def _facts_note(document: Json, line: int, whole: bool) -> str:
    count = sum(len(value) if isinstance(value, dict) else 1 for key, value in document.items() if key in GROUPS)
    facts = "1 fact" if count == 1 else f"{count} facts"
    return f"Read {facts} from the output of tfhelp collect" + ("." if whole else f" at line {line}.")


def _notebook(intake: Intake, found: _Found, name: str, text: str) -> str:
    from tfhelp.collectors.intake import notebook

    said, outputs, errors = notebook.printed(found.document)
    cells = notebook.code_cells(found.document)
    _add_kind(intake, "notebook")
    intake.notes.append(
        f"Read a notebook: {_count(len(cells), 'code cell')}, {_count(outputs, 'output')}, of which {_count(errors, 'error')}."
        + (" Lines of the text are lines of these outputs." if said else "")
    )
    if notebook.is_short(cells):
        shown = name if name.endswith(".ipynb") else "notebook.ipynb"
        intake.scripts.append(Script(shown, text[found.start : found.end]))
    elif cells:
        intake.notes.append("The notebook's code is too long to be read as code.")
    return said


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _add_kind(intake: Intake, kind: str) -> None:
    if kind not in intake.kinds:
        intake.kinds.append(kind)


_FENCE_BEFORE = Pattern(r"(?:^|\n)[ \t]{0,3}(?:`{3,9}|~{3,9})[a-z]{0,10}[ \t]{0,9}\r?\n[ \t]{0,40}\Z")
_FENCE_BEHIND = Pattern(r"(?:[ \t]{0,9}\r?\n){1,4}[ \t]{0,3}(?:`{3,9}|~{3,9})[ \t]{0,9}(?=\r?\n|\Z)")


def _without(text: str, taken: list[tuple[int, int, str]]) -> str:
    parts, place = [], 0
    for start, end, instead in taken:
        start, end = _with_fences(text, start, end, place)
        parts += [text[place:start], instead + "\n" * max(0, text.count("\n", start, end) - instead.count("\n"))]
        place = end
    if not text[place:].strip():
        # No line follows that would have to keep its number.
        return "".join(parts).rstrip() + "\n" if any(part.strip() for part in parts) else ""
    return "".join([*parts, text[place:]])


def _with_fences(text: str, start: int, end: int, least: int) -> tuple[int, int]:
    """The range including the Markdown fences, if a pair of them encloses it."""
    before = _FENCE_BEFORE.search(text[max(least, start - 80) : start])
    behind = _FENCE_BEHIND.match(text, end)
    if not before or not behind:
        return start, end
    opening = max(least, start - 80) + before.start()
    return opening + (text[opening] == "\n"), behind.end()
