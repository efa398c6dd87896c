"""``tfhelp ask``: turns a text, or only an exit code, into an answer on the terminal or as JSON."""

import os
import sys
import typing

from tfhelp.collectors.intake import Intake
from tfhelp.service.diagnosis.given import Given, join, with_notes
from tfhelp.service.doors.cli.inputs import read_facts, read_input, say_notes, whole_text
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.doors.cli.progress import Activity
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    import argparse

    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.diagnosis.diagnoser import Diagnoser
    from tfhelp.service.diagnosis.long_text import Stream
    from tfhelp.service.doors.cli.page import Page
    from tfhelp.service.run.findings import Findings

Json = dict[str, typing.Any]
Collected = Json | typing.Callable[[], Json] | None

FORMATS = ("text", "json", "markdown", "github", "sarif")


def add_arguments(parser: "argparse.ArgumentParser") -> None:
    """Add the command's arguments."""
    parser.add_argument("text", nargs="?", help="the error text, or the name of a file; '-' or nothing reads standard input")
    parser.add_argument("-f", "--file", help="read the text from a file")
    parser.add_argument(
        "--exit-code",
        type=int,
        metavar="N",
        help="exit code of the program; the text may then be missing (139 means 128 + signal 11)",
    )
    parser.add_argument("--facts", metavar="FILE", help="facts as JSON, as 'tfhelp collect' prints them")
    parser.add_argument("--no-collect", action="store_true", help="do not collect facts of this machine")
    parser.add_argument(
        "--python", metavar="PATH", help="interpreter or environment that the training runs in (default: the active one)"
    )
    parser.add_argument(
        "--code", metavar="FILE", help="the training script or notebook; with --server, only the facts found in it are sent"
    )
    parser.add_argument("--run", metavar="ID", dest="run_id", help="ask again about a run of 'tfhelp run'; 'last' is the latest")
    parser.add_argument("--top", type=int, default=3, metavar="N", help="how many entries to name at most (default: 3)")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text (default), json, markdown (to post it), github (an annotation and the step's summary) or sarif",
    )
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")
    parser.add_argument("--no-input", action="store_true", help="ask no questions, even on a terminal")
    parser.add_argument(
        "-v",
        "--verbose",
        "--full",
        action="store_true",
        help="show every cause with all of its evidence, its fix and its sources; on a terminal through a pager",
    )
    parser.add_argument("--server", metavar="URL", help="ask a running 'tfhelp serve' instead of the knowledge base here")
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="with --server: a file with the token that identifies you (default: the token in TFHELP_TOKEN)",
    )
    parser.add_argument(
        "--no-keep", action="store_true", help="with --server: keep nothing of this question in the server's memory"
    )
    add_kb_option(parser)


def run(arguments: "argparse.Namespace") -> int:
    """Print the answer. Return 0 if there is an answer, 1 if there is none."""
    if arguments.top < 1:
        raise InputError("--top must be at least 1")
    if arguments.kb and arguments.server:
        raise InputError("--kb is for the knowledge base here; with --server, start that server with --kb")
    if arguments.token_file is not None and not arguments.server:
        raise InputError("--token-file needs --server")
    if arguments.no_keep and not arguments.server:
        raise InputError("--no-keep needs --server; without a server, nothing is kept")
    facts = read_facts(arguments.facts)
    if arguments.code is not None:
        facts = _with_code(facts, arguments.code)
    collected = None
    stream = None
    if arguments.run_id is not None:
        text, facts, collected = _of_run(arguments, facts)
        intake = Intake(text)
    else:
        intake, stream = _input(arguments)
    if arguments.exit_code is not None:
        facts.setdefault("run", {})["exit_code"] = arguments.exit_code
    given = join([intake], facts, _fact_types)
    say_notes(given.notes)
    if stream is None and not given.text.strip() and not given.facts:
        raise InputError(given.nothing or "the text is empty; paste the error, or say how the program ended with --exit-code")
    if arguments.server:
        given.text = whole_text(intake, stream)  # a server takes no stream; it says how much text it takes
        answer = _ask_server(arguments, given)
    else:
        answer = _ask_here(arguments, given, stream or given.text, collected)
    if arguments.format == "text":
        _show(answer, arguments)
    else:
        from tfhelp.service.doors.cli.written import written

        sys.stdout.write(written(with_notes(answer, given.notes), arguments))
    return 1 if answer["abstained"] else 0


def _show(answer: "Answer", arguments: "argparse.Namespace") -> None:
    from tfhelp.service.doors.cli.terminal import show_answer

    if not arguments.verbose:
        show_answer(answer, sys.stdout, server=arguments.server or "")
        _show_findings(answer, sys.stdout)
        return
    from tfhelp.service.doors.cli.pager import paged

    with paged(sys.stdout) as page:
        show_answer(answer, page, verbose=True, server=arguments.server or "")
        _show_findings(answer, page)


def _show_findings(answer: "Answer", stream: "typing.TextIO | Page") -> None:
    if "run" in answer:
        from tfhelp.service.doors.cli.findings import show_findings

        show_findings(answer["run"], stream)


