"""Code inside a pasted text: fenced blocks, interpreter prompts, or a run of lines that is plainly Python.

A line that is not code becomes an empty line, so that findings keep the line numbers of the text.
"""

import ast
import re
import typing

from tfhelp.collectors.code import more_tokens_than
from tfhelp.collectors.code.names import USUAL
from tfhelp.collectors.reading.lines import by_process
from tfhelp.collectors.syntax_tree import syntax_tree
from tfhelp.kb.text import Line, Text

_FENCE = re.compile(r"^\s{0,3}(?:>\s?)?(`{3,}|~{3,})\s*([\w+-]*)")
_PYTHON_FENCES = frozenset(("", "py", "py3", "python", "python3", "ipython", "ipython3", "pycon"))
_PROMPT = re.compile(r"^\s{0,4}(?:>>> ?|\.\.\. ?|In ?\[\d*\]: ?| {3,}\.{3}: ?)")
_CONTINUED = re.compile(r"^\s{0,4}(?:\.\.\. ?| {3,}\.{3}: ?)")
# How the lines of a script begin. A line of a log or of prose seldom begins like this, and never parses.
_BEGINS = re.compile(
    r"(?:import [\w.]+|from [\w.]+ import |with [\w.].*:\s*$|for \w.{0,80} in .*:|def \w+\(|class \w.*:|@[\w.]+|"
    r"[A-Za-z_][\w.]*(?:, *[\w.]+)* *=[^=]|[A-Za-z_][\w.]*\(.*|if .*:\s*$)"
)
_WORDS = (
    "import tensorflow",
    "from tensorflow",
    "import keras",
    "from keras",
    "tf.",
    "keras.",
    "model.",
    ".compile(",
    ".fit(",
    ">>> ",
    "```",
    "~~~",
    "strategy.",
)
_NAMES = ("tensorflow", "keras", "tf.", "model.", "strategy.", ".compile(", ".fit(")
# What a line about TensorFlow contains: a module, a usual variable, or the call of a class that is often used without its module.
_OF_TENSORFLOW = ("tf.", "keras.", "model.", "strategy.", *(f"{name}(" for name in USUAL if name[0].isupper()))
_FEWEST_STATEMENTS = 2
_TRACEBACK_LINE = re.compile(r'^\s*File "[^"]*", line \d+')
_MOST_LINES = 4_000  # lines of a process in which code is looked for; a longer text is a log, with code at its ends
_MOST_TRIES = 40
_MOST_CHARACTERS = 300_000  # characters of a text that are parsed, all attempts together
_MOST_TOKENS = 20_000  # words and signs of one piece; a script of 2,000 lines has as many


class PastedCode(typing.NamedTuple):
    """Code inside a text.

    Attributes:
        source: its lines, with an empty one for each line that is not code; empty if no part parses.
        numbers: for each line of the source, its number in the text as pasted.
    """

    source: str
    numbers: list[int]


def from_text(text: Text) -> PastedCode:
    """The Python code in a text: that of the first process that shows any."""
    for lines in by_process(text.lines):
        searched = _ends(lines)
        source = _source([line.text for line in searched])
        if source:
            return PastedCode(source, [line.number for line in searched])
    return PastedCode("", [])


def is_only_code(lines: list[str]) -> bool:
    """Return whether lines are Python code about TensorFlow, and nothing else.

    >>> is_only_code(["import tensorflow as tf", "print(tf.constant(1))"])
    True
    >>> is_only_code(["Why does this fail?", "import tensorflow as tf", "print(tf.constant(1))"])
    False
    """
    return _is_code(lines) and _parses(lines, _Parser())


def _ends(lines: typing.Sequence[Line]) -> typing.Sequence[Line]:
    """The first and the last lines; an empty one stands for those between, so that no code reaches across."""
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], lines[half]._replace(text=""), *lines[-half:]]


def _source(lines: list[str]) -> str:
    text = "\n".join(lines)
    if not any(word in text for word in _WORDS):
        return ""
    parser = _Parser()
    for find in (_fenced, _prompted, _runs):
        found = find(lines, parser)
        if any(word in line for line in found for word in _NAMES) and _parses(found, parser):
            return "\n".join(found).rstrip("\n") + "\n"
    return ""


class _Parser:
    """Parses pieces of a text within a budget: a syntax tree takes a thousand times the memory of its text."""

    def __init__(self) -> None:
        self._left = _MOST_CHARACTERS

    def tree(self, lines: list[str]) -> ast.Module:
        """The syntax tree.

        Raises:
            SyntaxError: it is not Python.
            ValueError: it is too long for pasted code.
            RecursionError, MemoryError: it is nested too deeply.
        """
        source = "\n".join(lines)
        self._left -= len(source)
        if self._left < 0 or more_tokens_than(_MOST_TOKENS, source):
            raise ValueError("longer than code that anybody pastes")
        return syntax_tree(source)


