"""Likeness for texts as if the index had never seen them: phrases are left out, and classifiers are trained without them.

The classifier is trained on the same texts that the confidence is fitted on. It would only repeat what it memorised, so it is
trained again for each fold without that fold, and for each group of entries without those entries.
"""

import math
import typing
import zlib

import numpy

from tfhelp.index.classifier import FEW_ITERATIONS, Classifier
from tfhelp.index.embedding_cache import CachingEncoder
from tfhelp.index.encoder import ARTEFACTS, Encoder
from tfhelp.index.lexical import LexicalIndex
from tfhelp.index.sentence_encoder import DEFAULT_MODEL
from tfhelp.index.word_classifier import WordClassifier
from tfhelp.index.word_classifier import train as train_words
from tfhelp.kb.compiled import Knowledge

FOLDS = 4
_OVERSAMPLING = 8  # neighbours requested for each one returned, since some are left out


def fold_of(name: str) -> int:
    """The fold of a text or an entry; it is always the same."""
    return zlib.crc32(name.encode()) % FOLDS


class UnseenLikeness:
    """Search by likeness and classification for one text at a time, without the data that it must not know.

    It replaces the diagnoser's lexical index and vector index. ``leave_out`` sets what is left out for the next text.

    Attributes:
        may_settle: whether the words alone have been tried since the caller set it to ``False``.
        least_sure: the lowest probability at which the words alone settle a text, so the vectors are not used; infinite at first.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._phrases = knowledge.phrases
        self._lexical = LexicalIndex(knowledge.lexicon)
        self._query = Encoder.load(ARTEFACTS)
        self._queried: dict[str, typing.Any] = {}
        known = CachingEncoder(DEFAULT_MODEL, ARTEFACTS)
        texts = [row[2] for row in knowledge.phrases] + [text for _, text in knowledge.training_examples]
        labels = [row[0] for row in knowledge.phrases] + [entry for entry, _ in knowledge.training_examples]
        vectors = known.encode(texts)
        self._vectors = vectors[: len(self._phrases)]
        self._without_texts = [_train(vectors, texts, labels, [fold_of(text) != fold for text in texts]) for fold in range(FOLDS)]
        self._without_entries = [
            _train(vectors, texts, labels, [not label or fold_of(label) != fold for label in labels]) for fold in range(FOLDS)
        ]
        self._classifier, self._words = self._without_texts[0]
        self._entry = ""
        self._phrase = -1
        self.may_settle = False
        self.least_sure = math.inf

    def leave_out(self, text: str, phrase: int, entry: str) -> None:
        """Leave out of the next search: the text itself, the phrase that it is (-1: none), and an entry (empty: none)."""
        self._classifier, self._words = self._without_entries[fold_of(entry)] if entry else self._without_texts[fold_of(text)]
        self._phrase, self._entry = phrase, entry

    def search(self, query: str, limit: int) -> list[tuple[int, float]]:
        """Like ``LexicalIndex.search``."""
        return self._kept(self._lexical.search(query, limit * _OVERSAMPLING), limit)

    def look_up(self, text: str, k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        """Like ``VectorIndex.look_up``."""
        if not text.strip():
            return [], {}
        if text not in self._queried:
            self._queried[text] = self._query.encode([text])[0]
        vector = self._queried[text]
        cosines = self._vectors @ vector
        nearest = numpy.argsort(-cosines)[: k * _OVERSAMPLING]
        found = [(int(number), float(cosines[number])) for number in nearest]
        return self._kept(found, k), self._classifier.probabilities(vector, text)

    def settled_by_words(self, text: str) -> dict[str, float] | None:
        """Like ``VectorIndex.settled_by_words``, but with ``least_sure`` instead of its threshold."""
        self.may_settle = True
        if self.least_sure > 1:
            return None
        found = self._words.probabilities(text)
        return found if max(found.values()) >= self.least_sure else None

    def sure_by_words(self, text: str) -> float:
        """The highest probability by the words alone, 0 to 1."""
        return max(self._words.probabilities(text).values())

    def _kept(self, found: list[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
        rows = [row for row in found if row[0] != self._phrase and self._phrases[row[0]][0] != self._entry]
        return rows[:limit]


def _train(vectors: typing.Any, texts: list[str], labels: list[str], keep: list[bool]) -> tuple[Classifier, WordClassifier]:
    kept = [place for place, whether in enumerate(keep) if whether]
    texts, labels = [texts[place] for place in kept], [labels[place] for place in kept]
    return Classifier.train(vectors[kept], texts, labels, FEW_ITERATIONS), train_words(texts, labels, FEW_ITERATIONS)
