"""``tfhelp ask``: a text, or only an exit code, to an answer on the terminal or as JSON."""

import argparse
import json
import sys
import typing

from tfhelp.service.doors.cli.inputs import LARGEST_TEXT, read_facts, read_text
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
Collected = Json | typing.Callable[[], Json] | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("text", nargs="?", help="the error text; '-' or nothing reads standard input")
    parser.add_argument("-f", "--file", help="read the text from a file")
    parser.add_argument(
        "--exit-code", type=int, metavar="N", help="how the program ended, also without text (139 means 128 + signal 11)"
    )
    parser.add_argument("--facts", metavar="FILE", help="facts as JSON, as 'tfhelp collect' prints them")
    parser.add_argument("--no-collect", action="store_true", help="use nothing of this machine")
    parser.add_argument(
        "--python", metavar="PATH", help="interpreter or environment that the training runs in (default: the active one)"
    )
    parser.add_argument(
        "--code", metavar="FILE", help="the training script or notebook; only what is found in it leaves this machine"
    )
    parser.add_argument("--run", metavar="ID", dest="run_id", help="ask again about a run of 'tfhelp run'; 'last' is the latest")
    parser.add_argument("--top", type=int, default=3, metavar="N", help="how many entries to name at most (default: 3)")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("--no-input", action="store_true", help="never ask back, even on a terminal")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every cause with all of its evidence and fix")
    parser.add_argument("--server", metavar="URL", help="ask a running 'tfhelp serve' instead of the knowledge base here")


def run(arguments: argparse.Namespace) -> int:
    """Answer; 0 answered, 1 abstained."""
    if arguments.top < 1:
        raise InputError("--top must be at least 1")
    facts = read_facts(arguments.facts)
    if arguments.code is not None:
        facts = _with_code(facts, arguments.code)
    collected = None
    if arguments.run_id is not None:
        text, facts, collected = _of_run(arguments, facts)
        cut = False
    else:
        text, cut = _text(arguments)
    if cut:
        print(
            f"tfhelp: the text is longer than {LARGEST_TEXT >> 20} MiB; its first and last half of that were read",
            file=sys.stderr,
        )
    if arguments.exit_code is not None:
        facts.setdefault("run", {})["exit_code"] = arguments.exit_code
    if not text.strip() and not facts:
        raise InputError("the text is empty; paste the error, or say how the program ended with --exit-code")
    answer = _ask_server(arguments, text, facts) if arguments.server else _ask_here(arguments, text, facts, collected)
    if arguments.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        from tfhelp.service.doors.cli.terminal import show_answer

        show_answer(answer, sys.stdout, verbose=arguments.verbose)
    return 1 if answer["abstained"] else 0


def _with_code(facts: Json, path: str) -> Json:
    """The facts with those of the script; what the person says beside it goes first."""
    from tfhelp.service.diagnosis.collecting import merge_documents
    from tfhelp.service.lint.linting import document_of_code

    return merge_documents(facts, document_of_code(path))


def _text(arguments: argparse.Namespace) -> tuple[str, bool]:
    said_otherwise = arguments.exit_code is not None or arguments.facts or arguments.code
    nothing_piped = sys.stdin is None or sys.stdin.isatty()
    # With an exit code alone there may be no text; a pipe is still read.
    if arguments.text is None and arguments.file is None and said_otherwise and nothing_piped:
        return "", False
    return read_text(arguments.text, arguments.file)


def _of_run(arguments: argparse.Namespace, facts: Json) -> tuple[str, Json, Json | None]:
    """Text, facts and the machine's facts of a run that was kept; what the person says beside it goes first."""
    from tfhelp.service.diagnosis.collecting import merge_documents
    from tfhelp.service.run.folder import RunFolder

    if arguments.text is not None or arguments.file is not None:
        raise InputError("give a text or --run, not both")
    folder = RunFolder.find(arguments.run_id)
    known = folder.read_json("facts.json")
    if not known:
        print(f"tfhelp: of run {folder.identifier} only the output is kept; how it ended was not seen", file=sys.stderr)
    return folder.read_text(), merge_documents(facts, known), folder.read_json("collected.json") or None


def _ask_here(arguments: argparse.Namespace, text: str, facts: Json, collected: Json | None) -> "Answer":
    seen: Collected = None if arguments.no_collect else collected
    if collected is None and not arguments.no_collect:
        from tfhelp.service.diagnosis.collecting import collect_meanwhile

        seen = collect_meanwhile(arguments.python)  # the text is read while the collectors look at the machine
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

    diagnoser = Diagnoser.load()
    answer = diagnoser.diagnose(text, facts, arguments.top, seen)
    if answer["ask_for"] and not arguments.no_input and not arguments.json and sys.stdin.isatty() and sys.stdout.isatty():
        from tfhelp.service.doors.cli.dialogue import ask_back

        if ask_back(answer["ask_for"][0], facts, diagnoser.knowledge.fact_types):
            answer = diagnoser.diagnose(text, facts, arguments.top, seen)
    return answer


def _ask_server(arguments: argparse.Namespace, text: str, facts: Json) -> "Answer":
    from tfhelp.service.doors.cli.client import ask_server

    if not arguments.no_collect:
        from tfhelp.service.diagnosis.collecting import collect_facts, merge_documents

        facts = merge_documents(facts, collect_facts(arguments.python))
    return ask_server(arguments.server, text, facts, arguments.top)
