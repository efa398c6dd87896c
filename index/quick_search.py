"""Search by meaning for one text, for a cold ``ask``: nothing that takes longer to import than the search itself is imported.

It finds what ``tfhelp.index.vectors`` finds, with the same encoder over the same vectors and the same classifier. NumPy, FAISS,
``tokenizers`` and ONNX Runtime's Python package take ten times as long to import as one text takes here. They pay off in a
process that handles many texts, and they support what this module does not: other models, private folders, and texts that are not
ASCII.

``index/artefacts/quick.bin`` is the file that is mapped: a line of JSON that names its parts, then the parts.
"""

from __future__ import annotations

import array
import collections
import heapq
import json
import math
import mmap
import os
import typing

from tfhelp.index import sorted_lines
from tfhelp.index.encoder import ARTEFACTS, DIMENSION
from tfhelp.index.wordpiece import WordPiece
from tfhelp.kb.build_products import ArtefactError, check_length, fault, made_for, record
from tfhelp.kb.lexicon import words

if typing.TYPE_CHECKING:
    from tfhelp.index.classifier import Classifier
    from tfhelp.index.onnx_c import Runtime

QUICK_FILE = "quick.bin"
ENCODER_FILE = "encoder.ort"
INDEX_FILE = "vectors.faiss"
_FORMAT = 1
_ALIGNED = 64  # bytes
_FAISS_HEAD = 45  # bytes of an IndexFlatIP before its vectors: kind, dimension, count, two fillers, trained, metric, length
_MOST_PHRASES = 20_000  # above this number, importing FAISS pays off


