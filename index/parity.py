"""Parity: how well one encoder's vectors can replace another's.

The stored vectors come from the reference encoder; a query is encoded by the exported one. Two things must hold: the vectors are
nearly equal, and a query finds the same neighbour as with the reference encoder.
"""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from tfhelp.index.encoder import Vectors

LEAST_COSINE = 0.98
LEAST_SAME_NEIGHBOUR = 0.9


class Parity(typing.NamedTuple):
    """The figures.

    Attributes:
        texts: how many texts were compared.
        cosine_worst, cosine_median: cosine between the two vectors of a text.
        same_neighbour: share of texts, 0 to 1, whose nearest other text among the reference's vectors is the same.
    """

    texts: int
    cosine_worst: float
    cosine_median: float
    same_neighbour: float

    @property
    def holds(self) -> bool:
        """Return whether the candidate may replace the reference."""
        return self.cosine_worst >= LEAST_COSINE and self.same_neighbour >= LEAST_SAME_NEIGHBOUR

    def __str__(self) -> str:
        return (
            f"cosine {self.cosine_worst:.4f} at worst, {self.cosine_median:.4f} in the median; "
            f"same first neighbour for {self.same_neighbour:.1%} of {self.texts} texts"
        )


def measure(reference: Vectors, candidate: Vectors) -> Parity:
    """Compare two encoders' vectors of the same texts.

    Args:
        reference, candidate: float32 of shape ``[texts, dimension]``, rows of length one, at least two of them.

    Raises:
        ValueError: the shapes differ, or there are fewer than two texts.
    """
    import numpy

    if reference.shape != candidate.shape or len(reference) < 2:
        raise ValueError(f"parity needs the same two or more texts twice, got {reference.shape} and {candidate.shape}")
    cosines = (reference * candidate).sum(axis=1)
    same = _neighbours(reference, reference) == _neighbours(candidate, reference)
    return Parity(len(reference), float(cosines.min()), float(numpy.median(cosines)), float(same.mean()))


def _neighbours(queries: Vectors, stored: Vectors) -> typing.Any:
    import numpy

    similarity = queries @ stored.T
    numpy.fill_diagonal(similarity, -2.0)  # a text is not its own neighbour
    return similarity.argmax(axis=1)
