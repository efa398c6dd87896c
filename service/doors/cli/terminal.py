"""An answer on a terminal: plain text that reads from top to bottom, coloured only where a person looks at it."""

import os
import textwrap
import typing

from tfhelp.service.vocabulary import CAUSE_VERDICTS, EXPLAINED, SAFETY, VERDICTS, percent

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, Fix, Match

_STYLES = {"title": "1", "good": "32", "bad": "31", "warn": "33", "code": "36", "dim": "2"}
_RIVAL = 0.05  # confidence below which another cause is left out
_MARKS = {"holds": ("+", "good"), "fails": ("-", "bad"), "unknown": ("?", "dim")}


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


def show_answer(answer: "Answer", stream: typing.TextIO, verbose: bool = False) -> None:
    """Write the answer's document for a reader at a terminal."""
    page = Page(stream)
    if answer["verdict"] == "unknown":
        _show_abstention(answer, page)
    elif answer["verdict"] == "explained":
        _show_explained(answer, page)
    elif answer["verdict"] == "nothing-failed":
        _show_nothing_failed(answer, page, verbose)
    elif answer["verdict"] == "undecided":
        _show_choices(answer, page)
    else:
        _show_entries(answer, page, verbose)
    for note in answer.get("notes", []):
        page.paragraph(note, "  ", "")


def _show_entries(answer: "Answer", page: Page, verbose: bool) -> None:
    for place, match in enumerate(answer["matches"]):
        if place == 0 or verbose:
            _show_match(match, page, verbose, VERDICTS[answer["verdict"]])
        else:
            if place == 1:
                page.line(page.style("Also possible", "title"))
            page.line(f"  {match['entry']}: {match['title']} ({percent(match['confidence'])})")
    _show_question(answer, page)
    _show_harmless(answer, page)
    _show_left_out(answer, page)


def _show_nothing_failed(answer: "Answer", page: Page, verbose: bool) -> None:
    page.line(page.style(f"{VERDICTS['nothing-failed']}.", "good"))
    if not answer["matches"]:
        page.paragraph("The program ran to its end, and no line tells of a failure.", "  ")
    for match in answer["matches"]:
        lines = ", ".join(str(row["line"]) for row in match["matched"] if row["line"])
        where = f" (line {lines})" if lines else ""
        page.paragraph(f"{match['title']}{where}: {match['causes'][0]['means']}", "      ", "  - ")
        if verbose:
            show_fix(match["causes"][0]["fix"], page)
    page.paragraph("If something is wrong all the same, say what you expected and what happened instead.", "  ", style="dim")
    _show_left_out(answer, page)


def _show_choices(answer: "Answer", page: Page) -> None:
    page.line(page.style("The text does not say enough to name one problem. It can be one of these:", "title"))
    for match in answer["matches"]:
        page.line()
        page.line(f"  {page.style(match['title'], 'title')}   {page.style(match['entry'], 'dim')}")
        page.paragraph(match["told_by"]["sign"], "      ", "    told by: ")
        if "command" in match["told_by"]:
            page.code(match["told_by"]["command"], "      ")
    page.line()
    page.paragraph(
        "Paste the error message or the last lines of the output; 'tfhelp explain ENTRY' shows one.", "  ", style="dim"
    )


def _show_match(match: "Match", page: Page, verbose: bool, verdict: str) -> None:
    page.line(
        page.style(match["title"], "title")
        + page.style(f"   {match['entry']}; {verdict.lower()}, {percent(match['confidence'])} sure", "dim")
    )
    for matched in match["matched"][: None if verbose else 2]:
        where = f"line {matched['line']}" if matched["line"] else "facts"
        page.paragraph(f"{where}: {matched['text'][:300]}", "    ", "  ", "dim")
    if "raised_in" in match:
        page.paragraph(match["raised_in"], "    ", "  ", "dim")
    for says in match.get("op_says", []):
        page.paragraph(says, "    ", "  ")
    page.line()
    for place, cause in enumerate(match["causes"]):
        if place == 0 or verbose:
            _show_cause(cause, page, verbose)
        elif cause["verdict"] != "ruled-out" and cause["confidence"] >= _RIVAL:
            page.paragraph(
                f"{CAUSE_VERDICTS[cause['verdict']]} ({percent(cause['confidence'])}): {cause['title']}", "      ", "  or  "
            )
    ruled_out = [cause for cause in match["causes"] if cause["verdict"] == "ruled-out"]
    if ruled_out and not verbose:
        page.paragraph("ruled out: " + "; ".join(cause["title"] for cause in ruled_out), "      ", "  ", "dim")
    page.line()


