"""The training data of the confidence: texts from the knowledge base with their right answers, read in three ways.

First, unchanged. Second, as if their entry did not exist, which is the case for most complaints: the right answer is then an
entry that is declared close (``yields_to``), or none. Third, as if their wording were new: the entry's signatures do not count,
and likeness alone has to find the entry. Without the third way, likeness would look worse than it is, since nearly every example
has its own signature.
"""

import json
import pathlib
import typing

from tfhelp.kb.load import LoadedEntry
from tfhelp.service.curation.own_cases import Json, nested, own_cases
from tfhelp.service.curation.recordings import BROKEN, facts_of_script

# The weight of a case of each kind. The weights reflect what users submit. Nearly half of the texts that no signature matches have an
# entry. There are many phrases, and each says less than a text. There are few healthy outputs, and a false alarm is costly.
KINDS = {
    "text": 1.0,
    "account": 1.0,
    "phrase": 0.05,
    "near miss": 1.0,
    "silent text": 0.5,
    "silent account": 0.5,
    "withheld text": 0.6,
    "withheld account": 0.75,
    "withheld phrase": 0.036,
    "script": 1.0,
    "out of scope": 0.8,
    "healthy": 4.0,
}
FIXED = ".fixed.py"
WITHHELD = "withheld "
SILENT = "silent "


class TrainingCase(typing.NamedTuple):
    """A text with the right answer.

    Attributes:
        kind: one of ``KINDS``.
        text, facts: as a user gives them.
        owner: the entry that it belongs to, or empty.
        right: the entry that it must get; ``None`` means that it must get none.
        wrong: an entry that it must not get; any other answer is then allowed, unless ``right`` is given.
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
        """Return whether every answer is right except the wrong entry; abstaining is right too."""
        return self.wrong is not None and self.right is None


def of_entries(loaded: list[LoadedEntry]) -> typing.Iterator[TrainingCase]:
    """Texts, near misses and accounts of all entries."""
    for case in own_cases(loaded):
        if case.not_entry:
            yield TrainingCase("near miss", case.text, case.facts, case.item.entry.id, case.entry, case.not_entry)
        else:
            yield TrainingCase("text", case.text, case.facts, case.entry or case.item.entry.id, case.entry)
    for item in loaded:
        for state in item.examples.wins_when.values():
            if state.text and not any(path.startswith("derived.") for path in state.facts):  # no user can give these
                yield TrainingCase("text", state.text, nested(state.facts), item.entry.id, item.entry.id)
        for account in item.examples.accounts:
            yield TrainingCase("account", account.text, {}, item.entry.id, item.entry.id)


def of_scripts(loaded: list[LoadedEntry]) -> typing.Iterator[TrainingCase]:
    """Programs that fail, without any text: the facts found in them identify the entry; the fixed twin must identify none."""
    for item in loaded:
        for broken in sorted(item.folder.glob(f"*{BROKEN}")):
            found, cured = facts_of_script(broken), facts_of_script(broken.with_name(broken.name.replace(BROKEN, FIXED)))
            if found.get("code") and found.get("code") != cured.get("code"):
                yield TrainingCase("script", "", found, item.entry.id, item.entry.id)
                yield TrainingCase("script", "", cured, item.entry.id, None)


def of_phrases(phrases: typing.Sequence[tuple[str, str, str]]) -> typing.Iterator[TrainingCase]:
    """Every phrase as a question. Titles are left out, because users do not ask in the words of the answer."""
    titles = {entry: text for entry, cause, text in reversed(phrases) if not cause}
    for number, (entry, _, text) in enumerate(phrases):
        if not text.startswith(titles[entry]):
            yield TrainingCase("phrase", text, {}, entry, entry, phrase=number)


def out_of_scope(lines: typing.Iterable[str]) -> typing.Iterator[TrainingCase]:
    """Texts about other software, or about no failure."""
    return (TrainingCase("out of scope", line, {}, "", None) for line in lines)


def healthy(folder: pathlib.Path) -> typing.Iterator[TrainingCase]:
    """Recorded outputs of programs that finished without a failure."""
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
