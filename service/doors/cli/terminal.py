"""An answer on a terminal: a short one that fits on one screen, or a full one with all that is known."""

import os
import typing

from tfhelp.service.doors.cli.page import Page, printable
from tfhelp.service.doors.formats import words
from tfhelp.service.vocabulary import EXPLAINED, VERDICTS

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, EvidenceRow, Fix, Match, ReadersLine, Step

_MARKS = {"holds": ("+", "good"), "fails": ("-", "bad"), "unknown": ("?", "dim")}
_COLOURS = {"confirmed": "good", "likely": "good", "ruled-out": "dim"}
_NEVER_LEFT_OUT = 0
_ABOVE_AND_BELOW = 10  # lines that a short answer always has, besides the steps
_DECIDING_LINES = 2  # terminal lines that one line of the log may take in a short answer
_WRAPPER = "{{function_node __wrapped__"

MORE = "--full"
"""How the reader gets the rest of a short answer from ``tfhelp ask``."""


class _Block:
    """Lines that are shown together or not at all; blocks with a small ``place`` are kept longest.

    Blocks with ``follows``, such as steps, are shown in order: once one is left out, so are the later ones.
    """

    __slots__ = ("follows", "lines", "place")

    def __init__(self, place: int, lines: list[str], follows: bool = False) -> None:
        self.place = place
        self.lines = lines
        self.follows = follows


def show_answer(
    answer: "Answer", stream: "typing.TextIO | Page", verbose: bool = False, more: str = MORE, server: str = ""
) -> None:
    """Write the answer's document for a reader at a terminal.

    Args:
        answer: the document.
        stream: where to write, or a page on that stream.
        verbose: show all that is known, else what fits on one screen of 24 to 40 lines.
        more: the command that shows the rest; empty if there is none.
        server: URL of the service that answered, for links to its pages; empty for none.
    """
    page = stream if isinstance(stream, Page) else Page(stream)
    if words.names_an_entry(answer):
        (_show_full if verbose else _show_short)(answer, page, more, server)
    else:
        _show_other(answer, page, verbose)
    page.lines(_below(answer, page))


def _below(answer: "Answer", page: Page) -> list[str]:
    """The lines below every answer: remarks, and the link to an answer that a server has kept."""
    lines = [line for note in words.remarks(answer) for line in page.wrapped(note, "  ", "")]
    return [*lines, f"Kept as {printable(answer['link'])}"] if "link" in answer else lines


def _show_short(answer: "Answer", page: Page, more: str, server: str) -> None:
    blocks = _blocks(answer, page, server)
    last = _rest(answer, page, more)
    room = page.rows - 1 - len(last) - len(_below(answer, page))  # one row is for the prompt
    kept = _fitting(blocks, room)
    shown = [line for number, block in enumerate(blocks) if number in kept for line in block.lines] + last
    page.lines(line for number, line in enumerate(shown) if line or (number and shown[number - 1]))


def _fitting(blocks: list[_Block], room: int) -> set[int]:
    """The numbers of the blocks that fit into so many lines."""
    kept: set[int] = set()
    broken = False
    for number in sorted(range(len(blocks)), key=lambda number: blocks[number].place):
        block = blocks[number]
        if block.place == _NEVER_LEFT_OUT or (len(block.lines) <= room and not (broken and block.follows)):
            kept.add(number)
            room -= len(block.lines)
        else:
            broken = broken or block.follows
    return kept


def _rest(answer: "Answer", page: Page, more: str) -> list[str]:
    """How the reader gets the rest."""
    said = f"tfhelp explain {answer['matches'][0]['entry']}"
    said = f"{more} (all causes, fixes and sources), {said}" if more else said
    return ["", *page.wrapped(f"More: {said}", "    ", "  ", "dim")]


def _blocks(answer: "Answer", page: Page, server: str) -> list[_Block]:
    match = answer["matches"][0]
    cause = match["causes"][0]
    return [
        _Block(_NEVER_LEFT_OUT, _headline(answer, page, server)),
        _Block(_NEVER_LEFT_OUT, ["", *_cause_line(cause, page)]),
        _Block(7, page.wrapped(cause["means"], "    ")),
        *_fix_blocks(cause["fix"], page),
        _Block(_NEVER_LEFT_OUT, ["", "  Why:"]),
        *_seen(answer, match, page),
        *_reasons(cause, page),
        *_rivals(answer, match, page),
        _Block(2, _question(answer, page)),
        _Block(8, _harmless(answer, page)),
        _Block(6, _left_out(answer, page)),
    ]


