"""Compile a folder of private knowledge. If an entry has a fault, only that entry is left out."""

import json
import pathlib
import typing

from tfhelp.kb import patterns
from tfhelp.kb.compile import (
    commonness,
    content_of,
    phrases_of,
    sections_of_entries,
    sections_of_phrases,
    signatures_of,
    training_examples_of,
)
from tfhelp.kb.compiled import Knowledge, KnowledgeError
from tfhelp.kb.lexicon import packed_lexicon
from tfhelp.kb.load import Fault, LoadedEntry, load_entries

_RAISED_BY, _SHARED = 6, 7  # places in a signature's row


def compile_folder(folder: str, shipped: Knowledge) -> bytes:
    """The bytes of a folder's compiled file: its valid entries, their places, and the faults of the others.

    Raises:
        KnowledgeError: the folder cannot be read.
    """
    try:
        valid, faults = load_folder(pathlib.Path(folder), shipped)
        return _content(valid, faults, shipped)
    except OSError as error:
        raise KnowledgeError(f"{error.filename or folder}: cannot be read ({error.strerror})") from None


def load_folder(folder: pathlib.Path, shipped: Knowledge) -> tuple[list[LoadedEntry], list[Fault]]:
    """The valid entries of a folder, and every fault of the others.

    Args:
        folder: of private knowledge.
        shipped: the knowledge base that it is added to. An entry may yield to a shipped entry, and may only reuse its id with
            ``overrides``.
    """
    loaded, faults = load_entries(folder)
    names = {item.entry.id for item in loaded} | set(shipped.summaries)
    seen: dict[str, LoadedEntry] = {}
    for item in loaded:
        faults += _faults_of_id(item, shipped, seen)
        for number, other in enumerate(item.entry.matches.yields_to):
            if other not in names:
                faults.append(item.fault(("matches", "yields_to", number), f"no entry is called {other}"))
        seen.setdefault(item.entry.id, item)
    broken = {fault.file.parent for fault in faults}
    return [item for item in loaded if item.folder not in broken], faults


def _faults_of_id(item: LoadedEntry, shipped: Knowledge, seen: dict[str, LoadedEntry]) -> list[Fault]:
    name = item.entry.id
    if name in seen:
        return [item.fault(("id",), f"{seen[name].folder / 'entry.yaml'} has this id too")]
    if name in shipped.summaries and not item.entry.overrides:
        return [item.fault(("id",), f"tfhelp has an entry {name}; take another id, or say 'overrides: {name}' to replace it")]
    if item.entry.overrides and name not in shipped.summaries:
        return [item.fault(("overrides",), f"tfhelp has no entry {name} that could be replaced")]
    return []


def _content(valid: list[LoadedEntry], faults: list[Fault], shipped: Knowledge) -> bytes:
    common = commonness(valid)
    phrases = [row for item in valid for row in phrases_of(item)]
    examples = [row for item in valid for row in (*training_examples_of(item), *_near_misses(item))]
    about = {
        "places": {item.entry.id: f"{item.folder / 'entry.yaml'}:{item.lines.get(('id',), 1)}" for item in valid},
        "faults": [str(fault) for fault in faults],
    }
    sections = {
        **sections_of_entries(valid, common, [row for item in valid for row in _signatures(item, common)]),
        **sections_of_phrases(phrases, examples, packed_lexicon([text for _, _, text in phrases], shipped.lexicon)),
        "about": json.dumps(about).encode(),
    }
    return content_of({"phrases_version": "", "fact_types": {}}, sections)


def _near_misses(item: LoadedEntry) -> list[list[str]]:
    """The near misses for the classifier. Shipped near misses are held out as a test, but a team has few texts, and its own words
    also occur in harmless lines.
    """
    return [["", example.text] for example in item.examples.near_misses if example.entry is None]


def _signatures(item: LoadedEntry, common: patterns.Commonness) -> list[list[typing.Any]]:
    """As for shipped entries, but the default ``raised_by`` is any origin: a team's entries are about its own programs."""
    rows = signatures_of(item, common)
    for row in rows:
        if not row[_RAISED_BY] and not row[_SHARED]:
            row[_RAISED_BY] = ["any"]
    return rows
