"""``tfhelp memory``: what a team's memory holds; show it, delete it, move it, and find the gaps that it shows."""

import argparse
import json
import os
import sys
import typing

from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.page import on_one_line
from tfhelp.service.errors import InputError
from tfhelp.service.memory.keeping import VARIABLE, where_by_environment
from tfhelp.service.version import how_to_install

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

    from tfhelp.service.memory.gaps import Gap
    from tfhelp.service.memory.store import TeamMemory

_EPILOG = """\
examples:
  tfhelp memory list --memory team.db
  tfhelp memory show 3fa9c1
  tfhelp memory delete 3fa9c1 77b0e2 --yes
  tfhelp memory delete --sender U024BE7LH --yes
  tfhelp memory export > memory.jsonl
  tfhelp memory import memory.jsonl --memory postgresql://tfhelp@db/tfhelp
  tfhelp memory gaps
  tfhelp memory audit --who ana@example.org
  tfhelp memory draft 5c01aa20 --into our-knowledge

A memory is the path of an SQLite file, sqlite:///PATH or postgresql://USER@HOST/NAME. TFHELP_MEMORY names it if --memory
does not, and TFHELP_MEMORY_FILE names a file that holds it.

exit status: 0 done, 1 nothing found (or not confirmed), 2 bad usage or input
"""
_MOST_LISTED = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = _action(actions, "list", "list the kept diagnoses, the newest first")
    listed.add_argument("--entry", metavar="ENTRY", help="list only the diagnoses of this entry")
    listed.add_argument("--fingerprint", metavar="DIGITS", help="list only diagnoses whose fingerprint begins with these digits")
    listed.add_argument("--most", type=int, default=_MOST_LISTED, metavar="N", help=f"how many at most (default: {_MOST_LISTED})")
    shown = _action(actions, "show", "show one diagnosis, with the feedback on it")
    shown.add_argument("id", help="the first digits of its id, as 'list' shows it")
    deleted = _action(actions, "delete", "delete diagnoses, with the feedback on them")
    deleted.add_argument("id", nargs="*", help="the first digits of their ids")
    deleted.add_argument(
        "--fingerprint", metavar="DIGITS", help="delete all diagnoses whose fingerprint begins with these digits"
    )
    deleted.add_argument(
        "--sender", metavar="WORD", help="delete all diagnoses of this sender, and the sender's feedback on others"
    )
    deleted.add_argument("--all", action="store_true", help="delete all diagnoses")
    _add_yes(deleted)
    _action(actions, "export", "write the memory as JSON lines", is_json=False)
    taken = _action(actions, "import", "import what 'export' wrote; diagnoses that the memory already has do not change")
    taken.add_argument("file", help="the file, or - for standard input")
    purged = _action(actions, "purge", "delete diagnoses that are older than --keep-days")
    purged.add_argument(
        "--keep-days", type=float, default=180.0, metavar="DAYS", help="how many days diagnoses are kept (default: 180)"
    )
    _add_yes(purged)
    _action(
        actions,
        "gaps",
        "list the gaps in the knowledge: failures without an answer or with the feedback 'something else', grouped",
    )
    drafted = _action(actions, "draft", "begin an entry for a gap, in a private folder")
    drafted.add_argument("gap", help="the first digits of its id, as 'gaps' shows it")
    drafted.add_argument("--into", default="private-kb", metavar="DIR", help="folder of your own entries (default: private-kb)")
    drafted.add_argument("--family", default="training", help="install, memory, gpu-runtime, distributed, training or benign")
    drafted.add_argument("--entry", default="", metavar="ID", help="id of the entry (default: made from the message's words)")
    audited = _action(
        actions, "audit", "list who kept, read, judged and deleted what, and who made and revoked tokens, the newest first"
    )
    audited.add_argument(
        "--id", default="", metavar="DIGITS", help="list only events of this diagnosis, or of the token with this name"
    )
    audited.add_argument(
        "--who", default="", metavar="NAME", help="list only events of this person or token, named as in the log"
    )
    audited.add_argument(
        "--action",
        default="",
        dest="did",
        metavar="WORD",
        help="list only events of this kind: kept, read, judged, deleted, 'token made' or 'token revoked'",
    )
    audited.add_argument(
        "--most", type=int, default=_MOST_LISTED, metavar="N", help=f"how many at most (default: {_MOST_LISTED})"
    )
    _action(
        actions,
        "stats",
        "show how many diagnoses there are, how many had an answer, how many helped, and the most frequent failures",
    )


