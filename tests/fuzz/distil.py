"""A corpus made small: of many inputs the shortest ones that together reach the same branches."""

import typing

import coverage

from tests.fuzz.target import Target

MOST = 12_000  # bytes of a reader's corpus
_LONGEST = 1_200  # bytes of an input that is kept


def distilled(target: Target, candidates: typing.Iterable[bytes]) -> list[bytes]:
    """The inputs to keep, the shortest first; those that reach nothing new are left out."""
    ordered = sorted({one for one in candidates if len(one) <= _LONGEST}, key=lambda one: (len(one), one))
    for data in ordered[:20]:
        _reached(target, data)  # what is imported or cached at the first call belongs to no input
    reached: set[tuple[str, int, int]] = set()
    kept, size = [], 0
    for data in ordered:
        arcs = _reached(target, data)
        if arcs - reached and size + len(data) <= MOST:
            kept.append(data)
            size += len(data)
            reached |= arcs
    return kept


def _reached(target: Target, data: bytes) -> set[tuple[str, int, int]]:
    """The branches of our code that an input reaches, as (file, from line, to line)."""
    measured = coverage.Coverage(data_file=None, source_pkgs=["tfhelp"], branch=True, config_file=False, messages=False)
    with measured.collect():
        try:
            target.read(data)
        except Exception:  # noqa: BLE001 - an input that shows a fault is kept elsewhere
            return set()
    found = measured.get_data()
    return {(file, *arc) for file in found.measured_files() for arc in found.arcs(file) or ()}
