"""``%load_ext tfhelp`` or ``%load_ext tfhelp_notebook``: explains a notebook's failures beside them.

This folder is packed twice: as a part of tfhelp, and alone as ``tfhelp_notebook``, for kernels in which tfhelp cannot be
installed. So it works with Python 3.7 and newer, needs nothing but the IPython that is there, and imports no module of tfhelp:
it asks for answers (``asking``).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing

__version__ = "0.1.0"

_loaded: list[typing.Any] = []


def load_ipython_extension(shell: typing.Any) -> None:
    """Begin: the magics ``%tfhelp`` and ``%%tfhelp``, a hint after a failure, and a word about a kernel that died before."""
    from .extension import Extension

    unload_ipython_extension(shell)
    extension = Extension(shell)
    _loaded.append(extension)
    extension.start()


def unload_ipython_extension(shell: typing.Any) -> None:
    """End, and leave the shell as it was."""
    while _loaded:
        _loaded.pop().stop()
