"""Record the real output of an entry's fault programs: ``python -m tests.faults.record kb/entries/<family>/<entry>``.

It runs each cause's broken program, checks that it ends as its metadata states, writes ``<cause-id>.recorded.json`` next to it,
then runs the fixed program, which must end with 0. At the end it reports programs that are not honest.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import typing

import yaml

from tests.faults.errors import UnsupportedError
from tests.faults.runner import Outcome, run_program, versions_of
from tfhelp.kb.honesty import check_entry, read_exemptions
from tfhelp.kb.programs import Program, ProgramError, read_program

Json = dict[str, typing.Any]

_KEPT_BYTES = 64 * 1024
_PROCESS_ID = re.compile(r" \(pid \d+\)")
_TOLD_ELSEWHERE = ("exit_code", "signal", "pid")
_BROKEN = ".broken.py"
_FIXED = ".fixed.py"


def main(arguments: list[str] | None = None) -> int:
    """Command line. Returns 0, or 1 if a program did not do what it must, or 2 for bad usage."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.record", description=__doc__.partition("\n")[0])
    parser.add_argument("entries", metavar="entry", nargs="+", type=pathlib.Path, help="folder, kb/entries/<family>/<entry-id>")
    parser.add_argument("--cause", help="only this cause")
    parser.add_argument("--only", choices=["broken", "fixed"], help="only one of the two programs")
    options = parser.parse_args(arguments)
    return max(_record_entry(entry, options.cause, options.only) for entry in options.entries)


def _record_entry(entry: pathlib.Path, cause: str | None, only: str | None) -> int:
    causes = sorted({file.name.removesuffix(suffix) for suffix in (_BROKEN, _FIXED) for file in entry.glob(f"*{suffix}")})
    if cause:
        causes = [name for name in causes if name == cause]
    if not causes:
        print(f"{entry}: no {cause or '<cause-id>'}{_BROKEN} or {_FIXED} there", file=sys.stderr)
        return 2
    faults = [fault for name in causes for fault in _record(entry, name, only)]
    faults += _dishonest(entry)
    for fault in faults:
        print(f"FAULT {fault}")
    print(f"{entry}: {len(causes)} causes, {len(faults)} faults")
    return 1 if faults else 0


def _dishonest(entry: pathlib.Path) -> list[str]:
    """The result of the honesty check for the entry's programs; its signatures are those of ``entry.yaml``, if it exists."""
    patterns: list[str] = []
    if (entry / "entry.yaml").exists():
        matches = yaml.safe_load((entry / "entry.yaml").read_text(encoding="utf-8")).get("matches", {})
        signatures = [item for strength in ("decisive", "supporting") for item in matches.get(strength) or []]
        patterns = [item if isinstance(item, str) else item.get("pattern") or item["said"] for item in signatures]
    exemptions, faults = read_exemptions(entry.resolve().parents[1] / "exemptions.yaml")
    found, _ = check_entry(entry, patterns, exemptions)
    return [str(fault) for fault in (*faults, *found)]


def _record(entry: pathlib.Path, cause: str, only: str | None) -> list[str]:
    faults = []
    for part, suffix in (("broken", _BROKEN), ("fixed", _FIXED)):
        path = entry / (cause + suffix)
        if only not in (None, part):
            continue
        try:
            fault = _record_broken(path, entry / f"{cause}.recorded.json") if part == "broken" else _try_fixed(path)
        except (UnsupportedError, ProgramError) as error:
            fault = str(error)
        except FileNotFoundError:
            fault = f"{path}: there is no such file"
        if fault:
            faults.append(fault)
    return faults


def _record_broken(path: pathlib.Path, target: pathlib.Path) -> str:
    program = read_program(str(path), path.read_text(encoding="utf-8"))
    print(f"running {path}", flush=True)
    outcome = run_until_it_fails(path, program)
    _show(outcome)
    fault = unexpected(program, outcome)
    if fault:
        return fault
    target.write_text(json.dumps(recording(outcome), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {target}")
    return ""


def _try_fixed(path: pathlib.Path) -> str:
    print(f"running {path}", flush=True)
    outcome = run_program(path)
    _show(outcome)
    return "" if outcome.exit_code == 0 else f"{path}: the fixed program ended with {ending(outcome)}, must be 0"


def run_until_it_fails(path: pathlib.Path, program: Program) -> Outcome:
    """Run a broken program; one that fails only sometimes is repeated until it fails (in 1 of 1000 cases it stops too early)."""
    tries = 1 if program.rate >= 1 else math.ceil(math.log(0.001) / math.log(1 - program.rate))
    outcome = run_program(path)
    for _ in range(tries - 1):
        if not unexpected(program, outcome):
            break
        outcome = run_program(path)
    return outcome


def unexpected(program: Program, outcome: Outcome) -> str:
    """Differences from the metadata's expectation; empty if there are none."""
    if program.exit == "hangs":
        right = outcome.exit_code is None
        wanted = "still running when its time is over"
    elif program.signal:
        right = outcome.signal == program.signal
        wanted = program.signal
    elif program.exit == "nonzero":
        right = outcome.exit_code not in (0, None)
        wanted = "an exit code that is not 0"
    else:
        right = outcome.exit_code == program.exit
        wanted = f"exit code {program.exit}"
    return "" if right else f"{program.path}: ended with {ending(outcome)}, expected {wanted}"


def ending(outcome: Outcome) -> str:
    """How a run ended, in words."""
    if outcome.exit_code is None:
        return f"the end of its time ({outcome.seconds:.0f} s; [tool.tfhelp] timeout)"
    return f"exit code {outcome.exit_code}" + (f" ({outcome.signal})" if outcome.signal else "")


def recording(outcome: Outcome) -> dict[str, object]:
    """The content of ``<cause-id>.recorded.json``."""
    return {
        **versions_of(outcome.interpreter),
        "exit_code": outcome.exit_code,
        "signal": outcome.signal,
        **({} if outcome.facts is None else {"facts": kept_facts(outcome.facts)}),
        "output": _head_and_tail(outcome.output),
    }


def kept_facts(observed: Json) -> Json:
    """The facts of an observed run that a recording keeps.

    Figures have two digits, so that two recordings of a program look alike and none describes a machine. The facts of the
    script are left out, because the script is stored next to the recording, and so is everything that is recorded elsewhere or
    differs each time.
    """
    return {
        group: {name: _neutral_value(value) for name, value in sorted(observed[group].items()) if name not in _TOLD_ELSEWHERE}
        for group in ("host", "run")
        if group in observed
    }


def _neutral_value(value: object) -> object:
    if isinstance(value, str):
        return _PROCESS_ID.sub("", value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    rounded = float(f"{value:.1e}")
    return int(rounded) if isinstance(value, int) else rounded


def _head_and_tail(output: str) -> str:
    """The output, or its first and last lines if it is too long to keep."""
    if len(output.encode()) <= _KEPT_BYTES:
        return output
    half = _KEPT_BYTES // 2
    head = output.encode()[:half].decode(errors="ignore").rpartition("\n")[0]
    tail = output.encode()[-half:].decode(errors="ignore").partition("\n")[2]
    left_out = output.count("\n") - (head.count("\n") + 1) - tail.count("\n")
    return f"{head}\n[... {left_out} lines left out ...]\n{tail}"


def _show(outcome: Outcome) -> None:
    for line in outcome.output.splitlines()[-12:]:
        print(f"    | {line[:220]}")
    print(f"    {ending(outcome)} after {outcome.seconds:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
