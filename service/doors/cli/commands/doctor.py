"""``tfhelp doctor``: what is wrong with this machine's TensorFlow, without any error text."""

import argparse
import json
import sys
import time
import typing

from tfhelp.kb.fact_sheet import FactSheet

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge
    from tfhelp.service.doors.cli.terminal import Page

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--python", metavar="PATH", help="interpreter or environment to look at (default: the active one)")
    parser.add_argument(
        "--deep", action="store_true", help="also import TensorFlow there, in a child process; takes seconds to a minute"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="also show what is fine and what is not known")
    parser.add_argument("--timings", action="store_true", help="show how long each collector took")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Look and tell; 0 nothing is wrong, 1 something is."""
    from tfhelp.kb import build_products, compiled
    from tfhelp.kb.derived import derive
    from tfhelp.kb.fact_sheet import read_document
    from tfhelp.service.diagnosis.collecting import collect_facts
    from tfhelp.service.doctor.findings import look

    build_products.check()
    seconds: dict[str, float] = {}
    facts = collect_facts(arguments.python, arguments.deep, seconds=seconds)
    started = time.monotonic()
    knowledge = compiled.load()
    sheet = read_document(facts, knowledge.fact_types, "collected")
    derive(sheet, knowledge.tables)
    findings = look(knowledge, sheet)
    seconds["checks"] = time.monotonic() - started
    document: Json = {
        "findings": [one.document(sheet) for one in findings if one.outcome == "found"],
        "interpreter": _interpreter_fault(sheet),
        "import": _import_fault(knowledge, facts, sheet),
        "looked_at": [one.document(sheet) for one in findings if one.outcome != "found"],
        "facts": sheet.document(),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "kb_version": knowledge.version,
    }
    document["ok"] = not (document["findings"] or document["interpreter"] or document["import"])
    if arguments.json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        _show(document, arguments.verbose, arguments.timings)
    return 0 if document["ok"] else 1


def _interpreter_fault(sheet: FactSheet) -> str | None:
    """Why the Python that was looked at could not tell its facts, in a sentence."""
    failure = sheet.get("python.start_failure")
    if not failure:
        return None
    said = sheet.source("python.start_failure").removeprefix("probe").lstrip(": ")
    return f"{sheet.get('python.executable')} did not run a small program: {failure}" + (f" ({said})" if said else "")


def _import_fault(knowledge: "Knowledge", facts: Json, sheet: FactSheet) -> Json | None:
    """What happened when TensorFlow was imported for trial, if that failed, with the answer to what it said."""
    state = sheet.get("tensorflow.import_state")
    if state in (None, "ok") or not isinstance(state, str) or sheet.get("derived.tensorflow_distribution") is None:
        return None  # not tried, went well, or there is nothing to import, which is a finding of its own
    from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

    output = sheet.get("tensorflow.import_output")
    text = "\n".join(output) if isinstance(output, list) else ""
    return {"state": state, "output": text, "answer": Diagnoser(knowledge, load_vectors).diagnose(text, {}, collected=facts)}


def _show(document: Json, verbose: bool, timings: bool) -> None:
    from tfhelp.service.doors.cli.terminal import Page, show_answer, show_fix

    page = Page(sys.stdout)
    if document["interpreter"]:
        page.paragraph(document["interpreter"], "  ", "", "bad")
    for finding in document["findings"]:
        page.line(page.style(finding["title"], "title") + page.style(f"   {finding['entry']}", "dim"))
        page.paragraph(finding["cause_title"], "  ")
        for evidence in finding["evidence"]:
            page.paragraph(f"{evidence['because']} [{evidence['source']}]", "      ", "    + ", "good")
        show_fix(finding["fix"], page)
    if document["import"]:
        page.line(page.style(f"Importing TensorFlow: {document['import']['state']}", "title"))
        for line in document["import"]["output"].splitlines()[-6:]:
            page.paragraph(line, "    ", style="dim")
        page.line()
        show_answer(document["import"]["answer"], sys.stdout, verbose)
    if verbose:
        _show_looked_at(document["looked_at"], page)
    if document["ok"]:
        page.line("Nothing is wrong." + ("" if verbose else " What was looked at: tfhelp doctor -v"))
    if timings:
        for name, value in document["seconds"].items():
            page.line(f"{value:8.3f} s  {name}")


def _show_looked_at(looked_at: list[Json], page: "Page") -> None:
    for outcome, word in (("fine", "fine"), ("unknown", "not known")):
        for one in looked_at:
            if one["outcome"] == outcome:
                deciding = next(item for item in one["evidence"] if item["outcome"] == {"fine": "fails"}.get(outcome, outcome))
                because = deciding["because"].removeprefix("not known: ")
                says = f"{one['entry']}, {one['cause']}: {because}"
                page.paragraph(says, " " * 13, f"  {word:>9}  ", "dim" if outcome == "unknown" else None)
