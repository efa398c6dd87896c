"""The atlas, asked: who raises this message, since when is there this name, what is like it, of which releases are these frames."""

import functools

from tfhelp.kb.atlas.asked_messages import Explained, Messages, Place
from tfhelp.kb.atlas.asked_names import Name, Names, accepts, canonical
from tfhelp.kb.atlas.asked_releases import Possible, Releases
from tfhelp.kb.atlas.opened import Span

__all__ = ["Atlas", "Explained", "Name", "Place", "Possible", "Span", "accepts", "canonical", "shared"]


class Atlas(Messages, Names, Releases):
    """The file, opened."""


@functools.cache
def shared() -> Atlas:
    """The one in the repository, opened once in a process.

    Raises:
        AtlasError: it is missing, damaged or of another format.
    """
    return Atlas()
