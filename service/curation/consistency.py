"""Find faults in the knowledge base as a whole, without diagnosing anything: ids, duplicates, facts, number of examples."""

import pathlib
import typing

import yaml

from tfhelp.kb.load import Fault, LoadedEntry
from tfhelp.service.curation.fact_makers import has_source

CATALOGUE = pathlib.Path(__file__).resolve().parents[2] / "kb" / "catalogue.yaml"
_FEWEST_EXAMPLES = 3
_FEWEST_NEAR_MISSES = 2
_FEWEST_PHRASES = 5


def consistency_faults(loaded: list[LoadedEntry]) -> list[Fault]:
    """All faults, each with file, line and field."""
    return [
        *_catalogue_faults(loaded),
        *_duplicate_signatures(loaded),
        *(fault for item in loaded for fault in _missing_parts(item)),
        *(fault for item in loaded for fault in _facts_without_source(item)),
        *_dangling_references(loaded),
    ]


def read_catalogue() -> dict[str, dict[str, list[str]]]:
    """family -> entry -> causes."""
    catalogue: dict[str, dict[str, list[str]]] = yaml.safe_load(CATALOGUE.read_text(encoding="utf-8"))
    return catalogue


def _catalogue_faults(loaded: list[LoadedEntry]) -> typing.Iterator[Fault]:
    entries = {item.entry.id: item for item in loaded}
    listed = {name: (family, causes) for family, rows in read_catalogue().items() for name, causes in rows.items()}
    for name, (family, causes) in listed.items():
        if name not in entries:
            yield Fault(CATALOGUE, 1, f"{family}.{name}", "the entry is missing or has faults")
            continue
        written = {cause.id for cause in entries[name].entry.causes}
        for cause in causes:
            if cause not in written:
                yield entries[name].fault(("causes",), f"the catalogue's cause {cause} is missing")
        for cause in sorted(written - set(causes)):
            yield entries[name].fault(("causes",), f"the cause {cause} is not in {CATALOGUE.name}")
    for name in sorted(entries.keys() - listed.keys()):
        yield entries[name].fault(("id",), f"the entry is not in {CATALOGUE.name}")


def _duplicate_signatures(loaded: list[LoadedEntry]) -> typing.Iterator[Fault]:
    owner: dict[str, str] = {}
    for item in loaded:
        for number, signature in enumerate(item.entry.matches.decisive):
            other = owner.setdefault(signature.pattern, item.entry.id)
            if other != item.entry.id:
                yield item.fault(("matches", "decisive", number), f"{other} claims the same signature")


def _missing_parts(item: LoadedEntry) -> typing.Iterator[Fault]:
    examples = item.folder / "examples.yaml"
    if len(item.examples.must_match) < _FEWEST_EXAMPLES:
        yield Fault(examples, 1, "must_match", f"fewer than {_FEWEST_EXAMPLES} texts that must match")
    if len(item.examples.near_misses) < _FEWEST_NEAR_MISSES:
        yield Fault(examples, 1, "near_misses", f"fewer than {_FEWEST_NEAR_MISSES} near misses")
    for number, cause in enumerate(item.entry.causes):
        if cause.id not in item.examples.wins_when:
            yield Fault(examples, 1, "wins_when", f"no state of facts in which {cause.id} wins")
        if item.entry.severity == "benign":
            continue
        if len(cause.phrases) < _FEWEST_PHRASES:
            yield item.fault(("causes", number), f"{cause.id} has fewer than {_FEWEST_PHRASES} phrases")
        if not cause.checks:
            yield item.fault(("causes", number), f"{cause.id} has no check that could confirm or refute it")


def _facts_without_source(item: LoadedEntry) -> typing.Iterator[Fault]:
    for number, cause in enumerate(item.entry.causes):
        for place, check in enumerate(cause.checks):
            if check.fact and not has_source(check.fact):
                yield item.fault(("causes", number, "checks", place, "fact"), f"{check.fact}: nothing makes this fact")
    for number, match in enumerate(item.entry.matches.facts):
        if not has_source(match.fact):
            yield item.fault(("matches", "facts", number), f"{match.fact}: nothing makes this fact")


def _dangling_references(loaded: list[LoadedEntry]) -> typing.Iterator[Fault]:
    names = {item.entry.id for item in loaded}
    for item in loaded:
        for number, name in enumerate(item.entry.matches.yields_to):
            if name not in names:
                yield item.fault(("matches", "yields_to", number), f"no entry is called {name}")
        for number, example in enumerate(item.examples.near_misses):
            if example.entry and example.entry not in names:
                yield Fault(item.folder / "examples.yaml", 1, f"near_misses.{number}", f"no entry is called {example.entry}")
