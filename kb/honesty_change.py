"""Check that the change in a fixed program is the change that users see.

Users see the marked region of the fixed program. If the program works because of a line outside that region, the fix is not
proved, because users never see that line. The same holds if the program works because it no longer makes the call that failed.
"""

import ast
import difflib
import re
import typing

_MARKER = re.compile(r"[ \t]*# --- (?P<name>[\w-]+)[ \t]*")
# These statements only check the result, or import what a shown line uses.
_FREE = re.compile(r"assert\b|print\(|import |from [\w.]+ import ")
_ASSIGNED = re.compile(r"^(\w+(?:, \w+)*) = ")
_FRAME = re.compile(r'File "[^"\n]*\.py", line (\d+), in <module>')


class _Code(typing.NamedTuple):
    """One line of code of a program; ``shown``: it is in a marked region."""

    number: int
    text: str
    shown: bool


def unshown(broken: str, fixed: str) -> list[tuple[int, str]]:
    """Changes outside all regions: line of the fixed program and text, with ``-`` in front of removed lines."""
    before, after = _code(broken), _code(fixed)
    found: list[tuple[int, str]] = []
    for start, end, new_start, new_end in _changes(before, after):
        old = [line for line in before[start:end] if not _FREE.match(line.text)]
        new = [line for line in after[new_start:new_end] if not _FREE.match(line.text)]
        same = {_ASSIGNED.sub("", line.text) for line in old}  # only names the result, for an assertion
        found += [(line.number, line.text) for line in new if not line.shown and _ASSIGNED.sub("", line.text) not in same]
        if old and not new and not any(line.shown for line in after[max(new_start - 1, 0) : new_start + 1]):
            found += [(after[min(new_start, len(after) - 1)].number, f"-{line.text}") for line in old]
    serving = _only_for_assertions(fixed, {number for number, _ in found})
    return [(number, text) for number, text in found if number not in serving or text.startswith("-")]


def dropped_call(broken: str, fixed: str, output: str) -> tuple[int, str] | None:
    """The line and the text of the statement that failed, if the fixed program drops it without a replacement.

    Args:
        output: what the broken program printed; without a traceback through its own lines, the result is None.
    """
    frames = [int(found[1]) for found in _FRAME.finditer(output)]
    before, after = _code(broken), _code(fixed)
    for start, end, new_start, new_end in _changes(before, after):
        instead = any(not _FREE.match(line.text) for line in after[new_start:new_end])
        for line in before[start:end] if frames and not instead else ():
            called = _calls(line.text)
            if line.number == frames[-1] and called and not called & _calls(fixed):
                return line.number, line.text
    return None


def _changes(before: list[_Code], after: list[_Code]) -> list[tuple[int, int, int, int]]:
    texts = [line.text for line in before], [line.text for line in after]
    opcodes = difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes()
    return [code[1:] for code in opcodes if code[0] != "equal"]


def _code(source: str) -> list[_Code]:
    found, shown = [], False
    for number, line in enumerate(source.splitlines(), 1):
        marker = _MARKER.fullmatch(line)
        if marker:
            shown = marker["name"] != "end"
        elif line.strip() and not line.lstrip().startswith("#"):
            found.append(_Code(number, line.strip(), shown))
    return found


def _only_for_assertions(source: str, lines: set[int]) -> set[int]:
    """The lines that only name values for assertions."""
    tree = ast.parse(source)
    asserted = {number for node in ast.walk(tree) if isinstance(node, ast.Assert) for number in _span(node)}
    names = [node for node in ast.walk(tree) if _is_read(node)]
    used = {name.id for name in names if name.lineno not in asserted | lines}
    compared = {name.id for name in names} - used
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.lineno in lines:
            targets = {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
            if targets & compared and not targets & used:
                found.add(node.lineno)
    return found


def _is_read(node: ast.AST) -> "typing.TypeGuard[ast.Name]":
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _span(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _calls(source: str) -> set[str]:
    """Names of the functions that a program or a line calls. For a line that is not a whole statement, the names are read from
    its text.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set(re.findall(r"\b(\w+)\(", source))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {one.attr if isinstance(one, ast.Attribute) else one.id for one in called if isinstance(one, ast.Attribute | ast.Name)}
