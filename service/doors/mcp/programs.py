"""The tools that read scripts or describe an installation: lint, upgrade and plan. None of them writes a file."""

import os
import typing

from tfhelp.service.doors.mcp import budget
from tfhelp.service.doors.mcp.budget import cut
from tfhelp.service.doors.mcp.forms import Json, Linted, Planned, Problem, Upgrading
from tfhelp.service.doors.mcp.wording import linted_markdown, planned_markdown, upgrading_markdown
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.doors.mcp.tools import Reply, Tools
    from tfhelp.service.lint.checking import Checked, Settings

_MOST_ROWS = 40
_MOST_FAULTS = 5
_MOST_FILES = 500
_LONGEST_DIFF = 40_000  # characters


def lint_source(source: str, name: str, with_fix: bool) -> "Reply":
    """The problems in a script or notebook that is given as text."""
    from tfhelp.service.lint.checking import Checked, Settings
    from tfhelp.service.lint.linting import Script
    from tfhelp.service.lint.rules import Selection

    settings = Settings(Selection())
    checked = Checked(name, Script(source.replace("\r\n", "\n"), "utf-8"), settings)
    return _linted([checked], [], settings, with_fix)


def lint_path(path: str, with_fix: bool) -> "Reply":
    """The problems in a file or folder of this machine, with the settings of its ``pyproject.toml``.

    Raises:
        InputError: the settings have a fault, or the folder holds too many scripts.
    """
    from tfhelp.service.lint import configuration
    from tfhelp.service.lint.checking import Settings, check_file
    from tfhelp.service.lint.rules import Selection
    from tfhelp.service.lint.sources import Exclude, find

    own = configuration.find([path])
    settings = Settings(Selection(own.select, own.ignore))
    exclude = Exclude()
    exclude.add(own.exclude, os.path.dirname(own.path))
    sources = find([path], exclude)
    if len(sources.files) > _MOST_FILES:
        raise InputError(f"{path}: {len(sources.files)} scripts; name a folder further inside, or a file")
    files, faults = [], [*sources.faults, *sources.notes]
    for one in sources.files:
        try:
            files.append(check_file(one, settings))
        except InputError as error:
            faults.append(str(error))
    return _linted(files, faults, settings, with_fix)


def _linted(files: "list[Checked]", faults: list[str], settings: "Settings", with_fix: bool) -> "Reply":
    problems = [_problem(file, problem) for file in files for problem in file.problems]
    faults += [file.fault for file in files if file.fault]
    document = Linted(
        problems=problems[:_MOST_ROWS],
        problems_left_out=max(0, len(problems) - _MOST_ROWS) or None,
        faults=[cut(fault, 300) for fault in faults[:_MOST_FAULTS]],
    )
    budget.fitted(document, "problems", linted_markdown)
    if with_fix:
        document.diff = _bounded("".join(_fix(file, settings) for file in files))
    return document, linted_markdown(document)


def _problem(file: "Checked", problem: typing.Any) -> Problem:
    from tfhelp.service.lint.pages import page

    written = page(problem.rule.code)
    return Problem(
        file=file.path,
        line=problem.place.line,
        column=problem.place.column,
        cell=problem.place.cell or None,
        rule=problem.rule.code,
        severity=problem.severity,
        message=problem.message,
        instead=written.fix if written else None,
        fixable=problem.safety == "safe",
    )


def _fix(file: "Checked", settings: "Settings") -> str:
    from tfhelp.service.lint.edits import unified
    from tfhelp.service.lint.fixing import fix

    fixed = fix(file, settings, unsafe=False)
    return unified(file.path, file.script.text, fixed.after.script.text) if fixed.fixes else ""


def _bounded(diff: str) -> str | None:
    """The diff, or None if it is empty. A long diff is refused, since a part of it would be useless.

    The diff does not count towards ``budget.MOST_TOKENS``.

    Raises:
        InputError: it is too long to be sent.
    """
    if len(diff) > _LONGEST_DIFF:
        raise InputError(f"the diff has {len(diff)} characters, more than an agent can take; name one file, or use tfhelp itself")
    return diff or None


def upgrade(source: str, to: str, keras: str, with_diff: bool) -> "Reply":
    """What a script uses that a release of TensorFlow lacks.

    Raises:
        InputError: the source is not Python 3, the release is not known, or the diff is too long.
    """
    from tfhelp.kb.atlas.atlas import shared
    from tfhelp.kb.atlas.store import AtlasError
    from tfhelp.service.lint.edits import unified
    from tfhelp.service.upgrade import upgrading

    text = source.replace("\r\n", "\n")
    try:
        at = upgrading.target(shared(), to or None, keras == "2")
        found = upgrading.upgrade(text, at)
    except AtlasError as error:
        raise InputError(str(error)) from None
    except SyntaxError as error:
        raise InputError(f"source, line {error.lineno or 1}: not Python 3: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"source: {str(error) or 'it is nested too deeply'}") from None
    document = _upgrading(found, at)
    budget.fitted(document, "changes", upgrading_markdown)
    if with_diff:
        document.diff = _bounded(unified("source.py", text, found.text))
    return document, upgrading_markdown(document)


def _upgrading(found: typing.Any, at: typing.Any) -> Upgrading:
    from tfhelp.kb import versions
    from tfhelp.service.upgrade.words import KERAS_2, change_in_words, written_for

    release = versions.minor_release(at.tensorflow)
    rows: list[Json] = [
        {
            "line": change.line,
            "column": change.column,
            "name": change.name,
            "says": change_in_words(change),
            "mechanical": change.edits is not None,
        }
        for change in found.changes
    ]
    touched = any("keras" in change.name.lower() and "contrib" not in change.name for change in found.changes)
    return Upgrading(
        target=f"TensorFlow {release} with {'Keras 3' if at.keras_3 else 'Keras 2'}",
        written_for=[written_for(one) for one in found.written_for],
        changes=rows[:_MOST_ROWS],
        changes_left_out=max(0, len(rows) - _MOST_ROWS) or None,
        ways_out=[KERAS_2.format(release=release)] if touched and at.keras_3 else [],
    )


def plan(tools: "Tools", described: dict[str, str]) -> "Reply":
    """Which TensorFlow works on a machine that is described, or on this one.

    Args:
        tools: the tools, with the knowledge base.
        described: ``python``, ``gpu``, ``driver``, ``os`` and ``architecture``; empty strings for what is not stated.

    Raises:
        InputError: a value cannot be used, or nothing is described and the caller's machine is not this one.
    """
    from tfhelp.service.plan import planner
    from tfhelp.service.plan.machines import Description, described_machine, this_machine

    tables = tools.knowledge.tables
    if any(described.values()):
        machine = described_machine(Description(**described), tables)
    elif tools.is_local:
        machine = this_machine(tables, tools.knowledge.fact_types)
    else:
        raise InputError("describe the machine: give at least one of python, gpu, driver, os and architecture")
    document = Planned(**planner.plan(machine, tables).document())
    return document, planned_markdown(document)
