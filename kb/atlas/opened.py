"""The opened atlas file: its packages and their releases, by number and by version."""

import typing

from tfhelp.kb.atlas.store import PATH, Store


class Span(typing.NamedTuple):
    """Consecutive releases of a package: ``first`` to ``last``. ``newest``: the atlas knows no later release."""

    package: str
    first: str
    last: str
    newest: bool


class Opened:
    """The opened file, with what both names and messages need.

    Attributes:
        packages: their import names; the rows of a table refer to them by index.
    """

    def __init__(self, path: str = PATH) -> None:
        """Open the file.

        Raises:
            AtlasError: it is missing or damaged, or has a different format.
        """
        self._store = Store(path)
        self.packages: list[str] = self._store.get("about", "packages")
        self._releases: list[list[str]] = self._store.get("about", "releases")
        self._companions: list[list[list[int]]] = self._store.get("about", "companions")

    def releases(self, package: str) -> list[str]:
        """The releases that the atlas was built from, oldest first.

        Raises:
            ValueError: no such package.
        """
        return self._releases[self.packages.index(package)]

    def _numbers(self, package: int, span: Span) -> range:
        versions = self._releases[package]
        return range(versions.index(span.first), versions.index(span.last) + 1)

    def numbers_of(self, span: Span) -> set[int]:
        """The numbers of a span's releases in their package's list."""
        return set(self._numbers(self.packages.index(span.package), span))

    def _span(self, package: int, first: int, last: int) -> Span:
        versions = self._releases[package]
        return Span(self.packages[package], versions[first], versions[last], last == len(versions) - 1)

    def _spans(self, package: int, releases: list[int]) -> tuple[Span, ...]:
        return tuple(self._span(package, *releases[place : place + 2]) for place in range(0, len(releases), 2))


def each(releases: list[int]) -> set[int]:
    """The numbers in ranges that are written as first, last, first, last."""
    return {number for place in range(0, len(releases), 2) for number in range(releases[place], releases[place + 1] + 1)}


def rows_of(numbers: set[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as ranges (first, last), ascending."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
