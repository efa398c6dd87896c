"""Automatic fixes of findings, made on a concrete syntax tree: the rest of the file stays as it was typed."""

import typing

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from tfhelp.collectors.code.finding import Finding
from tfhelp.service.source_files import unified_diff

Span = tuple[int, int, int, int]
_Fix = typing.Callable[[cst.BaseExpression, "Names"], cst.BaseExpression | None]

_LOSS_CLASSES = {
    "categorical_crossentropy": "CategoricalCrossentropy",
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
    "binary_crossentropy": "BinaryCrossentropy",
}


class Names:
    """The names of TensorFlow and Keras in a program; empty if it does not import them."""

    __slots__ = ("keras", "tensorflow")

    def __init__(self, module: cst.Module) -> None:
        self.tensorflow = ""
        self.keras = ""
        for statement in module.body:
            for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
                if isinstance(small, (cst.Import, cst.ImportFrom)) and not isinstance(small.names, cst.ImportStar):
                    self._note(module, small)
        if self.tensorflow and not self.keras:
            self.keras = f"{self.tensorflow}.keras"

    def _note(self, module: cst.Module, statement: cst.Import | cst.ImportFrom) -> None:
        source = module.code_for_node(statement.module) if isinstance(statement, cst.ImportFrom) and statement.module else ""
        for alias in typing.cast("typing.Sequence[cst.ImportAlias]", statement.names):
            name = module.code_for_node(alias.name)
            local = module.code_for_node(alias.asname.name) if alias.asname else name
            if not source and name == "tensorflow":
                self.tensorflow = local
            elif (not source and name in ("keras", "tensorflow.keras") and (alias.asname or name == "keras")) or (
                source == "tensorflow" and name == "keras"
            ):
                self.keras = local


class Edited(typing.NamedTuple):
    """A source after its fixes, and the number of fixes."""

    source: str
    fixes: int


def apply_fixes(source: str, findings: typing.Sequence[Finding], names: Names | None = None) -> Edited:
    """The source with every automatic fix made, and the number of fixes.

    Args:
        source: Python.
        findings: of this source.
        names: the names of TensorFlow and Keras in it, if a different text imports them.

    Raises:
        ValueError: the source uses syntax that libcst cannot parse.
    """
    wanted = _wanted(source, findings)
    if not wanted:
        return Edited(source, 0)
    try:
        wrapper = MetadataWrapper(cst.parse_module(source))
        fixer = _Fixer(wanted, names or Names(wrapper.module))
        return Edited(wrapper.visit(fixer).code, fixer.count)
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise ValueError(f"cannot be fixed: {type(error).__name__}") from None


def unified(path: str, source: str, after: str) -> str:
    """The difference as a unified diff with the file's name; empty if there is none."""
    return unified_diff(path.lstrip("/"), source.splitlines(keepends=True), after.splitlines(keepends=True))


def _wanted(source: str, findings: typing.Sequence[Finding]) -> dict[Span, set[str]]:
    """Spans to fix, in characters, as libcst counts them."""
    lines = source.split("\n")

    def characters(line: int, column: int) -> int:
        text = lines[line - 1] if line <= len(lines) else ""
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))

    wanted: dict[Span, set[str]] = {}
    for finding in findings:
        if finding.fix in _FIXES:
            first, start, last, end = finding.span
            span = (first, characters(first, start), last, characters(last, end))
            wanted.setdefault(span, set()).add(finding.fix)
    return wanted


class _Fixer(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, wanted: dict[Span, set[str]], names: Names) -> None:
        super().__init__()
        self._wanted = wanted
        self._names = names
        self.count = 0

    def on_leave(self, original_node: typing.Any, updated_node: typing.Any) -> typing.Any:
        """Fix a node whose span is wanted, after everything inside it."""
        updated = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, cst.BaseExpression) or not isinstance(updated, cst.BaseExpression):
            return updated
        place = self.get_metadata(PositionProvider, original_node, None)
        if place is None:
            return updated
        span = (place.start.line, place.start.column, place.end.line, place.end.column)
        for name in sorted(self._wanted.get(span, ())):
            fixed = _FIXES[name](updated, self._names)
            if fixed is not None:
                updated = fixed
                self.count += 1
        return updated


# -------------------------------------------------------------------- the fixes


