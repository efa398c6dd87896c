"""The pages of the entries: the list, search results, and one problem with all that is known about it."""

import functools
import re
import typing

from tfhelp.kb import templates
from tfhelp.kb.compiled import Knowledge

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCause, CompiledCheck, CompiledEntry

Json = dict[str, typing.Any]

FAMILIES = {
    "install": "Installing, and finding the GPU",
    "memory": "Memory and disk",
    "gpu-runtime": "Crashes and errors while it runs",
    "training": "Data, models and training",
    "distributed": "Several GPUs and machines",
    "benign": "Harmless messages",
}
"""Families in the order of the list, with their headings; any other family follows them."""

_MOST_MESSAGES = 4
_LONGEST_MESSAGE = 150  # characters
_LONGEST_DESCRIPTION = 158  # characters; search engines show about this many
_MOST_SIGNS = 2
# The time, level and source location that TensorFlow's logger writes before a message.
_LOGGED = re.compile(r"^[\d\-/ :.,]{8,40}:? ?[IWEF] [\w/.\-]{1,120}:\d{1,6}\] ")
# The package that Python writes before an exception's name.
_PACKAGE = re.compile(r"^(?:[a-z_][a-z_0-9]{0,40}\.){1,8}(?=[A-Z]\w{1,60}:)")
_WEIGHTS = {"strong": 2, "medium": 1, "weak": 0}
_SOURCE_LINE = re.compile(r"^\s*(?:\$ |>>> |File \")")


def shown(text: str) -> str:
    """A sentence or snippet of an entry outside a diagnosis: each placeholder has its default for unknown facts."""
    return templates.fill(text, lambda path: None)


def entry_view(entry: "CompiledEntry", knowledge: Knowledge) -> Json:
    """An entry with the default in every placeholder, plus what the page derives from it.

    ``description`` is for search engines and previews, ``messages`` are lines by which to recognise the problem, and ``signs``
    describe how to distinguish each cause from the others.
    """
    filled: Json = _filled(entry)
    return {
        **filled,
        "heading": heading(entry["family"]),
        "description": description(filled),
        "messages": messages(entry["id"], knowledge),
        "signs": [_sign(cause) for cause in filled["causes"]] if len(filled["causes"]) > 1 else [],
    }


def heading(family: str) -> str:
    """A family's heading."""
    return FAMILIES.get(family, family.replace("-", " ").capitalize())


def description(entry: Json) -> str:
    """One or two sentences without Markdown, cut at the end of a word: what the problem is, and what the first fix is."""
    first = entry["causes"][0]["fix"]["summary"] if entry["causes"] else ""
    text = " ".join(f"{entry['title'].rstrip('.')}. {first}".replace("`", "").split())
    return text if len(text) <= _LONGEST_DESCRIPTION else text[:_LONGEST_DESCRIPTION].rpartition(" ")[0].rstrip(",;:") + "\u2026"


def messages(entry: str, knowledge: Knowledge) -> list[str]:
    """Lines by which to recognise an entry, from its own examples, one for each pattern, most telling first."""
    return list(_messages(entry, knowledge))


@functools.lru_cache(maxsize=512)
def _messages(entry: str, knowledge: Knowledge) -> tuple[str, ...]:
    import re2

    lines = [line for of, text in knowledge.training_examples if of == entry for line in text.splitlines()]
    found: list[str] = []
    for row in knowledge.signatures:
        if row.entry != entry or row.strength != "decisive" or row.said or len(found) == _MOST_MESSAGES:
            continue
        pattern = re2.compile(row.pattern)
        line = next((line for line in lines if not _SOURCE_LINE.match(line) and pattern.search(line)), "")
        message = _short(_PACKAGE.sub("", _LOGGED.sub("", line.strip())))
        if message and message not in found:
            found.append(message)
    return tuple(found)


def _short(message: str) -> str:
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return message[:_LONGEST_MESSAGE].rpartition(" ")[0] + " \u2026"


def _sign(cause: "CompiledCause") -> Json:
    """How to distinguish a cause from the entry's other causes: its strongest checks, and a command that shows them."""
    checks = sorted(cause["checks"], key=_worth, reverse=True)
    asked = [check["if_unknown"]["command"] for check in checks if check.get("if_unknown", {}).get("command")]
    return {
        "id": cause["id"],
        "title": cause["title"],
        "says": list(dict.fromkeys(check["says"].rstrip(".") for check in checks))[:_MOST_SIGNS],
        "command": asked[0] if asked else "",
    }


def _worth(check: "CompiledCheck") -> int:
    return 4 * check["decides"] + 3 * check["required"] + _WEIGHTS[check["weight"]]


def _filled(value: typing.Any) -> typing.Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return [_filled(item) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item) for key, item in value.items()}
    return value


def families(knowledge: Knowledge) -> list[tuple[str, str, list[Json]]]:
    """(family, heading, entries) of all entries, in the order of ``FAMILIES``."""
    groups: dict[str, list[Json]] = {}
    for name in knowledge.entries():
        summary = knowledge.summaries[name]
        groups.setdefault(summary["family"], []).append({"id": name, **summary})
    order = {family: place for place, family in enumerate(FAMILIES)}
    return [(family, heading(family), groups[family]) for family in sorted(groups, key=lambda one: (order.get(one, 99), one))]