def _parses(lines: list[str], parser: _Parser) -> bool:
    try:
        tree = parser.tree(lines)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if any(isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and item.value.value is ... for item in tree.body):
        return False  # an illustration: "..." stands for omitted code
    return any(not _bare(statement) for statement in tree.body)


def _bare(statement: ast.stmt) -> bool:
    """A lone word on a line parses as a name, and a quoted one as a string: neither is code."""
    return isinstance(statement, ast.Expr) and isinstance(
        statement.value, (ast.Name, ast.Constant, ast.Attribute, ast.Tuple, ast.Compare)
    )


def _plain(line: str) -> str:
    """A line without a notebook's magic."""
    return "pass" if line.startswith(("%", "!")) else line


def _fenced(lines: list[str], parser: _Parser) -> list[str]:
    """The blocks between fences that are Python; one that does not parse is left out."""
    found = [""] * len(lines)
    start, fence = -1, ""
    for number, line in enumerate(lines):
        opened = _FENCE.match(line)
        if start < 0 and opened:
            start, fence = number + 1, opened[1][0] if opened[2].lower() in _PYTHON_FENCES else ""
        elif start >= 0 and opened and not opened[2]:
            block = [_plain(inner) for inner in _dedented(lines[start:number])]
            prompted = _prompted(block, parser)
            if any(prompted):
                block = prompted
            if fence and _parses(block, parser):
                found[start:number] = block
            start = -1
    return found


def _dedented(block: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in block if line.strip()]
    cut = min(indents, default=0)
    return [line[cut:] for line in block]


def _prompted(lines: list[str], _parser: _Parser) -> list[str]:
    """The lines after ``>>>`` and ``...`` prompts; output between them is left out."""
    found = [""] * len(lines)
    first = False
    for number, line in enumerate(lines):
        prompt = _PROMPT.match(line)
        if prompt and (first or not _CONTINUED.match(line)):
            found[number] = _plain(line[prompt.end() :])
            first = True
        elif not line.strip():
            continue
        else:
            first = False
    return found


def _runs(lines: list[str], parser: _Parser) -> list[str]:
    """Runs of lines without fences or prompts that parse as they are."""
    found = [""] * len(lines)
    tries = 0
    number = 0
    while number < len(lines) and tries < _MOST_TRIES:
        if not _begins(lines, number):
            number += 1
            continue
        end = _end_of_run(lines, number)
        tries += 1
        taken = _longest(lines, number, end, parser)
        if taken > number:
            found[number:taken] = [_plain(line) for line in lines[number:taken]]
        number = max(taken, number + 1)
    return found if _is_code(found) else [""] * len(lines)


def _begins(lines: list[str], number: int) -> bool:
    if not _BEGINS.match(lines[number]):
        return False
    return not (number and _TRACEBACK_LINE.match(lines[number - 1]))


def _end_of_run(lines: list[str], start: int) -> int:
    """Where a run that may be code ends: at a traceback, or at a line without indent that does not look like code."""
    for number in range(start, len(lines)):
        line = lines[number]
        if line.startswith("Traceback (most") or _TRACEBACK_LINE.match(line):
            return number
        if (
            line
            and not line[0].isspace()
            and not _BEGINS.match(line)
            and line[0] not in ")]}#\"'"
            and not line.startswith(
                (
                    "else",
                    "elif ",
                    "try",
                    "except",
                    "finally",
                    "pass",
                    "return",
                    "while ",
                    "del ",
                    "print",
                    "global ",
                    "assert ",
                    "%",
                    "!",
                )
            )
        ):
            return number
    return len(lines)


def _longest(lines: list[str], start: int, end: int, parser: _Parser) -> int:
    """The end of the longest prefix of a run that parses, found from the line at which parsing fails."""
    for _ in range(6):
        try:
            parser.tree([_plain(line) for line in lines[start:end]])
        except SyntaxError as error:
            shorter = start + max(0, (error.lineno or 1) - 1)
            end = min(shorter, end - 1)
            if end <= start:
                return start
            continue
        except (ValueError, RecursionError, MemoryError):
            return start
        return end
    return start


def _is_code(found: list[str]) -> bool:
    """Return whether lines that parsed are really code: they have an import, or several lines about TensorFlow."""
    code = [line for line in found if line.strip()]
    if any(line.lstrip().startswith(("import ", "from ")) and ("tensorflow" in line or "keras" in line) for line in code):
        return True
    return sum(any(word in line for word in _OF_TENSORFLOW) for line in code) >= _FEWEST_STATEMENTS
