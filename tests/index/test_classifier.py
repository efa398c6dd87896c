"""What the classifier learns, that it is kept as it was, and that an earlier build's vectors are used again."""

import pathlib

import numpy
import pytest

from tfhelp.index.classifier import Classifier
from tfhelp.index.embedding_cache import ENCODED_FILE, CachingEncoder
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.sentence_encoder import DEFAULT_MODEL

TEXTS = [
    "the graphics card is out of memory",
    "OOM when allocating a tensor",
    "the loss is nan",
    "NaN after the first epoch",
    "a web page is not found",
    "the database is locked",
]
LABELS = ["gpu-out-of-memory"] * 2 + ["nan-loss"] * 2 + [OUT_OF_SCOPE] * 2


def vectors(texts: list[str]) -> numpy.ndarray:
    """Unit vectors that say nothing: what is told apart is told apart by the words."""
    return numpy.full((len(texts), 4), 0.5, "float32")


def best(classifier: Classifier, text: str) -> str:
    found = classifier.probabilities(vectors([text])[0], text)
    assert sum(found.values()) == pytest.approx(1, abs=1e-4)
    return max(found, key=lambda label: found[label])


def test_it_learns_from_words() -> None:
    classifier = Classifier.train(vectors(TEXTS), TEXTS, LABELS)
    assert best(classifier, "my card runs out of memory") == "gpu-out-of-memory"
    assert best(classifier, "loss: nan") == "nan-loss"
    assert best(classifier, "database") == OUT_OF_SCOPE


def test_it_learns_from_vectors() -> None:
    axes = numpy.repeat(numpy.eye(3, dtype="float32"), 2, axis=0)
    classifier = Classifier.train(axes, ["same words"] * 6, LABELS)
    assert [
        max(found, key=lambda label: found[label]) for found in (classifier.probabilities(axis, "") for axis in axes)
    ] == LABELS


@pytest.mark.parametrize("labels", [LABELS, ["one"] * 3 + ["two"] * 3])
def test_it_is_kept_as_it_was(labels: list[str], tmp_path: pathlib.Path) -> None:
    classifier = Classifier.train(vectors(TEXTS), TEXTS, labels)
    classifier.save(str(tmp_path))
    loaded = Classifier.load(str(tmp_path))
    assert loaded is not None
    for text in (*TEXTS, "", "words that nobody knows"):
        assert loaded.probabilities(vectors([text])[0], text) == classifier.probabilities(vectors([text])[0], text)


def test_one_label_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="at least two"):
        Classifier.train(vectors(TEXTS), TEXTS, ["one"] * 6)


@pytest.mark.slow
def test_a_second_build_encodes_only_what_is_new(tmp_path: pathlib.Path) -> None:
    first = CachingEncoder(DEFAULT_MODEL, str(tmp_path))
    expected = first.encode(TEXTS)
    first.keep(TEXTS)
    second = CachingEncoder(DEFAULT_MODEL, str(tmp_path))
    assert numpy.array_equal(second.encode(TEXTS[::-1]), expected[::-1])
    assert second._encoder is None  # the model was not even loaded
    assert second.encode([*TEXTS, "a new one"]).shape == (7, expected.shape[1])
    assert CachingEncoder("another/model", str(tmp_path))._known == {}
    (tmp_path / ENCODED_FILE).write_bytes(b"PK damaged")
    assert CachingEncoder(DEFAULT_MODEL, str(tmp_path))._known == {}
