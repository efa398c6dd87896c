"""The environment that runs the training: its interpreter, packages, libraries, limits and machine, as facts.

The folder ``probe`` is run by the user's own interpreter; this module starts it, enforces the time limit and checks what
it reports. ``tfhelp.collectors.machine`` reads the machine.
"""

import sys
import time
import typing

from tfhelp.collectors import machine
from tfhelp.collectors.environment.interpreter import find_interpreter
from tfhelp.collectors.environment.libraries import ask_compiler, put_libraries
from tfhelp.collectors.probe_child import Outcome, answers, probe_file, run_child
from tfhelp.collectors.reported import fits
from tfhelp.kb.fact_sheet import Document, FactSheet

_INTERPRETER = (
    "python.version python.executable python.environment python.bits python.shadowing_file python.broken_distribution"
    " python.pip_version python.start_failure packages.*"
    " tensorflow.location tensorflow.cuda_build tensorflow.built_cuda_version tensorflow.built_cudnn_version"
    " cuda.libraries cuda.missing_libraries cuda.duplicate_libraries cuda.unreached_folder cuda.stub_driver"
    " cuda.ptxas cuda.libdevice"
)
_LOADED = "cuda.version cuda.runtime_file cuda.unloadable_libraries cuda.ptxas_version cudnn.version cudnn.runtime_file"
_IMPORTED = (
    "tensorflow.import_state tensorflow.import_seconds tensorflow.import_signal tensorflow.import_output tensorflow.visible_gpus"
)

_TEXTS = frozenset(_INTERPRETER.split())
_KINDS = {
    "python.environment": "venv|conda|system",
    "python.bits": "integer",
    "tensorflow.cuda_build": "boolean",
    "cuda.stub_driver": "boolean",
    "cuda.libraries": "texts",
    "cuda.missing_libraries": "texts",
    "cuda.duplicate_libraries": "texts",
}

FACTS: tuple[str, ...] = (*machine.FACTS, *f"{_INTERPRETER} {_LOADED} {_IMPORTED}".split())
"""The fact paths that this collector makes; ``*`` stands for any name."""

IMPORT_SECONDS = 120.0  # TensorFlow from a cold disk, with a first look at the GPUs, takes up to a minute


def collect(python: str | None = None, budget_seconds: float = 5.0, deep: bool = False) -> Document:
    """Facts of the environment.

    Args:
        python: which interpreter (``find_interpreter``); ``None`` for the one that is active here.
        budget_seconds: wall time for everything but the import of TensorFlow.
        deep: also import TensorFlow in a child process, which takes seconds (at most ``IMPORT_SECONDS``).

    Returns:
        a facts document. If the interpreter crashes, hangs or answers nonsense, ``python.start_failure`` and the states under
        ``_about`` say so; the machine's facts are there all the same.

    Raises:
        CollectorError: the requested interpreter does not exist.
    """
    deadline = time.monotonic() + budget_seconds
    interpreter = find_interpreter(python)
    sheet = FactSheet()
    machine.read_machine_within(sheet, budget_seconds)
    outcome = run_child([interpreter, "-B", probe_file("environment/probe")], budget_seconds)
    reported = answers(outcome)
    if reported and not outcome.failure():
        plan = _put_document(sheet, reported[-1])
        put_compiler_version = ask_compiler(sheet, deadline - time.monotonic())
        put_libraries(sheet, interpreter, plan, deadline)
        put_compiler_version()
    else:
        _put_failure(sheet, interpreter, outcome, deadline)
    if deep:
        _put_import(sheet, interpreter)
    return sheet.document()


def _kind_of(path: str) -> str:
    """The kind of a fact that the probe makes; empty for a fact that is not one of the probe's."""
    if path in _KINDS:
        return _KINDS[path]
    return "text" if path in _TEXTS or path.startswith("packages.") else ""


def _put_document(sheet: FactSheet, document: Document) -> list[list[str]]:
    """Copy into the sheet those facts that are the probe's to report, and return the probe's plan."""
    # A program that only looks like an interpreter may print anything.
    reported = document.pop("_about", None)
    about = {path: known for path, known in reported.items() if isinstance(known, dict)} if isinstance(reported, dict) else {}
    plan = document.pop("_plan", None)
    for group, members in document.items():
        for name, value in members.items() if isinstance(members, dict) else ():
            path = f"{group}.{name}"
            if (kind := _kind_of(path)) and fits(value, kind):
                known = about.get(path, {})
                sheet.put(path, value, str(known.get("source", "")), str(known.get("state", "ok")))
    for path, known in about.items():
        if path not in sheet.values:  # a group that was read whole, or could not be read
            sheet.about[path] = {"source": str(known.get("source", "")), "state": str(known.get("state", "ok"))}
    pairs = plan if isinstance(plan, list) else []
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)]


def _put_failure(sheet: FactSheet, interpreter: str, outcome: Outcome, deadline: float) -> None:
    """The interpreter did not run the probe: report how it failed, and ask it only for its version."""
    state = "timed-out" if outcome.timed_out else "not-readable"
    failure = outcome.failure() or "printed something other than facts"
    said = " ".join((outcome.errors.strip().splitlines() or [""])[-1].split())[:200]
    sheet.put("python.executable", interpreter, "given or found on PATH")
    sheet.put("python.start_failure", failure, f"probe: {said}" if said else "probe")
    for group in ("packages", "python", "tensorflow", "cuda", "cudnn"):
        sheet.about[group] = {"source": f"probe: {failure}", "state": state}
    seconds = deadline - time.monotonic()
    if not outcome.timed_out and not outcome.refused and seconds > 0:
        # -E and -S keep out a broken sitecustomize or PYTHONPATH; both options are as old as Python 2.
        version = run_child([interpreter, "-E", "-S", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"], seconds)
        text = version.output.strip()
        if not version.failure() and text.replace(".", "").isdigit() and text.count(".") == 2:
            sheet.put("python.version", text, "interpreter")


def _put_import(sheet: FactSheet, interpreter: str) -> None:
    """``tensorflow.import_*`` and ``tensorflow.visible_gpus``: the result of importing it in a child process."""
    source = "importing TensorFlow in a child process"
    outcome = run_child([interpreter, "-B", probe_file("environment/probe/import_tensorflow.py")], IMPORT_SECONDS)
    reported: Document = {}
    for answer in answers(outcome):
        reported.update(answer)
    failed = outcome.failure()
    if outcome.timed_out:
        state = "timed-out"
    elif outcome.signal:
        state = "crashed"
    else:
        state = "failed" if failed or "seconds" not in reported else "ok"
    sheet.put("tensorflow.import_state", state, source)
    sheet.put("tensorflow.import_signal", outcome.signal or None, source)
    sheet.put("tensorflow.import_output", outcome.errors.strip().splitlines()[-20:], source)
    seconds = reported.get("seconds")
    sheet.put("tensorflow.import_seconds", seconds if isinstance(seconds, (int, float)) else None, source)
    if isinstance(reported.get("gpus"), list):
        sheet.put("tensorflow.visible_gpus", [str(name) for name in reported["gpus"]], source)


def main(arguments: typing.Sequence[str]) -> None:
    """Print the facts of one interpreter, to examine this collector by itself."""
    import json

    print(json.dumps(collect(arguments[0] if arguments else None, deep="--deep" in arguments), indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
