"""What the words alone settle, before the encoder runs."""

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.index import build as index_build
from tfhelp.index import sorted_lines, word_classifier
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.word_classifier import SURE, WORDS_FILE, WordClassifier
from tfhelp.kb.build_products import ArtefactError, made_for

TEXTS = [
    "the card runs out of memory",
    "memory of the graphics card is full",
    "the loss becomes nan",
    "nan after some batches, loss is nan",
    "a database refuses the password",
    "the printer is out of paper",
]
LABELS = ["gpu-out-of-memory"] * 2 + ["nan-loss"] * 2 + [OUT_OF_SCOPE] * 2
LEARNED = word_classifier.train(TEXTS, LABELS)


def test_the_words_of_an_entry_speak_for_it() -> None:
    for text, label in zip(TEXTS, LABELS, strict=True):
        found = LEARNED.probabilities(text)
        assert max(found, key=lambda name: found[name]) == label
        assert sum(found.values()) == pytest.approx(1)


def test_what_is_settled_is_surer_than_the_threshold() -> None:
    sure = LEARNED.sure("nan loss nan")
    assert sure is not None
    assert max(sure.values()) >= SURE
    assert LEARNED.sure("something else happens") is None


def test_unknown_words_take_their_share() -> None:
    alone = LEARNED.probabilities("nan")["nan-loss"]
    among_strangers = LEARNED.probabilities("nan quux frobnicate gizmo widget")["nan-loss"]
    assert among_strangers < alone


@given(st.text(max_size=300))
def test_any_text_gets_probabilities(text: str) -> None:
    assert sum(LEARNED.probabilities(text).values()) == pytest.approx(1)


def test_more_labels_than_a_flat_classifier_holds_are_left_to_the_encoder(tmp_path: pathlib.Path) -> None:
    for many in (index_build.MOST_LABELS + 1, 2):
        labels = [f"entry-{number}" for number in range(many)]
        index_build.build_word_classifier([f"words of {label}" for label in labels], labels, [], "phrases-1", str(tmp_path))
        assert (tmp_path / WORDS_FILE).exists() == (many == 2)


def test_a_file_gives_the_same_as_what_was_learned(tmp_path: pathlib.Path) -> None:
    word_classifier.build(TEXTS, LABELS, ("phrases-1", "digest-1"), str(tmp_path))
    assert made_for(str(tmp_path / word_classifier.WORDS_FILE)) == ("phrases-1", "digest-1")
    loaded = WordClassifier.load(str(tmp_path), "phrases-1")
    assert loaded is not None
    for text in (*TEXTS, "out of memory, nan"):
        assert loaded.probabilities(text) == LEARNED.probabilities(text)
    assert WordClassifier.load(str(tmp_path), "phrases-2") is None
    assert WordClassifier.load(str(tmp_path / "nowhere")) is None


def test_a_file_that_is_cut_is_named(tmp_path: pathlib.Path) -> None:
    word_classifier.build(TEXTS, LABELS, ("p", "d"), str(tmp_path))
    path = tmp_path / WORDS_FILE
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ArtefactError, match="words.txt: damaged; run 'make clean-index index'"):
        WordClassifier.load(str(tmp_path), "p")


@given(
    st.dictionaries(st.text(st.characters(min_codepoint=33, max_codepoint=1000), min_size=1), st.integers().map(str)), st.text()
)
def test_every_line_is_found_and_no_other(rows: dict[str, str], other: str) -> None:
    content = b"before\n" + sorted_lines.packed(rows)
    for name, value in rows.items():
        assert sorted_lines.find(content, 7, len(content), name) == value.encode()
    if other not in rows:
        assert sorted_lines.find(content, 7, len(content), other) is None
