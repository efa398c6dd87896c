"""What the classifier learns, that it is stored unchanged, and that an earlier build's vectors are reused."""

import pathlib

import numpy
import pytest

from tfhelp.index.classifier import Classifier
from tfhelp.index.embedding_cache import ENCODED_FILE, CachingEncoder
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.sentence_encoder import DEFAULT_MODEL
from tfhelp.index.stored_classifier import CLASSIFIER_FILE, StoredClassifier, grouped, save, trained
from tfhelp.kb.build_products import ArtefactError

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
    """Unit vectors without information: only the words can distinguish the texts."""
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
    save(trained(vectors(TEXTS), TEXTS, labels), str(tmp_path))
    loaded = StoredClassifier.load(str(tmp_path))
    assert loaded is not None and loaded.whole is not None
    assert (loaded.whole.labels, list(loaded.whole.vocabulary)) == (classifier.labels, list(classifier.vocabulary))
    for text in (*TEXTS, "", "words that nobody knows"):
        assert loaded.probabilities(vectors([text])[0], text) == classifier.probabilities(vectors([text])[0], text)


def test_groups_are_no_larger_than_asked_for_and_hold_each_label_once() -> None:
    numbers = numpy.random.default_rng(1)
    labels = [f"entry-{number % 50:02}" for number in range(400)] + [OUT_OF_SCOPE] * 20
    groups = grouped(numbers.standard_normal((len(labels), 8)).astype("float32"), labels, 7)
    assert sorted(label for group in groups for label in group) == sorted(set(labels) - {OUT_OF_SCOPE})
    assert all(2 <= len(group) <= 7 for group in groups)


def knowledge() -> tuple[numpy.ndarray, list[str], list[str]]:
    """Vectors, texts and labels of 60 entries with eight texts each, and of texts about none; the vectors have noise."""
    numbers = numpy.random.default_rng(2)
    centres = numbers.standard_normal((61, 24))
    labels = [number % 61 for number in range(61 * 8)]
    rows = centres[labels] + 0.7 * numbers.standard_normal((len(labels), 24))
    texts = [f"word{label} of {numbers.integers(40)} and {numbers.integers(40)}" for label in labels]
    names = [OUT_OF_SCOPE if label == 60 else f"entry-{label:02}" for label in labels]
    return (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype("float32"), texts, names


def test_groups_answer_as_one_classifier_does() -> None:
    rows, texts, labels = knowledge()
    taught, asked = slice(0, 61 * 6), range(61 * 6, 61 * 8)
    one = Classifier.train(rows[taught], texts[taught], labels[taught])
    content = trained(rows[taught], texts[taught], labels[taught], 12)
    assert content == trained(rows[taught], texts[taught], labels[taught], 12)
    groups = StoredClassifier(content)
    assert groups.whole is None
    right = {one: 0, groups: 0}
    for classifier in right:
        for number in asked:
            found = classifier.probabilities(rows[number], texts[number])
            assert sum(found.values()) == pytest.approx(1, abs=0.1)
            right[classifier] += max(found, key=lambda label: found[label]) == labels[number]
    assert right[one] > 0.8 * len(asked)
    assert right[groups] >= right[one] - 0.05 * len(asked)


def test_a_damaged_file_is_named(tmp_path: pathlib.Path) -> None:
    content = trained(vectors(TEXTS), TEXTS, LABELS)
    assert StoredClassifier.load(str(tmp_path)) is None
    for wrong in (
        content[:-1],
        b"",
        content.replace(b'"format":2', b'"format":9'),
        content.replace(b'"divided":', b'"dividend":'),
    ):
        assert wrong != content
        (tmp_path / CLASSIFIER_FILE).write_bytes(wrong)
        with pytest.raises(ArtefactError, match="damaged"):
            StoredClassifier.load(str(tmp_path))


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
