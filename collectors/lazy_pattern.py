"""A regular expression that is compiled when it is first used.

Compiling takes longer than matching: compiling all 150 patterns of the readers takes several times as long as starting Python,
and one text uses only a few of them.
"""

import re
import typing

# The result of each method if there is no match.
_NOTHING: dict[str, typing.Callable[[], typing.Any]] = {"findall": list, "finditer": lambda: iter(())}
_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class Pattern:
    """Like ``re.compile``; the compiled pattern's methods replace those of this class when any of them is first used.

    A pattern may name words, one of which occurs in every match (in lower case if it ignores case). It is then
    not even compiled until a text contains one of them.

    >>> Pattern(r"a(b)", re.IGNORECASE).search("xAB")[1]
    'B'
    >>> Pattern(r"Killed|Aborted", one_of=("Killed", "Aborted")).findall("all is well")
    []
    """

    __slots__ = ("_flags", "_one_of", "_source", *_METHODS)

    findall: typing.Callable[..., list[typing.Any]]
    finditer: typing.Callable[..., typing.Iterator[re.Match[str]]]
    fullmatch: typing.Callable[..., re.Match[str] | None]
    match: typing.Callable[..., re.Match[str] | None]
    search: typing.Callable[..., re.Match[str] | None]
    split: typing.Callable[..., list[typing.Any]]
    sub: typing.Callable[..., str]

    def __init__(self, source: str, flags: int = 0, one_of: tuple[str, ...] = ()) -> None:
        self._source = source
        self._flags = flags
        self._one_of = one_of

    def __getattr__(self, name: str) -> typing.Any:
        """Called for a method only while the method is not set yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        if self._one_of and name not in ("split", "sub"):
            guarded = self._guarded(name)
            setattr(self, name, guarded)
            return guarded
        self._compile()
        return getattr(self, name)

    def _compile(self) -> None:
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))

    def _guarded(self, name: str) -> typing.Callable[..., typing.Any]:
        words, small, nothing = self._one_of, bool(self._flags & re.IGNORECASE), _NOTHING.get(name, lambda: None)

        def method(text: str, *place: int) -> typing.Any:
            looked_at = text.lower() if small else text
            for word in words:
                if word in looked_at:
                    self._compile()  # from now on the pattern is as fast as the search for its words
                    return getattr(self, name)(text, *place)
            return nothing()

        return method