def _headline(answer: "Answer", page: Page, server: str) -> list[str]:
    """Verdict and title, and the entry's id if it fits."""
    said = words.headline(answer)
    entry = answer["matches"][0]["entry"]
    colour = "good" if answer["verdict"] == "diagnosed" else "warn"
    verdict, _, rest = printable(said).partition(": ")
    if len(said) + len(entry) + 3 > page.width:
        return page.wrapped(said, "  ", "", "title")
    linked = page.link(entry, f"{server.rstrip('/')}/entries/{entry}") if server else entry
    return [f"{page.style(verdict + ':', colour)} {page.style(rest, 'title')}   {page.style(linked, 'dim')}"]


def _seen(answer: "Answer", match: "Match", page: Page) -> list[_Block]:
    """What decided: lines of the log, facts, the user's own line."""
    blocks = []
    for number, row in enumerate(match["matched"][:2]):
        lines = page.wrapped(f"{words.where(row)}: {_without_wrapper(words.line_text(row))}", "      ", "    ")
        blocks.append(_Block(5 if number else _NEVER_LEFT_OUT, _cut(lines, page)))
    if "your_line" in answer:
        blocks.append(_Block(4, page.wrapped(_your_line(answer["your_line"]), "      ", "    ")))
    if "raised_in" in match:
        blocks.append(_Block(9, page.wrapped(match["raised_in"], "      ", "    ", "dim")))
    return blocks + [_Block(3, page.wrapped(says, "      ", "    ")) for says in match.get("op_says", [])]


def _without_wrapper(text: str) -> str:
    """A line without the name of the function that wraps an eager op: it is long, and stands before what the op says."""
    before, found, rest = text.partition(_WRAPPER)
    name, end, after = rest.partition("}}")
    return f"{before}{{{{function_node \u2026}}}}{after}" if found and end and " " not in name else text


def _cut(lines: list[str], page: Page) -> list[str]:
    """The first lines, with an ellipsis if some are left out."""
    if len(lines) <= _DECIDING_LINES:
        return lines
    *kept, last = lines[:_DECIDING_LINES]
    room = page.width - 2
    return [*kept, f"{last[:room].rstrip()} \u2026"]


def _your_line(line: "ReadersLine") -> str:
    """The reader's line, with its file relative to this folder."""
    try:
        here = os.getcwd() + os.sep
    except OSError:  # the folder is gone
        here = ""
    near: ReadersLine = {**line, "file": line["file"].removeprefix(here)}
    return f"your line: {words.your_line(near)}"


def _cause_line(cause: "CauseRow", page: Page) -> list[str]:
    said = f"  {words.cause_verdict(cause)}: {printable(cause['title'])}"
    if len(said) > page.width:
        return page.wrapped(said.strip(), "    ", "  ", "title")
    verdict, _, title = said.partition(": ")
    return [f"{page.style(verdict, _COLOURS.get(cause['verdict'], 'warn'))}: {page.style(title, 'title')}"]


def _reasons(cause: "CauseRow", page: Page) -> list[_Block]:
    """The evidence for the cause and against it; the first piece has priority."""
    rows = [row for row in cause["evidence"] if row["outcome"] != "unknown"]
    return [_Block(1 if number == 0 else 6, _reason(row, page)) for number, row in enumerate(rows)]


def _reason(row: "EvidenceRow", page: Page) -> list[str]:
    mark, style = _MARKS[row["outcome"]]
    return page.wrapped(words.because(row), "      ", f"    {mark} ", style)


def _fix_blocks(fix: "Fix", page: Page) -> list[_Block]:
    """The summary and the steps up to the first snippet, then as many other steps as fit."""
    first = next((number for number, step in enumerate(fix["steps"]) if _has_snippet(step)), 0)
    blocks = [_Block(_NEVER_LEFT_OUT, ["", *page.wrapped(f"Fix: {fix['summary']}", "    ", "  ", "title")])]
    for number, step in enumerate(fix["steps"], 1):
        if number <= first + 1:
            blocks.append(_Block(_NEVER_LEFT_OUT, _leading_step(step, number, page)))
        else:
            blocks.append(_Block(4, _step(step, number, page, with_why=False), follows=True))
    blocks.append(_Block(3, page.wrapped(fix["verify"], "      ", f"    {words.WORKED} ")))
    if "undo" in fix:
        blocks.append(_Block(8, page.wrapped(fix["undo"], "      ", f"    {words.UNDO} ")))
    blocks.append(_Block(7, page.wrapped(fix["wrong_when"], "      ", f"    {words.WRONG} ", "dim")))
    return blocks


