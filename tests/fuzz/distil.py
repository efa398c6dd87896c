"""Reduces a corpus: from many inputs, it keeps the shortest ones that together reach the same lines."""

import pathlib
import typing

import coverage

from tests.fuzz.target import Target

MOST = 12_000  # bytes of a reader's corpus
_LONGEST = 1_200  # bytes of an input that is kept
_ROOT = pathlib.Path(__file__).resolve().parents[2]
_MEASURED = [f"{_ROOT}/{room}/*" for room in ("collectors", "index", "kb", "service")]
Reached = set[tuple[str, int]]


def distilled(target: Target, candidates: typing.Iterable[bytes]) -> list[bytes]:
    """The inputs to keep, the shortest first; those that reach nothing new are left out."""
    ordered = sorted({one for one in candidates if len(one) <= _LONGEST}, key=lambda one: (len(one), one))
    reached: Reached = set()
    kept, size = [], 0
    for data, lines in zip(ordered, _reached(target, ordered), strict=True):
        if lines - reached and size + len(data) <= MOST:
            kept.append(data)
            size += len(data)
            reached |= lines
    return kept


def _reached(target: Target, ordered: typing.Sequence[bytes]) -> list[Reached]:
    """For each input the lines of our code that it reaches, as (file, line)."""
    measured = coverage.Coverage(data_file=None, include=_MEASURED, config_file=False, messages=False)
    # Code that is imported or cached at the first call belongs to no input, so the first inputs are read beforehand.
    for data in ordered[:20]:
        _read(target, data)
    with measured.collect():
        for number, data in enumerate(ordered):
            measured.switch_context(str(number))
            _read(target, data)
    reached: list[Reached] = [set() for _ in ordered]
    found = measured.get_data()
    for file in found.measured_files():
        for line, contexts in found.contexts_by_lineno(file).items():
            for context in filter(None, contexts):
                reached[int(context)].add((file, line))
    return reached


def _read(target: Target, data: bytes) -> None:
    try:
        target.read(data)
    except Exception:  # noqa: BLE001 - an input that shows a fault is kept elsewhere
        return
