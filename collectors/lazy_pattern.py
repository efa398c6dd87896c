"""A regular expression that is compiled when it is first used.

Compiling costs more than matching: the 150 patterns of the readers together cost several times the start of Python, and
one text uses a few of them.
"""

import re
import typing

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class Pattern:
    """Like ``re.compile``; the methods of the compiled pattern take their places at the first use of any of them.

    >>> Pattern(r"a(b)", re.IGNORECASE).search("xAB")[1]
    'B'
    """

    __slots__ = ("_flags", "_source", *_METHODS)

    findall: typing.Callable[..., list[typing.Any]]
    finditer: typing.Callable[..., typing.Iterator[re.Match[str]]]
    fullmatch: typing.Callable[..., re.Match[str] | None]
    match: typing.Callable[..., re.Match[str] | None]
    search: typing.Callable[..., re.Match[str] | None]
    split: typing.Callable[..., list[typing.Any]]
    sub: typing.Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> typing.Any:
        """Reached for a method only while its place is empty."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)
