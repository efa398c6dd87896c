"""The atlas: what raises a message, which releases have a name, which names are similar, which releases have these frames."""

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
    """The atlas of the repository, opened once per process.

    Raises:
        AtlasError: the file is missing or damaged, or has a different format.
    """
    return Atlas()
