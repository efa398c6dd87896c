"""``tfhelp report``: a bug report in Markdown, for a failure that tfhelp does not know."""

import argparse
import typing

from tfhelp.service.doors.cli.inputs import read_facts, read_input, say_notes
from tfhelp.service.doors.cli.progress import Activity
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.collectors.intake import Intake
    from tfhelp.service.diagnosis.long_text import Stream


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("text", nargs="?", help="the error text, or the name of a file; '-' or nothing reads standard input")
    parser.add_argument("-f", "--file", help="read the text from a file")
    parser.add_argument("--facts", metavar="FILE", help="facts as JSON")
    parser.add_argument("--no-collect", action="store_true", help="do not collect facts of this machine")
    parser.add_argument("--python", metavar="PATH", help="interpreter or environment that the training runs in")


def _check_not_empty(intake: "Intake", stream: "Stream | None", arguments: argparse.Namespace) -> None:
    """Raises: InputError: there is neither a text nor a stated fact, so the report would be empty."""
    if stream is None and not intake.text.strip() and not intake.facts and not intake.scripts and arguments.facts is None:
        raise InputError("the text is empty; a report needs the error, or what happens in your own words")


def run(arguments: argparse.Namespace) -> int:
    """Print the report, redacted."""
    from tfhelp.service.diagnosis.diagnoser import Diagnoser
    from tfhelp.service.diagnosis.given import join
    from tfhelp.service.diagnosis.questions import bug_report

    diagnoser = Diagnoser.load()
    intake, stream = read_input(arguments.text, arguments.file)
    _check_not_empty(intake, stream, arguments)
    given = join([intake], read_facts(arguments.facts), lambda: diagnoser.knowledge.fact_types)
    say_notes(given.notes)
    collected = None
    if not arguments.no_collect and (arguments.python is not None or not given.machine):
        from tfhelp.service.diagnosis.collecting import collect_facts

        with Activity("looking at this machine"):
            collected = collect_facts(arguments.python)
    with Activity("reading the text") as activity:
        if stream:
            stream.progress = activity
        reading = diagnoser.read(stream or given.text, given.facts, collected)
    print(bug_report(reading.condensed, reading.sheet.document()))
    return 0
