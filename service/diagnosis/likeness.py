"""Find the entries that are similar to a text, in words and in meaning."""

import enum
import typing

from tfhelp.index import lexical
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.lexicon import words
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis.candidates import Likeness

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.private_likeness import PrivateLikeness

_LIKE_ENOUGH = 64  # phrases that a search returns
_COMMON = 0.015  # share of the phrases that contain a word; nan, oom, hang and slow are below it
_STORY = 14  # words; a longer text can be a story
_IN_WORDS = 0.7  # share of them that must be real words, not numbers or paths
_EDGE = 20  # records
_MOST_LINES, _MOST_PROSE = 2_000, 0.75  # lines that a user writes, and share of the records at the ends of a longer text


class Look(enum.Enum):
    """How far a search goes."""

    WORDS = enum.auto()
    """A signature has settled it: search phrases that share words with the text."""
    WORDS_FIRST = enum.auto()
    """Search phrases that share words; use the encoder only if the words do not settle it."""
    MEANING = enum.auto()
    """Search phrases that share words, and with the encoder those with a similar meaning."""


class LikenessSearch:
    """The searches by likeness over one knowledge base.

    Args:
        knowledge: the compiled knowledge base.
        vectors: phrase search by meaning (``tfhelp.index.vectors.VectorIndex``), a function that takes the phrases'
            version and loads it on first use, or ``None`` for no such search.
        warm: whether to prepare the lexical index for many questions.
        words: phrase search by words, instead of the knowledge base's own.
    """

    __slots__ = ("_knowledge", "_lexical", "_opened", "_private", "_vectors")

    def __init__(self, knowledge: Knowledge, vectors: typing.Any, warm: bool, words: typing.Any = None) -> None:
        self._knowledge = knowledge
        self._vectors = vectors
        self._opened: typing.Any = None
        self._lexical: typing.Any = words
        if warm and not words:
            self._lexical = lexical.LexicalIndex(knowledge.lexicon)
        self._private: PrivateLikeness | None = None
        if knowledge.parts:
            from tfhelp.service.diagnosis import private_likeness

            self._private = private_likeness.PrivateLikeness(knowledge)

    def search(self, condensed: str, look: Look, named: typing.Collection[str] = ()) -> Likeness:
        """The likeness of the condensed failure.

        Args:
            condensed: the failure in a few words; empty if there is none.
            look: how far to search.
            named: entries that a signature or a fact identifies.
        """
        if not condensed:
            return Likeness([], [], {})
        if self._says_too_little(condensed):
            return self._of_entries(self._search(condensed, look, named), named) if named else Likeness([], [], {})
        return self._search(condensed, look, named)

    def _search(self, condensed: str, look: Look, named: typing.Collection[str]) -> Likeness:
        near = self._in_words(condensed)
        if look is Look.WORDS or self._vectors is None:
            like = Likeness(near, [], {})
            return self._private.extended(like, condensed, _LIKE_ENOUGH, named) if self._private else like
        settled = self._settled_by_words(condensed) if look is Look.WORDS_FIRST else None
        if self._private is None:
            return settled_in(near, settled) if settled else Likeness(near, *self._loaded().look_up(condensed, _LIKE_ENOUGH))
        vectors = self._loaded()
        vector = vectors.encode([condensed])[0]
        like = settled_in(near, settled) if settled else Likeness(near, *vectors.look_up_vector(vector, condensed, _LIKE_ENOUGH))
        return self._private.extended(like, condensed, _LIKE_ENOUGH, named, vectors, vector)

    def _says_too_little(self, condensed: str) -> bool:
        """Return whether the words that can be compared are few: they would be like the wrong entries.

        The words of scripts other than Latin cannot be compared. If they are most of the text, the rest is names. The only word of a
        text says nothing if many phrases have it, such as "keras".
        """
        if not condensed.isascii():
            letters = [letter.isascii() for letter in condensed if letter.isalpha()]
            if 2 * sum(letters) < len(letters):
                return True
        asked = set(words(condensed))
        found = self._knowledge.lexicon.find(asked.pop()) if len(asked) == 1 else None
        return found is not None and len(found.numbers) > _COMMON * self._knowledge.lexicon.texts

    def _of_entries(self, like: Likeness, entries: typing.Collection[str]) -> Likeness:
        """The likeness to some entries only."""
        phrases = self._knowledge.phrases
        lexical, vector = ([row for row in found if phrases[row[0]][0] in entries] for found in (like.lexical, like.vector))
        classified = {label: share for label, share in like.classified.items() if label in entries}
        return Likeness(lexical, vector, classified, like.settled_by_words)

    def _loaded(self) -> typing.Any:
        if self._opened is None:
            self._opened = self._vectors(self._knowledge.phrases_version) if callable(self._vectors) else self._vectors
        return self._opened

    def _settled_by_words(self, condensed: str) -> dict[str, float] | None:
        """Label -> probability if the words alone settle what the text is about; this loads no vectors."""
        if not callable(self._vectors):
            found: dict[str, float] | None = self._vectors.settled_by_words(condensed)
            return found
        from tfhelp.index import word_classifier

        settles = word_classifier.shared(word_classifier.ARTEFACTS, self._knowledge.phrases_version)
        return settles.sure(condensed) if settles else None

    def search_elsewhere(self, condensed: str, look: Look, named: typing.Collection[str]) -> Likeness:
        """The likeness of another library's or program's failure: to no shipped entry, but possibly to a team's own.

        Args:
            condensed: the failure in a few words.
            look: as for ``search``.
            named: entries that a signature or a fact identifies. Only with one does it matter whether the text is out of scope.
        """
        if self._private is None:
            return of_no_entry(self.search(condensed if named else "", look))
        return self._private.only(self.search(condensed, look, named))

    def _in_words(self, query: str) -> list[tuple[int, float]]:
        if self._lexical:
            found: list[tuple[int, float]] = self._lexical.search(query, _LIKE_ENOUGH)
            return found
        return lexical.search(self._knowledge.lexicon, query, _LIKE_ENOUGH)


def settled_in(near: list[tuple[int, float]], settled: dict[str, float]) -> Likeness:
    """The likeness of a text that its words settle: the encoder was not used."""
    return Likeness(near, [], settled, True)


def of_no_entry(like: Likeness) -> Likeness:
    """The likeness that still counts for another library's or program's failure: only whether it is out of scope.

    Messages of other software share words with TensorFlow's (a shape, a device, a missing file), which proves nothing.
    """
    classified = {label: share for label, share in like.classified.items() if label == OUT_OF_SCOPE}
    return Likeness([], [], classified, like.settled_by_words)


def is_detailed_account(records: list[Record]) -> bool:
    """Return whether the user describes at some length what happened. This can distinguish causes that a message does not.

    People write before or after what they paste, and in words; the sentences that programs print are full of numbers and paths.
    If both ends of a text of thousands of lines are in words, a program printed it.
    """
    edges = records if len(records) <= 2 * _EDGE else records[:_EDGE] + records[-_EDGE:]
    prose = [record for record in edges if record.kind == "prose"]
    if edges and edges[-1].last_line > _MOST_LINES and len(prose) > _MOST_PROSE * len(edges):
        return False
    return any(_is_account(record.text.split()) for record in prose)


def _is_account(words: list[str]) -> bool:
    return len(words) > _STORY and sum(word.strip("\"'(),.:;?!").isalpha() for word in words) >= _IN_WORDS * len(words)
