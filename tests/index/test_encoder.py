import json
import pathlib
import subprocess
import sys

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.sentences import SENTENCES
from tests.turns import skip_unless_due
from tfhelp.index.encoder import ARTEFACTS, DIMENSION, FILES, MAX_TOKENS, Encoder
from tfhelp.index.parity import measure
from tfhelp.kb.build_products import ArtefactError


def test_vectors_have_the_documented_shape_and_length_one(encoder: Encoder) -> None:
    vectors = encoder.encode(SENTENCES)
    assert vectors.shape == (len(SENTENCES), DIMENSION)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, DIMENSION)


def test_meaning_counts_more_than_words(encoder: Encoder) -> None:
    question, same_meaning, same_words = encoder.encode(
        ["my graphics card memory is full", "the GPU runs out of VRAM", "my graphics card is full of memories of summer"]
    )
    other = encoder.encode(["pip cannot find a matching distribution"])[0]
    assert question @ same_meaning > 0.5 > question @ other
    assert question @ same_words > question @ other


def test_a_text_has_the_same_vector_alone_and_in_company(encoder: Encoder) -> None:
    together = encoder.encode(SENTENCES)
    alone = numpy.concatenate([encoder.encode([text]) for text in reversed(SENTENCES)])[::-1]
    assert numpy.array_equal(together, alone)


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.characters(codec=None), max_size=400))
def test_any_text_can_be_encoded(encoder: Encoder, text: str) -> None:
    vector = encoder.encode([text])[0]
    assert numpy.isfinite(vector).all()
    assert numpy.linalg.norm(vector) == pytest.approx(1.0, abs=1e-4)


def test_a_lone_surrogate_causes_no_failure(encoder: Encoder) -> None:
    assert numpy.isfinite(encoder.encode(["\ud800 broken \udfff paste"])).all()


def test_text_beyond_the_encoders_window_does_not_matter(encoder: Encoder) -> None:
    start = "memory " * MAX_TOKENS
    short, long = encoder.encode([start, start + "and a completely different ending " * 50])
    assert numpy.array_equal(short, long)


def test_the_exported_files_say_what_they_are(encoder: Encoder) -> None:
    description = json.loads(pathlib.Path(ARTEFACTS, "encoder.json").read_text(encoding="utf-8"))
    assert description == encoder.description
    assert description["licence"] == "Apache-2.0"
    assert description["precision"] in {"int8", "int8-mixed", "fp32"}
    assert description["parity"]["cosine_worst"] >= 0.98
    assert description["parity"]["same_neighbour"] >= 0.9


@pytest.mark.parametrize("missing", FILES)
def test_a_missing_file_is_named_with_the_command_that_makes_it(tmp_path: pathlib.Path, missing: str) -> None:
    for name in FILES:
        if name != missing:
            (tmp_path / name).write_bytes(pathlib.Path(ARTEFACTS, name).read_bytes())
    with pytest.raises(ArtefactError, match=rf"{missing}: missing; run 'make index'"):
        Encoder.load(str(tmp_path))


@pytest.mark.parametrize("damaged", FILES)
def test_a_damaged_file_is_an_error_of_ours(tmp_path: pathlib.Path, damaged: str) -> None:
    for name in FILES:
        content = pathlib.Path(ARTEFACTS, name).read_bytes()
        (tmp_path / name).write_bytes(content[: len(content) // 2] if name == damaged else content)
    with pytest.raises(ArtefactError, match="cannot be read"):
        Encoder.load(str(tmp_path))


def test_encoding_imports_neither_torch_nor_transformers() -> None:
    program = (
        "import sys; from tfhelp.index.encoder import Encoder; before = set(sys.modules); "
        "assert not before & {'numpy', 'onnxruntime', 'tokenizers'}, 'importing the module is not free'; "
        "Encoder.load().encode(['out of memory']); "
        "print([name for name in ('torch', 'transformers', 'sentence_transformers', 'tensorflow') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.strip()) == (0, "[]"), ran.stderr


@pytest.mark.slow
def test_the_exported_encoder_stands_for_the_reference_on_the_knowledge_base(encoder: Encoder) -> None:
    from tfhelp.index.sentence_encoder import SentenceEncoder
    from tfhelp.kb import compiled

    skip_unless_due("encoder")
    phrases = [text for _, _, text in compiled.load().phrases]
    parity = measure(SentenceEncoder().encode(phrases), encoder.encode(phrases))
    assert parity.holds, str(parity)
