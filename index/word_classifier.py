"""The first step before the encoder: which entry a text is about, by its words alone if these settle it.

It is the classifier of ``tfhelp.index.classifier`` without the sentence's vector, trained on the same texts. If it is sure, the
encoder would give the same result, and is not run. It is pure Python over a mapped file, because a cold ``ask`` would spend more
time on NumPy's import than on everything else; the service uses the same steps, so both give the same numbers.
"""

from __future__ import annotations

import collections
import functools
import json
import math
import os
import typing

from tfhelp.index import sorted_lines
from tfhelp.kb.build_products import check_length, fault, made_for, record
from tfhelp.kb.lexicon import words

ARTEFACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "artefacts")
WORDS_FILE = "words.txt"
SURE = 0.9
"""From this probability on, the words settle it. Below 0.85, more texts are answered although their entry is withheld
(``service/artefacts/confidence.json``)."""

_FORMAT = 1
_LEAST_WEIGHT = 0.05  # a smaller one changes a probability by at most 0.01, and four in five are smaller
_SCALE = 1000  # the file stores integers
_KEPT_ROWS = 2_000  # words whose weights a process keeps; a text has a few dozen

Row = tuple[float, list[int], list[float]]
"""The row of a word: its rarity, the labels that it counts for or against, and how much."""


class WordClassifier:
    """Multinomial logistic regression on a text's words, weighted by rarity.

    Attributes:
        labels: the entries, and ``tfhelp.index.labels.OUT_OF_SCOPE``.
    """

    __slots__ = ("_bias", "_content", "_path", "_row", "_start", "_unknown", "labels")

    def __init__(self, content: typing.Any, path: str = WORDS_FILE) -> None:
        """Args: content: of the file, bytes or a memory map. path: its name, for error messages.

        Raises:
            ArtefactError: it is damaged.
        """
        try:
            self._start = content.find(b"\n") + 1
            head = json.loads(content[: self._start])
            if head["format"] != _FORMAT or len(content) != self._start + head["length"]:
                raise ValueError("of another version, or cut")
            self.labels: list[str] = head["labels"]
            self._bias: list[float] = [value / _SCALE for value in head["bias"]]
            self._unknown: float = head["unknown"] / _SCALE
        except (ValueError, KeyError, TypeError):
            raise fault(path, "damaged") from None
        self._content = content
        self._path = path
        self._row: typing.Callable[[str], Row | None] = functools.lru_cache(_KEPT_ROWS)(self._read_row)

    @classmethod
    def load(cls, folder: str, knowledge: str = "") -> WordClassifier | None:
        """Map the file from the index's folder.

        Args:
            folder: the index's folder.
            knowledge: version of the phrases that the caller has; the empty string accepts any.

        Returns:
            ``None`` if the index was built without one, or from other phrases. The encoder is then used for every text.

        Raises:
            ArtefactError: the file is damaged, or the build wrote one that is missing now.
        """
        path = os.path.join(folder, WORDS_FILE)
        check_length(path)
        if not os.path.isfile(path) or (knowledge and made_for(path)[0] != knowledge):
            return None
        import mmap

        with open(path, "rb") as file:
            return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), path)

    def sure(self, text: str) -> dict[str, float] | None:
        """Label -> probability if the words settle what the text is about, else ``None``.

        Raises:
            ArtefactError: the file is damaged where it was read.
        """
        try:
            found = self.probabilities(text)
        except (ValueError, IndexError):
            raise fault(self._path, "damaged") from None
        return found if max(found.values()) >= SURE else None

    def probabilities(self, text: str) -> dict[str, float]:
        """Label -> probability; they add up to 1.

        A word that is in no text of the knowledge base still counts towards the text's length, so that one known word among many
        unknown ones settles nothing.
        """
        rows: list[tuple[float, Row]] = []
        whole = 0.0
        for word, count in collections.Counter(words(text)).items():
            row = self._row(word)
            value = (1 + math.log(count)) * (row[0] if row else self._unknown)
            whole += value * value
            if row:
                rows.append((value, row))
        length = math.sqrt(whole) or 1.0
        scores = list(self._bias)
        for value, (_, places, weights) in rows:
            share = value / length
            for place, weight in zip(places, weights, strict=True):
                scores[place] += share * weight
        highest = max(scores)
        parts = [math.exp(score - highest) for score in scores]
        total = math.fsum(parts)
        return {label: part / total for label, part in zip(self.labels, parts, strict=True)}

    def _read_row(self, word: str) -> Row | None:
        found = sorted_lines.find(self._content, self._start, len(self._content), word)
        if found is None:
            return None
        rarity, *pairs = map(int, found.split())
        return rarity / _SCALE, pairs[::2], [value / _SCALE for value in pairs[1::2]]


def train(texts: list[str], labels: list[str], iterations: int | None = None) -> WordClassifier:
    """Train a classifier.

    Args:
        texts: phrases and examples.
        labels: the entry of each, or ``tfhelp.index.labels.OUT_OF_SCOPE``.
        iterations: maximum number of solver steps; by default the classifier's.

    Raises:
        ValueError: fewer than two labels.
    """
    return WordClassifier(packed(texts, labels, ("", ""), iterations))


def build(texts: list[str], labels: list[str], versions: tuple[str, str], folder: str) -> None:
    """Train, and write the file into the index's folder, whole or not at all. ``versions``: see
    ``tfhelp.kb.build_products.made_for``.
    """
    from tfhelp.kb.whole_file import write_whole

    path = os.path.join(folder, WORDS_FILE)
    write_whole(path, packed(texts, labels, versions))
    record([path])


def packed(texts: list[str], labels: list[str], versions: tuple[str, str], iterations: int | None = None) -> bytes:
    """The file: a head, and a sorted line for each word with its rarity, then alternating places of labels and weights."""
    import numpy

    from tfhelp.index.classifier import Classifier

    nothing = numpy.zeros((len(texts), 0), "float32")
    learned = Classifier.train(nothing, texts, labels, **({"iterations": iterations} if iterations else {}))
    # A weight that is the same for all labels carries no information.
    weights = learned.of_words - learned.of_words.mean(axis=1, keepdims=True)
    lines = {}
    for word, rare, row in zip(learned.vocabulary, learned.rarity.tolist(), weights, strict=True):
        kept = numpy.flatnonzero(numpy.abs(row) >= _LEAST_WEIGHT).tolist()
        pairs = [number for place in kept for number in (place, round(float(row[place]) * _SCALE))]
        lines[word] = " ".join(map(str, [round(rare * _SCALE), *pairs]))
    body = sorted_lines.packed(lines)
    head = {
        "made_for": versions,
        "format": _FORMAT,
        "length": len(body),
        "unknown": round(float(learned.rarity.max()) * _SCALE),
        "labels": learned.labels,
        "bias": [round(float(value) * _SCALE) for value in learned.bias],
    }
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + body


_shared: dict[tuple[str, str], WordClassifier | None] = {}


def shared(folder: str, knowledge: str) -> WordClassifier | None:
    """This process's classifier, mapped once; as ``WordClassifier.load``."""
    if (folder, knowledge) not in _shared:
        _shared[folder, knowledge] = WordClassifier.load(folder, knowledge)
    return _shared[folder, knowledge]