def _has_snippet(step: "Step") -> bool:
    return any("snippet" in action for action in (step, *step.get("one_of", ())))


def _leading_step(step: "Step", number: int, page: Page) -> list[str]:
    """A step up to the first snippet, without its reasons; of several choices, only the first keeps its snippet."""
    lines = _step(step, number, page, with_why=False)
    if len(lines) <= page.rows - _ABOVE_AND_BELOW or "one_of" not in step:
        return lines
    first, *others = step["one_of"]
    without: list[Action] = [{"when": one["when"], "say": one["say"], "safety": one["safety"]} for one in others]
    return _step({**step, "one_of": [first, *without]}, number, page, with_why=False)


def _step(step: "Step", number: int, page: Page, with_why: bool = True) -> list[str]:
    """One step with its choices."""
    margin, inner = "    ", "       "
    lines = page.wrapped(step["say"], inner, f"{margin}{number}. ") + _action(step, page, inner, with_why)
    for choice in step.get("one_of", ()):
        lines += page.wrapped(f"{choice['when']}: {choice['say']}", inner + "    ", inner + "  - ")
        lines += _action(choice, page, inner + "    ", with_why)
    return lines


def _action(action: "Action", page: Page, margin: str, with_why: bool = True) -> list[str]:
    lines: list[str] = []
    if "snippet" in action:
        lines += ["", *page.code_lines(action["snippet"]["code"], f"{margin}  "), ""]
    if with_why and "why" in action:
        lines += page.wrapped(action["why"], margin, style="dim")
    said = words.safety(action)
    return [*lines, *page.wrapped(said, f"{margin}  ", f"{margin}! ", "warn")] if said else lines


def _rivals(answer: "Answer", match: "Match", page: Page) -> list[_Block]:
    """Other causes and entries that could be the answer instead."""
    rows = [f"{words.cause_verdict(cause)}: {cause['title']}" for cause in words.rivals(match)]
    lines = [line for row in rows for line in page.wrapped(row, "      ", "  or  ")]
    others = [f"{words.sure(other)}: {other['title']} ({other['entry']})" for other in words.other_entries(answer)]
    others_lines = [line for row in others for line in page.wrapped(row, "      ", "  or  ")]
    ruled_out = "; ".join(cause["title"] for cause in words.ruled_out(match))
    blocks = [_Block(2, ["", *lines])] if lines else []
    blocks += [_Block(3, others_lines if lines else ["", *others_lines])] if others_lines else []
    return [*blocks, _Block(9, page.wrapped(f"ruled out: {ruled_out}", "      ", "  ", "dim"))] if ruled_out else blocks


def _question(answer: "Answer", page: Page) -> list[str]:
    if not answer["ask_for"]:
        return []
    command = answer["ask_for"][0]["command"]
    asked = page.wrapped(f"{words.DECIDES} {words.question(answer)}", "    ", "  ", "title")
    return ["", *asked, *(page.code_lines(command, "    ") if command else [])]


def _harmless(answer: "Answer", page: Page) -> list[str]:
    said = [
        entry + (f" ({words.at_lines(lines)})" if words.at_lines(lines) else "") for entry, _, lines in words.harmless(answer)
    ]
    return ["", *page.wrapped(f"{words.HARMLESS} {'; '.join(said)}", "    ", "  ", "dim")] if said else []


def _left_out(answer: "Answer", page: Page) -> list[str]:
    said = words.facts_left_out(answer)
    return ["", *page.wrapped(said, "    ", "  ", "dim")] if said else []


def _show_full(answer: "Answer", page: Page, _more: str, server: str) -> None:
    for place, match in enumerate(answer["matches"]):
        if place:
            page.line()
            page.paragraph(f"{words.sure(match)}: {match['title']}   {match['entry']}", "  ", "", "title")
        else:
            page.lines(_headline(answer, page, server))
        for row in match["matched"]:
            page.paragraph(f"{words.where(row)}: {words.line_text(row)}", "    ", "  ", "dim")
        if "your_line" in answer and not place:
            page.paragraph(_your_line(answer["your_line"]), "    ", "  ", "dim")
        for says in (*([match["raised_in"]] if "raised_in" in match else []), *match.get("op_says", [])):
            page.paragraph(says, "    ", "  ")
        for cause in match["causes"]:
            _show_cause(cause, page)
    page.lines([*_question(answer, page), *_harmless(answer, page), *_left_out(answer, page)])