def _action(actions: typing.Any, name: str, summary: str, is_json: bool = True) -> argparse.ArgumentParser:
    description = summary[0].upper() + summary[1:] + "."
    parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=description)
    parser.add_argument("--memory", metavar="WHERE", help=f"which memory: a path or a URL (default: {VARIABLE})")
    if is_json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask first")


def run(arguments: argparse.Namespace) -> int:
    """Open the memory and run the sub-command.

    Raises:
        InputError: there is no such memory, or it does not hold the named item.
    """
    with _opened(arguments) as memory:
        done: int = _ACTIONS[arguments.action](memory, arguments)
        return done


class _opened:  # noqa: N801 - it is called like a function
    """The chosen memory, closed at the end. If the file does not exist, only ``import`` creates it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        where = arguments.memory or where_by_environment()
        if not where:
            raise InputError(f"no memory is named: use --memory PATH_OR_URL, or set {VARIABLE}")
        path = where.removeprefix("sqlite:///")
        if "://" not in path and not os.path.isfile(path) and arguments.action != "import":
            raise InputError(f"{path}: there is no such memory; 'tfhelp serve --memory {path}' creates one")
        try:
            from tfhelp.service.memory.store import TeamMemory
        except ImportError as error:
            raise InputError(f"a memory needs {error.name}, which is not installed: {how_to_install('memory')}") from None
        self._memory = TeamMemory.open(where, None)

    def __enter__(self) -> "TeamMemory":
        return self._memory

    def __exit__(self, *_: object) -> None:
        self._memory.close()


def _list(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory import looking

    rows = looking.listed(memory, arguments.entry, arguments.fingerprint, arguments.most)
    if arguments.json:
        _print_json(rows)
    for row in [] if arguments.json else rows:
        what = "/".join(filter(None, (row["entry"], row["cause"]))) or row["verdict"]
        said = f"  [{', '.join(row['said'])}]" if row["said"] else ""
        print(f"{row['id'][:8]}  {looking.minute(row['at'])}  {row['fingerprint'][:8]}  {what}{said}")
        print(f"          {on_one_line(row['message'][:110])}")
    return 0 if rows else _nothing("no diagnosis matches")


def _show(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory import looking

    found = looking.shown(memory, arguments.id)
    if arguments.json:
        _print_json(found)
        return 0
    from tfhelp.service.doors.cli.terminal import show_answer

    print(f"{found['id']}, kept {looking.minute(found['at'])}, fingerprint {found['fingerprint']}")
    for one in found["feedback"]:
        who = f" ({on_one_line(one['by'])})" if one["by"] else ""
        print(f"  {one['said']}{who}: {on_one_line(one['words'] or one['cause']) or '-'}")
    print()
    show_answer(found["answer"], sys.stdout)
    return 0


def _delete(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory import looking

    which = looking.meant(memory, arguments.id, arguments.fingerprint, arguments.sender, arguments.all)
    spoken = looking.count_feedback(memory, arguments.sender)
    count = looking.count(memory, which)
    if not count and not spoken:
        return _nothing("no diagnosis matches")
    if not _confirmed(f"Delete {_diagnoses(count)}{f' and {spoken} words on others' if spoken else ''} for good?", arguments):
        return 1
    _note_deleted(memory, which)
    return _report(
        {"deleted": memory.delete(which, tidy=True), "words": looking.delete_feedback(memory, arguments.sender)}, arguments
    )


def _note_deleted(memory: "TeamMemory", which: "sa.ColumnElement[bool]") -> None:
    """Write into the audit log what will be deleted."""
    import sqlalchemy as sa

    from tfhelp.service.access.audit import note
    from tfhelp.service.doors.cli.commands.token import here
    from tfhelp.service.memory.tables import INCIDENTS

    with memory.engine.begin() as connection:
        for uid in connection.scalars(sa.select(INCIDENTS.c.uid).where(which)).all():
            note(connection, "deleted", uid, here())


def _audit(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.access import audit
    from tfhelp.service.memory import looking

    if arguments.did and arguments.did not in audit.ACTIONS:
        raise InputError(f"--action is {arguments.did[:40]!r}; there are {', '.join(audit.ACTIONS)}")
    found = audit.listed(memory.engine, arguments.id, arguments.who, arguments.did, most=arguments.most)
    if arguments.json:
        _print_json([event._asdict() for event in found])
    for event in [] if arguments.json else found:
        who = on_one_line(event.who) or "(nobody was asked)"
        where = f" from {on_one_line(event.address)}" if event.address else ""
        print(f"{looking.minute(event.at)}  {event.action:<13} {on_one_line(event.subject)[:32]:<32}  {who}{where}")
    return 0 if found else _nothing("no event matches")


def _export(memory: "TeamMemory", _: argparse.Namespace) -> int:
    from tfhelp.service.memory.exchange import export

    for line in export(memory):
        print(line)
    return 0


def _import(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory.exchange import import_lines

    try:
        with open(0 if arguments.file == "-" else arguments.file, encoding="utf-8", closefd=arguments.file != "-") as file:
            new, known = import_lines(memory, file, arguments.file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{arguments.file}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})") from None
    return _report({"imported": new, "there already": known}, arguments)


def _purge(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory import looking
    from tfhelp.service.memory.keeping import checked_days

    memory.keeps_s = checked_days(arguments.keep_days) * 86_400
    which = looking.older(memory)
    count = looking.count(memory, which)
    if count and not _confirmed(f"Delete {_diagnoses(count)} that are older than {arguments.keep_days:g} days?", arguments):
        return 1
    from tfhelp.service.access import audit

    deleted, events = memory.purge(), audit.purge(memory.engine, memory.oldest())
    return _report({"deleted": deleted, **({"deleted from the audit log": events} if events else {})}, arguments)


def _gaps(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory.gaps import find

    found = find(memory)
    if arguments.json:
        _print_json([gap._asdict() for gap in found])
    for gap in [] if arguments.json else found:
        _show_gap(gap)
    return (
        0 if found else _nothing("no gaps: everything that is kept here was answered, and nobody said that it was something else")
    )


def _show_gap(gap: "Gap") -> None:
    from tfhelp.service.memory.priors import times
    from tfhelp.service.memory.recall import day

    counts = [f"{gap.unanswered} without an answer"] if gap.unanswered else []
    counts += [f"{gap.something_else} said that it was something else"] if gap.something_else else []
    print(f"{gap.id}  met {times(gap.met)}, {', '.join(counts)}; last on {day(gap.last)}")
    print(f"          {on_one_line(gap.message[:110])}")
    for entry in gap.given_as:
        print(f"          taken for {entry}")
    for words in gap.words[:3]:
        print(f"          “{on_one_line(words[:200])}”")


def _draft(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    import pathlib

    from tfhelp.service.memory import gaps

    paths = gaps.draft(gaps.one(memory, arguments.gap), pathlib.Path(arguments.into), arguments.family, arguments.entry)
    if arguments.json:
        _print_json([str(path) for path in paths])
    for path in [] if arguments.json else paths:
        print(path)
    return 0


def _stats(memory: "TeamMemory", arguments: argparse.Namespace) -> int:
    from tfhelp.service.memory import looking

    found = looking.stats(memory)
    if arguments.json:
        _print_json(found)
        return 0
    failures = "failure" if found["failures"] == 1 else "failures"
    print(f"{_diagnoses(found['diagnoses'])}, {found['failures']} different {failures}, {found['new this week']} new this week")
    if found["diagnoses"]:
        print(f"from {looking.minute(found['first'])} to {looking.minute(found['last'])}")
        print(f"answered: {found['answered']:.0%}")
    for said, count in found["said"].items():
        print(f"{said}: {count}")
    for row in found["most"]:
        print(f"{row['count']:6}  {row['fingerprint'][:8]}  {row['entry'] or '(no entry)'}: {on_one_line(row['message'][:80])}")
    return 0


def _report(counts: dict[str, int], arguments: argparse.Namespace) -> int:
    if arguments.json:
        _print_json(counts)
    else:
        print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    return 0


def _confirmed(question: str, arguments: argparse.Namespace) -> bool:
    """Return whether the user says yes.

    Raises:
        InputError: there is no terminal to ask on.
    """
    if arguments.yes:
        return True
    if not sys.stdin or not sys.stdin.isatty():
        raise InputError("this cannot be undone, and there is no terminal on which to confirm it: add --yes")
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def _diagnoses(count: int) -> str:
    return "1 diagnosis" if count == 1 else f"{count} diagnoses"


def _nothing(why: str) -> int:
    print(f"tfhelp memory: {why}", file=sys.stderr)
    return 1


def _print_json(document: object) -> None:
    json.dump(document, sys.stdout, indent=2)
    print()


_ACTIONS: dict[str, typing.Callable[["TeamMemory", argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "delete": _delete,
    "export": _export,
    "import": _import,
    "purge": _purge,
    "gaps": _gaps,
    "draft": _draft,
    "stats": _stats,
    "audit": _audit,
}
