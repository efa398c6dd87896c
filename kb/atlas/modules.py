"""Read the modules of a release; a file that another release also has comes from the cache."""

import ast
import hashlib
import json
import pathlib
import re
import sqlite3
import types
import typing
import zlib

from tfhelp.kb.atlas.definitions import Binding, definitions
from tfhelp.kb.atlas.fingerprint import Anchored, Run, Template
from tfhelp.kb.atlas.lines import Span, has_lines, spans
from tfhelp.kb.atlas.raises import Raise, parsed, raises
from tfhelp.kb.atlas.wheels import Sources

_PURE = re.compile(r"^[^/]+\.data/(?:purelib|platlib)/")
FORMAT = 4
"""Increase it when the data read from a file changes: the cache then starts empty."""


class Module(typing.NamedTuple):
    """The data read from a module.

    Attributes:
        name: dotted name; ``tensorflow_core`` of 1.15 and 2.0 is called ``tensorflow``.
        package: whether it is a package; if so, one dot of a relative import means the module itself.
        read: False if today's grammar cannot parse the file.
        raises: of all its functions.
        names: the names bound at its top level.
    """

    name: str
    package: bool
    read: bool
    raises: list[Raise]
    names: dict[str, Binding]


class Cache:
    """The data read from files, by the SHA-256 of their text. Use it as a context manager."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._rows = sqlite3.connect(folder / f"modules-{FORMAT}.sqlite")
        self._rows.execute("create table if not exists rows (digest blob primary key, body blob)")
        self._rows.execute("create table if not exists spans (digest blob primary key, body blob)")

    def __enter__(self) -> "Cache":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self._rows.commit()
        self._rows.close()

    def commit(self) -> None:
        """Save what was read so far, in case the build is interrupted."""
        self._rows.commit()

    def module(self, path: str, source: bytes) -> Module:
        """The module at ``path`` inside a wheel."""
        body = self._read("rows", source, lambda: _read(source, path))
        name, package = _module_name(path)
        return Module(name, package, body is not None, [_raise(row) for row in (body or ([],))[0]], body[1] if body else {})

    def spans(self, path: str, source: bytes) -> list[Span]:
        """The lines of the functions of the module at ``path``."""
        return [tuple(span) for span in self._read("spans", source, lambda: _spans(source, path))]

    def _read(self, table: str, source: bytes, read: typing.Callable[[], typing.Any]) -> typing.Any:
        digest = hashlib.sha256(source).digest()
        kept = self._rows.execute(f"select body from {table} where digest = ?", (digest,)).fetchone()
        if kept is not None:
            return json.loads(zlib.decompress(kept[0]))
        body = read()
        self._rows.execute(f"insert into {table} values (?, ?)", (digest, zlib.compress(json.dumps(body).encode())))
        return body


def spans_of(sources: Sources, cache: Cache) -> dict[str, list[Span]]:
    """For each module of a wheel, the lines of its functions. The package's own tests are left out."""
    found: dict[str, list[Span]] = {}
    for path, text in sources.files.items():
        if path.endswith(".py") and not _is_test(path):
            name = _module_name(path)[0]
            found[name] = cache.spans(path, text) if has_lines(name) else []
    return found


def _spans(source: bytes, path: str) -> list[Span]:
    tree = parsed(source, path)
    return spans(tree) if tree is not None else []


def modules(sources: Sources, cache: Cache) -> dict[str, Module]:
    """The modules of a wheel by name. The package's own tests are left out."""
    found = (cache.module(path, text) for path, text in sources.files.items() if path.endswith(".py") and not _is_test(path))
    return {module.name: module for module in found}


def _is_test(path: str) -> bool:
    path = _installed(path)
    return path.endswith(("_test.py", "_testlib.py")) or "/tests/" in path or ".dist-info/" in path or ".data/" in path


def _installed(path: str) -> str:
    """The path as installed: wheels of TensorFlow before 1.15 keep their modules in a folder ``NAME.data/purelib``."""
    return _PURE.sub("", path)


def _module_name(path: str) -> tuple[str, bool]:
    parts = _installed(path).removesuffix(".py").split("/")
    if parts[0] == "tensorflow_core":
        parts[0] = "tensorflow"
    return (".".join(parts[:-1]), True) if parts[-1] == "__init__" else (".".join(parts), False)


def _read(source: bytes, path: str) -> list[typing.Any] | None:
    """JSON of a file's raises and names; None if the file cannot be parsed."""
    tree: ast.Module | None = parsed(source, path)
    if tree is None:
        return None
    return [[_row(found) for found in raises(tree)] if b"raise" in source or b"assert" in source else [], definitions(tree)]


def _row(found: Raise) -> list[typing.Any]:
    message = found.message
    return [
        found.exception,
        found.function,
        message.template.runs,
        message.template.gaps,
        message.run,
        message.words,
        message.digest,
    ]


def _raise(row: list[typing.Any]) -> Raise:
    exception, function, runs, gaps, run, words, digest = row
    template = Template(tuple(Run(*pair) for pair in runs), tuple(tuple(gap) for gap in gaps))
    return Raise(exception, function, Anchored(template, run, words, digest))