def _keyword(name: str, value: str) -> cst.Arg:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Arg(cst.parse_expression(value), keyword=cst.Name(name), equal=equal)


def _with_keyword(call: cst.Call, name: str, value: str) -> cst.Call:
    """The call with a keyword set: replaced if it is given, else added after the other arguments."""
    arguments = list(call.args)
    for position, item in enumerate(arguments):
        if item.keyword is not None and item.keyword.value == name:
            arguments[position] = item.with_changes(value=cst.parse_expression(value))
            return call.with_changes(args=arguments)
    if arguments and isinstance(arguments[-1].comma, cst.MaybeSentinel):
        arguments[-1] = arguments[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    return call.with_changes(args=[*arguments, _keyword(name, value)])


def _learning_rate_argument(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call):
        return None
    renamed = [
        item.with_changes(keyword=cst.Name("learning_rate")) if item.keyword is not None and item.keyword.value == "lr" else item
        for item in node.args
    ]
    return node.with_changes(args=renamed)


def _learning_rate_attribute(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    return node.with_changes(attr=cst.Name("learning_rate")) if isinstance(node, cst.Attribute) else None


def _drop_remainder(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    return _with_keyword(node, "drop_remainder", "True") if isinstance(node, cst.Call) else None


def _append_number(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call) or len(node.args) != 1:
        return None
    value = node.args[0].value
    if not isinstance(value, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) and not value.lpar:
        value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    number = cst.Call(cst.Attribute(value, cst.Name("numpy")))
    return node.with_changes(args=[node.args[0].with_changes(value=number)])


def _constant_argument(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    return cst.Call(cst.parse_expression(f"{names.tensorflow}.constant"), [cst.Arg(node)]) if names.tensorflow else None


def _from_logits(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    if isinstance(node, cst.Call):
        return _with_keyword(node, "from_logits", "True")
    if isinstance(node, cst.SimpleString) and names.keras:
        made = _LOSS_CLASSES.get(str(node.evaluated_value))
        return cst.parse_expression(f"{names.keras}.losses.{made}(from_logits=True)") if made else None
    return None


def _drop_from_logits(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call):
        return None
    kept = [item for item in node.args if item.keyword is None or item.keyword.value != "from_logits"]
    if len(kept) == len(node.args):
        return None
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return node.with_changes(args=kept)


def _renamed_loss(old: str, new: str) -> _Fix:
    def rename(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
        if isinstance(node, cst.SimpleString) and node.evaluated_value == old:
            return node.with_changes(value=node.value.replace(old, new))
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == _LOSS_CLASSES[old]:
            return node.with_changes(func=node.func.with_changes(attr=cst.Name(_LOSS_CLASSES[new])))
        return None

    return rename


_GENERATOR_POSITIONS = {
    "fit_generator": ("x", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "validation_steps"),
    "evaluate_generator": ("x", "steps"),
    "predict_generator": ("x", "steps"),
}
"""What the arguments by position mean; in fit, evaluate and predict the second is y or batch_size."""


def _generator_method(node: cst.BaseExpression, names: Names) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    positions = _GENERATOR_POSITIONS[node.func.attr.value]
    by_position = [item for item in node.args if item.keyword is None]
    if len(by_position) > len(positions) or any(item.star for item in by_position):
        return None
    name = node.func.attr.value.removesuffix("_generator")
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    given = [
        item.with_changes(keyword=cst.Name("x"))
        if item.keyword is not None and item.keyword.value == "generator"
        else item.with_changes(keyword=cst.Name(positions[place]), equal=equal)
        if item.keyword is None and place
        else item
        for place, item in enumerate(node.args)
    ]
    return node.with_changes(func=node.func.with_changes(attr=cst.Name(name)), args=given)


_FIXES: dict[str, _Fix] = {
    "learning-rate-argument": _learning_rate_argument,
    "learning-rate-attribute": _learning_rate_attribute,
    "drop-remainder": _drop_remainder,
    "append-number": _append_number,
    "constant-argument": _constant_argument,
    "from-logits": _from_logits,
    "drop-from-logits": _drop_from_logits,
    "sparse-loss": _renamed_loss("categorical_crossentropy", "sparse_categorical_crossentropy"),
    "one-hot-loss": _renamed_loss("sparse_categorical_crossentropy", "categorical_crossentropy"),
    "generator-method": _generator_method,
}
