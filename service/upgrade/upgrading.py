"""Upgrade scripts to a release: what the release lacks, and the edited text."""

import ast
import typing

from tfhelp.collectors.code import LONGEST_SOURCE, MOST_TOKENS, more_tokens_than
from tfhelp.collectors.code.program import Program
from tfhelp.collectors.code.uses import Uses
from tfhelp.collectors.code.written_for import WrittenFor, ranges_of
from tfhelp.collectors.syntax_tree import syntax_tree
from tfhelp.kb import versions
from tfhelp.kb.atlas.at_release import At
from tfhelp.service.errors import InputError
from tfhelp.service.upgrade.calls import calls
from tfhelp.service.upgrade.changes import Change, Script, names
from tfhelp.service.upgrade.edits import Edit, Source, apply, overlap
from tfhelp.service.upgrade.imports import imports

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas

LEGACY = "TF_USE_LEGACY_KERAS"


class Upgraded(typing.NamedTuple):
    """One script.

    Attributes:
        changes: in the order of the lines.
        written_for: the releases that it was written for.
        text: the text with all edits made; the same text if there are none.
        uses_keras: it uses tf.keras or keras.
    """

    changes: list[Change]
    written_for: list[WrittenFor]
    text: str
    uses_keras: bool


def target(atlas: "Atlas", wanted: str | None, legacy: bool) -> At:
    """The requested installation, by default the newest.

    Raises:
        InputError: the atlas knows no such release.
    """
    known = atlas.releases("tensorflow")
    return At(atlas, release(atlas, wanted) if wanted else known[-1], legacy)


def release(atlas: "Atlas", wanted: str) -> str:
    """The atlas's release of the same minor version.

    Raises:
        InputError: the atlas has none.
    """
    parsed = versions.parse(wanted)
    known = {str(versions.minor_release(version)): version for version in atlas.releases("tensorflow")}
    found = known.get(".".join(str(part) for part in parsed[0][:2])) if parsed else None
    if found is None:
        raise InputError(f"{wanted!r} is not a release of TensorFlow that I know: {', '.join(known)}")
    return found


def upgrade(text: str, at: At, since: str | None = None) -> Upgraded:
    """Find what an installation lacks for a script, and edit the script.

    Args:
        text: Python source.
        at: the installation where it should run.
        since: the release that it runs on now; None: the newest of those that it was written for.

    Raises:
        SyntaxError: it is not Python 3.
        ValueError, RecursionError, MemoryError: it is too large or nested too deeply.
    """
    if len(text) > LONGEST_SOURCE or more_tokens_than(MOST_TOKENS, text):
        raise ValueError("it is longer than any script")
    uses = Uses(Program(text), at.atlas)
    ranges = ranges_of(uses, at.atlas)
    script = Script(Source(text), uses, at, At(at.atlas, since or _written_for(ranges, at)))
    found = [*imports(script), *names(script), *calls(script), *_legacy(script)]
    changes, edits = _together(sorted(found, key=lambda change: (change.line, change.column, change.name)))
    edited = apply(text, edits)
    syntax_tree(edited)  # an edit that breaks the script would be a bug in tfhelp, and must not be written
    keras = any(use.name.startswith(("tf.keras", "keras")) for use in uses.names)
    return Upgraded(changes, ranges, edited, keras)


def _written_for(ranges: list[WrittenFor], at: At) -> str:
    """A release of TensorFlow that a script was written for, by its names of TensorFlow or else by those of Keras."""
    for one in ranges:
        if one.package == "tensorflow":
            return one.last
        beside = [version for version in at.atlas.releases("tensorflow") if At(at.atlas, version).keras == one.last]
        if beside:
            return beside[-1]
    return at.tensorflow


def _together(changes: list[Change]) -> tuple[list[Change], list[Edit]]:
    """The changes without edits that overlap with those of an earlier change, and all edits."""
    kept: list[Change] = []
    edits: list[Edit] = []
    for change in changes:
        made = change.edits or ()
        if overlap(made, edits):
            change, made = change._replace(edits=None), ()
        edits += made
        kept.append(change)
    return kept, edits


def _legacy(script: Script) -> list[Change]:
    """Changes that make ``tf.keras`` Keras 2: a variable before the first import, and tf_keras instead of keras."""
    if not script.at.legacy:
        return []
    found = [change for change in (_keras_2(script, use) for use in script.uses.names) if change is not None]
    first = _first_import(script)
    uses = any(use.name.startswith(("tf.keras", "keras")) for use in script.uses.names) or script.graphs
    if first is None or not uses or LEGACY in script.source.text:
        return found
    indent = script.source.indent(first)
    start = script.source.line_start(first)
    lines = f'{indent}import os\n{indent}os.environ["{LEGACY}"] = "1"  # tf.keras is Keras 2, of the package tf_keras\n'
    says = ("tf.keras is then Keras 2, from the package tf_keras of the same version: pip install tf_keras.",)
    change = script.change(first, "setting", LEGACY, "", instead=f"{LEGACY}=1", says=says, edits=(Edit(start, start, lines),))
    return [change, *found]


def _keras_2(script: Script, use: typing.Any) -> Change | None:
    """Change an import of keras to one of tf_keras."""
    statement, alias = use.statement, use.node
    if not use.name.startswith("keras") or statement is None or script.at.gone(use.name) is not None:
        return None
    source = script.source
    start = source.start(alias) if isinstance(statement, ast.Import) else source.text.index("keras", source.start(statement))
    text = "tf_keras"
    if isinstance(statement, ast.Import) and not alias.asname:
        if alias.name != "keras":
            return None
        text = "tf_keras as keras"
    edit = Edit(start, start + len("keras"), text)
    return script.change(alias, "setting", use.name, "", instead="tf_keras", says=("keras itself is Keras 3.",), edits=(edit,))


def _first_import(script: Script) -> ast.stmt | None:
    """The first statement of the module that imports TensorFlow or Keras, directly or inside a ``try``."""
    for statement in script.uses.program.tree.body:
        for node in ast.walk(statement):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            heads = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [module]
            if any(head.partition(".")[0] in ("tensorflow", "keras") for head in heads):
                return statement
    return None
