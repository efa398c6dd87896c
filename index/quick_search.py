"""Search by meaning for one text, for a cold ``ask``: nothing that takes longer to import than the search itself is imported.

It finds what ``tfhelp.index.vectors`` finds, with the same encoder over the same vectors and the same classifier. NumPy, FAISS,
``tokenizers`` and ONNX Runtime's Python package take ten times as long to import as one text takes here. They pay off in a
process that handles many texts, and they support what this module does not: other models, private folders, and texts that are not
ASCII.

The index and the classifier are read from their own files. ``index/artefacts/quick.bin`` holds what only this module needs: a line
of JSON that names its parts, then the parts.
"""

from __future__ import annotations

import json
import mmap
import os
import typing

from tfhelp.index import quick_products, sorted_lines
from tfhelp.index.encoder import ARTEFACTS
from tfhelp.index.quick_products import Products
from tfhelp.index.quick_vectors import CellVectors, FlatVectors, OtherIndexError, cells_of
from tfhelp.index.wordpiece import WordPiece
from tfhelp.kb.build_products import ArtefactError, check_length, fault, made_for, record

if typing.TYPE_CHECKING:
    from tfhelp.index.onnx_c import Map, Runtime
    from tfhelp.index.quick_classifier import QuickClassifier
    from tfhelp.index.vectors import VectorIndex

QUICK_FILE = "quick.bin"
ENCODER_FILE = "encoder.ort"
INDEX_FILE = "vectors.faiss"
CLASSIFIER_FILE = "classifier.bin"
FORMAT = 2
_ALIGNED = 64  # bytes


class QuickSearch:
    """Look up one text; used by a diagnoser in place of its vector index.

    Attributes:
        pieces: the tokenizer.
    """

    __slots__ = ("_folder", "_head", "_libraries", "_map", "_opened", "_runtime", "_start", "_vectors", "pieces")

    def __init__(self, mapped: mmap.mmap, head: dict[str, typing.Any], start: int, folder: str, runtime: Runtime) -> None:
        self._map = mapped
        self._head = head
        self._start = start
        self._runtime = runtime
        self._folder = folder
        self._opened: tuple[typing.Any, Products, QuickClassifier] | None = None
        self._libraries: VectorIndex | None = None
        path, cells = os.path.join(folder, INDEX_FILE), head["cells"]
        self._vectors: FlatVectors | CellVectors = (
            CellVectors(path, cells, head["searched"], self._mapped_part("of_cells"))
            if cells
            else FlatVectors(path, head["phrases"])
        )
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
        return self._loaded().look_up(text, k)

    def _loaded(self) -> VectorIndex:
        """The vector index with its libraries. It is loaded once, because a notebook or a program asks many times."""
        if self._libraries is None:
            from tfhelp.index.vectors import VectorIndex

            self._libraries = VectorIndex.load(self._folder, self._head["made_for"][0])
        return self._libraries

    def _looked_up(self, text: str, ids: list[int], k: int) -> tuple[list[tuple[int, float]], dict[str, float]]:
        if self._opened is None:
            self._opened = self._open()
        encoder, products, classifier = self._opened
        [vector] = self._runtime.run(encoder, {"input_ids": self._runtime.integers(ids)}, ["sentence_embedding"])
        return self._vectors.nearest(products, vector, k), classifier.probabilities(vector, text)

    def _open(self) -> tuple[typing.Any, Products, QuickClassifier]:
        """The session of the encoder, the products and the classifier."""
        from tfhelp.index.onnx_c import Map
        from tfhelp.index.quick_classifier import QuickClassifier

        encoder = self._runtime.session(Map(_mapped(os.path.join(self._folder, ENCODER_FILE))))
        products = Products(self._runtime, self._mapped_part)
        path = os.path.join(self._folder, CLASSIFIER_FILE)
        try:
            return encoder, products, QuickClassifier(_mapped(path), products)
        except ValueError:
            raise fault(path, "damaged") from None

    def _part(self, name: str) -> tuple[int, int]:
        """Start and end of a part in the map."""
        start, length = self._head["parts"][name]
        return self._start + start, self._start + start + length

    def _mapped_part(self, name: str) -> Map:
        from tfhelp.index.onnx_c import Map

        start, end = self._part(name)
        return Map(self._map, start, end - start)


def load(folder: str = ARTEFACTS, knowledge: str = "") -> QuickSearch | None:
    """Map the files that a look-up needs.

    Args:
        folder: the folder of the index.
        knowledge: version of the phrases that the caller has; the empty string accepts any.

    Returns:
        ``None`` if the libraries are needed: the index was built with another model, is missing or was built from other
        phrases (loading the vector index then raises the error), or ONNX Runtime has no library with a C interface.

    Raises:
        ArtefactError: a file is damaged.
    """
    path = os.path.join(folder, QUICK_FILE)
    for name in (path, *(os.path.join(folder, other) for other in (ENCODER_FILE, INDEX_FILE, CLASSIFIER_FILE))):
        check_length(name)
        if not os.path.isfile(name):
            return None
    if knowledge and made_for(path)[0] != knowledge:
        return None
    mapped = _mapped(path)
    start = mapped.find(b"\n") + 1
    try:
        head = json.loads(mapped[:start])
        if head["format"] != FORMAT or len(mapped) != start + head["length"]:
            raise ValueError("of another version, or cut")
    except (ValueError, KeyError, TypeError):
        raise fault(path, "damaged") from None
    from tfhelp.index.onnx_c import OnnxError, Runtime

    try:
        return QuickSearch(mapped, head, start, folder, Runtime())
    except (OnnxError, OtherIndexError):
        return None
    except (ValueError, KeyError, TypeError):
        raise fault(path, "damaged") from None


def _mapped(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def build(phrases: int, versions: tuple[str, str], folder: str) -> bool:
    """Write the file, whole or not at all.

    Args:
        phrases: how many vectors the index has.
        versions: what it is made for; see ``tfhelp.kb.build_products.made_for``.
        folder: where the index, the classifier and the encoder are.

    Returns:
        Whether it was written. It is not if the tokenizer has rules that ``tfhelp.index.wordpiece`` does not know, or if FAISS's
        file has a layout that ``tfhelp.index.quick_vectors`` does not know.

    Raises:
        ArtefactError: the tokenizer cannot be read.
    """
    import faiss

    from tfhelp.kb.whole_file import write_whole

    tokens = _tokens(os.path.join(folder, "tokenizer.json"))
    if tokens is None:
        return False
    index = os.path.join(folder, INDEX_FILE)
    try:
        cells = cells_of(faiss.read_index(index, faiss.IO_FLAG_MMAP_IFC), index)
    except OtherIndexError:
        return False
    parts = {
        **quick_products.graphs(),
        "tokens": sorted_lines.packed({token: str(number) for token, number in tokens.items()}),
        "of_cells": cells.vectors if cells else b"",
    }
    body = bytearray()
    places = {}
    for name, content in parts.items():
        places[name] = [len(body), len(content)]
        body += content + bytes(-len(content) % _ALIGNED)
    head = {
        "made_for": versions,
        "format": FORMAT,
        "length": len(body),
        "phrases": phrases,
        "cells": cells.sizes if cells else [],
        "searched": cells.searched if cells else 0,
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
