"""The index of a private folder: search by meaning over its phrases, and a small classifier trained on them.

The shipped index and its classifier stay as they are. The private phrases and examples are encoded by the shipped encoder; a
regression learns to tell the private entries from each other and from everything else: the shipped phrases (whose vectors the
shipped index holds) and texts about other software. This takes a few seconds, once for each state of the folder. The result is
kept in the user's cache.
"""

import collections
import io
import math
import os
import sys
import typing

from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.vectors import VectorIndex
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.lexicon import words
from tfhelp.kb.private import Part, cache_file, cache_folder, cache_prefix, keep

_FORMAT = 2
_ELSE = ""  # the label of everything that is not a private entry
_STEPS = 100
_MOST_BESIDE = 6_000  # shipped texts to learn from: with more, every private entry becomes less likely, and learning takes longer
_INVERSE_REGULARISATION = 30.0  # as the shipped classifier's


class PrivateIndex:
    """The phrases of one private folder, searchable by meaning, with their classifier."""

    __slots__ = ("_bias", "_labels", "_places", "_rarity", "_vectors", "_weights")

    def __init__(self, stored: typing.Any) -> None:
        """Args: stored: arrays by name, as ``_make`` gives them."""
        self._vectors = stored["vectors"]
        self._labels = _texts(stored["labels"])
        self._places = {word: place for place, word in enumerate(_texts(stored["vocabulary"]))}
        self._rarity = stored["rarity"]
        self._weights = stored["weights"]
        self._bias = stored["bias"]

    def search(self, vector: typing.Any, limit: int) -> list[tuple[int, float]]:
        """(number of the phrase in the folder, cosine), nearest first. ``vector``: float32 [dimension], of length one."""
        import numpy

        cosines = self._vectors @ vector
        order = numpy.argsort(-cosines, kind="stable")[:limit]
        return [(int(number), float(cosines[number])) for number in order]

    def probabilities(self, vector: typing.Any, text: str) -> dict[str, float]:
        """Private entry -> probability. The rest, up to 1, is the probability of everything else."""
        import numpy

        row = numpy.concatenate([vector, _row_of_words(text, self._places, self._rarity)])
        logits = row @ self._weights + self._bias
        shares = numpy.exp(logits - logits.max())
        shares /= shares.sum()
        return {label: float(share) for label, share in zip(self._labels, shares, strict=True) if label != _ELSE}


def private_indexes(knowledge: Knowledge, vectors: VectorIndex) -> list[PrivateIndex | None]:
    """The index of each folder, from the cache or built now; ``None`` for a folder without entries."""
    return [_of_part(part, knowledge.shipped, vectors) if part.knowledge.phrases else None for part in knowledge.parts]


def _of_part(part: Part, shipped: Knowledge, vectors: VectorIndex) -> PrivateIndex:
    import zlib

    made_with = zlib.crc32(repr((_FORMAT, sorted(vectors.manifest.items()))).encode())
    path = cache_file(part.folder, f"{part.key}-{made_with:08x}.npz")
    kept = _kept(path)
    if kept is not None:
        return PrivateIndex(kept)
    print(
        f"tfhelp: learning the entries in {part.folder}; this takes some seconds after each change", file=sys.stderr, flush=True
    )
    made = _make(part.knowledge, shipped, vectors, made_with)
    keep(path, _packed(made), cache_prefix(part.folder))
    return PrivateIndex(made)


def _kept(path: str) -> dict[str, typing.Any] | None:
    import zipfile
    import zlib

    import numpy

    try:
        with numpy.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in ("vectors", "labels", "vocabulary", "rarity", "weights", "bias")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None  # missing or damaged: it is built again


def _packed(arrays: dict[str, typing.Any]) -> bytes:
    import numpy

    file = io.BytesIO()
    numpy.savez(file, **arrays)
    return file.getvalue()


def _make(private: Knowledge, shipped: Knowledge, vectors: VectorIndex, made_with: int) -> dict[str, typing.Any]:
    """Encode and train. The arrays: vectors float32 [phrases, dimension], weights float32 [dimension + words, labels]."""
    import numpy

    own = [(entry, text) for entry, _, text in private.phrases]
    examples = [(entry, text) for entry, text in private.training_examples if entry in private.summaries or entry == _ELSE]
    encoded = vectors.encode([text for _, text in own + examples])
    others = [text for label, text in shipped.training_examples if label == OUT_OF_SCOPE]
    beside = [text for _, _, text in shipped.phrases] + others
    chosen = numpy.linspace(0, len(beside) - 1, min(len(beside), _MOST_BESIDE)).astype(int)
    texts = [text for _, text in own + examples] + [beside[place] for place in chosen]
    of_beside = numpy.concatenate([vectors.stored(), _vectors_of_others(others, vectors, made_with)])
    all_vectors = numpy.concatenate([encoded, of_beside[chosen]])
    labels = [entry for entry, _ in own + examples] + [_ELSE] * (len(texts) - len(own) - len(examples))
    names = [_ELSE, *sorted(private.summaries)]
    vocabulary, rarity = _vocabulary([text for _, text in own + examples], texts)
    places = {word: place for place, word in enumerate(vocabulary)}
    rows = numpy.stack([_row_of_words(text, places, rarity) for text in texts])
    weights, bias = _learned(numpy.concatenate([all_vectors, rows], axis=1), [names.index(label) for label in labels], len(names))
    return {
        "vectors": encoded[: len(own)],
        "labels": _packed_texts(names),
        "vocabulary": _packed_texts(vocabulary),
        "rarity": rarity,
        "weights": weights,
        "bias": bias,
    }


