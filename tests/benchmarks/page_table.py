"""The table of docs/benchmarks.md, between its markers."""

import pathlib
import typing

from tests.benchmarks.targets import Row


def table(rows: typing.Iterable[Row], machine: str, command: str = "bench") -> str:
    """The rows in Markdown, the machine that they were measured on, and the ``make`` target that measured them."""
    lines = [
        f"Measured by `make {command}` on {machine}. Each figure is a median. It is compared with a peer that was measured in the same run, in alternation.",
        "",
        "| What | tfhelp | Peer | Ratio | Target |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.ours} | {row.peer} | {row.ratio:.2f} | {row.wanted()}: {'met' if row.met else 'missed'} |"
        for row in rows
    ]
    return "\n".join(lines)


def put(page: pathlib.Path, text: str, command: str = "bench") -> bool:
    """Put a text between the markers of a ``make`` target; return ``False``, and write nothing, if the markers are missing."""
    begins, ends = f"<!-- {command} -->", f"<!-- /{command} -->"
    if not page.is_file():
        return False
    content = page.read_text(encoding="utf-8")
    before, begin, rest = content.partition(begins)
    _, end, after = rest.partition(ends)
    if not begin or not end:
        return False
    page.write_text(f"{before}{begins}\n{text}\n{ends}{after}", encoding="utf-8")
    return True
