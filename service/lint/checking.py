"""Check a file: what the rules find in it, and where."""

import os
import re
import typing

from tfhelp.collectors.code import LONGEST_SOURCE, MOST_TOKENS, Examination, examine, more_tokens_than
from tfhelp.collectors.code.finding import Finding
from tfhelp.collectors.syntax_tree import syntax_tree
from tfhelp.service.lint.comments import Suppressed
from tfhelp.service.lint.linting import Script, fault_of, read_script
from tfhelp.service.lint.rules import Rule, Selection, rule_of, safety

# Names of TensorFlow and Keras, and Keras names that people use without the module prefix.
_TENSORFLOW = re.compile(
    r"tensorflow|keras|\btf\b|\b(?:Sequential|Dense|Conv2D|LSTM|load_model|to_categorical|EarlyStopping|Adam|SGD|RMSprop)\b"
)


class Place(typing.NamedTuple):
    """The place of a problem. Lines and columns are counted from 1, and columns are in characters.

    Attributes:
        cell: in a notebook, the code cell, counted from 1; ``line`` and ``last_line`` are then lines of that cell. Else 0.
        line, column: the line to show; in a chain of methods, the line of the method's name.
        last_line, last_column: the end of the expression; ``last_column`` is one past its last character.
    """

    cell: int
    line: int
    column: int
    last_line: int
    last_column: int


class Problem:
    """One finding of one rule.

    Attributes:
        rule: with code and title.
        finding: the collector's finding.
        place: where it is.
        safety: of its automatic fix: ``safe``, ``unsafe``, or empty if there is none.
    """

    __slots__ = ("finding", "place", "rule", "safety")

    def __init__(self, rule: Rule, finding: Finding, place: Place) -> None:
        self.rule = rule
        self.finding = finding
        self.place = place
        self.safety = safety(finding.fix)

    @property
    def message(self) -> str:
        """One sentence for the user."""
        return self.finding.message

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return self.finding.severity


class Settings(typing.NamedTuple):
    """What to look for: the rules, and whether notes are shown."""

    selection: Selection
    notes: bool = False


class Checked:
    """One file and what was found in it.

    Attributes:
        path: as the user gave it.
        script: its text.
        examination: what the collector read.
        problems: in the order of lines.
        mentions_tensorflow: whether it is Python that mentions TensorFlow or Keras.
        fault: a sentence about what is not valid Python; empty if everything is valid.
    """

    __slots__ = ("examination", "fault", "mentions_tensorflow", "path", "problems", "script")

    def __init__(self, path: str, script: Script, settings: Settings) -> None:
        self.path = path
        self.script = script
        self.examination = _examined(os.path.basename(path), script.text)
        self.fault = fault_of(path, self.examination)
        self.mentions_tensorflow = _TENSORFLOW.search(script.text) is not None and not self.fault
        self.problems = _problems(self.examination, script.text, settings)

    @property
    def is_notebook(self) -> bool:
        """Whether the file is a notebook, whose lines are counted within each cell."""
        return self.path.endswith(".ipynb")


def check_file(path: str, settings: Settings) -> Checked:
    """Read and examine a file.

    Raises:
        InputError: it cannot be read. Invalid Python is reported in ``fault`` of the result.
    """
    return Checked(path, read_script(path), settings)


def _examined(name: str, text: str) -> Examination:
    """The collector's result. A script that never mentions TensorFlow or Keras, like most files of a project, is only parsed."""
    if _TENSORFLOW.search(text) is None and not name.endswith(".ipynb") and len(text) <= LONGEST_SOURCE:
        examination = Examination(name)
        examination.fault = _fault(text)
        return examination
    return examine(text, name)


def _fault(text: str) -> tuple[int, str] | None:
    if more_tokens_than(MOST_TOKENS, text):
        return 1, f"more than {MOST_TOKENS} words and signs"
    try:
        syntax_tree(text)
    except SyntaxError as error:
        return error.lineno or 1, error.msg or "invalid syntax"
    except (RecursionError, MemoryError, ValueError) as error:
        return 1, str(error) or type(error).__name__
    return None


def _problems(examination: Examination, text: str, settings: Settings) -> list[Problem]:
    wanted = [
        (rule, finding)
        for finding in examination.findings
        if settings.notes or finding.severity != "note"
        if settings.selection.takes((rule := rule_of(finding.fact)).code)
    ]
    if not wanted:
        return []
    source = python_of(examination, text)
    silenced = Suppressed(source)
    lines = source.split("\n")
    problems = [
        Problem(rule, finding, _place(examination, finding, lines))
        for rule, finding in wanted
        if not silenced.leaves_out(rule.code, {finding.line, finding.span[0]})
    ]
    problems.sort(key=lambda problem: (problem.finding.line, problem.place.column, problem.rule.code))
    return problems


def python_of(examination: Examination, text: str) -> str:
    """The Python code that was examined; for a notebook, its code cells one after another."""
    if not examination.name.endswith(".ipynb"):
        return text
    from tfhelp.collectors.code.notebook import source_of_notebook

    return source_of_notebook(text)[0]


def _place(examination: Examination, finding: Finding, lines: list[str]) -> Place:
    first, start, last, end = finding.span
    column = _characters(lines, first, start) if finding.line == first else _indent(lines, finding.line)
    cell, before = 0, 0
    if examination.cells:
        import bisect

        cell = bisect.bisect_right(examination.cells, finding.line)
        before = examination.cells[cell - 1] - 1
    last_line, last_column = (last, _characters(lines, last, end)) if last >= finding.line else (finding.line, column)
    return Place(cell, finding.line - before, column + 1, last_line - before, last_column + 1)


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _characters(lines: list[str], number: int, octets: int) -> int:
    line = _line(lines, number)
    return octets if line.isascii() else len(line.encode(errors="replace")[:octets].decode(errors="ignore"))


def _indent(lines: list[str], number: int) -> int:
    line = _line(lines, number)
    return len(line) - len(line.lstrip())
