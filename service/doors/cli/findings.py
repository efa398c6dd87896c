"""What a run showed beside its text, on a terminal."""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.run.findings import Findings


def show_findings(findings: "Findings | None", stream: typing.TextIO) -> None:
    """Write it below the answer; nothing where there is nothing."""
    from tfhelp.service.doors.cli.terminal import printable
    from tfhelp.service.run.findings import lines_of

    stream.writelines(f"  {printable(line)}\n" for line in (lines_of(findings) if findings else []))
