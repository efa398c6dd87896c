"""The condition that guards a raise, read from the source of an installed function.

Only the function is parsed: parsing a whole module of TensorFlow takes a few tenths of a second.
"""

import ast
import re
import typing

from tfhelp.collectors.syntax_tree import syntax_tree
from tfhelp.kb.atlas.fingerprint import Template
from tfhelp.kb.atlas.matching import Anchors, Fingerprint, anchor_key, find
from tfhelp.kb.atlas.messages import Scope
from tfhelp.kb.atlas.raises import Raise, of_statement

LONGEST = 200
"""Characters of a condition."""

_MOST_ENDS = 6
_MOST_OF_A_NAME = 3
_HEADER = r"^([ \t]*)(?:async[ \t]+)?{}[ \t]+{}\b"
_LEAVES = (ast.Return, ast.Continue, ast.Break)


class Guard(typing.NamedTuple):
    """Where a message is raised, and when.

    Attributes:
        line: of the raise, counted from 1.
        condition: source text of the tests that lead there, at most ``LONGEST`` characters; empty if there are none.
    """

    line: int
    condition: str


class _Test(typing.NamedTuple):
    """What must hold, or must not, for a statement to be reached; ``word`` precedes it: ``except``, ``case``."""

    node: ast.AST | None
    holds: bool
    word: str = ""


class _Place(typing.NamedTuple):
    statement: ast.stmt
    tests: tuple[_Test, ...]


def guard(text: str, function: str, message: str, line: int = 0) -> Guard | None:
    """Return the raise statement of a function that produces a message.

    Args:
        text: source of a module.
        function: qualified name inside it, for example ``Layer.build``.
        message: the message of the exception.
        line: of the traceback's frame, if known; it decides between raises with the same message.

    Returns:
        ``None`` if no raise of the function produces this message, or several do and nothing decides between them.
    """
    for node, source, offset in _functions(text, function):
        places = _that_say(list(_places(node.body, ())), node, message)
        exact = [one for one in places if one.statement.lineno + offset <= line <= (one.statement.end_lineno or 0) + offset]
        kept = exact or places
        conditions = {_condition(place.tests, source) for place in kept}
        if kept:
            return Guard(kept[0].statement.lineno + offset, conditions.pop()) if len(conditions) == 1 else None
    return None


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(text: str, qualified: str) -> typing.Iterator[tuple[_Function, str, int]]:
    """(function, the source that it was parsed from, offset to add to its line numbers); a property may have several."""
    *outer, name = qualified.split(".")
    if not name:
        return  # raised at module level
    start, end = 0, len(text)
    for part in outer:
        header = re.compile(_HEADER.format("(?:class|def)", re.escape(part)), re.MULTILINE).search(text, start, end)
        if header is None:
            return
        start, end = header.end(), _end_of_block(text, header, end)
    headers = re.compile(_HEADER.format("def", re.escape(name)), re.MULTILINE).finditer(text, start, end)
    # If the name has no class, methods and nested functions are not meant.
    meant = (header for header in headers if outer or not header.group(1))
    for header, _ in zip(meant, range(_MOST_OF_A_NAME), strict=False):
        parsed = _parsed(text, header, end)
        if parsed is not None:
            yield parsed


def _end_of_block(text: str, header: "re.Match[str]", end: int) -> int:
    """Where the block of a class or function ends: at the next definition that is indented no deeper."""
    deeper = re.compile(rf"^[ \t]{{0,{len(header.group(1))}}}(?:class|def|async|@)", re.MULTILINE)
    behind = deeper.search(text, header.end(), end)
    return behind.start() if behind else end


