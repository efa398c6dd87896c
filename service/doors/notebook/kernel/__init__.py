"""``%load_ext tfhelp`` or ``%load_ext tfhelp_notebook``: explains a notebook's failures next to them.

This folder is packaged twice: as a part of tfhelp, and alone as ``tfhelp_notebook``, for kernels in which tfhelp cannot be
installed. So it works with Python 3.7 and later, needs only the installed IPython, and imports no module of tfhelp: it gets its
answers through ``asking``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing

__version__ = "0.1.0"

_loaded: list[typing.Any] = []


def load_ipython_extension(shell: typing.Any) -> None:
    """Load the extension: the magics ``%tfhelp`` and ``%%tfhelp``, a hint after a failure, and a note on a kernel that died."""
    from .extension import Extension

    unload_ipython_extension(shell)
    extension = Extension(shell)
    _loaded.append(extension)
    extension.start()


def unload_ipython_extension(shell: typing.Any) -> None:
    """Unload it, and leave the shell as it was."""
    while _loaded:
        _loaded.pop().stop()
