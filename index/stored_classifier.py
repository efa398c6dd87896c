"""The classifier as the index keeps it: one for all entries, or, for a large knowledge base, one for each group of entries.

One regression over all entries (``tfhelp.index.classifier``) has a weight for each word and each entry, so its training cost
grows with the square of the knowledge. With thousands of entries they are divided into groups of dozens whose texts have a similar
meaning. A group's classifier is trained like that of a small knowledge base, on the group's texts and words alone. A gate, trained
on a sample of all texts, tells which groups a text may belong to. Training time, memory and file size then grow linearly with the
number of entries.

The file is mapped: a question reads the rows of its words in the groups that it may belong to, and all processes share the pages.
"""

from __future__ import annotations

import os
import typing
import zlib

from tfhelp.index.classifier import FEW_ITERATIONS, Classifier
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.kb.build_products import check_length, fault, record
from tfhelp.kb.lexicon import words
from tfhelp.kb.packed_rows import Names, Texts, packed_names, packed_texts
from tfhelp.kb.sections import Sections, mapped, packed
from tfhelp.kb.whole_file import write_whole

CLASSIFIER_FILE = "classifier.bin"
MOST_LABELS = 256
"""Maximum number of labels in a group, and in a knowledge base that needs no groups."""

FORMAT = 2
_ARRAYS = ("rarity", "of_vector", "of_words", "bias")
WHOLE = "whole"
GATE = "gate"
OUTSIDE = "outside"  # the gate's label for texts that are about no entry
_MOST_TAUGHT = 60_000  # texts that the gate learns from
_BUCKETS = 1 << 14  # the number of hash buckets that the gate counts words in
LEAST_SHARE = 0.01  # a group with a smaller share of the text is not searched


class StoredClassifier:
    """One classifier, or a gate and the classifiers of the groups behind it.

    Attributes:
        whole: the one classifier; ``None`` if the entries are divided into groups.
    """

    __slots__ = ("_gate", "_groups", "_sections", "whole")

    def __init__(self, content: bytes | memoryview) -> None:
        """Args: content: from ``trained``.

        Raises:
            ValueError: it is damaged, or has a different format.
        """
        self._sections = Sections(content, FORMAT)
        divided = self._sections.head["divided"]
        self.whole = None if divided else _read_part(self._sections, WHOLE)
        self._gate = _read_part(self._sections, GATE) if divided else None
        self._groups: dict[str, Classifier] = {}

    @classmethod
    def load(cls, folder: str) -> StoredClassifier | None:
        """Map the file in the index's folder; ``None`` if the index was built without one.

        Raises:
            ArtefactError: the file is damaged, or the build wrote one that is missing now.
        """
        path = os.path.join(folder, CLASSIFIER_FILE)
        check_length(path)
        if not os.path.isfile(path):
            return None
        try:
            return cls(mapped(path))
        except (OSError, ValueError, KeyError):
            raise fault(path, "damaged") from None

    def probabilities(self, vector: typing.Any, text: str) -> dict[str, float]:
        """As ``Classifier.probabilities``; of a divided one, without the entries of groups that the text hardly belongs to."""
        if self._gate is None:
            assert self.whole is not None
            return self.whole.probabilities(vector, text)
        shares = self._gate.probabilities(vector, bucket_words(text))
        found = {OUT_OF_SCOPE: shares.pop(OUTSIDE, 0.0)}
        best = max(shares, key=shares.__getitem__)
        for name, share in shares.items():
            if share >= LEAST_SHARE or name == best:
                group = self._groups.get(name) or self._groups.setdefault(name, _read_part(self._sections, name))
                found |= {label: share * inside for label, inside in group.probabilities(vector, text).items()}
        return found


def trained(vectors: typing.Any, texts: list[str], labels: list[str], most: int = MOST_LABELS) -> bytes:
    """Train a classifier, and return the bytes of its file.

    Args:
        vectors: unit vectors of the texts, float32 [n, dimension].
        texts: the texts themselves.
        labels: the entry of each, or ``OUT_OF_SCOPE``.
        most: maximum number of labels that one classifier distinguishes; more are divided into groups.

    Raises:
        ValueError: fewer than two labels.
    """
    if len(set(labels)) <= most:
        return packed({"format": FORMAT, "divided": False}, _packed_part(WHOLE, Classifier.train(vectors, texts, labels)))
    groups = grouped(vectors, labels, most)
    group_of = {label: str(number) for number, group in enumerate(groups) for label in group} | {OUT_OF_SCOPE: OUTSIDE}
    own = [group_of[label] for label in labels]
    step = -(-len(texts) // _MOST_TAUGHT)
    bucketed = [bucket_words(text) for text in texts[::step]]
    sections = _packed_part(GATE, Classifier.train(vectors[::step], bucketed, own[::step], FEW_ITERATIONS))
    members: dict[str, list[int]] = {}
    for number, group in enumerate(own):
        members.setdefault(group, []).append(number)
    for number in range(len(groups)):
        inside = members[str(number)]
        learned = Classifier.train(vectors[inside], [texts[place] for place in inside], [labels[place] for place in inside])
        sections |= _packed_part(str(number), learned)
    return packed({"format": FORMAT, "divided": True}, sections)


def save(content: bytes, folder: str) -> None:
    """Write a classifier into the index's folder, whole or not at all."""
    path = os.path.join(folder, CLASSIFIER_FILE)
    write_whole(path, content)
    record([path])


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


def _packed_part(name: str, learned: Classifier) -> dict[str, bytes]:
    arrays = {kind: getattr(learned, kind).astype("float32").tobytes() for kind in _ARRAYS}
    return {
        **packed_texts(f"{name}.labels", learned.labels),
        **packed_names(f"{name}.words", list(learned.vocabulary)),
        **{f"{name}.{kind}": content for kind, content in arrays.items()},
    }


def _read_part(sections: Sections, name: str) -> Classifier:
    """A classifier, read in place."""
    import numpy

    labels = list(Texts(sections, f"{name}.labels"))
    vocabulary = Names(sections, f"{name}.words")
    rarity, of_vector, of_words, bias = (numpy.frombuffer(sections.part(f"{name}.{kind}"), "float32") for kind in _ARRAYS)
    return Classifier(
        labels,
        vocabulary,
        rarity.reshape(len(vocabulary)),
        of_vector.reshape(-1, len(labels)),
        of_words.reshape(len(vocabulary), len(labels)),
        bias.reshape(len(labels)),
    )