def _parsed(text: str, header: "re.Match[str]", end: int) -> tuple[_Function, str, int] | None:
    """The function of a header. Its end is found by trial: a line that is indented no deeper may still belong to it."""
    depth = len(header.group(1))
    ends = [
        found.start()
        for found, _ in zip(
            re.compile(rf"^[ \t]{{0,{depth}}}[^\s#]", re.MULTILINE).finditer(text, header.end(), end),
            range(_MOST_ENDS),
            strict=False,
        )
    ]
    for stop in [*ends, *([end] if len(ends) < _MOST_ENDS else [])]:
        # An indented function is parsed inside a wrapping block.
        source = ("if 1:\n" if depth else "") + text[header.start() : stop]
        try:
            body = syntax_tree(source).body[0]
        except (SyntaxError, ValueError, RecursionError):
            continue
        node = body.body[0] if depth and isinstance(body, ast.If) else body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return node, source, text.count("\n", 0, header.start()) - (1 if depth else 0)
    return None


def _places(body: typing.Iterable[ast.stmt], tests: tuple[_Test, ...]) -> typing.Iterator[_Place]:
    """Every raise and assertion of a body, with the tests that lead to it, outermost first."""
    # The failed test of the ``if`` just before, if its body ends in return, continue or break and it has no else.
    passed: tuple[_Test, ...] = ()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Raise):
            yield _Place(node, tests or passed)
        elif isinstance(node, ast.Assert):
            yield _Place(node, (*tests, _Test(node.test, holds=False)))
        elif isinstance(node, ast.If):
            yield from _places(node.body, (*tests, _Test(node.test, holds=True)))
            yield from _places(node.orelse, (*tests, _Test(node.test, holds=False)))
        else:
            yield from _inside(node, tests)
        passed = ()
        if isinstance(node, ast.If) and isinstance(node.body[-1], _LEAVES) and not node.orelse:
            passed = (_Test(node.test, holds=False),)


def _inside(node: ast.stmt, tests: tuple[_Test, ...]) -> typing.Iterator[_Place]:
    for handler in getattr(node, "handlers", ()):
        yield from _places(handler.body, (*tests, _Test(handler.type, True, "except")))
    for name in ("body", "orelse", "finalbody"):
        yield from _places(getattr(node, name, ()), tests)
    for case in getattr(node, "cases", ()):
        yield from _places(case.body, (*tests, _Test(case.pattern, True, "case")))


def _that_say(places: list[_Place], function: _Function, message: str) -> list[_Place]:
    """The places with this message; of several templates, those that match the most fixed words."""
    scope = Scope(ast.Module([function], []))
    scope.enter(function)
    made = [(place, one) for place in places for one in of_statement(place.statement, "", scope)]
    keys = sorted((anchor_key(one.message.digest, one.message.words), row) for row, (_, one) in enumerate(made))
    anchors = Anchors([digest for digest, _ in keys], [row for _, row in keys])
    found = find(message, anchors, lambda row: _fingerprint(made[row][1]))
    most = max(((one.fixed, one.begins + one.ends) for one in found), default=None)
    rows = [one.row for one in found if (one.fixed, one.begins + one.ends) == most]
    return list({id(made[row][0].statement): made[row][0] for row in rows}.values())


def _fingerprint(found: Raise) -> Fingerprint:
    template: Template = found.message.template
    return Fingerprint(template.runs, template.gaps, found.message.run)


def _condition(tests: tuple[_Test, ...], source: str) -> str:
    """The tests in one text; the outer ones are left out if it is too long."""
    whole = ""
    for test in reversed(tests):
        text = _text(test, source, alone=len(tests) == 1)
        longer = f"{text} and {whole}" if whole else text
        if whole and len(longer) > LONGEST:
            break
        whole = longer
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}\u2026"


def _text(test: _Test, source: str, alone: bool) -> str:
    text = " ".join((ast.get_source_segment(source, test.node) or "").split()) if test.node else ""
    if test.word:
        return f"{test.word} {text}".strip()
    if not test.holds:
        return f"not ({text})" if " " in text else f"not {text}"
    loose = isinstance(test.node, ast.BoolOp | ast.IfExp | ast.Lambda) and not alone
    return f"({text})" if loose else text
