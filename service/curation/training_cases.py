"""What the confidence learns from: texts of the knowledge base with their right answers, read in three ways.

As they are; as if nobody had written their entry, which is what most complaints meet: then another entry is right that
says itself that it is close (``yields_to``), or no answer; and as if nobody had written down their wording: the entry's
signatures are silent, and likeness alone has to find it. Without the third, likeness would look worse than it is, since
nearly every example has a signature of its own.
"""

import json
import pathlib
import typing

from tfhelp.kb.load import LoadedEntry
from tfhelp.service.curation.answers import Json, nested, own_cases
from tfhelp.service.curation.recordings import BROKEN, facts_of_script

# How much a case of each kind counts. They stand for what people bring. Of what no signature knows, half has an entry.
# There are many phrases, and each says less than a text. There are few healthy outputs, and a false alarm is dear.
KINDS = {
    "text": 1.0,
    "phrase": 0.05,
    "near miss": 1.0,
    "silent text": 0.5,
    "withheld text": 0.5,
    "withheld phrase": 0.03,
    "script": 1.0,
    "out of scope": 0.8,
    "healthy": 4.0,
}
FIXED = ".fixed.py"
WITHHELD = "withheld "
SILENT = "silent "


class TrainingCase(typing.NamedTuple):
    """A text with what is right for it.

    Attributes:
        kind: one of ``KINDS``.
        text, facts: as a person gives them.
        owner: the entry that it belongs to, or empty.
        right: the entry that it must get; ``None``: none.
        wrong: an entry that it must not get; then what it gets otherwise is left open, unless ``right`` is given.
        phrase: the number of the phrase that it is, or -1.
    """

    kind: str
    text: str
    facts: Json
    owner: str
    right: str | None
    wrong: str | None = None
    phrase: int = -1

    @property
    def left_open(self) -> bool:
        """Whether any entry but the wrong one is right, and none as well."""
        return self.wrong is not None and self.right is None


def of_entries(loaded: list[LoadedEntry]) -> typing.Iterator[TrainingCase]:
    """Texts and near misses of all entries."""
    for case in own_cases(loaded):
        if case.not_entry:
            yield TrainingCase("near miss", case.text, case.facts, case.item.entry.id, case.entry, case.not_entry)
        else:
            yield TrainingCase("text", case.text, case.facts, case.entry or case.item.entry.id, case.entry)
    for item in loaded:
        for state in item.examples.wins_when.values():
            if state.text and not any(path.startswith("derived.") for path in state.facts):  # these no person can give
                yield TrainingCase("text", state.text, nested(state.facts), item.entry.id, item.entry.id)


def of_scripts(loaded: list[LoadedEntry]) -> typing.Iterator[TrainingCase]:
    """Programs that fail, without any text: what is found in them names the entry; in the mended twin it names none."""
    for item in loaded:
        for broken in sorted(item.folder.glob(f"*{BROKEN}")):
            found, cured = facts_of_script(broken), facts_of_script(broken.with_name(broken.name.replace(BROKEN, FIXED)))
            if found.get("code") and found.get("code") != cured.get("code"):
                yield TrainingCase("script", "", found, item.entry.id, item.entry.id)
                yield TrainingCase("script", "", cured, item.entry.id, None)


def of_phrases(phrases: typing.Sequence[tuple[str, str, str]]) -> typing.Iterator[TrainingCase]:
    """Every phrase as a question. A title is none: nobody asks in the words of the answer."""
    titles = {entry: text for entry, cause, text in reversed(phrases) if not cause}
    for number, (entry, _, text) in enumerate(phrases):
        if not text.startswith(titles[entry]):
            yield TrainingCase("phrase", text, {}, entry, entry, phrase=number)


def out_of_scope(lines: typing.Iterable[str]) -> typing.Iterator[TrainingCase]:
    """What speaks of other software, or of no failure."""
    return (TrainingCase("out of scope", line, {}, "", None) for line in lines)


def healthy(folder: pathlib.Path) -> typing.Iterator[TrainingCase]:
    """Outputs of programs that ran to their end, as recorded."""
    for path in sorted(folder.glob("*.json")):
        recorded = json.loads(path.read_text(encoding="utf-8"))
        yield TrainingCase("healthy", recorded["output"], {"run": {"exit_code": recorded["exit_code"]}}, "", None)
        yield TrainingCase("healthy", recorded["output"], {}, "", None)


def withheld(case: TrainingCase) -> TrainingCase:
    """The same text as if its entry did not exist."""
    return case._replace(kind=WITHHELD + case.kind, right=None, wrong=None)


def silent(case: TrainingCase) -> TrainingCase:
    """The same text as if no signature of its entry matched."""
    return case._replace(kind=SILENT + case.kind)
