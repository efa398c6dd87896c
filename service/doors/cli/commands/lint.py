"""``tfhelp lint``: finds problems in training scripts, without running them."""

import argparse
import json
import os
import sys
import typing

from tfhelp.service.doors.cli.command_line import USAGE_ERROR
from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError
from tfhelp.service.lint import configuration
from tfhelp.service.lint.checking import Checked, Settings, check_file
from tfhelp.service.lint.linting import decode_script, entries_by_fact
from tfhelp.service.lint.rules import Selection
from tfhelp.service.lint.sources import Exclude, find

if typing.TYPE_CHECKING:
    from tfhelp.service.lint.fixing import Fixed

FORMATS = ("text", "json", "github", "sarif")
STDIN = "-"
_EPILOG = """\
examples:
  tfhelp lint                            every script and notebook under the current folder
  tfhelp lint train.py notebooks/        a file and a folder
  tfhelp lint --diff src                 show the safe mechanical fixes; --fix writes them
  tfhelp lint --select TFH6,TFH502 .     only some rules; --ignore leaves some out
  tfhelp lint --explain TFH505           what a rule means, with examples
  cat train.py | tfhelp lint - --stdin-filename train.py

In a script, '# noqa: TFH505' (or '# noqa', '# tfhelp: ignore') at the end of a line leaves it out, and
'# tfhelp: ignore-file' the whole file. Settings are in pyproject.toml: [tool.tfhelp.lint] with select,
ignore and exclude. In folders, hidden files, virtual environments and what git ignores are left out.

exit status: 0 nothing found (--diff: nothing to fix), 1 something found (or left after --fix),
  2 bad usage, or a file that cannot be read
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="scripts, notebooks (.ipynb), folders, or '-' for standard input (default: .)"
    )
    parser.add_argument("--stdin-filename", metavar="NAME", help="the name to show for standard input; .ipynb is a notebook")
    choice = parser.add_argument_group("what to look for")
    choice.add_argument(
        "--select", metavar="CODES", action="append", help="only these rules: whole codes or prefixes, such as TFH6"
    )
    choice.add_argument(
        "--ignore", metavar="CODES", action="append", help="leave out these rules, in addition to those in the settings"
    )
    choice.add_argument("--exclude", metavar="PATTERN", action="append", help="leave out files and folders, such as 'old/*.py'")
    choice.add_argument("--config", metavar="FILE", help="a TOML file with [tool.tfhelp.lint] instead of pyproject.toml")
    choice.add_argument("--notes", action="store_true", help="also show notes: remarks that are neither errors nor warnings")
    add_kb_option(choice)
    fixing = parser.add_argument_group("fixing")
    way = fixing.add_mutually_exclusive_group()
    way.add_argument("--fix", action="store_true", help="write the mechanical fixes that keep what the program means")
    way.add_argument("--diff", action="store_true", help="show them as a unified diff, and write nothing")
    fixing.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: also those that change results")
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, help="default: text; github writes at most ten annotations")
    output.add_argument("--json", action="store_true", help="the same as --output-format json; also for --rules and --explain")
    output.add_argument("--statistics", action="store_true", help="count by rule instead of showing each place")
    output.add_argument("--explain", metavar="CODE", help="show the page of a rule; read no file")
    output.add_argument("--rules", action="store_true", help="list all rules; read no file")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even if something is found")


def run(arguments: argparse.Namespace) -> int:
    """Check the files. Return 0 if nothing was found, 1 if something was, 2 if a file is not Python."""
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise InputError("--unsafe-fixes needs --fix or --diff")
    form = arguments.output_format or ("json" if arguments.json else "text")
    if arguments.json and form != "json":
        raise InputError(f"--json cannot be combined with --output-format {form}")
    if form != "text" and (arguments.diff or arguments.statistics):
        raise InputError(
            f"{'--diff' if arguments.diff else '--statistics'} writes text; it cannot be combined with the format {form}"
        )
    if arguments.rules or arguments.explain:
        return _show_rules(arguments)
    return _check(arguments, form)


def _show_rules(arguments: argparse.Namespace) -> int:
    from tfhelp.service.doors.cli.lint_text import show_page, show_rules
    from tfhelp.service.lint.formats.document import rule_document, rules_document
    from tfhelp.service.lint.rules import named

    entries = _entries()
    if arguments.explain:
        rule = named(arguments.explain)
        document = rule_document(rule, entries)
        print(json.dumps(document, ensure_ascii=False)) if arguments.json else show_page(document, sys.stdout)
    else:
        document = rules_document(entries)
        print(json.dumps(document, ensure_ascii=False)) if arguments.json else show_rules(document["rules"], sys.stdout)
    return 0


def _check(arguments: argparse.Namespace, form: str) -> int:
    paths = arguments.paths or ["."]
    if STDIN in paths and len(paths) > 1:
        raise InputError("standard input ('-') cannot be combined with other files")
    own = configuration.read(arguments.config) if arguments.config else configuration.find(_places(arguments, paths))
    ignored = [*own.ignore, *_codes(arguments.ignore)]
    settings = Settings(Selection(_codes(arguments.select) or own.select, ignored), arguments.notes)
    files, faults = _from_stdin(arguments, settings) if STDIN in paths else _from_paths(arguments, paths, own, settings)
    faults += [file.fault for file in files if file.fault]
    fixed = _fixed(files, settings, arguments, faults) if arguments.fix or arguments.diff else []
    after = [one.after for one in fixed] if arguments.fix else files
    _show(arguments, form, after, fixed, faults)
    if faults:
        return USAGE_ERROR
    if arguments.diff:
        return 1 if any(one.fixes for one in fixed) and not arguments.exit_zero else 0
    return 1 if any(file.problems for file in after) and not arguments.exit_zero else 0


def _places(arguments: argparse.Namespace, paths: list[str]) -> list[str]:
    """The places where the settings are looked for."""
    return ([arguments.stdin_filename] if arguments.stdin_filename else []) if STDIN in paths else paths


def _codes(words: list[str] | None) -> list[str]:
    return [code.strip() for word in words or [] for code in word.split(",")]


def _from_stdin(arguments: argparse.Namespace, settings: Settings) -> tuple[list[Checked], list[str]]:
    name = arguments.stdin_filename or "stdin.py"
    return [Checked(name, decode_script(name, sys.stdin.buffer.read()), settings)], []


def _from_paths(
    arguments: argparse.Namespace, paths: list[str], own: configuration.Configuration, settings: Settings
) -> tuple[list[Checked], list[str]]:
    """The files, with the problems in them, and sentences about files that cannot be read."""
    from tfhelp.service.doors.cli.lint_text import Progress

    exclude = Exclude()
    exclude.add(own.exclude, os.path.dirname(own.path))
    exclude.add(arguments.exclude or [], os.getcwd())
    sources = find(paths, exclude)
    _say(sources.notes)
    files, faults = [], sources.faults
    with Progress(len(sources.files)) as progress:
        for path in sources.files:
            try:
                files.append(check_file(path, settings))
            except InputError as error:
                faults.append(str(error))
            progress.step()
    return files, faults


def _fixed(files: list[Checked], settings: Settings, arguments: argparse.Namespace, faults: list[str]) -> "list[Fixed]":
    """Apply the fixes in memory and, with ``--fix``, write them; a file that cannot be written stays unchanged and is a fault."""
    from tfhelp.service.lint.fixing import Fixed, fix, write

    done = []
    for file in files:
        one = fix(file, settings, arguments.unsafe_fixes)
        if one.fault:
            _say([one.fault])
        if arguments.fix and one.fixes and STDIN not in arguments.paths:
            try:
                write(one)
            except InputError as error:
                faults.append(str(error))
                one = Fixed(file, file, 0)
        done.append(one)
    return done


def _show(arguments: argparse.Namespace, form: str, files: list[Checked], fixed: "list[Fixed]", faults: list[str]) -> None:
    from tfhelp.service.doors.cli.lint_text import show_diff, show_problems, show_releases, show_statistics

    stream = sys.stdout
    if arguments.fix and STDIN in arguments.paths:
        script = files[0].script  # an editor takes the fixed program from here
        sys.stdout.flush()
        sys.stdout.buffer.write(script.text.encode(script.encoding))
        stream = sys.stderr
    if arguments.diff:
        show_diff(fixed, arguments.unsafe_fixes)
    elif form == "text":
        show = show_statistics if arguments.statistics else show_problems
        show(files, _entries() if any(file.problems for file in files) else {}, sum(one.fixes for one in fixed), stream)
        show_releases(files, stream)
    else:
        stream.write(_for_programs(form, files, faults))
    _say(faults)


def _for_programs(form: str, files: list[Checked], faults: list[str]) -> str:
    if form == "github":
        from tfhelp.service.lint.formats.github import lines

        return "".join(line + "\n" for line in lines(files, faults))
    if form == "sarif":
        from tfhelp.service.lint.formats.sarif import log

        return json.dumps(log(files, faults, _entries()), ensure_ascii=False, indent=1) + "\n"
    from tfhelp.service.lint.formats.document import document

    return json.dumps(document(files, faults, _entries()), ensure_ascii=False) + "\n"


def _say(sentences: typing.Iterable[str]) -> None:
    from tfhelp.service.doors.cli.page import printable

    for sentence in sentences:
        print(f"tfhelp: {printable(sentence)}", file=sys.stderr)


def _entries() -> dict[str, str]:
    from tfhelp.kb import compiled

    return entries_by_fact(compiled.load())
