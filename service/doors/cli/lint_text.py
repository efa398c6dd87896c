"""The findings of ``tfhelp lint``, for a reader at a terminal or a log."""

import collections
import sys
import time
import typing

from tfhelp.service.doors.cli.page import Page, printable
from tfhelp.service.lint.checking import Checked, Problem
from tfhelp.service.lint.formats.document import entry_of

if typing.TYPE_CHECKING:
    from tfhelp.service.lint.fixing import Fixed

Json = dict[str, typing.Any]
_STYLES = {"error": "bad", "warning": "warn", "note": "dim"}
_MOST_RELEASES = 3
_MOST_READ = 20  # scripts whose releases are looked up, which costs as much as the rules do
_PATIENCE = 2.0  # seconds of silence


def show_problems(files: typing.Sequence[Checked], entries: typing.Mapping[str, str], fixes: int, stream: typing.TextIO) -> None:
    """Write a line for each problem, in the form that editors jump to, and a summary."""
    page = Page(stream)
    for file in files:
        for problem in file.problems:
            page.line(_line(file, problem, entries, page))
    _summarise(files, fixes, page)


def _line(file: Checked, problem: Problem, entries: typing.Mapping[str, str], page: Page) -> str:
    place = problem.place
    cell = f"code cell {place.cell}:" if place.cell else ""
    entry = entry_of(problem.rule, entries)
    hint = page.style(f" (tfhelp explain {entry})", "dim") if entry else ""
    where = page.style(f"{printable(file.path)}:{cell}{place.line}:{place.column}:", "title")
    return f"{where} {page.style(problem.rule.code, _STYLES[problem.severity])} {printable(problem.message)}{hint}"


def show_statistics(
    files: typing.Sequence[Checked], entries: typing.Mapping[str, str], fixes: int, stream: typing.TextIO
) -> None:
    """Write how often each rule found something, most often first."""
    page = Page(stream)
    counts = collections.Counter(problem.rule for file in files for problem in file.problems)
    width = len(str(max(counts.values(), default=0)))
    for rule, count in sorted(counts.items(), key=lambda item: (-item[1], item[0].code)):
        mark = {"safe": "[*]", "unsafe": "[-]"}.get(rule.safety, "[ ]")
        page.line(f"{count:>{width}}  {page.style(rule.code, 'warn')} {mark} {rule.title}")
    if counts:
        page.line(page.style("[*] has a safe mechanical fix, [-] one that changes results", "dim"))
    _summarise(files, fixes, page)


def show_releases(files: typing.Sequence[Checked], stream: typing.TextIO) -> None:
    """Write which releases the scripts were written for, if the newest is not among them; only a few of many."""
    from tfhelp.service.lint.releases import sentences

    read = [file for file in files if file.mentions_tensorflow][:_MOST_READ]
    said = [sentence for file in read for sentence in sentences(file.path, file.script.text)]
    page = Page(stream)
    for sentence in said[:_MOST_RELEASES]:
        page.line(sentence)
    if len(said) > _MOST_RELEASES:
        page.line(page.style("Other scripts were also written for older releases: tfhelp upgrade", "dim"))