def _vectors_of_others(texts: list[str], vectors: VectorIndex, made_with: int) -> typing.Any:
    """Vectors of texts about other software. The texts are encoded once for all folders, which takes a few seconds."""
    import zlib

    import numpy

    path = os.path.join(cache_folder(), f"others-{zlib.crc32(repr((made_with, texts)).encode()):08x}.npy")
    try:
        found = numpy.load(path, allow_pickle=False)
        if found.shape == (len(texts), vectors.manifest["dimension"]):
            return found
    except (OSError, ValueError, EOFError):
        pass  # it is computed now
    made = vectors.encode(texts)
    file = io.BytesIO()
    numpy.save(file, made)
    keep(path, file.getvalue(), "others-")
    return made


def _vocabulary(own: list[str], texts: list[str]) -> tuple[list[str], typing.Any]:
    """The words of the private texts, and how rare each is among all texts, float32 [words]."""
    import numpy

    holding = collections.Counter(word for text in texts for word in set(words(text)))
    vocabulary = sorted({word for text in own for word in words(text)})
    rarity = [1 + math.log((1 + len(texts)) / (1 + holding[word])) for word in vocabulary]
    return vocabulary, numpy.array(rarity, "float32")


def _row_of_words(text: str, places: dict[str, int], rarity: typing.Any) -> typing.Any:
    """The private words of a text, float32 [words], of length at most one: words that are in no private text count towards the
    length.
    """
    import numpy

    row = numpy.zeros(len(rarity), "float32")
    whole = 0.0
    most = float(rarity.max(initial=1.0))
    for word, count in collections.Counter(words(text)).items():
        weight = 1 + math.log(count)
        place = places.get(word)
        if place is None:
            whole += (weight * most) ** 2
        else:
            row[place] = weight * rarity[place]
            whole += float(row[place]) ** 2
    return row / math.sqrt(whole or 1.0)


def _learned(rows: typing.Any, labels: list[int], count: int) -> tuple[typing.Any, typing.Any]:
    """Weights float32 [columns, labels] and bias float32 [labels] of a multinomial regression, by Nesterov's gradient method.

    SciPy's solver would do the same, but the installed program only has NumPy.
    """
    import numpy

    middle = rows.mean(axis=0)
    rows = rows - middle  # what all texts have in common would make the steps small
    right = numpy.zeros((len(labels), count), "float32")
    right[numpy.arange(len(labels)), labels] = 1
    weights = numpy.zeros((rows.shape[1], count), "float32")
    bias = numpy.log(right.mean(axis=0) + 1e-6).astype("float32")
    ahead, ahead_bias = weights, bias
    step = 1 / (_largest_eigenvalue(rows) / 2 + 1 / _INVERSE_REGULARISATION)
    step_of_bias = 2 / len(labels)
    for turn in range(_STEPS):
        logits = rows @ ahead + ahead_bias
        shares = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slope = rows.T @ (shares - right) + ahead / _INVERSE_REGULARISATION
        next_weights, next_bias = ahead - step * slope, ahead_bias - step_of_bias * (shares - right).sum(axis=0)
        momentum = turn / (turn + 3)
        ahead = next_weights + momentum * (next_weights - weights)
        ahead_bias = next_bias + momentum * (next_bias - bias)
        weights, bias = next_weights, next_bias
    return weights.astype("float32"), (bias - middle @ weights).astype("float32")


def _largest_eigenvalue(rows: typing.Any) -> float:
    """A little more than the largest eigenvalue of ``rows.T @ rows``, by a few steps of the power method."""
    import numpy

    direction = numpy.ones(rows.shape[1], "float32")
    length = 1.0
    for _ in range(12):
        direction = rows.T @ (rows @ (direction / length))
        length = float(numpy.linalg.norm(direction))
    return 1.1 * length


def _packed_texts(texts: list[str]) -> typing.Any:
    import numpy

    return numpy.frombuffer("\n".join(texts).encode(), "uint8")


def _texts(packed: typing.Any) -> list[str]:
    found: list[str] = packed.tobytes().decode().split("\n")
    return found
