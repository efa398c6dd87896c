"""Check that fault programs are honest: a broken program must fail because TensorFlow fails, not because it fakes the failure.

This is a check of the syntax tree; nothing is run. ``kb/entries/exemptions.yaml`` lists the allowed exceptions to a rule, with
their reasons. An exemption that is no longer needed is a fault too.
"""

import ast
import difflib
import io
import json
import pathlib
import tokenize
import typing

import re2
import yaml

from tfhelp.kb import honesty_change
from tfhelp.kb.programs import ProgramError, read_program

_RAISING_CALLS = frozenset(
    {
        "exit",
        "quit",
        "sys.exit",
        "os._exit",
        "os.abort",
        "os.kill",
        "os.killpg",
        "signal.raise_signal",
        "signal.pthread_kill",
        "signal.alarm",
        "signal.setitimer",
        "faulthandler._sigsegv",
        "faulthandler._sigabrt",
        "faulthandler._fatal_error_c_thread",
        "ctypes.string_at",
        "ctypes.memset",
        "_thread.interrupt_main",
        "exec",
        "eval",
    }
)
_BROKEN = ".broken.py"
_FIXED = ".fixed.py"
_LIBRARIES = frozenset({"tensorflow", "keras", "tf_keras"})
_MAX_CHANGED_LINES = 12
_MAX_CHANGED_SHARE = 0.4
RULES = (
    "own-words",
    "raises",
    "ends-itself",
    "patches-library",
    "differs-too-much",
    "other-last-call",
    "no-assert",
    "not-shown",
    "dropped-call",
)


class Fault:
    """One violation of a rule.

    Attributes:
        path: file.
        line: number of the line, from 1.
        rule: one of ``RULES``, or ``exemption`` for one that is not needed or malformed.
        message: what is wrong, one sentence.
    """

    __slots__ = ("line", "message", "path", "rule")

    def __init__(self, path: str, line: int, rule: str, message: str) -> None:
        self.path = path
        self.line = line
        self.rule = rule
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


class Exemption:
    """A rule that the programs of one cause may break.

    Attributes:
        cause: ``<entry-id>/<cause-id>``.
        rule: one of ``RULES``.
        reason: why it is needed.
        line: its line in the list.
    """

    __slots__ = ("cause", "line", "reason", "rule")

    def __init__(self, cause: str, rule: str, reason: str, line: int) -> None:
        self.cause = cause
        self.rule = rule
        self.reason = reason
        self.line = line


def check_pair(path: str, broken: str, fixed: str, patterns: typing.Sequence[str], output: str = "") -> list[Fault]:
    """All faults of a broken program and its fixed twin.

    Args:
        path: path of the broken program; the fixed one's is derived from it.
        broken, fixed: their sources.
        patterns: the entry's signatures (RE2 syntax); none may match the broken program's own text.
        output: what the broken program printed when it was recorded.
    """
    fixed_path = path.replace(_BROKEN, _FIXED)
    trees = []
    for where, source in ((path, broken), (fixed_path, fixed)):
        try:
            trees.append(ast.parse(source))
        except SyntaxError as error:
            return [Fault(where, error.lineno or 1, "syntax", f"this is not Python: {error.msg}")]
    faults = [*_own_words(path, broken, trees[0], patterns), *_acts(path, trees[0])]
    faults += _difference(fixed_path, broken, fixed)
    for line, text in honesty_change.unshown(broken, fixed):
        faults.append(Fault(fixed_path, line, "not-shown", f"a change outside the shown region: {text}"))
    dropped = honesty_change.dropped_call(broken, fixed, output)
    if dropped:
        what = f"the fixed program leaves out the call that failed, and has nothing instead: {dropped[1]}"
        faults.append(Fault(path, dropped[0], "dropped-call", what))
    if _last_call(trees[0]) != _last_call(trees[1]):
        what = f"the fixed program ends in {_last_call(trees[1])}, the broken one in {_last_call(trees[0])}"
        faults.append(Fault(fixed_path, len(fixed.splitlines()), "other-last-call", what))
    if not any(isinstance(node, ast.Assert) for node in ast.walk(trees[1])):
        faults.append(Fault(fixed_path, 1, "no-assert", "the fixed program asserts nothing, so it cannot show that it works"))
    return faults


