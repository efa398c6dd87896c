"""The classifier of a large knowledge base: a gate chooses among groups of entries, and each group has its own classifier.

One regression over all entries (``tfhelp.index.classifier``) has a weight for each word and each entry, so its training cost
grows with the square of the knowledge. Here the entries are divided into groups of dozens whose texts have a similar meaning. A
group's classifier is trained like that of a small knowledge base, on the group's texts and words alone. The gate is trained on a
sample of all texts to tell which group a text belongs to. Training time, memory and file size grow linearly with the number
of entries.

The file is mapped: a question reads the rows of its words in the groups that it may belong to, and all processes share the pages.
"""

from __future__ import annotations

import os
import typing
import zlib

from tfhelp.index.classifier import FEW_ITERATIONS, Classifier, weigh
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.kb.build_products import check_length, fault, record
from tfhelp.kb.lexicon import words
from tfhelp.kb.packed_rows import Names, Texts, packed_names, packed_texts
from tfhelp.kb.sections import Sections, SectionsError, mapped, packed

GROUPS_FILE = "classifier-groups.bin"
MOST_LABELS = 256
"""Maximum number of labels in a group, and in a knowledge base that needs no groups."""

_FORMAT = 1
_GATE = "gate"
_OUTSIDE = "outside"  # the gate's label for texts that are about no entry
_MOST_TAUGHT = 60_000  # texts that the gate learns from
_BUCKETS = 1 << 14  # the number of hash buckets that the gate counts words in
_LEAST_SHARE = 0.01  # a group with a smaller share of the text is not searched


