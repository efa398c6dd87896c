"""Check a folder of private knowledge: form, ids, facts, and its own answers together with the shipped entries."""

import pathlib
import typing

from tfhelp.kb import compiled
from tfhelp.kb.load import Fault, LoadedEntry, entry_folders
from tfhelp.kb.overlay import OverlaidKnowledge
from tfhelp.kb.private import check_folder, part_of
from tfhelp.kb.private_build import load_folder
from tfhelp.service.curation.answers import answer_faults
from tfhelp.service.curation.fact_makers import has_source
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors


class Checked(typing.NamedTuple):
    """The result of a check: the faults, and the names of all entries in the folder, including unfinished ones."""

    faults: list[Fault]
    names: list[str]


def check_private(folder: str, with_answers: bool = True, only: typing.Collection[str] = ()) -> Checked:
    """All faults in a folder.

    Args:
        folder: a folder of private knowledge.
        with_answers: whether to diagnose its examples, which takes some seconds.
        only: the entries to check; empty for all.

    Raises:
        tfhelp.kb.compiled.KnowledgeError: there is no such folder, or a file cannot be read.
    """
    check_folder(folder)
    shipped = compiled.load(compiled.PATH)
    root = pathlib.Path(folder)
    valid, faults = load_folder(root, shipped)
    made = {path for row in shipped.signatures for path in row.captures.values()}
    for item in valid:
        faults += [*_missing_parts(item), *_facts_without_source(item, made | _captured(item))]
    asked = [item for item in valid if not only or item.entry.id in only]
    if with_answers and asked:
        knowledge = OverlaidKnowledge(shipped, [part_of(folder, shipped)])
        faults += answer_faults(asked, Diagnoser(knowledge, load_vectors, warm=True))
    names = [path.name for path in entry_folders(root)]
    chosen = [fault for fault in faults if not only or fault.file.parent.name in only]
    return Checked(sorted(chosen, key=lambda fault: (str(fault.file), fault.line)), names)


def _missing_parts(item: LoadedEntry) -> typing.Iterator[Fault]:
    examples = item.folder / "examples.yaml"
    if not item.examples.must_match:
        yield Fault(examples, 1, "must_match", "no text that must match, so nothing shows that the entry is found")
    signs = item.entry.matches
    if not (signs.decisive or signs.facts or signs.phrases):
        yield item.fault(("matches",), "neither a decisive pattern, a fact nor a phrase: nothing can find this entry")


def _captured(item: LoadedEntry) -> set[str]:
    return {path for row in (*item.entry.matches.decisive, *item.entry.matches.supporting) for path in row.captures.values()}


def _facts_without_source(item: LoadedEntry, made: set[str]) -> typing.Iterator[Fault]:
    for number, cause in enumerate(item.entry.causes):
        for place, check in enumerate(cause.checks):
            if check.fact and check.fact not in made and not has_source(check.fact):
                yield item.fault(("causes", number, "checks", place, "fact"), f"{check.fact}: nothing makes this fact")
    for number, match in enumerate(item.entry.matches.facts):
        if match.fact not in made and not has_source(match.fact):
            yield item.fault(("matches", "facts", number), f"{match.fact}: nothing makes this fact")
