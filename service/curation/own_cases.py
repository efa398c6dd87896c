"""The texts of the knowledge base itself, with the answers that they must get."""

import typing

from tfhelp.kb.load import LoadedEntry
from tfhelp.service.curation.recordings import facts_of_recording, read_recording

Json = dict[str, typing.Any]


class OwnCase(typing.NamedTuple):
    """A text from the knowledge base with the answer that it must get; ``not_entry`` is an entry that it must not get."""

    name: str
    item: LoadedEntry
    text: str
    facts: Json
    entry: str | None
    cause: str | None
    not_entry: str | None


def own_cases(loaded: list[LoadedEntry]) -> list[OwnCase]:
    """Every recording, every text that must match, every near miss."""
    cases = []
    for item in loaded:
        name = item.entry.id
        for cause in item.entry.causes:
            path = item.folder / f"{cause.id}.recorded.json"
            if path.exists():
                text = read_recording(path)["output"]
                cases.append(OwnCase(path.name, item, text, facts_of_recording(path), name, cause.id, None))
        for number, example in enumerate(item.examples.must_match):
            facts = nested(example.facts)
            cases.append(OwnCase(f"must_match.{number}", item, example.text, facts, example.entry or name, example.cause, None))
        for number, example in enumerate(item.examples.near_misses):
            cases.append(OwnCase(f"near_misses.{number}", item, example.text, nested(example.facts), example.entry, None, name))
    return cases


def nested(flat: Json) -> Json:
    """A facts document from flat paths (``os.name``) or groups."""
    document: Json = {}
    for path, value in flat.items():
        group, _, rest = path.partition(".")
        if rest:
            document.setdefault(group, {})[rest] = value
        elif isinstance(value, dict):
            document.setdefault(group, {}).update(value)
        else:
            document[group] = value
    return document
