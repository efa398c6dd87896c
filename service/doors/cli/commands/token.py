"""``tfhelp token``: make, list and revoke the tokens that programs send to a server."""

import argparse
import getpass
import json
import os
import sys
import time
import typing

from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

if typing.TYPE_CHECKING:
    from tfhelp.service.access.audit import Action
    from tfhelp.service.access.tokens import Listed, Tokens
    from tfhelp.service.memory.store import TeamMemory

_MEMORY = "TFHELP_MEMORY"
_FILE = "TFHELP_TOKENS_FILE"
_DEFAULT_SCOPES = "diagnose,memory-read,memory-write"
_EPILOG = """\
examples:
  tfhelp token create ci --memory team.db
  tfhelp token create prometheus --scope metrics --days 90
  tfhelp token create laptop-ana --tokens-file tokens.txt --days never
  tfhelp token list
  tfhelp token revoke ci

scopes: diagnose (ask, search), memory-read (read kept answers), memory-write (have answers kept, give feedback, delete your own),
metrics (the figures of the server), admin (all of these, and delete anybody's answers)

Tokens are in the memory of the server (--memory or TFHELP_MEMORY), or in a file (--tokens-file or TFHELP_TOKENS_FILE). A token is
shown once; only its hash is stored. A program sends it as 'Authorization: Bearer TOKEN', and 'tfhelp ask --server' takes it from
TFHELP_TOKEN. A revoked token no longer works anywhere.

exit status: 0 done, 1 there are no tokens, 2 bad usage or input
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = _action(actions, "create", "create a token, and print it once")
    made.add_argument("name", help="its name in the audit log, such as ci or laptop-ana")
    made.add_argument(
        "--scope",
        action="append",
        default=[],
        metavar="SCOPE,..",
        help=f"what it allows; repeat it for more (default: {_DEFAULT_SCOPES})",
    )
    made.add_argument("--days", default="365", metavar="N", help="days until it expires, or never (default: 365)")
    _action(actions, "list", "list the tokens, with the time of each last use")
    revoked = _action(actions, "revoke", "revoke a token at once, for every server that reads this place")
    revoked.add_argument("name", help="its name, or its id, as 'list' shows them")


def _action(actions: typing.Any, name: str, summary: str) -> argparse.ArgumentParser:
    description = summary[0].upper() + summary[1:] + "."
    parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=description)
    parser.add_argument("--memory", metavar="WHERE", help=f"memory that holds the tokens: a path or a URL (default: {_MEMORY})")
    parser.add_argument("--tokens-file", metavar="FILE", help=f"file that holds the tokens instead (default: {_FILE})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Open the place of the tokens and run the sub-command.

    Raises:
        InputError: no place is named, the place cannot be used, or no token has this name.
    """
    with _Place(arguments) as place:
        return _ACTIONS[arguments.action](place, arguments)


class _Place:
    """Where the tokens are: a memory, whose audit log records changes, or a file. Options take precedence over variables."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        memory, path = arguments.memory, arguments.tokens_file
        if memory and path:
            raise InputError("name --memory or --tokens-file, not both")
        if not memory and not path:
            memory, path = os.environ.get(_MEMORY, "").strip(), os.environ.get(_FILE, "").strip()
            if memory and path:
                raise InputError(f"{_MEMORY} and {_FILE} are both set; give --memory or --tokens-file")
        if not memory and not path:
            raise InputError(
                f"no place for tokens is named: give a memory (--memory, {_MEMORY}) or a file (--tokens-file, {_FILE})"
            )
        self._memory: TeamMemory | None = _opened(memory) if memory else None
        self.tokens: Tokens = self._of_memory() if self._memory else self._of_file(path)

    def _of_memory(self) -> "Tokens":
        from tfhelp.service.access.tokens import DatabaseTokens

        assert self._memory is not None
        return DatabaseTokens(self._memory.engine)

    @staticmethod
    def _of_file(path: str) -> "Tokens":
        from tfhelp.service.access.token_file import FileTokens

        return FileTokens(path)

    def note(self, action: "Action", name: str) -> None:
        """Write the action into the audit log, if there is one."""
        if self._memory is None:
            return
        from tfhelp.service.access.audit import note

        with self._memory.engine.begin() as connection:
            note(connection, action, name, here())

    def __enter__(self) -> "_Place":
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.close()


def _opened(where: str) -> "TeamMemory":
    try:
        from tfhelp.service.memory.store import TeamMemory
    except ImportError as error:
        raise InputError(f"a memory needs {error.name}, which is not installed: {how_to_install('memory')}") from None
    return TeamMemory.open(where, None)


def here() -> typing.Any:
    """The user of this machine who typed the command, for the audit log."""
    from tfhelp.service.access.identity import ANYBODY, Caller

    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a user in a container may have no name
        name = str(os.getuid()) if hasattr(os, "getuid") else "?"
    return Caller(ANYBODY._replace(shown=f"{name} on the command line"), "")


def _create(place: _Place, arguments: argparse.Namespace) -> int:
    written = arguments.scope or [_DEFAULT_SCOPES]
    scopes = [one.strip() for part in written for one in part.split(",") if one.strip()]
    token = place.tokens.create(arguments.name, list(dict.fromkeys(scopes)), _days(arguments.days))
    place.note("token made", arguments.name)
    if arguments.json:
        _print_json({"name": arguments.name, "token": token, "scopes": scopes})
        return 0
    print(token)
    print(
        "tfhelp token: this is the only time that it is shown; a running server that does not ask for tokens asks after a restart",
        file=sys.stderr,
    )
    return 0


def _days(written: str) -> float | None:
    if written == "never":
        return None
    try:
        return float(written)
    except ValueError:
        raise InputError(f"--days is {written[:40]!r}; it takes a number of days, or never") from None


def _list(place: _Place, arguments: argparse.Namespace) -> int:
    found, now = place.tokens.listed(), time.time()
    if arguments.json:
        _print_json([{**token._asdict(), "state": token.state(now)} for token in found])
    for token in [] if arguments.json else found:
        print(f"{token.name:<20}  {token.state(now):<7}  {','.join(token.scopes)}")
        print(f"    {', '.join(_times(token))}  id {token.id[:8]}")
    if not found:
        print("tfhelp token: there are no tokens here; 'tfhelp token create NAME' makes one", file=sys.stderr)
    return 0 if found else 1


def _times(token: "Listed") -> list[str]:
    from tfhelp.service.memory.looking import minute

    said = [f"made {minute(token.created)}", f"ends {minute(token.expires)}" if token.expires else "never ends"]
    said += [f"revoked {minute(token.revoked)}"] if token.revoked else []
    return [*said, f"last used {minute(token.last_used)}" if token.last_used else "use not known"]


def _revoke(place: _Place, arguments: argparse.Namespace) -> int:
    gone = place.tokens.revoke(arguments.name)
    place.note("token revoked", gone.name)
    if arguments.json:
        _print_json({"revoked": gone.name})
    else:
        print(f"revoked: {gone.name}")
    return 0


def _print_json(document: object) -> None:
    json.dump(document, sys.stdout, indent=2)
    print()


_ACTIONS: dict[str, typing.Callable[[_Place, argparse.Namespace], int]] = {"create": _create, "list": _list, "revoke": _revoke}
