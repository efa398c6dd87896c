"""``--output-format sarif``: SARIF 2.1.0, which code-scanning services and editors read."""

import hashlib
import os
import typing

from tfhelp.service import sarif_log
from tfhelp.service.lint.checking import Checked, Problem
from tfhelp.service.lint.formats.document import entry_of
from tfhelp.service.lint.formats.github import lines_of
from tfhelp.service.lint.pages import page
from tfhelp.service.lint.rules import Rule

Json = dict[str, typing.Any]


def log(files: typing.Sequence[Checked], faults: typing.Sequence[str], entries: typing.Mapping[str, str]) -> Json:
    """One run with all results; a file that could not be read is a notification of the run, which is then not successful."""
    used = {problem.rule.code: problem.rule for file in files for problem in file.problems}
    rules = [used[code] for code in sorted(used)]
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    seen: dict[str, int] = {}
    results = [_result(file, problem, numbers[problem.rule.code], seen) for file in files for problem in file.problems]
    described = [_rule(rule, entries) for rule in rules]
    return sarif_log.log(described, results, [sarif_log.notification("error", fault) for fault in faults], not faults)


def _rule(rule: Rule, entries: typing.Mapping[str, str]) -> Json:
    written = page(rule.code)
    entry = entry_of(rule, entries)
    more = f"tfhelp lint --explain {rule.code}" + (f"; tfhelp explain {entry}" if entry else "")
    described: Json = {"id": rule.code, "name": rule.fact.title().replace("_", ""), "shortDescription": {"text": rule.title}}
    if written:
        described["fullDescription"] = {"text": written.why}
        described["help"] = {"text": f"{written.fix} More: {more}"}
    described["defaultConfiguration"] = {"level": "note" if rule.only_note else "warning"}
    described["properties"] = {"tags": ["tensorflow", *([entry] if entry else [])]}
    return described


def _result(file: Checked, problem: Problem, number: int, seen: dict[str, int]) -> Json:
    place = problem.place
    first, last = lines_of(file, problem)
    region: Json = {"startLine": first}
    if place.cell:
        region["endLine"] = last
    else:
        region |= {"startColumn": place.column, "endLine": last, "endColumn": place.last_column}
    said = f"Code cell {place.cell}, line {place.line}: {problem.message}" if place.cell else problem.message
    return {
        "ruleId": problem.rule.code,
        "ruleIndex": number,
        "level": problem.severity,
        "message": {"text": said},
        "locations": [sarif_log.location(file.path, region)],
        "partialFingerprints": {"tfhelpLine/v1": _fingerprint(file, problem, seen)},
    }


def _fingerprint(file: Checked, problem: Problem, seen: dict[str, int]) -> str:
    """A fingerprint of the rule, the file and the line's text; it stays the same if lines are added above."""
    from tfhelp.service.lint.checking import python_of

    lines = python_of(file.examination, file.script.text).split("\n")
    line = lines[problem.finding.line - 1].strip() if problem.finding.line <= len(lines) else ""
    key = hashlib.sha256(f"{problem.rule.code}\0{os.path.relpath(file.path)}\0{line}".encode(errors="replace")).hexdigest()[:16]
    seen[key] = seen.get(key, 0) + 1
    return f"{key}:{seen[key]}"
