"""``tfhelp try``: experiments that decide between the causes of a failure, and the proof of its fix."""

import argparse
import json
import os
import sys
import time
import typing

from tfhelp.service.doors.cli.page import Page
from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.trying.choosing import Planned
    from tfhelp.service.trying.fixing import Fix
    from tfhelp.service.trying.session import Session
    from tfhelp.service.trying.trial import Watch

Json = dict[str, typing.Any]
_UNITS = {"s": 1, "m": 60, "h": 3600}
_EXAMPLES = """\
examples:
  tfhelp try -- python train.py                      run it, then run experiments that decide between its causes
  tfhelp try --budget 20m --hang-after 60 -- python train.py
  tfhelp try --entry model-does-not-learn -- python train.py      it ends well, but the model does not learn
  tfhelp try --fix -- python train.py                also prove the fix; --write puts it into your file

Your files are not changed: the program runs in a scratch copy of the working folder. Files elsewhere are not protected.

exit status: 0 one cause is decided, or nothing failed; 1 several causes are left, or none is known; 2 bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "--budget", default="5m", metavar="TIME", help="time limit for all runs together, such as 90s, 5m or 1h (default: 5m)"
    )
    parser.add_argument(
        "--hang-after",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="seconds without output that count as a hang (default: 60)",
    )
    parser.add_argument("--no-learning", action="store_true", help="do not read losses, gradients and inputs inside the program")
    parser.add_argument(
        "--entry",
        default="",
        metavar="ENTRY",
        help="the entry that describes what you see, if the program itself reports no failure",
    )
    parser.add_argument("--dry-run", action="store_true", help="run the program once, show the plan, and end")
    parser.add_argument("--fix", action="store_true", help="prove the automatic fix of the cause that was found")
    parser.add_argument(
        "--write", action="store_true", help="with --fix: if the fixed program passes, write the fix to your file"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_kb_option(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the program and its arguments")


def run(arguments: argparse.Namespace) -> int:
    """Run the experiments. Return 0 if one cause is decided, 1 if several are left."""
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise InputError("no command to run; write for example: tfhelp try -- python train.py")
    if arguments.write and not arguments.fix:
        raise InputError("--write needs --fix")
    if not arguments.hang_after > 0:
        raise InputError("--hang-after must be more than 0 seconds")
    budget = seconds_of(arguments.budget)
    from tfhelp.collectors.scratch import Scratch
    from tfhelp.service.trying.session import Session

    with Scratch(os.getcwd()) as scratch:
        reporter = _ProgressReporter()
        reporter.scratch(scratch.overlay)
        session = Session(command, scratch, _watch(arguments), arguments.entry)
        answer = _experiments(session, budget, arguments.dry_run, reporter)
        fix = _proven(session, answer, scratch, arguments, reporter) if arguments.fix and answer["matches"] else None
    _show(session, answer, fix, arguments)
    return 0 if _is_decided(answer) else 1


def _watch(arguments: argparse.Namespace) -> "Watch":
    from tfhelp.service.trying.trial import Watch

    return Watch(arguments.hang_after, not arguments.no_learning)


def seconds_of(budget: str) -> float:
    """A time as users write it, in seconds.

    Raises:
        InputError: it is not a time.

    >>> seconds_of("90s"), seconds_of("5m"), seconds_of("2")
    (90.0, 300.0, 2.0)
    """
    number, unit = (budget[:-1], budget[-1]) if budget[-1:] in _UNITS else (budget, "s")
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e7:
        raise InputError(f"--budget: {budget!r} is not a duration; write for example 90s, 5m or 1h")
    return seconds


def _experiments(session: "Session", budget: float, dry_run: bool, reporter: "_ProgressReporter") -> "Answer":
    ends = time.monotonic() + budget
    session.run_first(budget, reporter)
    planned = session.next()
    if session.first.ended == "well" and not session.named:
        reporter.says("There is nothing to decide. If it goes wrong all the same, say what you see with --entry.")
        return session.answer()
    reporter.planned(planned)
    while planned and not dry_run:
        left = ends - time.monotonic()
        fitting = [item for item in planned if item.seconds <= left]
        if not fitting:
            reporter.budget_spent(planned)
            break
        session.run_next(fitting[0], left, reporter)
        planned = session.next()
    return session.answer()


def _is_decided(answer: "Answer") -> bool:
    if answer["verdict"] == "nothing-failed":
        return True
    return bool(answer["matches"]) and answer["matches"][0]["causes"][0]["verdict"] in ("confirmed", "likely")


class _Proof(typing.NamedTuple):
    fix: "Fix"
    passes: bool
    written: bool


def _proven(
    session: "Session", answer: "Answer", scratch: typing.Any, arguments: argparse.Namespace, reporter: "_ProgressReporter"
) -> _Proof | None:
    from tfhelp.service.run.watched_run import script_of
    from tfhelp.service.trying.fixing import fix_of, passes, prove

    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    script = script_of(command)
    fix = fix_of(answer, session.knowledge.entry(answer["matches"][0]["entry"]), script) if script else None
    if fix is None:
        reporter.says("No mechanical fix is known for this cause; the answer says what to do by hand.")
        return None
    reporter.begins("the program with the fix", session.first.seconds)
    fixed = prove(fix, scratch, command, session.first, _watch(arguments))
    passed = passes(session.first, fixed)
    reporter.ended("It passes now." if passed else "It still fails.", fixed.seconds)
    if passed and arguments.write:
        fix.write()
    return _Proof(fix, passed, passed and arguments.write)


def _show(session: "Session", answer: "Answer", proof: _Proof | None, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(_document(session, answer, proof), ensure_ascii=False))
        return
    print(file=sys.stderr, flush=True)
    show_answer(answer, sys.stdout, more="")
    if proof is None:
        return
    print(f"\nThe fix, {_result_in_words(proof)}:\n")
    sys.stdout.write(proof.fix.diff)


def _result_in_words(proof: _Proof) -> str:
    if proof.written:
        return f"which passes and is written to {proof.fix.path}"
    return (
        "which passes now; --write puts it into your file"
        if proof.passes
        else "which alone is not enough: the program still fails"
    )


def _document(session: "Session", answer: "Answer", proof: _Proof | None) -> Json:
    return {
        "first": {
            "ended": session.first.ended,
            "exit_code": session.first.exit_code,
            "seconds": round(session.first.seconds, 1),
        },
        "experiments": [
            {
                "name": item.planned.name,
                "title": item.planned.experiment["title"],
                "changes": item.planned.experiment["changes"],
                "facts": item.facts,
                "says": item.says,
                "seconds": round(item.seconds, 1),
            }
            for item in session.tried
        ],
        "decided": _is_decided(answer),
        "answer": answer,
        "fix": {"diff": proof.fix.diff, "passes": proof.passes, "written": proof.written} if proof else None,
    }


class _ProgressReporter:
    """Reports the progress on standard error."""

    def __init__(self) -> None:
        self._page = Page(sys.stderr)
        self._number = 0

    def says(self, text: str) -> None:
        """Write a sentence."""
        self._page.paragraph(text)
        sys.stderr.flush()

    def scratch(self, overlay: bool) -> None:
        """Write where the program runs."""
        where = "an overlay over" if overlay else "a copy of"
        self.says(f"tfhelp: the program runs in {where} {os.getcwd()}; your files there stay as they are.")

    def begins(self, what: str, seconds: float | None) -> None:
        """Write that a run begins."""
        about = f" (about {_time(seconds)})" if seconds else ""
        self._page.line(f"{self._number:>2}  {what}{about} ...")
        self._number += 1
        sys.stderr.flush()

    def ended(self, says: str, seconds: float) -> None:
        """Write that the run has ended."""
        self._page.paragraph(f"{says} ({_time(seconds)})", "    ")
        sys.stderr.flush()

    def planned(self, experiments: "list[Planned]") -> None:
        """Write which experiments could decide."""
        if not experiments:
            self.says("No experiment could decide more.")
            return
        self.says("Experiments that could decide, the most useful first; each is run only while causes are left:")
        for item in experiments:
            self._page.paragraph(
                f"{item.experiment['title']}, about {_time(item.seconds)}. {item.experiment['changes']}", "      ", "    - "
            )
        sys.stderr.flush()

    def budget_spent(self, left: "list[Planned]") -> None:
        """Write that the budget is spent."""
        names = ", ".join(item.experiment["title"] for item in left)
        self.says(f"The budget is spent; not run: {names}. More time: --budget.")


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
