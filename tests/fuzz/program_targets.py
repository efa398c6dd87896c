"""The readers of programs and of names: scripts, notebooks, rules, fixes, upgrades, the atlas."""

import ast
import functools
import json
import pathlib
import typing

from tests.collectors.intake import samples
from tests.fuzz.target import Target
from tests.fuzz.text_targets import fact_types, recorded
from tfhelp.collectors.code import examine, facts_of_script
from tfhelp.collectors.code.text import from_text
from tfhelp.collectors.intake import notebook
from tfhelp.collectors.reading import read
from tfhelp.kb.atlas.asked_names import accepts, canonical
from tfhelp.kb.atlas.at_release import At
from tfhelp.kb.atlas.atlas import shared
from tfhelp.kb.fact_sheet import read_document
from tfhelp.service.errors import InputError
from tfhelp.service.lint.checking import Checked, Settings
from tfhelp.service.lint.fixing import fix
from tfhelp.service.lint.linting import decode_script
from tfhelp.service.lint.rules import Selection
from tfhelp.service.upgrade.upgrading import upgrade

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_RELEASES = ("2.21", "2.15", "2.9")


def _scripts() -> list[bytes]:
    paths = (
        sorted((_ROOT / "tests/collectors/code/programs").glob("*.py"))
        + sorted((_ROOT / "kb/entries").glob("*/*/*.broken.py"))[::12]
    )
    found = [path.read_bytes()[:2_500] for path in paths]
    return [one[: one.rfind(b"\n") + 1] for one in found]


def _code(data: bytes) -> object:
    source = data.decode("utf-8", "replace")
    found = examine(source)
    count = source.count("\n") + source.count("\r") + source.count("\f") + 2
    assert all(1 <= finding.line <= count for finding in found.findings)
    sheet = facts_of_script(source, found)
    read_document(sheet.document(), fact_types())
    return sheet.document(), found.fault


def _pasted(data: bytes) -> object:
    """Code inside a text."""
    content = data.decode("utf-8", "replace")
    code = from_text(read(content))
    assert not code.source or len(code.numbers) >= code.source.count("\n") - 1
    assert all(1 <= number <= content.count("\n") + 1 for number in code.numbers)
    return code


def _notebook(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    found = examine(text, "a.ipynb")
    for finding in found.findings:
        found.where(finding.line)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return found.fault
    if not isinstance(document, dict):
        return None
    cells = notebook.code_cells(document)
    return notebook.printed(document), cells, notebook.is_short(cells), [finding.fact for finding in found.findings]


def _notebooks() -> typing.Iterator[bytes]:
    yield samples.notebook(samples.error_output()).encode()
    cell = {"cell_type": "code", "source": "%pip install x\nimport tensorflow as tf\nx = !ls\ntf.Session()", "outputs": []}
    yield json.dumps(
        {
            "cells": [
                cell,
                {"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": [{"output_type": "stream", "text": ["a\n"]}]},
            ]
        }
    ).encode()
    yield json.dumps(
        {"worksheets": [{"cells": [{"cell_type": "code", "input": "import keras", "outputs": []}]}], "nbformat": 3}
    ).encode()


_SETTINGS = Settings(Selection(), notes=True)


def _linted(data: bytes) -> object:
    """A script, or a notebook if it begins with a brace; examined, fixed, and examined again."""
    path = "a.ipynb" if data[:1] == b"{" else "a.py"
    try:
        script = decode_script(path, data)
    except InputError as error:
        return str(error)
    checked = Checked(path, script, _SETTINGS)
    for problem in checked.problems:
        assert problem.place.line >= 1 and problem.place.column >= 1
        assert problem.place.last_line >= problem.place.line
    fixed = fix(checked, _SETTINGS, unsafe=True)
    assert not fixed.after.fault or fixed.after.fault == checked.fault
    return checked.fault, [problem.message for problem in checked.problems], fixed.after.script.text, fixed.fixes, fixed.fault


@functools.cache
def _at(release: str) -> At:
    return At(
        shared(),
        next(version for version in shared().releases("tensorflow") if version.startswith(release)),
        legacy=release == "2.21",
    )


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _upgraded(data: bytes) -> object:
    """A release's number, and a script."""
    source = data[1:].decode("utf-8", "replace")
    try:
        found = upgrade(source, _at(_RELEASES[data[0] % len(_RELEASES)]) if data else _at("2.21"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        assert not isinstance(error, SyntaxError) or not _parses(source)  # the script is at fault, not the edit
        return type(error).__name__
    return found.changes, found.written_for, found.text


def _named(data: bytes) -> object:
    """A name, a message, an exception and code, separated by zero bytes."""
    name, message, exception, code = [*data.decode("utf-8", "replace").split("\x00"), "", "", "", ""][:4]
    atlas = shared()
    frames = [frame for record in read(message).records for frame in record.frames]
    explained = atlas.explain(message, exception, frames, code=code)
    assert len(explained) <= 5
    near = atlas.nearest(name[:200])
    return (
        explained,
        atlas.lookup(name),
        near,
        atlas.beginning(name),
        atlas.possible(frames),
        canonical(name),
        atlas.module(name),
        accepts(name, message[:20]),
    )


def _names() -> typing.Iterator[bytes]:
    yield b"tf.keras.layers.Dens\x00" + samples.FAILURE.encode() + b"\x00InvalidArgumentError\x00tf.add(a, b)"
    yield b'tf.compat.v1.Session\x00Exception encountered when calling layer "dense" (type Dense).\x00ValueError\x00'
    yield b"keras.Model.fit(x, *, y=None, **kw)\x00y\x00\x00"
    for one in recorded()[::12]:
        yield b"tf.Session\x00" + one[-900:]


_CODE_WORDS = (
    "import tensorflow as tf\n",
    "tf.keras.",
    "model.fit(",
    "@tf.function\n",
    "def f(x):\n    ",
    "with strategy.scope():\n",
    "lambda: ",
    "%matplotlib inline\n",
)
_CODE_WORDS += (
    "async ",
    "match x:\n",
    'f"{x!r:>{n}}"',
    "\\\n",
    "\f",
    "\r",
    "# noqa",
    "tf.compat.v1.",
    "**{",
    ":= ",
    "from keras import *\n",
)

TARGETS = (
    Target("code", _code, _scripts, words=_CODE_WORDS),
    Target(
        "code-in-text",
        _pasted,
        lambda: [*recorded()[::10], b"```python\n" + samples.SCRIPT.encode() + b"```\n>>> tf.add(1)\n"],
        words=(*_CODE_WORDS, "```python\n", "```\n", ">>> ", "In [1]: "),
    ),
    Target(
        "notebook",
        _notebook,
        _notebooks,
        words=('"cells": [', '"cell_type": "code"', '"source": [', '"outputs": [', '"output_type": "error"', "\\n"),
    ),
    Target(
        "lint",
        _linted,
        lambda: [*_scripts(), *_notebooks()],
        words=(*_CODE_WORDS, "# tfhelp: ignore", "# -*- coding: latin-1 -*-\n"),
    ),
    Target("upgrade", _upgraded, lambda: (bytes([number % 3]) + one for number, one in enumerate(_scripts())), words=_CODE_WORDS),
    Target("atlas", _named, _names, words=("\x00", "tf.", "keras.layers.", "ValueError: ", "got ", "[Op:AddV2]")),
)
