"""``tfhelp lsp``: ``tfhelp lint`` in an editor, over the Language Server Protocol."""

import argparse
import os

from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

_EPILOG = """\
An editor starts it and talks to it over standard input and output. It shows what 'tfhelp lint' finds in open Python files and notebooks, offers the fixes and '# noqa', and shows the page of a rule. docs/editors.md has the settings of VS Code, Neovim and Emacs.

examples:
  tfhelp lsp                             the command that an editor's settings name
  tfhelp lsp --stdio                     the same
  tfhelp lsp --kb team-kb                the page of a rule may name an entry of your team

exit status: 0 the editor has ended it, 1 the editor went without ending it, 2 bad usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    parser.add_argument("--stdio", action="store_true", help="standard input and output, which is the only way; editors add it")
    add_kb_option(parser)


def run(_: argparse.Namespace) -> int:
    """Serve until the editor ends it."""
    try:
        import pygls.lsp.server  # noqa: F401 - whether it is installed
    except ImportError as error:
        raise InputError(f"'tfhelp lsp' needs the extra 'lsp': {how_to_install('lsp')} ({error})") from None
    from tfhelp.service.doors.lsp.server import make_server

    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the messages
    make_server().start_io(stdout=wire)
    return 0
