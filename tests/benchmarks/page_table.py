"""The table of docs/benchmarks.md, between its markers."""

import pathlib
import typing

from tests.benchmarks.targets import Row

BEGIN = "<!-- bench -->"
END = "<!-- /bench -->"


def table(rows: typing.Iterable[Row], machine: str) -> str:
    """The rows in Markdown, and the machine that they were measured on."""
    lines = [
        f"Measured by `make bench` on {machine}. Every figure stands beside its peer's from the same run, by turns, as medians.",
        "",
        "| What | tfhelp | Peer | Ratio | Target |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.ours} | {row.peer} | {row.ratio:.2f} | {row.wanted()}: {'met' if row.met else 'missed'} |"
        for row in rows
    ]
    return "\n".join(lines)


def put(page: pathlib.Path, text: str, name: str = "bench") -> bool:
    """Put a text between the page's markers of a name; ``False``, and nothing is written, where they are not there."""
    opening, closing = BEGIN.replace("bench", name), END.replace("bench", name)
    if not page.is_file():
        return False
    content = page.read_text(encoding="utf-8")
    before, begin, rest = content.partition(opening)
    _, end, after = rest.partition(closing)
    if not begin or not end:
        return False
    page.write_text(f"{before}{opening}\n{text}\n{closing}{after}", encoding="utf-8")
    return True
