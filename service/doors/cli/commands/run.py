"""``tfhelp run``: run a training untouched; if it ends badly, ends early or hangs, say why and what to do."""

import argparse
import json
import sys
import typing

from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.run.watched_run import WatchedRun

Json = dict[str, typing.Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--hang-after",
        type=float,
        metavar="SECONDS",
        help="also look for the reason, while it goes on, when it has said nothing for so long (default: never)",
    )
    parser.add_argument(
        "--watch-learning",
        action="store_true",
        help="also look at how the model learns (losses, gradients, labels, inputs), for faults that print no message; it reads "
        "values in the program and changes none",
    )
    parser.add_argument("--keep", type=int, default=20, metavar="N", help="how many runs to keep (default: 20)")
    parser.add_argument("--no-diagnose", action="store_true", help="keep output and curves, but give no answer")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON, the last line of standard output")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the program and its arguments")


def run(arguments: argparse.Namespace) -> int:
    """Run it; its exit status is ours, 128 + n after signal n, and 127 or 126 where it cannot be started."""
    from tfhelp.collectors.run.child import StartError
    from tfhelp.service.run.watched_run import WatchedRun, make_folder

    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise InputError("no command to run; write for example: tfhelp run -- python train.py")
    if arguments.keep < 1:
        raise InputError("--keep must be at least 1")
    if arguments.hang_after is not None and not arguments.hang_after > 0:
        raise InputError("--hang-after must be more than 0 seconds")
    hooks = ("stacks", "learning") if arguments.watch_learning else ("stacks",)
    watched = WatchedRun(command, make_folder(arguments.keep), hooks)
    try:
        status = watched.watch(arguments.hang_after, lambda: _guarded(_tell_of_silence, watched, arguments))
    except StartError as error:
        if watched.folder:
            watched.folder.remove()
        print(f"tfhelp: {error}", file=sys.stderr)
        return error.exit_status
    _guarded(_tell_of_end, watched, arguments)
    return status


def _guarded(
    tell: typing.Callable[["WatchedRun", argparse.Namespace], None], watched: "WatchedRun", arguments: argparse.Namespace
) -> None:
    """What goes wrong with us after the run must not change how the run ended for whoever started it."""
    try:
        tell(watched, arguments)
        sys.stderr.flush()
        sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    except Exception as error:  # noqa: BLE001 - the exit status of the run has to come through
        try:
            print(f"tfhelp: no diagnosis: {type(error).__name__}: {error}", file=sys.stderr)
        except OSError:
            pass


def _tell_of_silence(watched: "WatchedRun", arguments: argparse.Namespace) -> None:
    print(
        f"\ntfhelp: no output for {_spoken(arguments.hang_after)}; the program goes on. Looking for the reason.", file=sys.stderr
    )
    _answer(watched, arguments, hung=True)


def _tell_of_end(watched: "WatchedRun", arguments: argparse.Namespace) -> None:
    if arguments.no_diagnose or watched.ended_well():
        print(f"tfhelp: {_how_it_ended(watched)}; {_where(watched)}", file=sys.stderr)
        return
    print(f"\ntfhelp: {_how_it_ended(watched)}", file=sys.stderr)
    _answer(watched, arguments, hung=False)
    _show_curves(watched)
    print(f"tfhelp: {_where(watched)}; 'tfhelp ask --run last' asks again", file=sys.stderr)


def _answer(watched: "WatchedRun", arguments: argparse.Namespace, hung: bool) -> None:
    from tfhelp.service.doors.cli.terminal import show_answer

    answer = watched.diagnose(hung)
    if arguments.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        show_answer(answer, sys.stderr)


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
    return f"{how} after {_spoken(child.seconds)}{memory}"


def _where(watched: "WatchedRun") -> str:
    return f"curves: {watched.folder.file('curves.svg')}" if watched.folder else "nothing was kept"


def _spoken(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
