"""``tfhelp help COMMAND``: the same as ``tfhelp COMMAND --help``."""

import argparse

from tfhelp.service.doors.cli.command_line import COMMANDS, main
from tfhelp.service.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="a command; without one, the list of them")


def run(arguments: argparse.Namespace) -> int:
    """Show the help.

    Raises:
        InputError: there is no such command.
    """
    if arguments.command is None:
        return main(["--help"])
    if arguments.command not in COMMANDS:
        from tfhelp.service.doors.cli.mistakes import meant

        near = meant(arguments.command, COMMANDS)
        raise InputError(f"there is no command {arguments.command!r}" + (f"; did you mean {near!r}?" if near else ""))
    return main([arguments.command, "--help"])
