"""Record what healthy programs print: ``python -m tests.healthy.record [name ...]``.

A healthy log has warnings, the word "error" and level-E lines too; the diagnosis must not make a failure of them.
"""

import argparse
import json
import pathlib
import sys

from tests.faults.errors import UnsupportedError
from tests.faults.record import ending, recording
from tests.faults.runner import run_program

FOLDER = pathlib.Path(__file__).parent
PROGRAMS = FOLDER / "programs"


def main(arguments: list[str] | None = None) -> int:
    """Command line. Returns 0, or 1 when a program did not end with 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.healthy.record", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs, without .py; all where none is named")
    names = parser.parse_args(arguments).names or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    faults = 0
    for name in names:
        fault = record(name)
        print(f"{name}: {fault or 'recorded'}", flush=True)
        faults += bool(fault)
    return 1 if faults else 0


def record(name: str) -> str:
    """Run one program and write its ``<name>.json``; returns what was wrong, else the empty text."""
    try:
        outcome = run_program(PROGRAMS / f"{name}.py")
    except (FileNotFoundError, UnsupportedError) as error:
        return str(error)
    if outcome.exit_code != 0:
        return f"ended with {ending(outcome)}\n{outcome.output[-1500:]}"
    text = json.dumps(recording(outcome), indent=2, ensure_ascii=False) + "\n"
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.exit(main())