def _show_cause(cause: "CauseRow", page: Page) -> None:
    page.line()
    page.lines(_cause_line(cause, page))
    page.paragraph(cause["means"], "    ")
    for row in cause["evidence"]:
        page.lines(_reason(row, page))
    show_fix(cause["fix"], page)
    show_background(cause["fix"]["myths"], cause["fix"]["sources"], page)


def show_fix(fix: "Fix", page: Page) -> None:
    """Write a fix with its values filled in: steps, snippets, safety, how to check that it worked."""
    page.line()
    page.paragraph(f"Fix: {fix['summary']}", "    ", style="title")
    for number, step in enumerate(fix["steps"], 1):
        page.lines(_step(step, number, page))
    page.paragraph(fix["verify"], "       ", f"    {words.WORKED} ")
    if "undo" in fix:
        page.paragraph(fix["undo"], "       ", f"    {words.UNDO} ")
    page.paragraph(fix["wrong_when"], "       ", f"    {words.WRONG} ", "dim")
    page.line()


def show_background(
    myths: typing.Sequence[typing.Mapping[str, str]], sources: typing.Sequence[dict[str, typing.Any]], page: Page
) -> None:
    """Write common misconceptions, and the sources of the advice."""
    for myth in myths:
        page.paragraph(words.myth(myth), "      ", "    ")
    for source in sources:
        lines = page.wrapped(words.source(source), "      ", "    source: ", "dim")
        url = str(source.get("url", ""))
        page.lines(page.link(line, url) if url else line for line in lines)


def _show_other(answer: "Answer", page: Page, verbose: bool) -> None:
    """Write the verdicts that name no entry."""
    if answer["verdict"] == "explained":
        page.paragraph(EXPLAINED, "  ", "", "title")
        for says in answer["explained"]["says"]:
            page.paragraph(says, "    ", "  ")
        _show_nearest(answer, page)
    elif answer["verdict"] == "undecided":
        _show_choices(answer, page)
    elif answer["verdict"] == "nothing-failed":
        _show_nothing_failed(answer, page, verbose)
    else:
        _show_abstention(answer, page)


def _show_nothing_failed(answer: "Answer", page: Page, verbose: bool) -> None:
    page.line(page.style(f"{VERDICTS['nothing-failed']}.", "good"))
    if not answer["matches"]:
        page.paragraph(words.no_failure(answer), "  ")
    for match in answer["matches"]:
        place = words.at_lines(sorted({row["line"] for row in match["matched"]}))
        where = f" ({place})" if place else ""
        page.paragraph(f"{match['title']}{where}: {match['causes'][0]['means']}", "      ", "  - ")
        if verbose:
            show_fix(match["causes"][0]["fix"], page)
    page.paragraph(words.IF_STILL_WRONG, "  ", style="dim")
    page.lines(_left_out(answer, page))


def _show_choices(answer: "Answer", page: Page) -> None:
    page.paragraph(words.SEVERAL, style="title")
    for match in answer["matches"]:
        page.line()
        page.paragraph(f"{match['title']}   {match['entry']}", "    ", "  ", "title")
        page.paragraph(match["told_by"]["sign"], "      ", "    how to tell: ")
        if "command" in match["told_by"]:
            page.code(match["told_by"]["command"], "      ")
    page.line()
    page.paragraph(words.SAY_MORE, "  ", style="dim")


def _show_abstention(answer: "Answer", page: Page) -> None:
    page.line(page.style(f"{VERDICTS['unknown']}.", "title"))
    if answer["condensed"]:
        page.paragraph(f"What the text says, in short: {answer['condensed'][:400]}", "  ")
    _show_nearest(answer, page)
    page.paragraph(words.more_may_help(answer), "  ")


def _show_nearest(answer: "Answer", page: Page) -> None:
    if answer.get("nearest"):
        page.paragraph(words.NEAREST, "  ")
        for row in answer["nearest"]:
            page.paragraph(f"{row['entry']}: {row['title']}", "      ", "    ")
        page.paragraph("'tfhelp explain ENTRY' shows one; 'tfhelp report' writes a bug report from this text.", "  ")