def _with_code(facts: Json, path: str) -> Json:
    """The facts, plus those of the script; what the user states has priority."""
    from tfhelp.service.diagnosis.collecting import merge_documents
    from tfhelp.service.lint.linting import document_of_code

    return merge_documents(facts, document_of_code(path))


def _fact_types() -> dict[str, str]:
    from tfhelp.kb import compiled

    return compiled.load().fact_types


def _input(arguments: "argparse.Namespace") -> "tuple[Intake, Stream | None]":
    said_otherwise = arguments.exit_code is not None or arguments.facts or arguments.code
    nothing_piped = sys.stdin is None or sys.stdin.isatty()
    # With only an exit code there may be no text; a pipe is still read.
    if arguments.text is None and arguments.file is None and said_otherwise and nothing_piped:
        return Intake(), None
    return read_input(arguments.text, arguments.file)


def _of_run(arguments: "argparse.Namespace", facts: Json) -> tuple[str, Json, Json | None]:
    """Text, facts and machine facts of a kept run; what the user states has priority."""
    from tfhelp.service.diagnosis.collecting import merge_documents
    from tfhelp.service.run.folder import RunFolder

    if arguments.text is not None or arguments.file is not None:
        raise InputError("give a text or --run, not both")
    folder = RunFolder.find(arguments.run_id)
    known = folder.read_json("facts.json")
    if not known:
        print(f"tfhelp: only the output of run {folder.identifier} is kept; how it ended was not seen", file=sys.stderr)
    return folder.read_text(), merge_documents(facts, known), folder.read_json("collected.json") or None


def _ask_here(arguments: "argparse.Namespace", given: Given, text: "str | Stream", collected: Json | None) -> "Answer":
    seen: Collected = None if arguments.no_collect else collected
    if collected is None and _looks_here(arguments, given):
        from tfhelp.service.diagnosis.collecting import collect_meanwhile

        seen = collect_meanwhile(arguments.python)  # the text is read while the collectors look at the machine
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

    with Activity("looking for an answer") as activity:
        diagnoser = Diagnoser.load()
        if not isinstance(text, str):
            text.progress = activity
        answer = diagnoser.diagnose(text, given.facts, arguments.top, seen)
    answer = _refined(answer, arguments, given, text, seen, diagnoser)
    if answer["ask_for"] and not arguments.no_input and arguments.format == "text" and sys.stdin.isatty() and sys.stdout.isatty():
        from tfhelp.service.doors.cli.dialogue import ask_back

        if ask_back(answer["ask_for"][0], given, diagnoser.knowledge.fact_types):
            if isinstance(text, str):
                text = given.text  # a pasted output was added at its end
            elif given.text:
                text.add(given.text)
            with Activity("looking for an answer"):
                answer = diagnoser.diagnose(text, given.facts, arguments.top, seen)
            answer = _refined(answer, arguments, given, text, seen, diagnoser)
    return answer


def _refined(
    answer: "Answer",
    arguments: "argparse.Namespace",
    given: Given,
    text: "str | Stream",
    seen: Collected,
    diagnoser: "Diagnoser",
) -> "Answer":
    """The answer to a kept run, with what its last good run adds; any other answer as it is."""
    if arguments.run_id is None or not isinstance(text, str):
        return answer
    import functools

    from tfhelp.service.run.folder import RunFolder
    from tfhelp.service.run.suspects import refine

    findings = typing.cast("Findings", RunFolder.find(arguments.run_id).read_json("findings.json"))
    again = functools.partial(diagnoser.diagnose, facts=given.facts, top=arguments.top, collected=seen)
    return refine(answer, findings, text, again, diagnoser.knowledge)


def _looks_here(arguments: "argparse.Namespace", given: Given) -> bool:
    """Return whether the question is about this machine: a pasted facts document describes the machine it came from."""
    return not arguments.no_collect and (arguments.python is not None or not given.machine)


def _why_elsewhere(given: Given, collected: Json) -> str:
    """Why the question is about another machine than this one; empty if it may be about this one. A server cannot tell."""
    from tfhelp.kb import compiled
    from tfhelp.service.diagnosis.reading import read

    lost = read(given.text, given.facts, collected, compiled.load()).sheet.lost
    return next((why for *_, why in lost if why.endswith(": another machine")), "")


def _ask_server(arguments: "argparse.Namespace", given: Given) -> "Answer":
    from tfhelp.service.doors.cli.client import ask_server, token_of

    token = token_of(arguments.token_file)
    facts = given.facts
    if _looks_here(arguments, given):
        from tfhelp.service.diagnosis.collecting import collect_facts, merge_documents

        collected = collect_facts(arguments.python)
        elsewhere = _why_elsewhere(given, collected)
        if elsewhere:
            print(f"tfhelp: facts of this machine are not sent: {elsewhere}", file=sys.stderr)
        else:
            facts = merge_documents(facts, collected)
    with Activity(f"waiting for {arguments.server}"):
        return ask_server(
            arguments.server,
            given.text,
            facts,
            arguments.top,
            token,
            keep=not arguments.no_keep,
            own_names=arguments.format == "text",
            script=os.path.basename(arguments.code or ""),
        )
