"""``tfhelp run``: run a training program unchanged; if it ends badly, ends early or hangs, say why and what to do."""

import argparse
import json
import os
import re
import sys
import typing

from tfhelp.service.doors.cli.private_folders import add_kb_option
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.run.watched_run import WatchedRun

Json = dict[str, typing.Any]

_STREAM = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,6})")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--hang-after",
        type=float,
        metavar="SECONDS",
        help="also look for the reason while it goes on, if it prints nothing for this long (default: never)",
    )
    parser.add_argument(
        "--watch-learning",
        action="store_true",
        help="also look at how the model learns (losses, gradients, labels, inputs), for faults that print no message; it reads "
        "values in the program and changes none",
    )
    parser.add_argument("--keep", type=int, default=20, metavar="N", help="how many runs to keep (default: 20)")
    parser.add_argument("--no-diagnose", action="store_true", help="keep output and curves, but give no answer")
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="also write the answer as JSON to a file or, as /dev/fd/N, to a stream; never between the program's own output",
    )
    parser.add_argument(
        "--no-stacks",
        action="store_true",
        help="start nothing inside the program's interpreters; the answer to a hang or a crash then shows none of your lines",
    )
    parser.add_argument("--list", action="store_true", help="list the runs that are kept, and run nothing")
    add_kb_option(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the program and its arguments")


def run(arguments: argparse.Namespace) -> int:
    """Run the program. Return its exit status: 128 + n after signal n, and 127 or 126 if it cannot be started."""
    from tfhelp.collectors.run.child import StartError
    from tfhelp.service.run.watched_run import WatchedRun, make_folder

    if arguments.list:
        return _list_runs()
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise InputError("no command to run; write for example: tfhelp run -- python train.py")
    if arguments.keep < 1:
        raise InputError("--keep must be at least 1")
    if arguments.json in ("-", "/dev/stdout"):
        raise InputError(f"--json {arguments.json}: the program's own output goes there; name a file")
    if arguments.json is not None and not os.path.isdir(os.path.dirname(arguments.json) or "."):
        raise InputError(f"--json {arguments.json}: there is no such folder")
    if arguments.hang_after is not None and not arguments.hang_after > 0:
        raise InputError("--hang-after must be more than 0 seconds")
    hooks = ("stacks", "learning") if arguments.watch_learning else ("stacks",)
    watched = WatchedRun(command, make_folder(arguments.keep), hooks)
    try:
        if arguments.no_stacks:
            watched.hooks = [hook for hook in watched.hooks if hook != "stacks"]
        status = watched.watch(arguments.hang_after, lambda: _guarded(_explain_silence, watched, arguments))
    except StartError as error:
        if watched.folder:
            watched.folder.remove()
        print(f"tfhelp: {error}", file=sys.stderr)
        return error.exit_status
    _guarded(_explain_end, watched, arguments)
    watched.observation.child.leave_output()
    return status


def _list_runs() -> int:
    from tfhelp.service.run.folder import root
    from tfhelp.service.run.good_runs import list_of_runs

    rows = list_of_runs()
    for row in rows:
        print(f"{row['id']}  {row['when'].replace('T', ' ')}  {row['state']:7}  {' '.join(row['command'])}".rstrip())
    kept = f"each has a folder in {root()}; delete the folder to delete the run" if rows else "no run is kept"
    print(f"tfhelp: {kept}", file=sys.stderr)
    return 0


def _guarded(
    tell: typing.Callable[["WatchedRun", argparse.Namespace], None], watched: "WatchedRun", arguments: argparse.Namespace
) -> None:
    """Report after the run. An error in tfhelp must not change how the run ended for its caller."""
    try:
        tell(watched, arguments)
        sys.stderr.flush()
        sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    except Exception as error:  # noqa: BLE001 - the exit status of the run must come through
        try:
            print(f"tfhelp: no diagnosis: {type(error).__name__}: {error}", file=sys.stderr)
        except OSError:
            pass


def _explain_silence(watched: "WatchedRun", arguments: argparse.Namespace) -> None:
    silence = _duration(arguments.hang_after or watched.silence)  # without the option, Ctrl-C asked for the reason
    print(f"\ntfhelp: no output for {silence}; the program goes on. Looking for the reason.", file=sys.stderr)
    _answer(watched, arguments, hung=True)


def _explain_end(watched: "WatchedRun", arguments: argparse.Namespace) -> None:
    well = watched.observation.child.exit_code == 0 if arguments.no_diagnose else watched.ended_well()
    watched.keep(well and not watched.interrupted and not watched.stopped_by())
    if arguments.no_diagnose or well:
        print(f"tfhelp: {_how_it_ended(watched)}; {_where(watched)}", file=sys.stderr)
        if arguments.json and not arguments.no_diagnose:
            _write_json(arguments.json, watched.nothing_failed(), watched)
        return
    print(f"\ntfhelp: {_how_it_ended(watched)}{_reason_despite_success(watched)}", file=sys.stderr)
    _answer(watched, arguments, hung=watched.hung_at_interrupt)
    _show_curves(watched)
    print(f"tfhelp: {_where(watched)}; 'tfhelp ask --run last' asks again", file=sys.stderr)


def _answer(watched: "WatchedRun", arguments: argparse.Namespace, hung: bool) -> None:
    from tfhelp.service.doors.cli.findings import show_findings
    from tfhelp.service.doors.cli.terminal import show_answer

    answer = watched.diagnose(hung)
    show_answer(answer, sys.stderr, more="tfhelp ask --run last --full" if watched.folder else "")
    show_findings(answer.get("run"), sys.stderr)
    if arguments.json:
        _write_json(arguments.json, answer, watched)


def _write_json(path: str, document: typing.Mapping[str, typing.Any], watched: "WatchedRun") -> None:
    """Write an answer as JSON. In a file, the answer at the end replaces one written while the program hung."""
    try:
        with _opened(path) as file:
            begun = _is_output(file.fileno()) and watched.observation.output.content()[-1:] not in (b"", b"\n")
            file.write(("\n" if begun else "") + json.dumps(document, ensure_ascii=False) + "\n")
    except OSError as error:
        print(f"tfhelp: cannot write {path}: {error.strerror or error}", file=sys.stderr)


def _opened(path: str) -> typing.TextIO:
    """A new file, or one of our own streams: opening ``/dev/fd/N`` would truncate the file behind it."""
    stream = _STREAM.fullmatch(path)
    return open(os.dup(int(stream[1])) if stream else path, "w", encoding="utf-8")


def _is_output(number: int) -> bool:
    """Return whether the program's own output goes there too; its last line may lack a line end."""
    for stream in (1, 2):
        try:
            if os.path.sameopenfile(stream, number):
                return True
        except OSError:
            continue
    return False


def _show_curves(watched: "WatchedRun") -> None:
    from tfhelp.service.run.sparkline import curves_of, range_of, sparkline

    encoding = (sys.stderr.encoding or "").lower().replace("-", "")
    for curve in curves_of(watched.observation.sampler.samples):
        line = sparkline(curve, plain=not encoding.startswith("utf"))
        print(f"  {curve.name:>14}  {line}  {range_of(curve)}", file=sys.stderr)


def _how_it_ended(watched: "WatchedRun") -> str:
    child = watched.observation.child
    how = f"ended by {child.signal}" if child.signal else f"exit code {child.exit_code}"
    peak = max((sample.memory for sample in watched.observation.sampler.samples), default=child.peak_memory_mib)
    memory = f", memory at most {peak:.0f} MiB" if peak else ""
    stop = watched.stopped_by()
    why = f", because {stop} came from outside and was passed on to it" if stop else ""
    return f"{how} after {_duration(child.seconds)}{memory}{why}"


def _reason_despite_success(watched: "WatchedRun") -> str:
    """Why an answer is needed although the exit code does not show it."""
    if watched.hung_at_interrupt:
        return "; it had made no progress when you interrupted it"
    if watched.observation.child.exit_code == 0 and watched.hidden_failure():
        return ", but a process that it started failed"
    return ""


def _where(watched: "WatchedRun") -> str:
    return f"curves: {watched.folder.file('curves.svg')}" if watched.folder else "nothing was kept"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
