"""Turn what a user gave at any door into the text and the facts for the diagnosis.

If two sources have the same fact, the user's own statement comes first, then a pasted facts document, then the script. The facts
of a pasted document are those of the user's machine, so they count as given.
"""

import typing

from tfhelp.collectors.intake import Intake, take_text, unpack
from tfhelp.kb.fact_sheet import FactError, read_document
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
Types = typing.Callable[[], dict[str, str]]

_MOST_FAULTS = 3  # the most that a note names
_MOST_NAMES = 2000  # in a group with a fault, which are then checked one by one
_MACHINE = ("os", "python", "packages")


class Given:
    """The input of the diagnosis.

    Attributes:
        text: the text to diagnose.
        facts: the facts document.
        notes: sentences for the user about what was recognised and what was left out.
        machine: a pasted document describes a machine, so facts of this machine are not needed.
        pasted: the input as text; equal to ``text`` if nothing was recognised in it.
    """

    __slots__ = ("facts", "machine", "notes", "pasted", "text")

    def __init__(self, text: str, facts: Json, notes: list[str], machine: bool) -> None:
        self.text = text
        self.facts = facts
        self.notes = notes
        self.machine = machine
        self.pasted = text

    @property
    def nothing(self) -> str:
        """Why there is nothing to diagnose, as a sentence; empty if there is something, or if nothing was given."""
        if self.text.strip() or self.facts or not self.notes:
            return ""
        return " ".join(self.notes) + " Nothing in it can be diagnosed. Add what the program printed."


class Piece(typing.NamedTuple):
    """One input: a file or body as bytes, a field or message as text, and its name if it has one."""

    content: bytes | str
    name: str = ""


def with_notes(answer: "Answer", notes: list[str]) -> "Answer":
    """The answer, with ``notes`` if there is something to say about the input."""
    return {**answer, "notes": [*notes, *answer.get("notes", [])]} if notes else answer


def receive(pieces: typing.Sequence[Piece], facts: Json, types: Types, most: int) -> Given:
    """Read and combine the inputs of one request.

    Args:
        pieces: the inputs.
        facts: what the user stated in addition to them.
        types: as in ``join``.
        most: bytes that a compressed piece may unpack to.

    Raises:
        InputError: one of them contains no text.
    """
    intakes, pasted = [], []
    for content, name in pieces:
        plain = Intake(content) if isinstance(content, str) else unpack(content, name, most)
        pasted.append(plain.text)
        intake = plain if plain.refused else take_text(plain.text, name)
        intake.notes = plain.notes + intake.notes if intake is not plain else plain.notes
        intakes.append(intake)
    given = join(intakes, facts, types)
    given.pasted = _joined(pasted)
    return given


def join(intakes: typing.Sequence[Intake], facts: Json, types: Types) -> Given:
    """Combine inputs that have been read.

    Args:
        intakes: from ``tfhelp.collectors.intake.take``, one for each input.
        facts: what the user stated in addition to them.
        types: returns path -> type of every fact; called if a document has to be checked.

    Raises:
        InputError: one of them was rejected.
    """
    notes: list[str] = []
    for intake in intakes:
        if intake.refused:
            raise InputError(intake.refused)
        notes += intake.notes
    documents = [_checked(document, types(), notes) for intake in intakes for document in intake.facts]
    machine = any(group in document for document in documents for group in _MACHINE) or _was_collected(facts)
    scripts = [script for intake in intakes for script in intake.scripts]
    documents.append(_of_all([_code_facts(script.name, script.source, notes) for script in scripts]))
    for document in documents:
        facts = _merged(facts, document)
    return Given(_joined([intake.text for intake in intakes]), facts, notes, machine)


def _was_collected(facts: Json) -> bool:
    """Return whether stated facts are what 'tfhelp collect' printed: they name the sources of a machine's facts."""
    about = facts.get("_about")
    return isinstance(about, dict) and any(path.partition(".")[0] in _MACHINE for path in about)


def _of_all(scripts: list[Json]) -> Json:
    """The facts of several scripts: what one of them does, another one does not deny."""
    facts: Json = {}
    about: Json = {}
    for document in scripts:
        for name, value in document.get("code", {}).items():
            if name not in facts or (facts[name] is False and value is not False):
                facts[name] = value
                about[f"code.{name}"] = document["_about"][f"code.{name}"]
    return {"_about": about, "code": facts} if facts else {}


def _merged(first: Json, second: Json) -> Json:
    """Both documents merged; the first wins. A value from the first never gets a source from the second."""
    if not first or not second:
        return first or second
    from tfhelp.service.diagnosis.collecting import merge_documents

    said = {f"{group}.{name}" for group, value in first.items() if isinstance(value, dict) for name in value} | set(first)
    about = second.get("_about")
    if isinstance(about, dict):
        second = {**second, "_about": {path: known for path, known in about.items() if path not in said}}
    return merge_documents(first, second)


def _joined(texts: list[str]) -> str:
    parts = [text for text in texts if text.strip()]
    # A single text stays exactly as pasted, so that every door gives the same answer.
    return parts[0] if len(parts) == 1 else "\n".join(part.rstrip("\n") for part in parts)


def _code_facts(name: str, source: str, notes: list[str]) -> Json:
    from tfhelp.collectors.code import examine, facts_of_script

    examination = examine(source, name)
    if examination.fault is not None:
        line, message = examination.fault
        notes.append(f"{name}: {examination.where(line)}: not Python 3: {message}.")
        return {}
    document = facts_of_script(source, examination).document()
    return document if len(document) > 1 else {}


def _checked(document: Json, types: dict[str, str], notes: list[str]) -> Json:
    """The document without values that do not match the fact table; what was left out becomes a note."""
    document = {group: value for group, value in document.items() if group != "derived"}  # computed again
    if not _fault(document, types):
        return document
    faults: list[str] = []
    kept: Json = {}
    for group, value in document.items():
        fault = _fault({group: value}, types)
        if fault and group != "_about" and isinstance(value, dict) and len(value) <= _MOST_NAMES:
            value = _fitting(group, value, types, faults)
            fault = _fault({group: value}, types)
        if fault:
            faults.append(fault)
        else:
            kept[group] = value
    more = f" (and {len(faults) - _MOST_FAULTS} more)" if len(faults) > _MOST_FAULTS else ""
    notes.append(f"Left out of the pasted facts: {'; '.join(faults[:_MOST_FAULTS])}{more}.")
    return kept


def _fitting(group: str, values: Json, types: dict[str, str], faults: list[str]) -> Json:
    kept = {}
    for name, value in values.items():
        fault = _fault({group: {name: value}}, types)
        if fault:
            faults.append(fault)
        else:
            kept[name] = value
    return kept


def _fault(document: Json, types: dict[str, str]) -> str:
    try:
        read_document(document, types)
    except FactError as error:
        return str(error)[:200]
    return ""
