"""``tfhelp eval``: the metrics over a file of cases, every miss explained, and the changes since an earlier result."""

import argparse
import json
import typing

from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.doors.cli.progress import Activity
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "cases",
        nargs="+",
        metavar="CASES.jsonl",
        help="one case per line: text, facts, entry, entries_ok, cause, causes_ok; or what 'tfhelp memory export' writes",
    )
    parser.add_argument("--without-facts", action="store_true", help="the same texts, with nothing known about the machine")
    parser.add_argument("--against", metavar="RESULT.json", help="an earlier result (--json): show what changed")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object, with every miss")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not list the misses")
    add_kb_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score the cases. Return 0 if every case was read."""
    from tfhelp.kb.fact_sheet import FactError
    from tfhelp.service.curation import evaluation
    from tfhelp.service.curation.case_files import read_cases
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

    files = [read_cases(path) for path in arguments.cases]
    diagnoser = Diagnoser.load(warm=True)
    for file in files:
        file.check_names(diagnoser.knowledge)
    cases = [case for file in files for case in file.cases]
    outcomes = []
    with Activity("") as activity:
        for place, case in enumerate(cases, 1):
            activity.what = f"case {place} of {len(cases)}"
            try:
                outcomes += evaluation.evaluate(diagnoser, [case], not arguments.without_facts)
            except FactError as error:
                raise InputError(f"case {case.get('id', place)}: {error}") from None
    families = {name: summary["family"] for name, summary in diagnoser.knowledge.summaries.items()}
    result: Json = {
        "kb_version": diagnoser.knowledge.version,
        "measures": evaluation.measures(outcomes),
        "families": evaluation.by_family(outcomes, families),
        "misses": [evaluation.explain_miss(item) for item in outcomes if item.missed],
    }
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        _show(result, arguments.quiet)
    if arguments.against:
        _show_moved(result, arguments.against)
    return 0


def _show(result: Json, quiet: bool) -> None:
    for name, value in result["measures"].items():
        print(f"{name:24s} {value}")
    print("\nfamily                 cases  entry@1  right causes")
    for family, (cases, entries, causes) in result["families"].items():
        print(f"{family:22s} {cases:5d}  {entries / cases:7.2f}  {causes:12d}")
    if quiet:
        return
    for miss in result["misses"]:
        print(
            f"\n{miss['id']}: wanted {_named(miss['wanted'], miss['wanted_cause'])}, "
            f"got {_named(', '.join(miss['got']), miss['got_cause'])}" + (f" ({miss['confidence']})" if miss["got"] else "")
        )
        for matched in miss["matched"]:
            print(f"    matched by {matched['by']}: {matched.get('phrase') or matched['text'][:120]}")
        if not miss["got"]:
            print(f"    abstained; nearest: {', '.join(miss['nearest']) or 'none'}; read as: {miss['condensed']}")


def _named(entry: str | None, cause: str | None) -> str:
    """``entry / cause``, as far as they are given."""
    return " / ".join(filter(None, (entry, cause))) or "no answer"


def _show_moved(result: Json, path: str) -> None:
    try:
        with open(path, encoding="utf-8") as file:
            earlier = json.load(file)
        before = {miss["id"] for miss in earlier["misses"]}
        old = earlier["measures"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a result of 'tfhelp eval --json': {error}") from None
    now = {miss["id"] for miss in result["misses"]}
    print("\nagainst", path)
    for name, value in result["measures"].items():
        if value != old.get(name):
            print(f"  {name}: {old.get(name)} -> {value}")
    print(f"  fixed: {', '.join(sorted(before - now)) or 'none'}")
    print(f"  newly missed: {', '.join(sorted(now - before)) or 'none'}")
