"""One search over everything that can be looked up: entries and causes, public names and operations, messages.

The same words give the same result at every door: ``GET /entries?q=``, ``GET /api/v1/search``, ``tfhelp explain WORDS``.
"""

import re
import typing

from tfhelp.service.search.entries import EntrySearch

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas
    from tfhelp.kb.compiled import Knowledge

LONGEST_QUERY = 300  # characters; a longer text is a log, which is for 'ask'
MOST_HITS = 50
_MOST_NAMES = 5
_MESSAGE_WORDS = 4  # fewer words are not a message
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w*)*")
_CAMEL = re.compile(r"[A-Z]+[a-z]")
_SHORTEST_LEAF = 3

Kind = typing.Literal["entry", "name", "operation", "message"]


class Hit(typing.TypedDict):
    """A search result.

    ``id`` is an entry's id, a public name, an operation, or the query if it is a message. ``says`` is a sentence about it.
    ``cause`` is the cause of the entry that the words are about. ``score`` orders entries; other kinds have no score.
    """

    kind: Kind
    id: str
    title: str
    says: str
    family: typing.NotRequired[str]
    severity: typing.NotRequired[str]
    cause: typing.NotRequired[dict[str, str]]
    score: typing.NotRequired[float]


class Search:
    """The search index. Building it takes a quarter of a second, and a search takes less than a hundredth.

    Args:
        knowledge: the compiled knowledge base.
    """

    def __init__(self, knowledge: "Knowledge") -> None:
        self._knowledge = knowledge
        self._entries = EntrySearch(knowledge)

    def find(self, query: str, most: int = 20) -> list[Hit]:
        """The results, best first.

        Args:
            query: a few words, a name, or a message; it is cut after ``LONGEST_QUERY`` characters.
            most: maximum number of results.
        """
        query = " ".join(query[:LONGEST_QUERY].split()) + (" " if query[:LONGEST_QUERY][-1:].isspace() else "")
        entries = self.entries(query, most)
        others = [*_messages(query), *_names(query)]
        hits = [*others, *entries] if _asks_for_a_name(query.strip(), others) else [*entries, *others]
        return hits[:most]

    def entries(self, query: str, most: int = 20) -> list[Hit]:
        """Only the entries."""
        return [self._entry_hit(hit.entry, hit.cause, hit.score) for hit in self._entries.find(query[:LONGEST_QUERY], most)]

    def _entry_hit(self, entry: str, cause: str, score: float) -> Hit:
        summary = self._knowledge.summaries[entry]
        means = self._knowledge.entry(entry)["means"]
        hit: Hit = {
            "kind": "entry",
            "id": entry,
            "title": summary["title"],
            "says": _first_sentence(means),
            "family": summary["family"],
            "severity": summary["severity"],
            "score": round(score, 3),
        }
        if cause:
            hit["cause"] = {"id": cause, "title": summary["causes"][cause]}
        return hit


def _asks_for_a_name(query: str, others: list[Hit]) -> bool:
    """Return whether the query is just a name: one with dots, or the name of a class."""
    if " " in query or not others:
        return False
    return "." in query.strip(".") or (_CAMEL.match(query) is not None and others[0]["id"].rpartition(".")[2] == query)


def _first_sentence(text: str) -> str:
    sentence, stop, _ = " ".join(text.split()).partition(". ")
    return sentence + "." if stop else sentence


def _names(query: str) -> list[Hit]:
    """Public names and operations: for a single word, all with this prefix; for several words, those that look like a name."""
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError

    typed = query.split()
    wanted = [word for word in typed if _is_name(word, len(typed) == 1)][:3]
    try:
        atlas = shared() if wanted else None
        return [hit for word in wanted if atlas for hit in _named(word, atlas, _MOST_NAMES if len(typed) == 1 else 1)]
    except AtlasError:
        return []  # an installation without the atlas still finds entries


def _is_name(word: str, alone: bool) -> bool:
    if not _NAME.fullmatch(word) or len(word) < _SHORTEST_LEAF:
        return False
    return "." in word.strip(".") or _CAMEL.match(word) is not None or alone


def _named(word: str, atlas: "Atlas", most: int) -> list[Hit]:
    hits = [_operation(word)] if "." not in word else []
    exact = [word] if "." in word and atlas.lookup(word) else []
    names = list(dict.fromkeys([*exact, *atlas.beginning(word, most)]))[:most]
    if not names and "." in word:
        names = atlas.nearest(word, most)
    if most == 1 and "." not in word:  # one of several words: only an exact match
        names = [name for name in names if name.rpartition(".")[2].lower() == word.lower()]
    return [*(hit for hit in hits if hit), *(_name_hit(name, atlas) for name in names)]


def _name_hit(name: str, atlas: "Atlas") -> Hit:
    """The releases that have it; ``tfhelp explain NAME`` shows the rest, which takes longer."""
    from tfhelp.service.diagnosis.explained import releases
    from tfhelp.service.diagnosis.explained_words import in_words

    found = atlas.lookup(name)
    says = f"It exists in {in_words(releases(found.releases))}." if found else "A module."
    return {"kind": "name", "id": name, "title": name, "says": says}


def _operation(word: str) -> Hit | None:
    from tfhelp.kb.atlas import ops

    op = ops.shared().get(word)
    return None if op is None else {"kind": "operation", "id": word, "title": word, "says": "An operation of TensorFlow."}


def _messages(query: str) -> list[Hit]:
    """The message itself, if Python code in TensorFlow or Keras raises it."""
    if len(query.split()) < _MESSAGE_WORDS:
        return []
    from tfhelp.kb.atlas.store import AtlasError
    from tfhelp.service.diagnosis.explained import explain_message

    try:
        found = explain_message(query)
    except AtlasError:
        return []
    if found is None or found["weak"]:
        return []
    return [{"kind": "message", "id": query.strip(), "title": query.strip(), "says": " ".join(found["says"][:2])}]
