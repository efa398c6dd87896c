"""An answer on a terminal: plain text that reads from top to bottom, coloured only where a person looks at it."""

import os
import textwrap
import typing

Json = dict[str, typing.Any]

_STYLES = {"title": "1", "good": "32", "bad": "31", "warn": "33", "code": "36", "dim": "2"}
_MARKS = {"holds": ("+", "good"), "fails": ("-", "bad"), "unknown": ("?", "dim")}
_SAFETY = {
    "changes-results": "changes results",
    "restarts": "needs a restart",
    "deletes": "something is lost",
    "needs-root": "needs administrator rights",
}


class Page:
    """Lines for a stream, wrapped to its width and coloured if it is a terminal (and ``NO_COLOR`` is unset)."""

    def __init__(self, stream: typing.TextIO) -> None:
        self._stream = stream
        terminal = stream.isatty()
        self._colours = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._width = min(100, os.get_terminal_size().columns) if terminal and _has_size() else 100

    def style(self, text: str, name: str) -> str:
        """The text in a style, or as it is."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self._colours else text

    def line(self, text: str = "") -> None:
        """One line as it is."""
        self._stream.write(printable(text) if not self._colours else text)
        self._stream.write("\n")

    def paragraph(self, text: str, indent: str = "", first: str | None = None, style: str | None = None) -> None:
        """Wrapped text."""
        for line in textwrap.wrap(printable(text), self._width, initial_indent=first or indent, subsequent_indent=indent) or [
            indent
        ]:
            self.line(self.style(line, style) if style else line)

    def code(self, code: str, indent: str) -> None:
        """Code as it is, so that it can be copied."""
        for line in code.rstrip().split("\n"):
            self.line(indent + self.style(printable(line), "code"))


def _has_size() -> bool:
    try:
        os.get_terminal_size()
    except OSError:
        return False
    return True


def printable(text: str) -> str:
    """The text without control characters: a pasted log must not steer the reader's terminal."""
    return (
        text if text.isprintable() else "".join(character for character in text if character.isprintable() or character == "\t")
    )


def _percent(share: float) -> str:
    """Whole percents; never 0 or 100, since nothing here is certain."""
    return "under 1%" if share < 0.01 else f"{min(share, 0.99):.0%}"


def show_answer(answer: Json, stream: typing.TextIO, verbose: bool = False) -> None:
    """Write the answer's document for a person."""
    page = Page(stream)
    if answer["abstained"]:
        _show_abstention(answer, page)
    for place, match in enumerate(answer["matches"]):
        if place == 0 or verbose:
            _show_match(match, page, verbose)
        else:
            if place == 1:
                page.line(page.style("Also possible", "title"))
            page.line(f"  {match['entry']}: {match['title']} ({_percent(match['confidence'])})")
    if answer["matches"]:
        _show_rest(answer, page)


def _show_match(match: Json, page: Page, verbose: bool) -> None:
    page.line(
        page.style(match["title"], "title") + page.style(f"   {match['entry']}, {_percent(match['confidence'])} sure", "dim")
    )
    for matched in match["matched"][: None if verbose else 2]:
        where = f"line {matched['line']}" if matched["line"] else "facts"
        page.paragraph(f"{where}: {matched['text'][:300]}", "    ", "  ", "dim")
    page.line()
    for place, cause in enumerate(match["causes"]):
        if place == 0 or verbose:
            _show_cause(cause, page, verbose)
        elif cause["verdict"] != "ruled-out":
            page.paragraph(f"{cause['verdict']} ({_percent(cause['confidence'])}): {cause['title']}", "      ", "  or  ")
    ruled_out = [cause for cause in match["causes"] if cause["verdict"] == "ruled-out"]
    if ruled_out and not verbose:
        page.paragraph("ruled out: " + "; ".join(cause["title"] for cause in ruled_out), "      ", "  ", "dim")
    page.line()


def _show_cause(cause: Json, page: Page, verbose: bool) -> None:
    colour = {"confirmed": "good", "likely": "good", "ruled-out": "dim"}.get(cause["verdict"], "warn")
    page.line(
        f"  {page.style(cause['verdict'], colour)} ({_percent(cause['confidence'])}): {page.style(cause['title'], 'title')}"
    )
    page.paragraph(cause["means"], "    ")
    for evidence in cause["evidence"]:
        mark, style = _MARKS[evidence["outcome"]]
        if evidence["outcome"] != "unknown" or verbose:
            source = f" [{evidence['source']}]" if evidence["source"] else ""
            page.paragraph(f"{evidence['because']}{source}", "      ", f"    {mark} ", style)
    show_fix(cause["fix"], page)


def show_fix(fix: Json, page: Page) -> None:
    """Write a fix, filled: steps, snippets, safety, how to see that it worked."""
    page.line()
    page.paragraph(f"Fix: {fix['summary']}", "    ", style="title")
    for number, step in enumerate(fix["steps"], 1):
        page.paragraph(step["say"], "       ", f"    {number}. ")
        _show_action(step, page, "       ")
        for choice in step.get("one_of", ()):
            page.paragraph(f"{choice['when']}: {choice['say']}", "           ", "         - ")
            _show_action(choice, page, "           ")
    page.paragraph(fix["verify"], "       ", "    It worked if: ")
    if "undo" in fix:
        page.paragraph(fix["undo"], "       ", "    To undo: ")
    page.paragraph(fix["wrong_when"], "       ", "    Not the right fix if: ", "dim")
    page.line()


def _show_action(action: Json, page: Page, margin: str) -> None:
    if "snippet" in action:
        page.line()
        page.code(action["snippet"]["code"], f"{margin}  ")
        page.line()
    if "why" in action:
        page.paragraph(action["why"], margin, style="dim")
    safety = action["safety"]
    if safety["level"] != "safe":
        page.paragraph(f"{_SAFETY[safety['level']]}: {safety.get('note', '')}", f"{margin}  ", f"{margin}! ", "warn")


def _show_rest(answer: Json, page: Page) -> None:
    if answer["ask_for"]:
        question = answer["ask_for"][0]
        page.line()
        page.paragraph(f"What would decide: {question['why']} ({question['fact']})", "  ", style="title")
        if question["command"]:
            page.code(question["command"], "    ")
    shown = {match["entry"] for match in answer["matches"]}
    harmless: dict[str, list[int]] = {}
    for row in answer["benign"]:
        if row["entry"] not in shown and row["line"] not in harmless.setdefault(row["entry"], []):
            harmless[row["entry"]].append(row["line"])
    if harmless:
        said = [f"{entry} (line {', '.join(map(str, sorted(lines)[:4]))})" for entry, lines in harmless.items()]
        page.paragraph("Harmless, nothing to do: " + "; ".join(said), "    ", "  ", "dim")
    for row in [row for row in answer["stepped_back"] if "another machine" in row["why"]][:1]:
        page.paragraph(f"Facts of this machine were left out: {row['why']}", "    ", "  ", "dim")


def _show_abstention(answer: Json, page: Page) -> None:
    page.line(page.style("I do not know this one.", "title"))
    if answer["condensed"]:
        page.paragraph(f"What the text says, in short: {answer['condensed'][:400]}", "  ")
    if answer["nearest"]:
        page.line("  Nearest, but not sure enough to be an answer:")
        for row in answer["nearest"]:
            page.line(f"    {row['entry']}: {row['title']}")
        page.line("  'tfhelp explain ENTRY' shows one; 'tfhelp report' writes a bug report from this text.")
    page.line("  More of the log (from its first line on), the exit code (--exit-code) or the script (--code) may help.")