class GroupedClassifier:
    """A gate and the groups behind it; it answers as ``tfhelp.index.classifier.Classifier`` does."""

    __slots__ = ("_gate", "_groups", "_sections")

    def __init__(self, sections: Sections) -> None:
        """Args: sections: from ``GroupedClassifier.train``."""
        self._sections = sections
        self._gate = _Part(sections, _GATE)
        self._groups: dict[str, _Part] = {}

    @classmethod
    def train(cls, vectors: typing.Any, texts: list[str], labels: list[str], most: int = MOST_LABELS) -> bytes:
        """Train a classifier, and return the bytes of its file.

        Args:
            vectors: unit vectors of the texts, float32 [n, dimension].
            texts: the texts themselves.
            labels: the entry of each, or ``OUT_OF_SCOPE``.
            most: maximum number of labels in a group.
        """
        groups = grouped(vectors, labels, most)
        sections: dict[str, bytes] = {}
        group_of = {label: str(number) for number, group in enumerate(groups) for label in group} | {OUT_OF_SCOPE: _OUTSIDE}
        own = [group_of[label] for label in labels]
        step = -(-len(texts) // _MOST_TAUGHT)
        bucketed = [bucket_words(text) for text in texts[::step]]
        sections |= _packed_part(_GATE, Classifier.train(vectors[::step], bucketed, own[::step], FEW_ITERATIONS))
        members: dict[str, list[int]] = {}
        for number, group in enumerate(own):
            members.setdefault(group, []).append(number)
        for number in range(len(groups)):
            inside = members[str(number)]
            learned = Classifier.train(vectors[inside], [texts[place] for place in inside], [labels[place] for place in inside])
            sections |= _packed_part(str(number), learned)
        return packed({"format": _FORMAT}, sections)

    @classmethod
    def load(cls, folder: str) -> GroupedClassifier | None:
        """Map the file in the index's folder; ``None`` if the index was built without one.

        Raises:
            ArtefactError: the file is damaged, or the build wrote one that is missing now.
        """
        path = os.path.join(folder, GROUPS_FILE)
        check_length(path)
        if not os.path.isfile(path):
            return None
        try:
            return cls(Sections(mapped(path), _FORMAT))
        except (OSError, SectionsError, KeyError):
            raise fault(path, "damaged") from None

    def probabilities(self, vector: typing.Any, text: str) -> dict[str, float]:
        """As ``Classifier.probabilities``, without the entries of groups that the text hardly belongs to."""
        shares = self._gate.probabilities(vector, bucket_words(text))
        found = {OUT_OF_SCOPE: shares.pop(_OUTSIDE, 0.0)}
        best = max(shares, key=shares.__getitem__)
        for name, share in shares.items():
            if share >= _LEAST_SHARE or name == best:
                group = self._groups.get(name) or self._groups.setdefault(name, _Part(self._sections, name))
                found |= {label: share * inside for label, inside in group.probabilities(vector, text).items()}
        return found


def bucket_words(text: str) -> str:
    """A text as the gate sees it: each word replaced by one of 16,384 hash buckets."""
    return " ".join(str(_BUCKETS + zlib.crc32(word.encode()) % _BUCKETS) for word in words(text))


def grouped(vectors: typing.Any, labels: list[str], most: int) -> list[list[str]]:
    """Groups of labels whose texts have a similar meaning: a group is halved along its widest direction until it is small enough.

    Args:
        vectors: of the texts, float32 [n, dimension].
        labels: of the texts. ``OUT_OF_SCOPE`` is in no group.
        most: maximum number of labels in a group.
    """
    import numpy

    names = sorted(set(labels) - {OUT_OF_SCOPE})
    place_of = {name: place for place, name in enumerate(names)}
    means = numpy.zeros((len(names), vectors.shape[1]))
    for number, label in enumerate(labels):
        if label != OUT_OF_SCOPE:
            means[place_of[label]] += vectors[number]
    means /= numpy.maximum(numpy.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    waiting, found = [numpy.arange(len(names))], []
    while waiting:
        group = waiting.pop()
        if len(group) <= most:
            found.append(sorted(names[place] for place in group))
            continue
        inside = means[group] - means[group].mean(axis=0)
        widest = numpy.linalg.eigh(inside.T @ inside)[1][:, -1]
        order = group[numpy.argsort(inside @ widest, kind="stable")]
        waiting += [order[: len(order) // 2], order[len(order) // 2 :]]
    return sorted(found)


def save(content: bytes, folder: str) -> None:
    """Write a classifier into the index's folder, whole or not at all."""
    path = os.path.join(folder, GROUPS_FILE)
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)
    record([path])


def _packed_part(name: str, learned: Classifier) -> dict[str, bytes]:
    vocabulary, rarity, of_vector, of_words, bias = learned.parts()
    return {
        **packed_texts(f"{name}.labels", learned.labels),
        **packed_names(f"{name}.words", vocabulary),
        **{f"{name}.{kind}": values.tobytes() for kind, values in (("rarity", rarity), ("bias", bias))},
        **{f"{name}.{kind}": values.tobytes() for kind, values in (("of_vector", of_vector), ("of_words", of_words))},
    }


class _Part:
    """The gate or a group, read in place from the mapped file."""

    __slots__ = ("_bias", "_labels", "_of_vector", "_of_words", "_rarity", "_words")

    def __init__(self, sections: Sections, name: str) -> None:
        import numpy

        labels = Texts(sections, f"{name}.labels")
        self._labels = [labels.text(number) for number in range(len(labels))]
        self._words = Names(sections, f"{name}.words")
        arrays = {
            kind: numpy.frombuffer(sections.part(f"{name}.{kind}"), "float32") for kind in ("rarity", "of_vector", "of_words")
        }
        self._rarity = arrays["rarity"]
        self._of_vector = arrays["of_vector"].reshape(-1, len(self._labels))
        self._of_words = arrays["of_words"].reshape(-1, len(self._labels))
        self._bias = numpy.frombuffer(sections.part(f"{name}.bias"), "float32")

    def probabilities(self, vector: typing.Any, text: str) -> dict[str, float]:
        """As ``Classifier.probabilities``."""
        import numpy

        places, values = weigh(words(text), self._words.find, self._rarity)
        logits = vector @ self._of_vector + values @ self._of_words[places] + self._bias
        shares = numpy.exp(logits - logits.max())
        shares /= shares.sum()
        return dict(zip(self._labels, shares.tolist(), strict=True))
