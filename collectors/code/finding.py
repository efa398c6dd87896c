"""What was found in a program: a fact, its line, and a sentence for the user who wrote it."""

import ast

# A "note" is neither right nor wrong (a mixed-precision policy is set): it is a fact, not a fault.
SEVERITIES = ("error", "warning", "note")


class Finding:
    """One place in a program that makes a ``code.*`` fact true.

    Attributes:
        fact: path of the fact, for example ``code.model_outside_scope``.
        line: line in the source, counted from 1; for a method in a chain, the line of its name.
        span: where the node begins and ends: line, column, line, column; lines from 1, columns in UTF-8 bytes from 0.
        message: one sentence, for the user who wrote the program.
        severity: ``error`` (fails or gives wrong results), ``warning`` (fails or costs in many cases) or ``note``.
        fix: name of the mechanical fix (``tfhelp.service.lint.edits``), or empty.
    """

    __slots__ = ("fact", "fix", "line", "message", "severity", "span")

    def __init__(self, fact: str, line: int, span: tuple[int, int, int, int], message: str, severity: str, fix: str = "") -> None:
        self.fact = fact
        self.line = line
        self.span = span
        self.message = message
        self.severity = severity
        self.fix = fix

    def __repr__(self) -> str:
        return f"Finding({self.fact}, line {self.line}, {self.message!r})"


def line_of(node: ast.AST) -> int:
    """The line to show for a node: for a call in a chain over several lines, the line of the method's name."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.end_lineno or node.lineno
    return getattr(node, "lineno", 1)


class Report:
    """Collects the results of the checks: places where a fact is true, and facts whose construct is there and correct."""

    __slots__ = ("_seen", "findings", "right")

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.right: dict[str, int] = {}
        self._seen: set[tuple[str, tuple[int, int, int, int]]] = set()

    def found(self, fact: str, node: ast.AST, message: str, severity: str = "warning", fix: str = "") -> None:
        """The fact ``code.<fact>`` is true at a node."""
        span = (
            getattr(node, "lineno", 1),
            getattr(node, "col_offset", 0),
            getattr(node, "end_lineno", None) or 1,
            getattr(node, "end_col_offset", None) or 0,
        )
        if (fact, span) not in self._seen:
            self._seen.add((fact, span))
            self.findings.append(Finding(f"code.{fact}", line_of(node), span, message, severity, fix))

    def fine(self, fact: str, node: ast.AST) -> None:
        """The construct that the fact is about is at this node, and is correct."""
        self.right.setdefault(f"code.{fact}", line_of(node))