def _own_words(path: str, source: str, tree: ast.Module, patterns: typing.Sequence[str]) -> typing.Iterator[Fault]:
    """Strings and comments that one of the entry's signatures would match."""
    said = [
        (node.lineno, node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    # A string that is built from pieces has the text of the joined pieces.
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [part.value for part in node.values if isinstance(part, ast.Constant)]
            said.append((node.lineno, " ".join(str(piece) for piece in pieces)))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            said.append((node.lineno, "".join(_leaves(node))))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            said.append((token.start[0], token.string))
    for pattern in patterns:
        compiled = re2.compile(pattern)
        found = next((line for line, text in said if compiled.search(" ".join(text.split()))), None)
        if found is not None:
            yield Fault(path, found, "own-words", f"its own text is matched by the signature {pattern!r}")


def _leaves(node: ast.expr) -> typing.Iterator[str]:
    if isinstance(node, ast.BinOp):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _acts(path: str, tree: ast.Module) -> typing.Iterator[Fault]:
    """Statements that fake the failure instead of running into it."""
    names = _imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield Fault(path, node.lineno, "raises", "it raises an exception itself")
        elif isinstance(node, ast.Assert):
            yield Fault(path, node.lineno, "raises", "a broken program does not fail by an assertion of its own")
        elif isinstance(node, ast.Call):
            called = _full_name(node.func, names)
            if called in _RAISING_CALLS:
                yield Fault(path, node.lineno, "ends-itself", f"{called} ends the program or hides what it does")
            elif called == "setattr" and node.args and _is_library(_full_name(node.args[0], names)):
                yield Fault(path, node.lineno, "patches-library", "setattr on a part of TensorFlow or Keras")
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            yield from _assignments(path, node, names)


def _assignments(
    path: str, node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete, names: dict[str, str]
) -> typing.Iterator[Fault]:
    targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, ast.Attribute | ast.Name) and not isinstance(part.ctx, ast.Load):
                full = _full_name(part, names)
                if _is_library(full):
                    yield Fault(path, part.lineno, "patches-library", f"it assigns to {full}")


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Name in the program -> full name: ``tf`` -> ``tensorflow``, ``kill`` -> ``os.kill``."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = alias.name if alias.asname else alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Dotted name of an expression with imports resolved; empty if it is not a dotted name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(names.get(node.id, node.id))
    return ".".join(reversed(parts))


def _is_library(name: str) -> bool:
    return name.partition(".")[0] in _LIBRARIES


def _code_lines(source: str) -> list[str]:
    """The lines of code, without comments and blank lines."""
    return [line.strip() for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _difference(path: str, broken: str, fixed: str) -> typing.Iterator[Fault]:
    before, after = _code_lines(broken), _code_lines(fixed)
    changed = 0
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            changed += max(end - start, sum(not line.startswith("assert ") for line in after[new_start:new_end]))
    if not changed and _conditions(path, broken) == _conditions(path, fixed):
        yield Fault(path, 1, "differs-too-much", "it does not differ from the broken program")
    elif changed > max(_MAX_CHANGED_LINES, _MAX_CHANGED_SHARE * len(before)):
        yield Fault(path, 1, "differs-too-much", f"{changed} of {len(before)} lines differ, so it is another program")


def _conditions(path: str, source: str) -> tuple[object, ...]:
    """The packages and files that a program runs with: some failures are mended there and not in the code."""
    try:
        program = read_program(path, source)
    except ProgramError:  # the checker of entries reports it
        return ()
    return program.dependencies, program.isolated, program.files


def _last_call(tree: ast.Module) -> str:
    """Name of the function that the last statement calls; assertions, prints and definitions do not count."""
    names = _imported_names(tree)
    for statement in reversed(tree.body):
        if isinstance(statement, ast.Assert | ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        called = [call.func.attr if isinstance(call.func, ast.Attribute) else _full_name(call.func, names) for call in calls]
        called = [name for name in called if name and name != "print"]
        if called:
            return called[0]
    return ""


def read_exemptions(path: pathlib.Path) -> tuple[list[Exemption], list[Fault]]:
    """The list of exemptions, and the faults of its form. A missing file counts as an empty list.

    The file is a YAML list of ``{cause: <entry-id>/<cause-id>, rule: <rule>, reason: <text>}``.
    """
    if not path.exists():
        return [], []
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return [], [Fault(str(path), mark.line + 1 if mark else 1, "exemption", f"this is not YAML: {error}")]
    exemptions: list[Exemption] = []
    faults: list[Fault] = []
    for node in root.value if isinstance(root, yaml.SequenceNode) else []:
        line = node.start_mark.line + 1
        item = {key.value: value.value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}
        if set(item) != {"cause", "rule", "reason"} or not all(isinstance(text, str) and text for text in item.values()):
            faults.append(Fault(str(path), line, "exemption", "an exemption has cause, rule and reason, each a text"))
        elif item["rule"] not in RULES:
            faults.append(Fault(str(path), line, "exemption", f"no rule {item['rule']!r}; they are {', '.join(RULES)}"))
        else:
            exemptions.append(Exemption(item["cause"], item["rule"], item["reason"], line))
    if root is not None and not isinstance(root, yaml.SequenceNode):
        faults.append(Fault(str(path), 1, "exemption", "the file must be a list"))
    return exemptions, faults


def check_entries(entries: pathlib.Path, patterns: typing.Mapping[str, typing.Sequence[str]]) -> list[Fault]:
    """All faults of all programs below a folder of families, without the exempted ones, plus the exemptions that are not needed.

    Args:
        entries: the folder ``kb/entries``.
        patterns: entry id -> its signatures.
    """
    exemptions, faults = read_exemptions(entries / "exemptions.yaml")
    needed: set[Exemption] = set()
    for folder in sorted({path.parent for path in entries.glob(f"*/*/*{_BROKEN}")}):
        found, used = check_entry(folder, patterns.get(folder.name, ()), exemptions)
        faults += found
        needed |= used
    for item in exemptions:
        if item not in needed:
            what = f"{item.cause} does not need the exemption from {item.rule} (any more)"
            faults.append(Fault(str(entries / "exemptions.yaml"), item.line, "exemption", what))
    return faults


def check_entry(
    folder: pathlib.Path, patterns: typing.Sequence[str], exemptions: typing.Sequence[Exemption]
) -> tuple[list[Fault], set[Exemption]]:
    """The faults of one entry's programs without an exemption, and the exemptions that were needed."""
    faults: list[Fault] = []
    needed: set[Exemption] = set()
    for broken in sorted(folder.glob(f"*{_BROKEN}")):
        fixed = broken.with_name(broken.name.replace(_BROKEN, _FIXED))
        if not fixed.exists():
            faults.append(Fault(str(broken), 1, "no-assert", f"{fixed.name} is missing"))
            continue
        cause = f"{folder.name}/{broken.name.removesuffix(_BROKEN)}"
        sources = broken.read_text(encoding="utf-8"), fixed.read_text(encoding="utf-8")
        recorded = broken.with_name(broken.name.replace(_BROKEN, ".recorded.json"))
        output = json.loads(recorded.read_text(encoding="utf-8"))["output"] if recorded.exists() else ""
        for fault in check_pair(str(broken), *sources, patterns, output):
            excused = [item for item in exemptions if (item.cause, item.rule) == (cause, fault.rule)]
            needed.update(excused)
            if not excused:
                faults.append(fault)
    return faults, needed
