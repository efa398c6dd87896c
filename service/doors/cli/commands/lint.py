"""``tfhelp lint``: what is wrong in training scripts, without running them."""

import argparse
import json
import sys
import typing

from tfhelp.collectors.code import Examination
from tfhelp.collectors.code.finding import Finding
from tfhelp.service.doors.cli.command_line import USAGE_ERROR
from tfhelp.service.errors import InputError
from tfhelp.service.lint.linting import entries_by_fact, examine_file, fault_of, read_source, shown_findings

Json = dict[str, typing.Any]


class _File:
    """One file with what was found in it."""

    __slots__ = ("examination", "findings", "path", "source")

    def __init__(self, path: str, source: str, examination: Examination, findings: list[Finding]) -> None:
        self.path = path
        self.source = source
        self.examination = examination
        self.findings = findings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="Python scripts and notebooks (.ipynb)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--diff", action="store_true", help="print how to mend what can be mended mechanically, as a unified diff"
    )
    parser.add_argument("--notes", action="store_true", help="also show what is neither right nor wrong")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 also when something is found")


def run(arguments: argparse.Namespace) -> int:
    """Examine the files; 0 nothing found, 1 something found, 2 a file that is no Python."""
    files, faults = [], []
    for path in arguments.files:
        try:
            source = read_source(path)
        except InputError as error:
            faults.append(str(error))
            continue
        examination = examine_file(path, source)
        if examination.fault is not None:
            faults.append(fault_of(path, examination))
        files.append(_File(path, source, examination, shown_findings(examination, source, arguments.notes)))
    if arguments.diff:
        _print_diff(files)
    elif arguments.json:
        print(json.dumps({"files": [_document(file) for file in files]}, ensure_ascii=False))
    else:
        _print_findings(files)
        _print_releases(files)
    for fault in faults:
        print(f"tfhelp: {fault}", file=sys.stderr)
    if faults:
        return USAGE_ERROR
    return 1 if any(file.findings for file in files) and not arguments.exit_zero else 0


def _entries() -> dict[str, str]:
    from tfhelp.kb import compiled

    return entries_by_fact(compiled.load())


def _print_findings(files: list[_File]) -> None:
    if not any(file.findings for file in files):
        return
    from tfhelp.service.doors.cli.terminal import printable

    entries = _entries()
    for file in files:
        for finding in file.findings:
            entry = entries.get(finding.fact)
            explain = f"; tfhelp explain {entry}" if entry else ""
            place = f" {file.examination.where(finding.line)}" if file.examination.cells else str(finding.line)
            print(printable(f"{file.path}:{place}: {finding.message} ({finding.fact}{explain})"))


def _print_releases(files: list[_File]) -> None:
    from tfhelp.service.doors.cli.terminal import printable
    from tfhelp.service.lint.releases import sentences

    for sentence in [one for file in files for one in sentences(file.path, file.source)]:
        print(printable(sentence))


def _document(file: _File) -> Json:
    from tfhelp.service.lint.releases import documents

    entries = _entries()
    fault = file.examination.fault
    return {
        "file": file.path,
        "written_for": documents(file.path, file.source),
        "fault": {"line": fault[0], "message": fault[1]} if fault else None,
        "findings": [
            {
                "fact": finding.fact,
                "line": finding.line,
                "severity": finding.severity,
                "message": finding.message,
                "entry": entries.get(finding.fact),
                "mendable": bool(finding.mend),
            }
            for finding in file.findings
        ],
    }


def _print_diff(files: list[_File]) -> None:
    from tfhelp.service.lint.edits import mend, unified

    for file in files:
        if file.path.endswith(".ipynb"):
            print(f"tfhelp: {file.path}: notebooks are read, not mended", file=sys.stderr)
            continue
        try:
            sys.stdout.write(unified(file.path, file.source, mend(file.source, file.findings)))
        except ValueError as error:
            print(f"tfhelp: {file.path}: {error}", file=sys.stderr)
