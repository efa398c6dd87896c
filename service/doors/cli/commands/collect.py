"""``tfhelp collect``: the facts of this machine as JSON, redacted unless told otherwise."""

import argparse
import json

from tfhelp.service.doors.cli.progress import Activity


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--python", metavar="PATH", help="interpreter or environment to look at (default: the active one)")
    parser.add_argument(
        "--deep", action="store_true", help="also import TensorFlow there, in a child process, and say what happens"
    )
    parser.add_argument("--raw", action="store_true", help="leave user and host names in place")


def run(arguments: argparse.Namespace) -> int:
    """Print the document."""
    from tfhelp.collectors.redaction import redact_document
    from tfhelp.service.diagnosis.collecting import collect_facts

    with Activity("importing TensorFlow in a child process" if arguments.deep else "looking at this machine"):
        facts = collect_facts(arguments.python, arguments.deep)
    print(json.dumps(facts if arguments.raw else redact_document(facts), indent=2, ensure_ascii=False))
    return 0
