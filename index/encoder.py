"""The query encoder: turns a sentence into a vector with only ONNX Runtime and ``tokenizers``.

sentence-transformers takes seconds to import, which is too long for an answer. ``tfhelp.index.export`` writes the files that this
module reads. Everything heavy is imported inside functions, because a cold ``tfhelp ask`` that finds a decisive signature never
encodes anything.
"""

from __future__ import annotations

import json
import os
import typing

from tfhelp.kb.build_products import ArtefactError, check_length, fault

if typing.TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vectors = numpy.typing.NDArray[numpy.float32]

ARTEFACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "artefacts")
MAX_TOKENS = 128
DIMENSION = 384
FILES = ("encoder.ort", "tokenizer.json", "encoder.json")


class TextEncoder(typing.Protocol):
    """Anything that turns texts into vectors of unit length."""

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of the texts: float32 of shape ``[len(texts), dimension]``, each of length one."""
        ...


class Encoder:
    """The exported encoder.

    Attributes:
        description: the content of ``encoder.json``: model, precision, parity figures, source, licence.
    """

    __slots__ = ("_session", "_tokenizer", "description")

    def __init__(self, session: typing.Any, tokenizer: typing.Any, description: dict[str, typing.Any]) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.description = description

    @classmethod
    def load(cls, folder: str = ARTEFACTS, threads: int = 1) -> Encoder:
        """Read the exported files.

        Args:
            folder: the folder of ``encoder.ort``, ``tokenizer.json`` and ``encoder.json``.
            threads: threads within one operation; a short sentence gains nothing from a second one.

        Raises:
            ArtefactError: a file is missing or cannot be read.
        """
        for name in FILES:
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                raise fault(path, "missing", "make index")
            check_length(path)
        import onnxruntime
        import tokenizers

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # already optimised at export
        options.log_severity_level = 3  # its warnings are about its own optimiser: the user can do nothing about them
        try:
            with open(os.path.join(folder, "encoder.json"), encoding="utf-8") as file:
                description = json.load(file)
            tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
            session = onnxruntime.InferenceSession(
                os.path.join(folder, "encoder.ort"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  the three libraries raise their own classes, one of them plain Exception
            raise ArtefactError(
                f"{folder}: the encoder cannot be read ({_first_line(error)}); run 'make clean-index index'"
            ) from None
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        return cls(session, tokenizer, description)

    def encode(self, texts: list[str]) -> Vectors:
        """Encode texts one at a time.

        A batch would need padding, and the quantised model scales its numbers over the whole batch: a text's vector would
        then depend on its neighbours. The same text must give the same vector, alone or in a batch.

        Args:
            texts: any texts; each is cut after 128 tokens.

        Returns:
            float32 of shape ``[len(texts), 384]``, each row of length one.
        """
        import numpy

        vectors = numpy.empty((len(texts), DIMENSION), dtype=numpy.float32)
        for position, text in enumerate(texts):
            # The tokenizer does not accept a lone surrogate, and pasted text may contain one.
            tokens = self._tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
            feed = {"input_ids": numpy.array([tokens.ids], dtype=numpy.int64)}
            vectors[position] = self._session.run(None, feed)[0][0]
        return vectors


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__
