"""``tfhelp completion``: what bash, zsh and fish need to complete a ``tfhelp`` command line."""

import argparse
import sys
import typing

SHELLS = ("bash", "zsh", "fish")
_FILES = ("file", "code", "facts", "cases", "paths", "python", "against", "config", "old", "new")
"""Arguments that name a file or a folder."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("shell", nargs="?", choices=SHELLS, help="the shell")
    what.add_argument(
        "--list", choices=sorted(_LISTS), help="print what the shell asks for while it completes: ids of entries, rules or runs"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    if arguments.list:
        for name in _LISTS[arguments.list]():
            print(name)
        return 0
    sys.stdout.write(script_for(arguments.shell))
    return 0


def script_for(shell: str) -> str:
    """The script that the shell reads once."""
    import shtab

    from tfhelp.service.doors.cli.parsing import parser_of

    parser = parser_of(None, everything=True)
    _say_what_completes(parser)
    return shtab.complete(parser, shell)


def _say_what_completes(parser: argparse.ArgumentParser, command: str = "") -> None:
    """Mark each argument with what completes it."""
    import shtab

    listed = {("explain", "entry"): "entries", ("try", "entry"): "entries", ("kb", "entries"): "entries"}
    listed |= {("ask", "run_id"): "runs", ("lint", "explain"): "rules", ("lint", "select"): "rules", ("lint", "ignore"): "rules"}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                _say_what_completes(inner, command or name)
        elif (command, action.dest) in listed:
            _completes(action, shtab.cmd(f"tfhelp completion --list {listed[command, action.dest]} 2>/dev/null"))
        elif (command, action.dest) == ("help", "command"):
            from tfhelp.service.doors.cli.command_line import COMMANDS

            action.choices = list(COMMANDS)
        elif action.dest in _FILES or action.metavar in ("FILE", "PATH") or (command, action.dest) == ("ask", "text"):
            _completes(action, shtab.FILE)


def _completes(action: argparse.Action, how: typing.Any) -> None:
    action.complete = how  # type: ignore[attr-defined]  # shtab looks for it there


def _entries() -> typing.Iterable[str]:
    from tfhelp.kb import compiled

    return compiled.load().entries()


def _rules() -> typing.Iterable[str]:
    from tfhelp.service.lint.rules import RULES

    return (rule.code for rule in RULES)


def _runs() -> typing.Iterable[str]:
    from tfhelp.service.run.good_runs import list_of_runs

    return ["last", *(row["id"] for row in list_of_runs())]


_LISTS: dict[str, typing.Callable[[], typing.Iterable[str]]] = {"entries": _entries, "rules": _rules, "runs": _runs}