def _show_cause(cause: "CauseRow", page: Page, verbose: bool) -> None:
    colour = {"confirmed": "good", "likely": "good", "ruled-out": "dim"}.get(cause["verdict"], "warn")
    verdict = page.style(CAUSE_VERDICTS[cause["verdict"]], colour)
    page.line(f"  {verdict} ({percent(cause['confidence'])}): {page.style(cause['title'], 'title')}")
    page.paragraph(cause["means"], "    ")
    for evidence in cause["evidence"]:
        mark, style = _MARKS[evidence["outcome"]]
        if evidence["outcome"] != "unknown" or verbose:
            source = f" [{evidence['source']}]" if evidence["source"] else ""
            page.paragraph(f"{evidence['because']}{source}", "      ", f"    {mark} ", style)
    show_fix(cause["fix"], page)


def show_fix(fix: "Fix", page: Page) -> None:
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


def _show_action(action: "Action", page: Page, margin: str) -> None:
    if "snippet" in action:
        page.line()
        page.code(action["snippet"]["code"], f"{margin}  ")
        page.line()
    if "why" in action:
        page.paragraph(action["why"], margin, style="dim")
    safety = action["safety"]
    if safety["level"] != "safe":
        page.paragraph(f"{SAFETY[safety['level']]}: {safety.get('note', '')}", f"{margin}  ", f"{margin}! ", "warn")


def _show_question(answer: "Answer", page: Page) -> None:
    if answer["ask_for"]:
        question = answer["ask_for"][0]
        page.line()
        page.paragraph(f"What would decide: {question['why']} ({question['fact']})", "  ", style="title")
        if question["command"]:
            page.code(question["command"], "    ")


def _show_harmless(answer: "Answer", page: Page) -> None:
    shown = {match["entry"] for match in answer["matches"]}
    harmless: dict[str, list[int]] = {}
    for row in answer["benign"]:
        if row["entry"] not in shown and row["line"] not in harmless.setdefault(row["entry"], []):
            harmless[row["entry"]].append(row["line"])
    if harmless:
        said = [f"{entry} (line {', '.join(map(str, sorted(lines)[:4]))})" for entry, lines in harmless.items()]
        page.paragraph("Harmless, nothing to do: " + "; ".join(said), "    ", "  ", "dim")


def _show_left_out(answer: "Answer", page: Page) -> None:
    for row in [row for row in answer["stepped_back"] if "another machine" in row["why"]][:1]:
        page.paragraph(f"Facts of this machine were left out: {row['why']}", "    ", "  ", "dim")


def _show_abstention(answer: "Answer", page: Page) -> None:
    page.line(page.style(f"{VERDICTS['unknown']}.", "title"))
    if answer["condensed"]:
        page.paragraph(f"What the text says, in short: {answer['condensed'][:400]}", "  ")
    _show_nearest(answer, page)
    page.line("  More of the log (from its first line on), the exit code (--exit-code) or the script (--code) may help.")


def _show_explained(answer: "Answer", page: Page) -> None:
    page.line(page.style(EXPLAINED, "title"))
    for says in answer["explained"]["says"]:
        page.paragraph(says, "    ", "  ")
    _show_nearest(answer, page)


def _show_nearest(answer: "Answer", page: Page) -> None:
    if answer.get("nearest"):
        page.line("  Nearest, but not sure enough to be an answer:")
        for row in answer["nearest"]:
            page.line(f"    {row['entry']}: {row['title']}")
        page.line("  'tfhelp explain ENTRY' shows one; 'tfhelp report' writes a bug report from this text.")
