import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.index.parity import Parity, measure


def unit_rows(seed: int, rows: int, columns: int = 8) -> numpy.ndarray:
    rows_of_numbers = numpy.random.default_rng(seed).normal(size=(rows, columns)).astype("float32")
    return rows_of_numbers / numpy.linalg.norm(rows_of_numbers, axis=1, keepdims=True)


@given(st.integers(0, 2**32 - 1), st.integers(2, 30))
def test_an_encoder_agrees_with_itself(seed: int, rows: int) -> None:
    vectors = unit_rows(seed, rows)
    parity = measure(vectors, vectors)
    assert parity.texts == rows
    assert parity.cosine_worst == pytest.approx(1.0, abs=1e-5)
    assert parity.same_neighbour == 1.0
    assert parity.holds


def test_one_text_gone_astray_is_seen_in_the_worst_cosine_and_not_in_the_median() -> None:
    reference = unit_rows(1, 20)
    candidate = reference.copy()
    candidate[7] = -reference[7]
    parity = measure(reference, candidate)
    assert parity.cosine_worst == pytest.approx(-1.0, abs=1e-5)
    assert parity.cosine_median == pytest.approx(1.0, abs=1e-5)
    assert parity.same_neighbour == 0.95
    assert not parity.holds


@pytest.mark.parametrize(
    ("worst", "same", "holds"), [(0.98, 0.9, True), (0.9799, 1.0, False), (1.0, 0.899, False), (0.995, 0.95, True)]
)
def test_both_thresholds_count(worst: float, same: float, holds: bool) -> None:
    assert Parity(100, worst, 0.99, same).holds is holds


def test_vectors_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(ValueError, match="two or more"):
        measure(unit_rows(1, 1), unit_rows(1, 1))
    with pytest.raises(ValueError, match="two or more"):
        measure(unit_rows(1, 3), unit_rows(1, 4))
