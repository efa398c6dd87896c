"""Texts that make a pattern slow: each of its repeats is fed with what it matches, followed by an end that fails.

A pattern whose repeats cannot overlap takes linear time; one whose repeats can overlap takes quadratic time.
"""

import ast
import importlib
import pathlib
import pkgutil
import re
import re._constants as constants
import re._parser as parser
import types
import typing

import tfhelp.collectors
import tfhelp.index
import tfhelp.kb
import tfhelp.service
from tfhelp.collectors.lazy_pattern import Pattern

Node = tuple[typing.Any, typing.Any]
METHODS = ("match", "fullmatch", "search", "sub", "split", "finditer", "findall")
_REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
_UNBOUNDED = 1_000  # number of repetitions from which a repeat counts as unbounded
# One of each class of characters that patterns distinguish.
_ALPHABET = " \tа1a0AE:.,-/\\_()[]{}\"'=|#>$~*+@%;<!?&^`x\n"
_ENDS = ("\x00", "", " \x00", "x\x00", "1\x00")


class Used(typing.NamedTuple):
    """A pattern of the program: where it is, its text, and how it is applied."""

    name: str
    module: str
    source: str
    flags: int
    methods: frozenset[str]


def patterns_in_use() -> list[Used]:
    """Every Python pattern of the program, by module and name."""
    found: list[Used] = []
    rooms = (tfhelp.collectors, tfhelp.index, tfhelp.kb, tfhelp.service)
    for info in [info for room in rooms for info in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")]:
        if info.name.endswith(("__main__", "migrations.env")):
            continue
        origin = info.module_finder.find_spec(info.name, None).origin  # type: ignore[union-attr, call-arg]
        source = pathlib.Path(str(origin)).read_text(encoding="utf-8")
        if "Pattern(" in source or "re." in source:
            module = importlib.import_module(info.name)
            found += _of_module(module, ast.parse(source))
    return found


def _of_module(module: types.ModuleType, tree: ast.Module) -> typing.Iterator[Used]:
    asked = _methods_by_name(tree)
    others = [methods - {"split"} for name, methods in asked.items() if not _is_pattern(getattr(module, name, None))]
    anyone: frozenset[str] = frozenset().union(*others)
    for name, value in vars(module).items():
        for number, pattern in enumerate(_patterns(value)):
            methods = asked.get(name, frozenset()) if _is_pattern(value) else anyone
            source, flags = _source_of(pattern)
            yield Used(
                f"{module.__name__}.{name}.{number}",
                module.__name__,
                source,
                flags,
                methods or anyone or frozenset(("match", "search")),
            )
    for line, source, method in _written_in_place(tree):
        yield Used(f"{module.__name__}:{line}", module.__name__, source, 0, frozenset((method,)))


def _source_of(pattern: "Pattern | re.Pattern[str]") -> tuple[str, int]:
    if isinstance(pattern, Pattern):
        return pattern._source, pattern._flags
    return pattern.pattern, pattern.flags & ~re.UNICODE


def _is_pattern(value: object) -> bool:
    return isinstance(value, (Pattern, re.Pattern))


def _patterns(value: object) -> "typing.Iterator[Pattern | re.Pattern[str]]":
    if isinstance(value, (Pattern, re.Pattern)):
        if not isinstance(value, re.Pattern) or isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        yield from (pattern for item in value.values() for pattern in _patterns(item))
    elif isinstance(value, (tuple, list)):
        yield from (pattern for item in value for pattern in _patterns(item))


def _methods_by_name(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Name -> methods that are called on it; also through the name of a loop variable or an argument."""
    asked: dict[str, frozenset[str]] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in METHODS
            and isinstance(node.value, ast.Name)
            and node.value.id != "re"
        ):
            asked[node.value.id] = asked.get(node.value.id, frozenset()) | {node.attr}
    return asked


def _written_in_place(tree: ast.Module) -> typing.Iterator[tuple[int, str, str]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and node.args):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value, node.func.attr


def poisons(source: str, flags: int) -> list[tuple[str, str, tuple[str, ...]]]:
    """(beginning, what to repeat, ends) for each unbounded repeat of a pattern, and each text that it repeats."""
    result: dict[tuple[str, str], None] = {}
    for before, body in _repeats([*parser.parse(source, flags)], ""):
        for pump in _pumps(body):
            result[before, pump] = None
    return [(before, pump, _ENDS) for before, pump in result]


def text_for(source: str) -> str:
    """A short text that a pattern matches, as far as its form shows it."""
    return _sample(parser.parse(source))


def _repeats(nodes: list[Node], before: str) -> typing.Iterator[tuple[str, list[Node]]]:
    for operator, argument in nodes:
        if operator in _REPEATS:
            if argument[1] >= _UNBOUNDED:
                yield before, [*argument[2]]
            yield from _repeats([*argument[2]], before)
        elif operator is constants.SUBPATTERN:
            yield from _repeats([*argument[-1]], before)
        elif operator in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _repeats([*argument[1]], before)
        elif operator is constants.BRANCH:
            for branch in argument[1]:
                yield from _repeats([*branch], before)
        before += _sample([(operator, argument)])


def _sample(nodes: typing.Iterable[Node], repeats: int = 1) -> str:
    """A short text that the nodes match, as far as they show it."""
    return "".join(_sample_of(operator, argument, repeats) for operator, argument in nodes)


def _sample_of(operator: typing.Any, argument: typing.Any, repeats: int) -> str:
    if operator is constants.LITERAL:
        return chr(argument)
    if operator is constants.SUBPATTERN:
        return _sample(argument[-1], repeats)
    if operator in _REPEATS:
        return _sample(argument[2], repeats) * max(argument[0], min(1, argument[1]) if repeats else 0)
    if operator is constants.BRANCH:
        return _sample(argument[1][0], repeats)
    if operator in (constants.IN, constants.NOT_LITERAL, constants.ANY):
        possible = _characters(operator, argument)
        wished = "-" if operator is constants.ANY else "x"  # a character that ends a preceding word, and one that continues it
        return wished if wished in possible else possible[:1]
    return ""


def _characters(operator: typing.Any, argument: typing.Any) -> str:
    if operator is constants.ANY:
        return _ALPHABET.replace("\n", "")
    if operator is constants.NOT_LITERAL:
        return _ALPHABET.replace(chr(argument), "")
    one = re.compile(_class_source(argument))
    literals = "".join(chr(value) for kind, value in argument if kind is constants.LITERAL)
    literals += "".join(chr(value[0]) for kind, value in argument if kind is constants.RANGE)
    return "".join(character for character in dict.fromkeys(_ALPHABET + literals) if one.fullmatch(character))


def _class_source(items: list[Node]) -> str:
    """The source of a set of characters."""
    parts = []
    for kind, value in items:
        if kind is constants.NEGATE:
            parts.append("^")
        elif kind is constants.LITERAL:
            parts.append(re.escape(chr(value)))
        elif kind is constants.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        elif kind is constants.CATEGORY:
            parts.append(_CATEGORIES[value])
    return f"[{''.join(parts)}]"


_CATEGORIES = {
    constants.CATEGORY_DIGIT: r"\d",
    constants.CATEGORY_NOT_DIGIT: r"\D",
    constants.CATEGORY_SPACE: r"\s",
    constants.CATEGORY_NOT_SPACE: r"\S",
    constants.CATEGORY_WORD: r"\w",
    constants.CATEGORY_NOT_WORD: r"\W",
}


def _pumps(body: list[Node]) -> list[str]:
    """What a repeat can be fed with: each character of a set, or a text that its body matches."""
    if len(body) == 1 and body[0][0] in (constants.IN, constants.NOT_LITERAL, constants.ANY):
        return list(_characters(*body[0]))
    return [text] if (text := _sample(body)) else []
