"""BM25 from the inverted index, compared with the formula applied to the texts themselves."""

import math
import typing
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.index import lexical
from tfhelp.kb import compiled
from tfhelp.kb.lexicon import build_lexicon, words

TEXTS = st.lists(
    st.lists(st.sampled_from(["memory", "gpu", "driver", "loss", "nan", "kernel"]), max_size=6).map(" ".join),
    min_size=1,
    max_size=8,
)


def bm25(texts: list[str], query: str) -> dict[int, float]:
    """Share of the query's weight that each text covers: Robertson and Zaragoza's formula, k1 = 1.2, b = 0.5."""
    split = [words(text) for text in texts]
    mean = sum(map(len, split)) / len(split) or 1.0
    asked = dict.fromkeys(words(query))
    weights = {}
    for word in asked:
        holding = sum(word in text for text in split)
        weights[word] = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
    scores = {}
    for number, text in enumerate(split):
        found = [word for word in asked if word in text]
        if found:
            norm = 1.2 * (0.5 + 0.5 * len(text) / mean)
            total = sum(weights[word] * text.count(word) * 2.2 / (text.count(word) + norm) for word in found)
            scores[number] = total / sum(weights.values())
    return scores


@given(TEXTS, st.sampled_from(["memory", "gpu memory", "nan loss on the gpu", "driver unheard", "nothing of it", ""]))
def test_the_index_gives_the_formulas_scores(texts: list[str], query: str) -> None:
    found = dict(lexical.search(build_lexicon(texts), query, 100))
    expected = bm25(texts, query)
    assert found.keys() == expected.keys()
    for number, score in found.items():
        assert math.isclose(score, expected[number], abs_tol=0.02)


def test_best_first_and_no_more_than_asked_for() -> None:
    texts = ["the memory of the gpu is full", "memory", "the loss is nan", "gpu memory"]
    found = lexical.search(build_lexicon(texts), "GPU memory", 2)
    assert [number for number, _ in found] == [3, 0]
    assert found[0][1] > found[1][1]


def test_a_query_without_words_finds_nothing() -> None:
    assert lexical.search(build_lexicon(["memory"]), "?!", 5) == []


@given(
    TEXTS, st.text("gpmuneor val", max_size=40) | st.sampled_from(["memory", "gpu memory", "driver unheard"]), st.integers(1, 9)
)
def test_the_warm_index_finds_the_same(texts: list[str], query: str, limit: int) -> None:
    lexicon = build_lexicon(texts)
    assert lexical.LexicalIndex(lexicon).search(query, limit) == lexical.search(lexicon, query, limit)


@pytest.mark.parametrize(
    "query", ["CUDA out of memory while training", "ValueError: Shapes (None, 1) and (None, 5) are incompatible", ""]
)
def test_the_warm_index_finds_the_same_among_the_phrases(query: str) -> None:
    knowledge = compiled.load()
    index = lexical.LexicalIndex(knowledge.lexicon)
    assert index.search(query, 40) == lexical.search(knowledge.lexicon, query, 40)


@pytest.mark.parametrize("search", [lexical.search, lambda lexicon, *rest: lexical.LexicalIndex(lexicon).search(*rest)])
@given(TEXTS, st.text("gpmuneor val", max_size=40) | st.sampled_from(["memory gpu nan", "gpu driver", "loss"]), st.integers(1, 4))
def test_lists_of_common_words_that_are_left_unread_change_nothing(
    search: typing.Any, texts: list[str], query: str, limit: int
) -> None:
    """The same phrases are found if every list counts as long."""
    lexicon = build_lexicon(texts * 3)
    whole = search(lexicon, query, limit)
    with mock.patch.object(lexical, "_LONG", 0):
        assert search(lexicon, query, limit) == whole
