"""``tfhelp condense``: the records of a text, and the failure among them."""

import argparse
import sys

from tfhelp.service.doors.cli.inputs import read_input, say_notes, whole_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("text", nargs="?", help="the text, or the name of a file; '-' or nothing reads standard input")
    parser.add_argument("-f", "--file", help="read the text from a file")
    parser.add_argument("--json", action="store_true", help="print the records as JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Print the records, one per line, and the primary failure."""
    from tfhelp.collectors.reading import read
    from tfhelp.collectors.reading.condense import condense, primary, salience
    from tfhelp.service.doors.cli.page import Page, printable

    intake, stream = read_input(arguments.text, arguments.file)
    say_notes(intake.notes)
    records = read(whole_text(intake, stream)).records
    failure = primary(records)
    if arguments.json:
        import json

        for record in records:
            row = {name: getattr(record, name) for name in record.__slots__}
            print(json.dumps({**row, "salience": salience(record), "primary": record is failure}, ensure_ascii=False))
        return 0
    page = Page(sys.stdout)
    for record in records:
        mark = ">" if record is failure else " "
        times = f" (x{record.count})" if record.count > 1 else ""
        where = f"{record.first_line}-{record.last_line}"
        page.line(f"{mark} {where:>11} {record.kind:<9} {record.level or ' '} {printable(record.message[:200])}{times}")
    page.line()
    page.paragraph(condense(records) or "nothing is said", "", style="title")
    return 0
