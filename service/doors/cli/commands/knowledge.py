"""``tfhelp kb``: check the knowledge base, begin an entry, show what a change moved."""

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="every fault of the knowledge base, with file, line and field")
    check.add_argument("--no-answers", action="store_true", help="leave out what takes long: asking the entries' own examples")
    check.add_argument("entries", nargs="*", metavar="ENTRY", help="only faults in these entries")
    new = actions.add_parser("new", help="begin an entry: its folder, with what has to be filled in")
    new.add_argument("entry", help="id: what the user sees, in lower case with hyphens")
    new.add_argument("--family", required=True, help="install, memory, gpu-runtime, distributed, training or benign")
    diff = actions.add_parser("diff", help="which recorded cases changed their answer between two compiled knowledge bases")
    diff.add_argument("old", help="compiled file (knowledge.jsonl)")
    diff.add_argument("new", help="compiled file (knowledge.jsonl)")


def run(arguments: argparse.Namespace) -> int:
    """0 when nothing is wrong (nothing moved), 1 otherwise."""
    if arguments.action == "check":
        return _check(arguments)
    if arguments.action == "new":
        from tfhelp.service.curation.new_entry import begin

        for path in begin(arguments.family, arguments.entry):
            print(path)
        return 0
    from tfhelp.service.curation.diff import moved

    rows = moved(arguments.old, arguments.new)
    for row in rows:
        print(row)
    print(f"{len(rows)} answers moved", file=sys.stderr)
    return 1 if rows else 0


def _check(arguments: argparse.Namespace) -> int:
    from tfhelp.service.curation.check import check, count

    faults = check(with_answers=not arguments.no_answers)
    if arguments.entries:
        faults = [fault for fault in faults if any(f"/{name}/" in f"{fault.file}/" for name in arguments.entries)]
    for fault in faults:
        print(fault)
    for name, number in count().items():
        print(f"{name:16} {number:5}")
    print("clean" if not faults else f"{len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0
