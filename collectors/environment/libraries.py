"""Test-loads the CUDA libraries in the user's interpreter, and asks the compiler for its version."""

import json
import os
import re
import threading
import time
import typing

from tfhelp.collectors.probe_child import Outcome, answers, probe_file, run_child
from tfhelp.kb.fact_sheet import FactSheet


def put_libraries(sheet: FactSheet, interpreter: str, plan: list[list[str]], deadline: float) -> None:
    """Load what the plan names, and put what only loading shows: versions, and libraries that exist but do not load.

    One child tries them all. If a library kills it, the next child continues with the one after.

    Args:
        sheet: gets ``cuda.version``, ``cuda.runtime_file``, ``cuda.unloadable_libraries``, ``cudnn.version``,
            ``cudnn.runtime_file``.
        interpreter: the user's.
        plan: [soname, file] in the order of trial.
        deadline: when to finish, on ``time.monotonic``'s clock.
    """
    # Isolated and without site: only the libraries of the environment are needed.
    command = [interpreter, "-I", "-S", "-B", probe_file("environment/probe/load.py")]
    known = {soname: _stated_version(sheet, soname, file) for soname, file in plan}
    trials = [[soname, file, not known[soname]] for soname, file in plan]
    versions: dict[str, str] = {}
    failures: dict[str, str] = {}
    timed_out = ""
    start = 0
    while start < len(plan) and not timed_out:
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            timed_out = plan[start][0]
            break
        outcome = run_child([*command, json.dumps(trials[start:])], seconds)
        tried = -1
        for answer in answers(outcome):
            number = answer.get("loaded", answer.get("trying"))
            if not isinstance(number, int) or not 0 <= number < len(plan) - start:
                continue
            tried = max(tried, number)
            soname = plan[start + number][0]
            if "trying" in answer:
                failures[soname] = outcome.failure()
            else:
                failures[soname] = _short(answer.get("error"))
                versions[soname] = str(answer.get("version") or "")
        if outcome.timed_out and tried >= 0:
            timed_out = plan[start + tried][0]
        if tried < 0:  # it did not get far enough to try one
            failures.setdefault(plan[start][0], outcome.failure() or "no answer")
            break
        start += tried + 1
    for soname, version in known.items():
        if version and not versions.get(soname) and not failures.get(soname):
            versions[soname] = version
    _put_results(sheet, dict(plan), versions, failures, timed_out)


def _short(error: object) -> str:
    return " ".join(str(error or "").split())[:300]


def _put_results(
    sheet: FactSheet, files: dict[str, str], versions: dict[str, str], failures: dict[str, str], timed_out: str
) -> None:
    bad = [f"{soname}: {failures[soname]}" for soname in files if failures.get(soname)]
    sheet.put("cuda.unloadable_libraries", bad, "a test load", "timed-out" if timed_out else "ok")
    for group, prefix in (("cuda", "libcudart."), ("cudnn", "libcudnn.")):
        soname = next((name for name in files if name.startswith(prefix)), "")
        sheet.put(f"{group}.runtime_file", files.get(soname), "loader's path")
        state = "timed-out" if soname and soname == timed_out else "ok"
        sheet.put(f"{group}.version", versions.get(soname) or None, files.get(soname, "loader's path"), state)


def _stated_version(sheet: FactSheet, soname: str, file: str) -> str:
    """cuDNN's version from the name of its file or its wheel; the empty string if only the library itself can tell.

    Asking the library takes as long as all the loading, because it then loads its parts, which total a gigabyte.
    """
    if not soname.startswith("libcudnn."):
        return ""
    named = re.search(r"\.so\.(\d+\.\d+\.\d+)$", os.path.realpath(file))
    if named:
        return named[1]
    wheels = [
        value for path, value in sheet.values.items() if path.startswith("packages.nvidia-cudnn-") and isinstance(value, str)
    ]
    if len(wheels) == 1 and f"{os.sep}nvidia{os.sep}cudnn{os.sep}" in file:
        return ".".join(wheels[0].split(".")[:3])
    return ""


def ask_compiler(sheet: FactSheet, budget_seconds: float) -> typing.Callable[[], None]:
    """Start asking the ptxas that XLA would use for its version.

    Returns:
        a function that waits for the answer and puts ``cuda.ptxas_version``; it puts nothing if there is no ptxas.
    """
    ptxas = sheet.values.get("cuda.ptxas")
    if not isinstance(ptxas, str):
        return lambda: None
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run_child([ptxas, "--version"], max(budget_seconds, 0.1))))
    thread.start()

    def put() -> None:
        thread.join()
        outcome = outcomes[0]
        found = re.search(r"\bV(\d+\.\d+(?:\.\d+)?)", outcome.output) or re.search(r"release (\d+\.\d+)", outcome.output)
        state = "timed-out" if outcome.timed_out else "ok" if found else "not-readable"
        sheet.put("cuda.ptxas_version", found[1] if found else None, f"{ptxas} --version", state)

    return put