class QuickSearch:
    """Look up one text; used by a diagnoser in place of its vector index.

    Attributes:
        pieces: the tokenizer.
    """

    __slots__ = ("_count", "_folder", "_head", "_map", "_runtime", "_start", "_vectors", "pieces")

    def __init__(self, mapped: mmap.mmap, head: dict[str, typing.Any], start: int, folder: str, runtime: Runtime) -> None:
        self._map = mapped
        self._head = head
        self._start = start
        self._runtime = runtime
        self._folder = folder
        self._count: int = head["phrases"]
        self._vectors = _vectors(os.path.join(folder, INDEX_FILE), self._count)
        self.pieces = WordPiece(mapped, *self._part("tokens"))

    def look_up(self, text: str, k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        """As ``VectorIndex.look_up``, which is used instead if the text is not ASCII or ONNX Runtime fails."""
        from tfhelp.index.onnx_c import OnnxError

        if not text.strip():
            return [], {}
        try:
            ids = self.pieces.ids(text)
            if ids:
                return self._looked_up(text, ids, k)
        except OnnxError:
            pass
        except (ValueError, KeyError, IndexError, TypeError):
            raise fault(os.path.join(self._folder, QUICK_FILE), "damaged") from None
        from tfhelp.index.vectors import VectorIndex

        return VectorIndex.load(self._folder, self._head["made_for"][0]).look_up(text, k)

    def _looked_up(self, text: str, ids: list[int], k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        from tfhelp.index.onnx_c import Map

        labels: list[str] = self._head["labels"]
        encoder = self._runtime.session(Map(_mapped(os.path.join(self._folder, ENCODER_FILE))))
        product = self._runtime.session(self._mapped_part("product"))
        [vector] = self._runtime.run(encoder, {"input_ids": self._runtime.integers(ids)}, ["sentence_embedding"])
        inputs = {
            "vector": vector,
            "phrases": self._runtime.floats(Map(self._vectors), (self._count, DIMENSION)),
            "weights": self._runtime.floats(self._mapped_part("of_vector"), (DIMENSION, len(labels))),
        }
        near, scores = self._runtime.run(product, inputs, ["cosines", "scores"])
        cosines = self._runtime.numbers(near, self._count)
        of_vector = self._runtime.numbers(scores, len(labels))
        nearest = heapq.nsmallest(min(k, self._count), range(self._count), key=lambda number: (-cosines[number], number))
        return [(number, cosines[number]) for number in nearest], self._probabilities(of_vector, text)

    def _probabilities(self, of_vector: array.array[float], text: str) -> dict[str, float]:
        """As ``Classifier.probabilities``, from the scores of the vector's part: one number for each label."""
        labels: list[str] = self._head["labels"]
        scores = [one + other for one, other in zip(of_vector, self._floats("bias", 0, len(labels)), strict=True)]
        known: list[tuple[int, float]] = []
        for word, count in collections.Counter(words(text)).items():
            place = sorted_lines.find(self._map, *self._part("words"), word)
            if place is not None:
                number = int(place)
                known.append((number, (1 + math.log(count)) * self._floats("rarity", number, 1)[0]))
        length = max(1e-9, math.sqrt(math.fsum(value * value for _, value in known)))
        for number, value in known:
            share = value / length
            row = self._floats("of_words", number * len(labels), len(labels))
            scores = [score + share * weight for score, weight in zip(scores, row, strict=True)]
        highest = max(scores)
        parts = [math.exp(score - highest) for score in scores]
        total = math.fsum(parts)
        return {label: part / total for label, part in zip(labels, parts, strict=True)}

    def _part(self, name: str) -> tuple[int, int]:
        """Start and end of a part in the map."""
        start, length = self._head["parts"][name]
        return self._start + start, self._start + start + length

    def _mapped_part(self, name: str) -> typing.Any:
        from tfhelp.index.onnx_c import Map

        start, end = self._part(name)
        return Map(self._map, start, end - start)

    def _floats(self, name: str, first: int, count: int) -> array.array[float]:
        start = self._part(name)[0] + 4 * first
        return array.array("f", self._map[start : start + 4 * count])


def load(folder: str = ARTEFACTS, knowledge: str = "") -> QuickSearch | None:
    """Map the files that a look-up needs.

    Args:
        folder: the folder of the index.
        knowledge: version of the phrases that the caller has; the empty string accepts any.

    Returns:
        ``None`` if the libraries are needed: the index was built with another model, is large, is missing or was built from other
        phrases (loading the vector index then raises the error), or ONNX Runtime has no library with a C interface.

    Raises:
        ArtefactError: a file is damaged.
    """
    path = os.path.join(folder, QUICK_FILE)
    for name in (path, os.path.join(folder, ENCODER_FILE), os.path.join(folder, INDEX_FILE)):
        check_length(name)
        if not os.path.isfile(name):
            return None
    if knowledge and made_for(path)[0] != knowledge:
        return None
    mapped = _mapped(path)
    start = mapped.find(b"\n") + 1
    try:
        head = json.loads(mapped[:start])
        if head["format"] != _FORMAT or len(mapped) != start + head["length"]:
            raise ValueError("of another version, or cut")
        if head["phrases"] > _MOST_PHRASES:
            return None
    except (ValueError, KeyError, TypeError):
        raise fault(path, "damaged") from None
    from tfhelp.index.onnx_c import OnnxError, Runtime

    try:
        return QuickSearch(mapped, head, start, folder, Runtime())
    except (OnnxError, _OtherIndexError):
        return None
    except (ValueError, KeyError, TypeError):
        raise fault(path, "damaged") from None


class _OtherIndexError(Exception):
    """The file is not a flat index with the expected number of vectors."""


def _vectors(path: str, count: int) -> mmap.mmap:
    """The vectors of a flat index, float32 [count, dimension], aligned."""
    length = 4 * count * DIMENSION
    if os.path.getsize(path) != _FAISS_HEAD + length:
        raise _OtherIndexError
    aligned = mmap.mmap(-1, max(1, length))
    with open(path, "rb", buffering=0) as file:
        if file.read(4) != b"IxFI":
            raise _OtherIndexError
        file.seek(_FAISS_HEAD)
        read, view = 0, memoryview(aligned)
        while read < length and (more := file.readinto(view[read:])):
            read += more
    return aligned


def _mapped(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def build(classifier: Classifier, phrases: int, versions: tuple[str, str], folder: str) -> bool:
    """Write the file, whole or not at all.

    Args:
        classifier: of the index.
        phrases: how many vectors the index has.
        versions: what it is made for; see ``tfhelp.kb.build_products.made_for``.
        folder: where the index and the encoder are.

    Returns:
        Whether it was written. It is not if the tokenizer has rules that ``tfhelp.index.wordpiece`` does not know.

    Raises:
        ArtefactError: the tokenizer cannot be read.
    """
    from tfhelp.kb.whole_file import write_whole

    tokens = _tokens(os.path.join(folder, "tokenizer.json"))
    if tokens is None:
        return False
    parts = {
        "product": _product(),
        "of_vector": classifier.of_vector.astype("<f4").tobytes(),
        "of_words": classifier.of_words.astype("<f4").tobytes(),
        "rarity": classifier.rarity.astype("<f4").tobytes(),
        "bias": classifier.bias.astype("<f4").tobytes(),
        "tokens": sorted_lines.packed({token: str(number) for token, number in tokens.items()}),
        "words": sorted_lines.packed({word: str(place) for place, word in enumerate(classifier.vocabulary)}),
    }
    body = bytearray()
    places = {}
    for name, content in parts.items():
        places[name] = [len(body), len(content)]
        body += content + bytes(-len(content) % _ALIGNED)
    head = {
        "made_for": versions,
        "format": _FORMAT,
        "length": len(body),
        "phrases": phrases,
        "labels": classifier.labels,
        "parts": places,
    }
    line = json.dumps(head, separators=(",", ":")).encode()
    line += b" " * ((-len(line) - 1) % _ALIGNED) + b"\n"
    path = os.path.join(folder, QUICK_FILE)
    write_whole(path, line + body)
    record([path])
    return True


def _tokens(path: str) -> dict[str, int] | None:
    """The vocabulary, if the tokenizer is BERT's uncased one."""
    try:
        with open(path, encoding="utf-8") as file:
            stored = json.load(file)
    except (OSError, ValueError):
        raise ArtefactError(f"{path}: the tokenizer cannot be read; run 'make clean-index index'") from None
    normalizer, model = stored["normalizer"] or {}, stored["model"]
    usual = (
        (normalizer.get("type"), normalizer.get("clean_text"), normalizer.get("lowercase")) == ("BertNormalizer", True, True)
        and (stored["pre_tokenizer"] or {}).get("type") == "BertPreTokenizer"
        and (model["type"], model["continuing_subword_prefix"]) == ("WordPiece", "##")
        and (model["unk_token"], model["max_input_chars_per_word"]) == ("[UNK]", 100)
    )
    return dict(model["vocab"]) if usual else None


def _product() -> bytes:
    """A graph in ORT's format: a vector's products with the phrases' vectors, and with the classifier's weights."""
    import tempfile

    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    floats = TensorProto.FLOAT
    graph = helper.make_graph(
        [
            helper.make_node("Gemm", ["vector", "phrases"], ["cosines"], transB=1),
            helper.make_node("MatMul", ["vector", "weights"], ["scores"]),
        ],
        "product",
        [
            helper.make_tensor_value_info("vector", floats, [1, DIMENSION]),
            helper.make_tensor_value_info("phrases", floats, ["phrases", DIMENSION]),
            helper.make_tensor_value_info("weights", floats, [DIMENSION, "labels"]),
        ],
        [
            helper.make_tensor_value_info("cosines", floats, [1, "phrases"]),
            helper.make_tensor_value_info("scores", floats, [1, "labels"]),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "product.ort")
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.optimized_model_filepath = path
        options.log_severity_level = 3
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        with open(path, "rb") as file:
            return file.read()