def _summarise(files: typing.Sequence[Checked], fixes: int, page: Page) -> None:
    problems = [problem for file in files for problem in file.problems]
    if fixes:
        page.line(page.style(f"Fixed {_count(fixes, 'problem')}.", "good"))
    if not problems:
        if files and not any(file.fault for file in files):
            page.line(page.style(f"Nothing {'left' if fixes else 'found'} in {_count(len(files), 'file')}.", "good"))
        return
    holding = sum(bool(file.problems) for file in files)
    page.line(f"{'Left' if fixes else 'Found'}: {_count(len(problems), 'problem')} in {holding} of {_count(len(files), 'file')}.")
    safe, unsafe = (sum(problem.safety == kind for problem in problems) for kind in ("safe", "unsafe"))
    said = [f"{safe} with --fix"] * bool(safe) + [f"{unsafe} with --fix --unsafe-fixes, which changes results"] * bool(unsafe)
    if said:
        page.line(f"Can be fixed: {'; '.join(said)}. With --diff instead of --fix you see how.")
    page.line(page.style(f"About a rule: tfhelp lint --explain {problems[0].rule.code}", "dim"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show_diff(fixed: "typing.Sequence[Fixed]", unsafe: bool) -> None:
    """Write the diff on standard output, and on standard error how many problems it fixes and how many are left."""
    from tfhelp.service.lint.edits import unified

    for one in fixed:
        sys.stdout.write(unified(one.before.path, one.before.script.text, one.after.script.text))
    fixes = sum(one.fixes for one in fixed)
    left = [problem for one in fixed for problem in one.after.problems]
    unsafe_ones = sum(problem.safety == "unsafe" for problem in left)
    more = f"; {unsafe_ones} of them with --unsafe-fixes" if unsafe_ones and not unsafe else ""
    said = f"{_count(fixes, 'problem')} would be fixed" if fixes else "nothing would be fixed"
    print(f"tfhelp: {said}, {len(left)} would be left{more}", file=sys.stderr)


def show_rules(rules: typing.Sequence[Json], stream: typing.TextIO) -> None:
    """Write the list of all rules, by family."""
    page = Page(stream)
    family = ""
    for rule in rules:
        if rule["family"] != family:
            if family:
                page.line()
            family = rule["family"]
            page.line(page.style(f"{rule['code'][:4]}  {family}", "title"))
        mark = {"safe": "[*]", "unsafe": "[-]"}.get(rule["fix"], "   ")
        note = page.style(" (note)", "dim") if rule["only_note"] else ""
        page.line(f"  {page.style(rule['code'], 'warn')} {mark} {rule['title']}{note}")
    page.line()
    page.line("[*] has a safe mechanical fix (--fix), [-] one that changes results (--fix --unsafe-fixes);")
    page.line("(note): neither right nor wrong, shown with --notes. The page of each: tfhelp lint --explain CODE")


def show_page(rule: Json, stream: typing.TextIO | Page) -> None:
    """Write the page of one rule."""
    page = stream if isinstance(stream, Page) else Page(stream)
    page.line(page.style(f"{rule['code']}  {rule['title']}", "title"))
    page.line(page.style(f"{rule['family']}; {rule['fact']}", "dim"))
    page.line()
    if "why" in rule:
        page.paragraph(rule["why"], "  ")
        page.line()
        page.paragraph(f"Instead: {rule['instead']}", "  ")
        page.line()
        _show_examples(rule, page)
    page.paragraph(_about_fix(rule), "  ")
    if rule["only_note"]:
        page.paragraph("This rule makes notes, which are neither right nor wrong: they are shown with --notes.", "  ")
    page.paragraph(f"To suppress the rule on one line: # noqa: {rule['code']}", "  ")
    if rule["entry"]:
        page.paragraph(f"More: tfhelp explain {rule['entry']}", "  ")


def _show_examples(rule: Json, page: Page) -> None:
    for title, key in (("It finds", "found"), ("It does not find", "clean")):
        page.line(f"  {title}:")
        page.line()
        page.code(rule[key], "      ")
        page.line()


def _about_fix(rule: Json) -> str:
    if rule["fix"] == "safe":
        return "Mechanical fix: safe; tfhelp lint --fix applies it, and the program computes the same."
    if rule["fix"] == "unsafe":
        return "Mechanical fix: it changes what is computed; tfhelp lint --fix --unsafe-fixes applies it. Look at it with --diff first."
    return "Mechanical fix: none."


class Progress:
    """Shows the progress of a long check on a terminal; silent for the first two seconds, and without a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._next = time.monotonic() + _PATIENCE
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._shown = False

    def __enter__(self) -> "Progress":
        return self

    def step(self) -> None:
        """Count one more finished file."""
        self._done += 1
        if self._shows and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            self._shown = True
            print(f"\r{self._done} of {self._total} files", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
