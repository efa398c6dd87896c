"""``tfhelp kb``: check the knowledge base or a team's own, begin an entry, preview it, show which answers changed."""

import argparse
import difflib
import sys
import typing

from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.kb.load import Fault

_EPILOG = """\
examples:
  tfhelp kb new cluster-has-no-lease --kb team-kb    begin an entry of your team's own knowledge
  tfhelp kb check --kb team-kb                       what is wrong in it, with file, line and field
  tfhelp kb preview --kb team-kb                     look at its pages in the browser while you write
  tfhelp kb diff old.bin new.bin                     which answers differ between two compiled knowledge bases

'tfhelp ask --kb team-kb -f train.log' uses the folder; TFHELP_KB=team-kb does so for every command.

exit status: 0 nothing is wrong, or no answer changed; 1 something is wrong, or an answer changed; 2 bad usage or input
"""
_WHERE = "the folder of your team's own entries (default: TFHELP_KB)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = _action(actions, "check", "list every fault in a knowledge base, with file, line and field")
    check.add_argument("--no-answers", action="store_true", help="do not diagnose the entries' own examples, which takes long")
    add_kb_option(check, f"{_WHERE}; without one, tfhelp's own entries are checked, in a checkout")
    check.add_argument("entries", nargs="*", metavar="ENTRY", help="list only the faults of these entries")
    new = _action(actions, "new", "begin an entry: create its folder, with every field to fill in")
    new.add_argument("entry", help="id: what the user sees, in lower case with hyphens")
    new.add_argument(
        "--family",
        help="with --kb any word (default: team); in tfhelp's own knowledge base install, memory, gpu-runtime, distributed, training "
        "or benign",
    )
    # The name is not 'kb': the command line checks the folders of 'kb' before the command runs, and this one may be new.
    new.add_argument("--kb", metavar="DIR", dest="folder", help=f"{_WHERE}; created if it is missing")
    preview = _action(actions, "preview", "serve the pages of a team's own entries, rendered again on each change")
    add_kb_option(preview, _WHERE)
    preview.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)")
    preview.add_argument("--port", type=int, default=8001, help="port (default: 8001; 0 takes a free one)")
    diff = _action(actions, "diff", "list the recorded cases whose answers differ between two compiled knowledge bases")
    diff.add_argument("old", help="compiled file (knowledge.bin)")
    diff.add_argument("new", help="compiled file (knowledge.bin)")


def _action(actions: "argparse._SubParsersAction[typing.Any]", name: str, says: str) -> argparse.ArgumentParser:
    added: argparse.ArgumentParser = actions.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
    return added


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command. Return 0 if nothing is wrong (or no answer changed), 1 otherwise."""
    if arguments.action == "check":
        return _check(arguments)
    if arguments.action == "new":
        return _new(arguments)
    if arguments.action == "preview":
        from tfhelp.service.doors.http.preview import preview

        return preview(_named(), arguments.host, arguments.port)
    from tfhelp.service.curation.diff import moved

    rows = moved(arguments.old, arguments.new)
    for row in rows:
        print(row)
    print(f"{len(rows)} answers changed", file=sys.stderr)
    return 1 if rows else 0


def _named() -> list[str]:
    """The folders in ``--kb`` and ``TFHELP_KB``."""
    from tfhelp.kb.private import named_folders

    return named_folders()


def _new(arguments: argparse.Namespace) -> int:
    from tfhelp.service.curation.new_entry import begin, begin_private

    folder: str | None = arguments.folder or next(iter(_named()), None)
    if folder is not None:
        paths = begin_private(folder, arguments.entry, arguments.family)
    else:
        paths = begin(arguments.family, arguments.entry)
    for path in paths:
        print(path)
    if folder is not None:
        print(f"fill them in; 'tfhelp kb check --kb {folder} {arguments.entry}' says what is missing", file=sys.stderr)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    folders = _named()
    return _check_private(arguments, folders) if folders else _check_own(arguments)


def _check_private(arguments: argparse.Namespace, folders: list[str]) -> int:
    from tfhelp.service.curation.private_check import check_private

    checked = [check_private(folder, not arguments.no_answers, arguments.entries) for folder in folders]
    names = [name for item in checked for name in item.names]
    _refuse_unknown(arguments.entries, names, ", ".join(folders))
    if not names:
        raise InputError(f"{', '.join(folders)}: no entry; 'tfhelp kb new ID --kb {folders[0]}' begins one")
    print(f"{'entries':16} {len(names):5}")
    return _say([fault for item in checked for fault in item.faults])


def _check_own(arguments: argparse.Namespace) -> int:
    from tfhelp.kb.load import ENTRIES, entry_folders

    names = [path.name for path in entry_folders()]
    if not names:
        raise InputError(
            f"this tfhelp holds its entries compiled, and {ENTRIES} holds no sources; name a folder of your own: tfhelp kb check --kb DIR"
        )
    _refuse_unknown(arguments.entries, names, "the knowledge base")
    from tfhelp.service.curation.check import check, count

    faults = check(with_answers=not arguments.no_answers)
    if arguments.entries:
        faults = [fault for fault in faults if any(f"/{name}/" in f"{fault.file}/" for name in arguments.entries)]
    for name, number in count().items():
        print(f"{name:16} {number:5}")
    return _say(faults)


def _refuse_unknown(wanted: list[str], names: list[str], where: str) -> None:
    for name in wanted:
        if name not in names:
            near = difflib.get_close_matches(name, names, 3, 0.5)
            raise InputError(f"{where}: no entry is called {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""))


def _say(faults: "list[Fault]") -> int:
    for fault in faults:
        print(fault)
    print("clean" if not faults else f"{len(faults)} fault{'s' * (len(faults) > 1)}", file=sys.stderr)
    return 1 if faults else 0
