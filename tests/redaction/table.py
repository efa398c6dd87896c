"""The table of the kinds of planted secrets."""

import typing

from tests.redaction.draw import Draw

Maker = typing.Callable[[Draw], tuple[str, typing.Sequence[str] | str]]
KINDS: dict[str, Maker] = {}


def kind(name: str) -> typing.Callable[[Maker], Maker]:
    """Add a kind to the table."""

    def put(make: Maker) -> Maker:
        KINDS[name] = make
        return make

    return put
