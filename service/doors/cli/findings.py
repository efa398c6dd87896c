"""What a run showed beyond its text, on a terminal."""

import typing

from tfhelp.service.doors.cli.page import Page, printable

if typing.TYPE_CHECKING:
    from tfhelp.service.run.findings import Findings


def show_findings(findings: "Findings | None", stream: "typing.TextIO | Page") -> None:
    """Write the findings below the answer; write nothing if there are none."""
    from tfhelp.service.run.findings import lines_of

    page = stream if isinstance(stream, Page) else Page(stream)
    for line in lines_of(findings) if findings else []:
        if not page.is_terminal:
            page.line(f"  {printable(line)}")
            continue
        indent = " " * (4 + len(line) - len(line.lstrip()))
        page.paragraph(line.strip(), indent + "  ", indent[2:])
