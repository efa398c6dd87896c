"""The lines of each file's functions, release by release. They identify the release of a traceback.

A row of the table ``lines`` belongs to a module: ``[[releases of each version of the file], {function: [where, ...]}]``. A
version is the content of a file, which several releases may share. ``where`` describes one function of that name, version by
version from the first that has it: ``[first version, line, length, shift, shift, [shift, length], null, ...]``. A shift is
relative to the previous version; null means that this version does not have the function. Classes and the top level of the module
are left out.
"""

import ast
import json
import typing

Span = tuple[str, str, int, int]
"""Plain name, qualified name (with a number if there are two), first line, number of lines."""

_WITHOUT_LINES = ("_pb2", "._api.", ".api.", ".contrib.", "_pb2_grpc")
"""Modules for which only the releases are kept: generated ones without functions, and a folder of one release."""


def spans(module: ast.Module) -> list[Span]:
    """The functions of a file in order, including nested ones."""
    found: list[Span] = []
    seen: dict[str, int] = {}
    waiting: list[tuple[ast.AST, str]] = [(module, "")]
    while waiting:
        node, place = waiting.pop()
        inside = place
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{place}.{node.name}"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            seen[inside] = seen.get(inside, 0) + 1
            found.append((node.name, f"{inside}#{seen[inside]}", node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1))
        waiting += [(child, inside) for child in reversed(list(_statements(node)))]
    return sorted(found, key=lambda span: span[2:])


def _statements(node: ast.AST) -> typing.Iterator[ast.AST]:
    """The statements directly inside a statement: expressions contain no named functions."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, field, ())


def has_lines(module: str) -> bool:
    """Return whether the lines of a module's functions are kept."""
    return not any(part in f"{module}." if part.endswith(".") else module.endswith(part) for part in _WITHOUT_LINES)


class Lines:
    """The rows, collected while the releases are read one after another."""

    def __init__(self) -> None:
        self._versions: dict[str, dict[str, tuple[list[Span], set[int]]]] = {}

    def add(self, number: int, module: str, found: list[Span]) -> None:
        """Add a module of the release with this number. Call it with ascending numbers."""
        key = json.dumps(found)
        self._versions.setdefault(module, {}).setdefault(key, (found, set()))[1].add(number)

    def table(self, ranges: typing.Callable[[set[int]], list[int]]) -> dict[str, typing.Any]:
        """Module -> row. A version that reappears after another one is stored once, with several releases."""
        table = {}
        for module, versions in self._versions.items():
            ordered = sorted(versions.values(), key=lambda version: min(version[1]))
            table[module] = [[ranges(releases) for _, releases in ordered], _functions([found for found, _ in ordered])]
        return table


def _functions(versions: list[list[Span]]) -> dict[str, list[list[typing.Any]]]:
    rows: dict[str, list[typing.Any]] = {}
    names: dict[str, str] = {}
    last: dict[str, tuple[int, int]] = {}
    for number, found in enumerate(versions):
        for name, qualified, first, length in found:
            names[qualified] = name
            row = rows.setdefault(qualified, [number])
            row += [None] * (number - _next(row))
            row += _step(last.get(qualified), first, length)
            last[qualified] = (first, length)
    functions: dict[str, list[list[typing.Any]]] = {}
    for qualified in sorted(rows, key=lambda one: (last[one], one)):
        functions.setdefault(names[qualified], []).append(rows[qualified])
    return functions


def _next(row: list[typing.Any]) -> int:
    """The version of a row's next item."""
    return int(row[0]) + max(0, len(row) - 2)


def _step(before: tuple[int, int] | None, first: int, length: int) -> list[typing.Any]:
    if before is None:
        return [first, length]
    return [first - before[0] if length == before[1] else [first - before[0], length]]


def places(row: list[typing.Any]) -> typing.Iterator[tuple[int, int, int]]:
    """(version, first line, number of lines) of a function, for each version that has it."""
    number, first, length = row[:3]
    yield number, first, length
    for step in row[3:]:
        number += 1
        if step is None:
            continue
        if isinstance(step, list):
            first, length = first + step[0], step[1]
        else:
            first += step
        yield number, first, length
