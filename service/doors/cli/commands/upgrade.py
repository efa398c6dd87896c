"""``tfhelp upgrade``: what scripts use that a TensorFlow release lacks, and the edits that adapt them to it."""

import argparse
import json
import sys
import typing

from tfhelp.service.doors.cli.command_line import USAGE_ERROR
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.at_release import At
    from tfhelp.service.upgrade.files import File
    from tfhelp.service.upgrade.upgrading import Upgraded

Json = dict[str, typing.Any]


class _Read(typing.NamedTuple):
    """A script: its file, its findings, and where its lines are (for a notebook, the first line of each code cell)."""

    file: "File"
    found: "Upgraded"
    cells: list[int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "A name or argument is listed only where its meaning is certain: what the script imports, makes and calls. "
        "Edits are made where they are mechanical; the rest says 'by hand'."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="Python scripts, notebooks (.ipynb) and folders")
    parser.add_argument("--to", metavar="VERSION", help="release of TensorFlow to upgrade them to (default: the newest known)")
    parser.add_argument(
        "--from", dest="since", metavar="VERSION", help="release that they run on now (default: read from the names they use)"
    )
    parser.add_argument(
        "--keras", choices=("2", "3"), default="3", help="Keras of releases from 2.16 on: 3, or 2 from tf_keras (default: 3)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="print the edits as a unified diff for 'git apply' or 'patch -p1'")
    how.add_argument("--write", action="store_true", help="make the edits; the old text stays beside it as FILE.orig")
    how.add_argument("--json", action="store_true", help="print what was found as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Read the scripts and describe, show or make the changes. Return 0 for no changes, 1 for some, 2 for an unreadable file."""
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError
    from tfhelp.service.upgrade import upgrading
    from tfhelp.service.upgrade.files import found

    try:
        at = upgrading.target(shared(), arguments.to, arguments.keras == "2")
        since = upgrading.release(shared(), arguments.since) if arguments.since else None
        scripts, faults = _read(found(arguments.paths), at, since)
    except AtlasError as error:
        raise InputError(str(error)) from None
    left = sum(len(script.found.changes) for script in scripts)
    if arguments.json:
        print(json.dumps(_document(scripts, faults, at), ensure_ascii=False))
    elif arguments.diff:
        _diff(scripts)
    elif arguments.write:
        left = _write(scripts, faults)
    else:
        _show(scripts, faults, at)
    for fault in faults:
        print(f"tfhelp: {fault}", file=sys.stderr)
    return USAGE_ERROR if faults else 1 if left else 0


def _read(paths: list[str], at: "At", since: str | None) -> tuple[list[_Read], list[str]]:
    from tfhelp.service.upgrade.files import File
    from tfhelp.service.upgrade.upgrading import upgrade

    scripts, faults = [], []
    for path in paths:
        try:
            file = File(path)
            source, cells = _source(file)
            scripts.append(_Read(file, upgrade(source, at, since), cells))
        except InputError as error:
            faults.append(str(error))
        except SyntaxError as error:
            hint = "; 2to3 converts Python 2" if "print" in str(error.msg) else ""
            faults.append(f"{path}:{error.lineno or 1}: not Python 3: {error.msg}{hint}")
        except (ValueError, RecursionError, MemoryError) as error:
            faults.append(f"{path}: {str(error) or 'it is nested too deeply'}")
    return scripts, faults


def _source(file: "File") -> tuple[str, list[int]]:
    if not file.path.endswith(".ipynb"):
        return file.text, []
    from tfhelp.collectors.code.notebook import source_of_notebook

    return source_of_notebook(file.text)


def _where(script: _Read, line: int, column: int) -> str:
    if not script.cells:
        return f"{script.file.path}:{line}:{column}"
    import bisect

    cell = bisect.bisect_right(script.cells, line)
    return f"{script.file.path}: code cell {cell} line {line - script.cells[cell - 1] + 1}"


# -------------------------------------------------------------------- for a person


def _show(scripts: list[_Read], faults: list[str], at: "At") -> None:
    from tfhelp.service.doors.cli.page import Page

    page = Page(sys.stdout)
    changes = [change for script in scripts for change in script.found.changes]
    for script in scripts:
        for one in script.found.written_for:
            page.paragraph(f"{script.file.path}: {written(one)}", "  ", "")
        for change in script.found.changes:
            page.paragraph(f"{_where(script, change.line, change.column)}: {sentence(change)}", "    ", "")
    if not changes:
        if scripts or not faults:
            page.line(f"Nothing to change for {_target(at)}{' in what could be read' if faults else ''}.")
        return
    edited = sum(change.edits is not None for change in changes)
    page.line()
    page.paragraph(
        f"For {_target(at)}: {_count(len(changes), 'place')} to change, {edited} with an edit, {len(changes) - edited} by hand.",
        "  ",
        "",
    )
    if edited:
        page.paragraph("--diff prints the edits, --write makes them and keeps FILE.orig.", "  ", "")
    for way in ways_out(scripts, at):
        page.paragraph(way, "  ", "")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _target(at: "At") -> str:
    from tfhelp.kb import versions

    keras = "Keras 3" if at.keras_3 else "Keras 2"
    return f"TensorFlow {versions.minor_release(at.tensorflow)} with {keras}"


def written(one: typing.Any) -> str:
    """A range of releases as a sentence, with the names that decide its ends."""
    from tfhelp.service.upgrade.words import written_for

    return written_for(one)


def sentence(change: typing.Any) -> str:
    """A change in words."""
    from tfhelp.service.upgrade.words import change_in_words

    return change_in_words(change)


def ways_out(scripts: list[_Read], at: "At") -> list[str]:
    """What you can do instead of changing the scripts."""
    from tfhelp.kb import versions
    from tfhelp.service.upgrade.words import KERAS_2

    touched = any(
        ("keras" in change.name or "Keras" in change.gone) and "contrib" not in change.name
        for script in scripts
        for change in script.found.changes
    )
    return [KERAS_2.format(release=versions.minor_release(at.tensorflow))] if touched and at.keras_3 else []


# -------------------------------------------------------------------- for programs


def _document(scripts: list[_Read], faults: list[str], at: "At") -> Json:
    from tfhelp.service.upgrade.words import range_document

    return {
        "target": {"tensorflow": at.tensorflow, "keras": at.tf_keras if at.legacy else at.keras},
        "files": [
            {
                "file": script.file.path,
                "written_for": [range_document(one) for one in script.found.written_for],
                "changes": [
                    {
                        **{key: value for key, value in change._asdict().items() if key != "edits"},
                        "where": _where(script, change.line, change.column),
                        "mechanical": change.edits is not None,
                    }
                    for change in script.found.changes
                ],
            }
            for script in scripts
        ],
        "ways_out": ways_out(scripts, at),
        "faults": faults,
    }


def _diff(scripts: list[_Read]) -> None:
    for script in scripts:
        if _is_editable(script):
            sys.stdout.write(script.file.diff(script.found.text))


def _is_editable(script: _Read) -> bool:
    if not any(change.edits for change in script.found.changes):
        return False
    if script.file.fault:
        print(f"tfhelp: {script.file.path}: {script.file.fault}", file=sys.stderr)
    return not script.file.fault


def _write(scripts: list[_Read], faults: list[str]) -> int:
    """Make the edits. Return the number of places that are left."""
    left = 0
    for script in scripts:
        edited = _is_editable(script)
        if edited:
            try:
                kept = script.file.write(script.found.text)
                print(f"{script.file.path}: edited; the old text is in {kept}")
            except InputError as error:
                faults.append(str(error))
                edited = False
        for change in script.found.changes:
            if change.edits is None or not edited:
                left += 1
                print(f"{_where(script, change.line, change.column)}: {sentence(change)}")
    return left
