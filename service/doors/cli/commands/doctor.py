"""``tfhelp doctor``: what is wrong with this machine's TensorFlow, without any error text."""

import argparse
import json
import time
import typing

from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.doors.cli.help_text import ExamplesFormatter
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.doors.cli.progress import Activity

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge

Json = dict[str, typing.Any]
_EPILOG = """\
examples:
  tfhelp doctor                          a line for each part of this machine, with what is wrong
  tfhelp doctor -v                       all details, all steps of the fixes, and everything that was checked
  tfhelp doctor --deep                   also import TensorFlow, and see which GPUs it lists
  tfhelp doctor --python ~/envs/tf       an environment other than the active one

marks: [ok] fine, [!] slower or not as it should be, [x] fails, [-] not there and not needed, [?] not known

exit status: 0 nothing is wrong, 1 something is, 2 bad usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = ExamplesFormatter
    parser.epilog = _EPILOG
    parser.add_argument("--python", metavar="PATH", help="interpreter or environment to look at (default: the active one)")
    parser.add_argument(
        "--deep", action="store_true", help="also import TensorFlow there, in a child process; takes seconds to a minute"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="show all details, and everything that was checked")
    parser.add_argument("--timings", action="store_true", help="show how long each collector took")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_kb_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the machine and report. Return 0 if nothing is wrong, 1 if something is."""
    from tfhelp.kb import build_products, compiled
    from tfhelp.kb.derived import derive
    from tfhelp.kb.fact_sheet import read_document
    from tfhelp.service.diagnosis.collecting import collect_facts
    from tfhelp.service.doctor.findings import look
    from tfhelp.service.doctor.summary import document as summary_document
    from tfhelp.service.doctor.summary import not_looked_for, summarise

    build_products.check()
    seconds: dict[str, float] = {}
    with Activity("importing TensorFlow in a child process" if arguments.deep else "looking at this machine"):
        facts = collect_facts(arguments.python, arguments.deep, seconds=seconds)
    started = time.monotonic()
    knowledge = compiled.load()
    sheet = read_document(facts, knowledge.fact_types, "collected")
    derive(sheet, knowledge.tables)
    findings = look(knowledge, sheet)
    seconds["checks"] = time.monotonic() - started
    interpreter, import_fault = _interpreter_fault(sheet), _import_fault(knowledge, facts, sheet)
    rows = summarise(sheet, findings, interpreter, import_fault is not None)
    document: Json = {
        "ok": not any(row.is_wrong for row in rows),
        "summary": summary_document(rows, not_looked_for(sheet, findings)),
        "findings": [one.document(sheet) for one in findings if one.outcome == "found"],
        "interpreter": interpreter,
        "import": import_fault,
        "looked_at": [one.document(sheet) for one in findings if one.outcome != "found"],
        "facts": sheet.document(),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "kb_version": knowledge.version,
    }
    if arguments.json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        from tfhelp.service.doors.cli.doctor_text import show

        show(document, arguments.verbose, arguments.timings)
    return 0 if document["ok"] else 1


def _interpreter_fault(sheet: FactSheet) -> str | None:
    """Why the examined Python could not report its facts, in a sentence."""
    failure = sheet.get("python.start_failure")
    if not failure:
        return None
    said = sheet.source("python.start_failure").removeprefix("probe").lstrip(": ")
    return f"{sheet.get('python.executable')} did not run a small program: {failure}" + (f" ({said})" if said else "")


def _import_fault(knowledge: "Knowledge", facts: Json, sheet: FactSheet) -> Json | None:
    """What a test import of TensorFlow did, if it failed, with the answer to its output."""
    state = sheet.get("tensorflow.import_state")
    if state in (None, "ok") or not isinstance(state, str) or sheet.get("derived.tensorflow_distribution") is None:
        return None  # not tried, went well, or there is nothing to import, which is a separate finding
    from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors

    output = sheet.get("tensorflow.import_output")
    text = "\n".join(output) if isinstance(output, list) else ""
    return {"state": state, "output": text, "answer": Diagnoser(knowledge, load_vectors).diagnose(text, {}, collected=facts)}
