"""The likeness of a text to a team's own entries, added to its likeness to the shipped ones.

The shipped entries keep the likeness that they have without any private folder, unless the classifier of the private entries
claims a share of the text. That share is taken from the shipped entries and from "out of scope" proportionally.
"""

import threading
import typing

from tfhelp.index import lexical
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis.candidates import Likeness

if typing.TYPE_CHECKING:
    from tfhelp.index.private_index import PrivateIndex

_CLAIM = 0.1
"""Lowest probability at which a private entry counts as meant. Hardly any text about something else gets this much."""


class PrivateLikeness:
    """The searches by likeness over private folders.

    Args:
        knowledge: shipped and private entries.
    """

    __slots__ = ("_indexes", "_knowledge", "_lock", "_names")

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._names = {entry for part in knowledge.parts for entry in part.knowledge.summaries}
        self._indexes: list[PrivateIndex | None] | None = None
        self._lock = threading.Lock()

    def extended(
        self,
        shipped: Likeness,
        query: str,
        limit: int,
        named: typing.Collection[str],
        vectors: typing.Any = None,
        vector: typing.Any = None,
    ) -> Likeness:
        """A likeness extended by the private entries that a signature identifies, or whose classifier claims the text.

        Args:
            shipped: the text's likeness to the shipped entries.
            query: the text.
            limit: maximum number of phrases.
            named: entries that a signature or a fact identifies.
            vectors: the shipped index, if the search is also by meaning.
            vector: the text's vector, from that index.
        """
        near: list[tuple[int, float]] = []
        alike: list[tuple[int, float]] = []
        claims: dict[str, float] = {}
        start = len(self._knowledge.shipped.phrases)
        for place, part in enumerate(self._knowledge.parts):
            found = lexical.search_beside(part.knowledge.lexicon, self._knowledge.shipped.lexicon, query, limit)
            near += [(start + number, value) for number, value in found]
            index = self._loaded(vectors)[place] if vectors is not None else None
            if index:
                alike += [(start + number, value) for number, value in index.search(vector, limit)]
                claims |= index.probabilities(vector, query)
            start += len(part.knowledge.phrases)
        claims = {entry: share for entry, share in claims.items() if share >= _CLAIM and self._is_private(entry)}
        return self._joined(shipped, near, alike, claims, {*claims, *named})

    def _joined(
        self,
        shipped: Likeness,
        near: list[tuple[int, float]],
        alike: list[tuple[int, float]],
        claims: dict[str, float],
        meant: set[str],
    ) -> Likeness:
        if meant.isdisjoint(self._names):
            return shipped
        phrases = self._knowledge.phrases
        claimed = min(1.0, sum(claims.values()))
        classified = {entry: share * (1 - claimed) for entry, share in shipped.classified.items()}
        for entry, share in claims.items():
            classified[entry] = classified.get(entry, 0.0) + share
        return Likeness(
            shipped.lexical + [row for row in near if phrases[row[0]][0] in meant],
            shipped.vector + [row for row in alike if phrases[row[0]][0] in meant],
            classified,
            shipped.settled_by_words,
        )

    def only(self, like: Likeness) -> Likeness:
        """The private part of a likeness, and whether the text is out of scope: for a failure of another library or program.

        Its words prove nothing for the shipped entries, but a team's own library is another library too.
        """
        start = len(self._knowledge.shipped.phrases)
        known = {entry: share for entry, share in like.classified.items() if entry == OUT_OF_SCOPE or self._is_private(entry)}
        near, alike = ([row for row in found if row[0] >= start] for found in (like.lexical, like.vector))
        return Likeness(near, alike, known, like.settled_by_words)

    def _is_private(self, entry: str) -> bool:
        return entry in self._names

    def _loaded(self, vectors: typing.Any) -> "list[PrivateIndex | None]":
        with self._lock:
            if self._indexes is None:
                from tfhelp.index.private_index import private_indexes

                self._indexes = private_indexes(self._knowledge, vectors)
            return self._indexes
