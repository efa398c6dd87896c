"""``--output-format json``: one document for all files."""

import typing

from tfhelp.service.lint.checking import Checked, Problem
from tfhelp.service.lint.pages import page
from tfhelp.service.lint.releases import documents
from tfhelp.service.lint.rules import FAMILIES, RULES, Rule

Json = dict[str, typing.Any]


def document(files: typing.Sequence[Checked], faults: typing.Sequence[str], entries: typing.Mapping[str, str]) -> Json:
    """Args: files: the checked files. faults: sentences about what could not be read. entries: fact -> entry."""
    return {"files": [_file(file, entries) for file in files], "faults": list(faults)}


def _file(file: Checked, entries: typing.Mapping[str, str]) -> Json:
    fault = file.examination.fault
    return {
        "file": file.path,
        "written_for": documents(file.path, file.script.text) if file.mentions_tensorflow else [],
        "fault": {"line": fault[0], "message": fault[1]} if fault else None,
        "findings": [_problem(problem, entries) for problem in file.problems],
    }


def _problem(problem: Problem, entries: typing.Mapping[str, str]) -> Json:
    place = problem.place
    return {
        "code": problem.rule.code,
        "fact": problem.finding.fact,
        "cell": place.cell or None,
        "line": place.line,
        "column": place.column,
        "end_line": place.last_line,
        "end_column": place.last_column,
        "severity": problem.severity,
        "message": problem.message,
        "entry": entry_of(problem.rule, entries),
        "fixable": bool(problem.safety),
        "fix": problem.safety or None,
    }


def entry_of(rule: Rule, entries: typing.Mapping[str, str]) -> str | None:
    """The entry with more about a rule; ``None`` if there is none."""
    return entries.get(f"code.{rule.fact}") or rule.entry or None


def rules_document(entries: typing.Mapping[str, str]) -> Json:
    """``--rules --json``: every rule."""
    return {"rules": [rule_document(rule, entries) for rule in RULES]}


def rule_document(rule: Rule, entries: typing.Mapping[str, str]) -> Json:
    """``--explain CODE --json``: a rule with its page."""
    written = page(rule.code)
    return {
        "code": rule.code,
        "family": FAMILIES.get(rule.code[3], ""),
        "fact": f"code.{rule.fact}",
        "title": rule.title,
        "fix": rule.safety or None,
        "only_note": rule.only_note,
        "entry": entry_of(rule, entries),
        **({"why": written.why, "instead": written.fix, "found": written.found, "clean": written.clean} if written else {}),
    }
