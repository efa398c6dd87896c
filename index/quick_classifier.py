"""The index's classifier without NumPy, for a cold ``ask``: it reads the file of ``tfhelp.index.stored_classifier`` in place."""

from __future__ import annotations

import collections
import math
import typing

from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.stored_classifier import FORMAT, GATE, LEAST_SHARE, OUTSIDE, WHOLE, bucket_words
from tfhelp.kb.lexicon import words
from tfhelp.kb.packed_rows import Names, Texts
from tfhelp.kb.sections import Sections

if typing.TYPE_CHECKING:
    import mmap

    from tfhelp.index.onnx_c import Value
    from tfhelp.index.quick_products import Products


class QuickClassifier:
    """``StoredClassifier`` for one text.

    Args:
        mapped: the file, as a private, writable map.
        products: for the part of the vector.

    Raises:
        ValueError: the file is damaged, or has a different format.
    """

    __slots__ = ("_products", "_sections")

    def __init__(self, mapped: mmap.mmap, products: Products) -> None:
        self._sections = Sections(memoryview(mapped), FORMAT)
        self._products = products

    def probabilities(self, vector: Value, text: str) -> dict[str, float]:
        """As ``StoredClassifier.probabilities``. ``vector``: of the text, [1, dimension]."""
        if not self._sections.head["divided"]:
            return self._inside(WHOLE, vector, text)
        shares = self._inside(GATE, vector, bucket_words(text))
        found = {OUT_OF_SCOPE: shares.pop(OUTSIDE, 0.0)}
        best = max(shares, key=shares.__getitem__)
        for name, share in shares.items():
            if share >= LEAST_SHARE or name == best:
                found |= {label: share * inside for label, inside in self._inside(name, vector, text).items()}
        return found

    def _inside(self, name: str, vector: Value, text: str) -> dict[str, float]:
        """As ``Classifier.probabilities``, of one part of the file."""
        from tfhelp.index.onnx_c import Map

        labels = list(Texts(self._sections, f"{name}.labels"))
        of_vector = self._products.with_columns(vector, Map(self._sections.part(f"{name}.of_vector")), len(labels))
        scores = [one + other for one, other in zip(of_vector, self._numbers(f"{name}.bias"), strict=True)]
        vocabulary, rarity = Names(self._sections, f"{name}.words"), self._numbers(f"{name}.rarity")
        known: list[tuple[int, float]] = []
        for word, count in collections.Counter(words(text)).items():
            place = vocabulary.find(word)
            if place is not None:
                known.append((place, (1 + math.log(count)) * rarity[place]))
        length = max(1e-9, math.sqrt(math.fsum(value * value for _, value in known)))
        of_words = self._numbers(f"{name}.of_words")
        for place, value in known:
            share = value / length
            row = of_words[place * len(labels) : (place + 1) * len(labels)]
            scores = [score + share * weight for score, weight in zip(scores, row, strict=True)]
        highest = max(scores)
        parts = [math.exp(score - highest) for score in scores]
        total = math.fsum(parts)
        return {label: part / total for label, part in zip(labels, parts, strict=True)}

    def _numbers(self, name: str) -> memoryview:
        return self._sections.numbers(name, "f")
