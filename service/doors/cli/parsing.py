"""The parser of the command line. argparse takes a tenth of the time of a cold answer, so it is used only if needed."""

import argparse
import importlib
import os
import sys
import typing

from tfhelp.service.doors.cli.command_line import COMMANDS, USAGE_ERROR
from tfhelp.service.version import VERSION


class HelpFormatter(argparse.HelpFormatter):
    """argparse's formatter, without its import of ``shutil`` for the width: that import costs a cold ``ask`` 4 %."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """The terminal's columns, as ``shutil.get_terminal_size`` finds them."""
    wished = os.environ.get("COLUMNS", "")
    if wished.isascii() and wished.isdigit() and int(wished) > 0:
        return int(wished)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """argparse's parser, which answers a mistake with a suggestion instead of all options."""

    def error(self, message: str) -> typing.NoReturn:
        """Write the message, and exit with status 2."""
        from tfhelp.service.doors.cli.mistakes import meant_choice

        command = self.prog.removeprefix("tfhelp").split()
        more = f"'tfhelp help {command[0]}'" if command and command[0] in COMMANDS else "'tfhelp --help'"
        self.exit(USAGE_ERROR, f"{self.prog}: {message}{meant_choice(message) or '.'} {more} shows what there is.\n")


def parser_of(chosen: str | None, everything: bool = False, with_help: bool = False) -> argparse.ArgumentParser:
    """The parser.

    Args:
        chosen: the command whose options it knows; ``None`` for the names of all commands.
        everything: with the options of all commands.
        with_help: with examples and exit statuses.
    """
    parser = Parser(
        prog="tfhelp",
        usage="tfhelp COMMAND ...   or   tfhelp [TEXT | FILE]   or   python train.py 2>&1 | tfhelp",
        description="From a TensorFlow error to the fix that fits this machine. No network, no language model. "
        "Without a command, tfhelp diagnoses the text, the file or what is piped in.",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tfhelp {VERSION}")
    parser.set_defaults(run=lambda _: _show_help(parser))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="tfhelp")
    for name, (module, summary) in COMMANDS.items():
        if chosen is None or name == chosen:
            description = summary[0].upper() + summary[1:] + "."
            command = commands.add_parser(name, help=summary, description=description, formatter_class=HelpFormatter)
            if name == chosen or everything:
                loaded = importlib.import_module(f"tfhelp.service.doors.cli.commands.{module}")
                loaded.add_arguments(command)
                command.set_defaults(run=loaded.run)
                _add_examples(command, name, with_help)
    _add_examples(parser, "", with_help)
    return parser


def _add_examples(parser: argparse.ArgumentParser, command: str, wanted: bool) -> None:
    if wanted:
        from tfhelp.service.doors.cli.help_text import ExamplesFormatter, epilog

        parser.formatter_class = ExamplesFormatter
        parser.epilog = epilog(command, parser.epilog)


def _show_help(parser: argparse.ArgumentParser) -> int:
    _add_examples(parser, "", True)
    parser.print_help()
    return 0
