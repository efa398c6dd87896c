"""The vector index: which phrases of the knowledge base are close in meaning to a sentence.

A FAISS ``IndexFlatIP`` over unit vectors, so that the inner product is the cosine and the search is exact. For a very large
number of phrases it is an ``IndexIVFFlat``, which searches the nearest cells. The stored vectors come from sentence-transformers,
in fp32. A query goes through the exported encoder, or, if you built the index with a custom model, through that model.
"""

from __future__ import annotations

import json
import math
import os
import threading
import typing

from tfhelp.index import stored_classifier
from tfhelp.index.encoder import ARTEFACTS, Encoder, TextEncoder
from tfhelp.index.sentence_encoder import DEFAULT_MODEL, SentenceEncoder
from tfhelp.index.stored_classifier import StoredClassifier
from tfhelp.index.word_classifier import WordClassifier
from tfhelp.kb.build_products import ArtefactError, check_length, fault, record
from tfhelp.kb.whole_file import write_whole

INDEX_FILE = "vectors.faiss"
MANIFEST_FILE = "manifest.json"
_MANY = 20_000  # vectors: comparing this many takes as long as everything else that a question needs

_shared: list[VectorIndex] = []
_shared_lock = threading.Lock()


class VectorIndex:
    """The phrases' vectors, searchable, and the classifier that was trained on them.

    Attributes:
        manifest: the content of ``manifest.json``: model, knowledge, phrases, phrases_sha256, dimension.
    """

    __slots__ = ("_classifier", "_encoder", "_index", "_words", "manifest")

    def __init__(
        self,
        index: typing.Any,
        encoder: TextEncoder,
        manifest: dict[str, typing.Any],
        classifier: StoredClassifier | None = None,
        by_words: WordClassifier | None = None,
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._classifier = classifier
        self._words = by_words
        self.manifest = manifest

    @classmethod
    def load(cls, folder: str = ARTEFACTS, knowledge: str = "") -> VectorIndex:
        """Read the index and its encoder.

        Args:
            folder: the folder of both.
            knowledge: version of the knowledge base that the caller has; the empty string accepts any.

        Raises:
            ArtefactError: something is missing, damaged, or made from another version of the knowledge base.
        """
        manifest = check(folder, knowledge)
        import faiss

        path = os.path.join(folder, INDEX_FILE)
        check_length(path)
        try:
            index = faiss.read_index(path, faiss.IO_FLAG_MMAP_IFC)  # the vectors stay in the file: all processes share them
        except RuntimeError:  # faiss has one class for all errors; its message contains places in its own source
            raise fault(path, "damaged", "make clean-index index") from None
        if index.ntotal != manifest["phrases"]:
            raise ArtefactError(
                f"{path}: {index.ntotal} vectors, but the manifest says {manifest['phrases']}; run 'make clean-index index'"
            )
        encoder: TextEncoder = Encoder.load(folder) if manifest["model"] == DEFAULT_MODEL else SentenceEncoder(manifest["model"])
        by_words = WordClassifier.load(folder, manifest["knowledge"])
        return cls(index, encoder, manifest, StoredClassifier.load(folder), by_words)

    def search(self, text: str, k: int) -> list[tuple[int, float]]:
        """The phrases nearest in meaning.

        Args:
            text: a sentence or a condensed failure; cut after 128 tokens. A blank text has no neighbours.
            k: how many at most, one or more.

        Returns:
            (number of the phrase in ``Knowledge.phrases``, cosine from -1 to 1), nearest first.

        Raises:
            ValueError: ``k`` is below one.
        """
        return self.look_up(text, k)[0]

    def look_up(self, text: str, k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        """``search``, and the classifier's result for the same vector: entry -> probability, empty without a classifier.

        Raises:
            ValueError: ``k`` is below one.
        """
        if k < 1:
            raise ValueError(f"k: expected one or more, got {k}")
        count = min(k, self._index.ntotal)
        if not count or not text.strip():
            return [], {}
        return self.look_up_vector(self._encoder.encode([text])[0], text, count)

    def look_up_vector(self, vector: typing.Any, text: str, k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        """``look_up`` for a text that has been encoded: ``vector`` is float32 [dimension], of length one."""
        cosines, numbers = self._index.search(vector.reshape(1, -1), min(k, self._index.ntotal))
        found = [(int(number), float(cosine)) for number, cosine in zip(numbers[0], cosines[0], strict=True)]
        return found, self._classifier.probabilities(vector, text) if self._classifier else {}

    def settled_by_words(self, text: str) -> dict[str, float] | None:
        """Label -> probability if the words alone settle what a text is about, so that it need not be encoded."""
        return self._words.sure(text) if self._words else None

    def encode(self, texts: list[str]) -> typing.Any:
        """Vectors of texts by the index's own encoder: float32 [texts, dimension], each of length one."""
        return self._encoder.encode(texts)

    def stored(self) -> typing.Any:
        """The phrases' vectors: float32 [phrases, dimension]."""
        if hasattr(self._index, "make_direct_map"):
            self._index.make_direct_map()
        return self._index.reconstruct_n(0, self._index.ntotal)


def shared(knowledge: str = "") -> VectorIndex:
    """This process's index, loaded only once, even if many threads ask at the same time.

    Args:
        knowledge: version of the knowledge base that the caller has; phrases are found by number, so it must be that of
            the index.

    Raises:
        ArtefactError: as ``VectorIndex.load``; the next call tries again.
    """
    with _shared_lock:
        if not _shared or (knowledge and _shared[0].manifest["knowledge"] != knowledge):
            _shared[:] = [VectorIndex.load(knowledge=knowledge)]
        return _shared[0]


def check(folder: str = ARTEFACTS, knowledge: str = "") -> dict[str, typing.Any]:
    """The manifest, if the index is there and belongs to the knowledge base. Reads no vectors, so it is cheap.

    Args:
        folder: the folder of the index.
        knowledge: version of the knowledge base that the caller has; the empty string accepts any.

    Raises:
        ArtefactError: the index is missing or stale.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise fault(os.path.join(folder, MANIFEST_FILE), "missing", "make index")
    if not os.path.isfile(os.path.join(folder, INDEX_FILE)):
        raise fault(os.path.join(folder, INDEX_FILE), "missing", "make clean-index index")
    if knowledge and manifest["knowledge"] != knowledge:
        raise ArtefactError(f"{folder}: the index was not made from the phrases of this knowledge base; run 'make index'")
    return manifest


def build(
    phrases: list[str],
    folder: str = ARTEFACTS,
    model: str = DEFAULT_MODEL,
    knowledge: str = "",
    encoder: TextEncoder | None = None,
    labels: list[str] | None = None,
    training_examples: list[tuple[str, str]] | None = None,
) -> dict[str, typing.Any]:
    """Encode phrases with sentence-transformers and write index, classifier and manifest.

    Args:
        phrases: the texts; a phrase's place in the list is its number.
        folder: where the files go; created if it is missing.
        model: the default model, or any model that sentence-transformers can load.
        knowledge: version of the knowledge base that the phrases are from.
        encoder: that model, if the caller has already loaded it.
        labels: the entry of each phrase; without them no classifier is trained.
        training_examples: (entry or ``OUT_OF_SCOPE``, text) further texts that the classifier is trained on.

    Returns:
        The manifest.

    Raises:
        ArtefactError: sentence-transformers or the model is missing.
        ValueError: there are no phrases.
    """
    if not phrases:
        raise ValueError("no phrases to index")
    import numpy

    encoder = encoder or SentenceEncoder(model)
    vectors = encoder.encode(phrases)
    index = index_of(vectors)
    os.makedirs(folder, exist_ok=True)
    write_index(index, folder)
    taught = [text for _, text in training_examples or ()]
    if labels and len(set(labels)) > 1:
        learned = numpy.concatenate([vectors, encoder.encode(taught)]) if taught else vectors
        right = labels + [label for label, _ in training_examples or ()]
        stored_classifier.save(stored_classifier.trained(learned, phrases + taught, right), folder)
    else:
        _remove(os.path.join(folder, stored_classifier.CLASSIFIER_FILE))
    manifest = {
        "model": model,
        "knowledge": knowledge,
        "phrases": len(phrases),
        "phrases_sha256": digest(phrases, labels, training_examples),
        "dimension": int(vectors.shape[1]),
    }
    write_manifest(folder, manifest)
    return manifest


def index_of(vectors: typing.Any) -> typing.Any:
    """A FAISS index over unit vectors, float32 [phrases, dimension]: exact, or in cells if there are too many to compare all.

    An eighth of the cells is searched. The same vectors give the same index.
    """
    import faiss

    count, dimension = vectors.shape
    index: typing.Any = faiss.IndexFlatIP(dimension)
    if count > _MANY:
        cells = 1 << round(math.log2(2 * math.sqrt(count)))
        index = faiss.IndexIVFFlat(index, dimension, cells, faiss.METRIC_INNER_PRODUCT)
        index.train(vectors)
        index.nprobe = cells // 8
    index.add(vectors)
    return index


def write_index(index: typing.Any, folder: str) -> None:
    """Write a FAISS index into the index's folder, whole or not at all."""
    import faiss

    path = os.path.join(folder, INDEX_FILE)
    faiss.write_index(index, path + ".new")
    os.replace(path + ".new", path)
    record([path])


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)
        record([path])


def digest(phrases: list[str], labels: list[str] | None = None, training_examples: list[tuple[str, str]] | None = None) -> str:
    """SHA-256 over everything that the index and its classifier are made from, in order, as hexadecimal digits."""
    import hashlib

    return hashlib.sha256(json.dumps([phrases, labels or [], training_examples or []]).encode("ascii")).hexdigest()


def read_manifest(folder: str) -> dict[str, typing.Any] | None:
    """The manifest, or ``None`` if there is none.

    Raises:
        ArtefactError: it is damaged.
    """
    path = os.path.join(folder, MANIFEST_FILE)
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
    except FileNotFoundError:
        return None
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict) or not {"model", "knowledge", "phrases", "phrases_sha256", "dimension"} <= manifest.keys():
        raise fault(path, "damaged", "make clean-index index")
    return manifest


def write_manifest(folder: str, manifest: dict[str, typing.Any]) -> None:
    """Write the manifest whole or not at all."""
    path = os.path.join(folder, MANIFEST_FILE)
    write_whole(path, (json.dumps(manifest, indent=2) + "\n").encode())
    record([path])
