"""Record the output of scripts written for old releases: ``python -m tests.service.upgrade.record [name ...]``.

Each runs on the release that its head names, in an environment that is made once and kept. The test then runs only
the upgraded script, on the installed release, and compares.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys

from tests.faults.environments import interpreter_for
from tests.faults.errors import UnsupportedError
from tfhelp.kb.programs import read_program

FOLDER = pathlib.Path(__file__).parent
PROGRAMS = FOLDER / "programs"
SECONDS = 300


def main(arguments: list[str] | None = None) -> int:
    """Command line. Returns 0, or 1 if a program cannot be run on its release."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.upgrade.record", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs, without .py; all where none is named")
    names = parser.parse_args(arguments).names or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    faults = [fault for name in names if (fault := record(name))]
    print("\n".join(faults) or f"recorded: {', '.join(names)}")
    return 1 if faults else 0


def record(name: str) -> str:
    """Run one program on its own release and write ``<name>.json``; return what went wrong, else the empty string."""
    path = PROGRAMS / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    try:
        interpreter = interpreter_for(read_program(path.name, source))
    except UnsupportedError as error:
        return f"{name}: {error}"
    done = printed(interpreter.executable, path)
    if done.returncode:
        return f"{name}: ended with {done.returncode}\n{done.stderr[-1500:]}"
    document = {
        "python": interpreter.version,
        "tensorflow": interpreter.package_version("tensorflow-cpu", "tensorflow"),
        "program": hashlib.sha256(source.encode()).hexdigest(),
        "printed": done.stdout.splitlines(),
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return ""


def printed(executable: str, path: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run a program with none of our variables in its environment."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TF_"))}
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
    command = [executable, str(path)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)


if __name__ == "__main__":
    sys.exit(main())
