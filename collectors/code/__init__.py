"""Facts from a training script (``code.*``): a pass over the syntax tree that runs nothing and needs only the standard library.

``examine`` reads one source text; ``facts`` makes a fact sheet from the findings. A fact is

- true if some place in the program shows it (source ``train.py line 12``);
- false if the construct is there and correct, or if the program is whole (it was parsed, and imports no module that
  may be your own) and shows no such place;
- unknown otherwise: for part of a program, for one whose model comes from a file that was not read, and for anything that
  depends on data that the text does not show (``UNSETTLED`` of each check).

Only ``facts_of_script`` makes ``code.written_for``: it queries the atlas, which takes a few milliseconds to open.
``code.notes`` lists the true facts that are not faults in themselves: they tell causes apart, but name no failure.
"""

import bisect
import importlib
import itertools
import re
import typing

from tfhelp.collectors.code.finding import Finding
from tfhelp.kb.fact_sheet import FactSheet

if typing.TYPE_CHECKING:
    from tfhelp.collectors.code.finding import Report

    FACTS: tuple[str, ...]

CHECKS = (
    "distribute",
    "model_state",
    "loops",
    "graph_functions",
    "gradients",
    "optimizers",
    "input_types",
    "processes",
    "callbacks",
    "data",
    "losses",
    "numbers",
    "preparation",
    "pairing",
    "traced_once",
    "learning",
    "memory_growth",
    "api_names",
)
LONGEST_SOURCE = 1 << 20  # characters; a script is a hundredth of this, and a larger text is data
MOST_TOKENS = 150_000  # a syntax tree takes about a kilobyte per token
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Examination:
    """What one source text shows.

    Attributes:
        name: file name for sources and messages.
        findings: places that make a fact true, in the order of lines.
        right: facts that a correct construct makes false -> the line of that construct.
        whole: whether the text is a whole program, so that anything it does not show is absent.
        fault: (line, message) if the text is not Python, else ``None``.
        cells: for a notebook, the line of the joined source on which each code cell begins.
        numbers: for code inside a text, the line number of each source line in that text; empty if the source is its own text.
    """

    __slots__ = ("cells", "fault", "findings", "name", "numbers", "right", "whole")

    def __init__(self, name: str) -> None:
        self.name = name
        self.findings: list[Finding] = []
        self.right: dict[str, int] = {}
        self.whole = False
        self.fault: tuple[int, str] | None = None
        self.cells: list[int] = []
        self.numbers: typing.Sequence[int] = ()

    def where(self, line: int) -> str:
        """A line in words: ``line 12``, or ``code cell 3 line 2`` for a notebook."""
        if self.numbers:
            return f"line {self.numbers[min(line, len(self.numbers)) - 1]}"
        if not self.cells:
            return f"line {line}"
        cell = bisect.bisect_right(self.cells, line)
        return f"code cell {cell} line {line - self.cells[cell - 1] + 1}"


def __getattr__(name: str) -> typing.Any:
    """``FACTS``: the paths that this collector makes."""
    if name != "FACTS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(
        sorted({"code.notes", "code.written_for", *(f"code.{fact}" for check in CHECKS for fact in _check(check).FACTS)})
    )


def _check(name: str) -> typing.Any:
    return importlib.import_module(f"{__name__}.checks.{name}")


def read(source: str, name: str = "train.py") -> list[Finding]:
    """The findings of a program, in the order of its lines; none for a text that is not Python."""
    return examine(source, name).findings


def examine(source: str, name: str = "train.py", part: bool = False, numbers: typing.Sequence[int] = ()) -> Examination:
    """Read a program (or, when its name ends in ``.ipynb``, a notebook).

    Args:
        source: its text. Any text will do; if it is not Python, ``fault`` says so.
        name: its file name.
        part: whether the text is only part of a program. Then something that is missing in it proves nothing.
        numbers: for code inside a text, the line number of each source line in that text.
    """
    examination = Examination(name)
    examination.numbers = numbers
    if name.endswith(".ipynb"):
        from tfhelp.collectors.code.notebook import NotebookError, source_of_notebook

        try:
            source, examination.cells = source_of_notebook(source)
        except NotebookError as error:
            examination.fault = (1, str(error))
            return examination
    try:
        _examine(source, part, examination)
    except SyntaxError as error:
        examination.fault = (error.lineno or 1, error.msg or "invalid syntax")
    except (RecursionError, MemoryError, ValueError) as error:
        # Nested too deeply, or with characters that Python refuses: not a hand-written program.
        examination.fault = (1, str(error) or type(error).__name__)
    return examination


def _examine(source: str, part: bool, examination: Examination) -> None:
    import warnings

    from tfhelp.collectors.code.program import Program
    from tfhelp.collectors.code.subject import Subject

    if len(source) > LONGEST_SOURCE:
        raise ValueError(f"longer than {LONGEST_SOURCE >> 20} MiB")
    if more_tokens_than(MOST_TOKENS, source):
        raise ValueError(f"more than {MOST_TOKENS} words and signs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a plain string is the user's business
        program = Program(source)
    subject = Subject(program)
    for check in CHECKS:
        _check(check).check(subject)
    report: Report = subject.report
    lacks = {f"code.{fact}" for check in CHECKS for fact in getattr(_check(check), "LACKS", ())} if part else frozenset()
    findings = (item for item in report.findings if item.fact not in lacks)
    examination.findings = sorted(findings, key=lambda item: (item.line, item.span, item.fact))
    examination.right = report.right
    examination.whole = program.whole and not part


def more_tokens_than(most: int, source: str) -> bool:
    """Return whether a source has more than ``most`` words and signs, counted without parsing it."""
    return len(source) > most and next(itertools.islice(_TOKEN.finditer(source), most, None), None) is not None


def facts(examination: Examination) -> FactSheet:
    """A sheet of the facts that an examination gives; empty if the text was not Python."""
    sheet = FactSheet()
    if examination.fault is not None:
        return sheet
    for finding in examination.findings:
        if finding.fact not in sheet.values:
            sheet.put(finding.fact, True, f"{examination.name} {examination.where(finding.line)}")
    complaints = {finding.fact for finding in examination.findings if finding.severity != "note"}
    notes = sorted({finding.fact for finding in examination.findings} - complaints)
    if notes:
        sheet.put("code.notes", notes, examination.name)
    for fact, line in examination.right.items():
        if fact not in sheet.values:
            sheet.put(fact, False, f"{examination.name} {examination.where(line)}")
    if examination.whole:
        unsettled = {"code.notes", "code.written_for"} | {
            f"code.{fact}" for check in CHECKS for fact in getattr(_check(check), "UNSETTLED", ())
        }
        for fact in __getattr__("FACTS"):
            if fact not in sheet.values and fact not in unsettled:
                sheet.put(fact, False, examination.name)
    return sheet


def facts_of_script(source: str, examination: Examination) -> FactSheet:
    """The facts of a script that a user names, with the releases that it was written for."""
    sheet = facts(examination)
    if examination.fault is not None or ("tensorflow" not in source and "keras" not in source):
        return sheet
    from tfhelp.collectors.code.written_for import of_script

    ranges = of_script(source, examination.name)
    if ranges:
        sheet.put("code.written_for", ", ".join(map(str, ranges)), examination.name)
    return sheet
