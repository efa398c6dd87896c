"""Consecutive releases as text, and whether all, some or none of them are in a range of versions.

>>> say("2.4", "2.8"), say("2.9", "2.9"), say("2.16", "2.21", newest=True), say("1.0", "1.4", oldest=True)
('2.4 to 2.8', '2.9', '2.16 or later', '1.4 or older')
>>> satisfies("2.4 to 2.8", "<2.16"), satisfies("2.4 to 2.8", ">=2.6"), satisfies("2.4 to 2.8", ">=2.16")
(True, None, False)
"""

import re
import typing

from tfhelp.kb import versions

_SAID = re.compile(r"(\d{1,9}\.\d{1,9})(?: to (\d{1,9}\.\d{1,9})| or (later|older))?")
_BEFORE_ALL, _AFTER_ALL = "0.0.1", "999999"
_LAST_PATCH = ".999999"


def say(first: str, last: str, *, oldest: bool = False, newest: bool = False) -> str:
    """Minor releases as text. With ``oldest``, older releases than the first are included; with ``newest``, later ones.

    If both ends are open, the text is empty.
    """
    if oldest and newest:
        return ""
    if oldest or newest:
        return f"{last} or older" if oldest else f"{first} or later"
    return first if first == last else f"{first} to {last}"


def ends(text: object) -> tuple[str, str] | None:
    """The first and the last version in a text from ``say``; None for any other text."""
    found = _SAID.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    first, last, open_end = found.groups()
    if open_end:
        return (first, _AFTER_ALL) if open_end == "later" else (_BEFORE_ALL, first + _LAST_PATCH)
    return first, (last or first) + _LAST_PATCH


def satisfies(text: object, specifier: str) -> bool | None:
    """Return whether releases are in a range of versions: True if all are, False if none is, else None.

    Args:
        text: as ``say`` writes it.
        specifier: as pip writes it, ``>=2.10,<2.12``.
    """
    between = ends(text)
    if between is None:
        return None
    outcomes = {versions.satisfies(point, specifier) for point in _points(between, specifier)}
    return outcomes.pop() if len(outcomes) == 1 else None


def _points(between: tuple[str, str], specifier: str) -> typing.Iterator[str]:
    """Sample versions: at least one from each part into which a range's limits divide the releases."""
    yield from between
    first, last = map(versions.parse, between)
    for _, limit in versions.clauses(specifier):
        for point in _around(limit.removesuffix(".*")):
            version = versions.parse(point)
            if first is not None and last is not None and version is not None and first <= version <= last:
                yield point


def _around(limit: str) -> tuple[str, ...]:
    """A limit, and versions just before and just after it."""
    version = versions.parse(limit)
    numbers = list(version[0]) if version else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    if not numbers:
        return (limit,)
    before = [*numbers[:-1], numbers[-1] - 1, 999998]
    return limit, ".".join(map(str, before)), ".".join(map(str, [*numbers, 0, 0, 1]))
