"""How the programs around training report that they begin, wait, are done or have failed.

>>> output("Successfully installed keras-3.9.0", "successfully installed keras-3.9.0")
Event(0: result installed 0/0 done)
>>> output("============ 3 passed in 0.12s ============", "============ 3 passed in 0.12s ============")
Event(0: result passed 0/0 done)
>>> output("======== 1 failed, 3 passed in 0.12s ========", "======== 1 failed, 3 passed in 0.12s ========")
Event(0: failure tests 1/0)
>>> output("Process finished with exit code 0", "process finished with exit code 0")
Event(0: exit  0/0)
>>> output("Waiting for 1/2 tasks to connect", "waiting for 1/2 tasks to connect")
Event(0: wait  0/0)
>>> output("Test accuracy: 0.9812", "test accuracy: 0.9812")
Event(0: result test acc 0/0)
"""

from tfhelp.collectors.course.events import Event, Reader, whole_number
from tfhelp.collectors.lazy_pattern import Pattern

_EXIT = Pattern(
    r"\bexit(?:ed|s|ing)?(?: with)?(?: non-zero| nonzero)?(?: exit)?[ _-]?(?:status[ _-]code|code|status)\s?[:=]?\s?\(?(-?[0-9]{1,10})\b"
)
_TASK = Pattern(r"\btasks? ([0-9]{1,5})\b")
_COMPOSED = Pattern(r"([\w.-]{1,60}) exited with code ")
_PASSED = Pattern(r"(?:^|=\s|\s)([0-9]{1,6}) (passed|failed|errors?)\b")
_SCHEDULER_GOOD = frozenset(("completed",))
_SCHEDULER_BAD = frozenset(
    ("failed", "timeout", "out_of_me+", "out_of_memory", "preempted", "node_fail", "cancelled", "cancelled+")
)
_DONE = frozenset(["complete", "completed", "done", "finished", "success", "successful", "successfully", "succeeded", "ok"])
_AROUND_DONE = frozenset(
    [
        "the",
        "all",
        "training",
        "evaluation",
        "evaluating",
        "run",
        "job",
        "everything",
        "script",
        "fitting",
        "fit",
        "program",
        "has",
        "have",
        "is",
        "was",
        "in",
        "after",
        "s",
        "sec",
        "seconds",
        "minutes",
        "epochs",
        "steps",
        "total",
        "time",
    ]
)
_SAVED = ("saved to", "saved model", "saved artifact", "saved the ", "model saved", "saving done")
_RESULTS = ("final ", "test ", "test_", "evaluation ", "eval ", "held-out ")
_SCORES = ("acc", "loss", "score", "result", "mae", "mse", "auc", "error", "f1")


def output(text: str, small: str) -> Event | None:
    """What a line of a program's output reports other than progress; ``None`` if it reports nothing about the course."""
    for words, reader in _READERS:
        if any(word in small for word in words) and (event := reader(text, small)):
            return event
    return None


def of_tensorflow(small: str) -> Event | None:
    """What the message of one of TensorFlow's own log lines reports: a process begins, waits, or has stopped waiting."""
    if "onednn custom operations" in small or "opened dynamic library libcudart" in small:
        return Event("start", "import")
    if "cluster is ready" in small or "all tasks " in small:
        return Event("ready")
    return _wait("", small) if "wait" in small else None


def _exit(text: str, small: str) -> Event | None:
    found = _EXIT.search(small)
    if not found:
        return None
    code = whole_number(found[1].lstrip("-"))
    event = Event("exit", "", -code if found[1].startswith("-") else code)
    if text.startswith("srun: error") and (task := _TASK.search(small)):
        event.worker = task[1]
    elif (composed := _COMPOSED.match(text)) and composed[1][-1].isdigit():
        event.worker = composed[1]
    return event


def _interrupt(text: str, small: str) -> Event | None:
    return Event("interrupt", "^C") if text.startswith("^C") or small == "keyboardinterrupt" else None


def _tests(text: str, small: str) -> Event | None:
    if text.startswith("FAILED (") and ("failures=" in small or "errors=" in small):
        return Event("failure", "tests")
    if text.startswith(("FAILED ", "ERROR ")) and "::" in text:
        return Event("failure", "tests")
    if not (text.startswith("=") or text[0].isdigit()) or " in " not in small:
        return None
    counts = {word.rstrip("s"): int(number) for number, word in _PASSED.findall(small)}
    bad = counts.get("failed", 0) + counts.get("error", 0)
    if bad:
        return Event("failure", "tests", bad)
    return Event("result", "passed", done=True) if counts.get("passed") else None


def _unittest(text: str, small: str) -> Event | None:
    return Event("result", "passed", done=True) if text == "OK" or text.startswith("OK (") else None


def _installer(text: str, small: str) -> Event | None:
    if small.startswith(("successfully installed", "would install", "successfully built", "successfully uninstalled")):
        return Event("result", "installed", done=True)
    if small.startswith(("requirement already satisfied", "requirement already up-to-date", "# all requested packages already")):
        return Event("result", "satisfied", done=True)
    if small.startswith(("executing transaction: done", "# to activate this environment")):
        return Event("result", "installed", done=True)
    return None


def _error(text: str, small: str) -> Event | None:
    """The error that ends a program, as each program reports it in its own form; an ``ERROR:tensorflow:`` log line is not one."""
    if text.startswith(("ERROR: ", "Could not install packages due to an ")) and not text.startswith("ERROR: All log"):
        return Event("failure", "installer", done=True)
    if text.startswith(("error: subprocess-exited", "fatal: ", "make: *** ", "CondaError", "PackagesNotFoundError", "npm ERR!")):
        return Event("failure", "program")
    if small.startswith("make[") and "***" in text:
        return Event("failure", "program")
    head, found, rest = text.partition(": error: ")
    if found and rest and " " not in head:
        return Event("failure", "program")
    if " fatal error: " in text or small.endswith(
        (": command not found", "is not recognized as an internal or external command,")
    ):
        return Event("failure", "program")
    return Event("failure", "program") if "can't open file" in small and small.startswith("python") else None


def _driver_table(text: str, small: str) -> Event | None:
    if "nvidia-smi has failed" in small or "failed to initialize nvml" in small or "no devices were found" in small:
        return Event("failure", "nvidia-smi")
    if "unable to determine the device handle" in small or ("err!" in small and ("mib" in small or "w /" in small)):
        return Event("failure", "nvidia-smi")
    if "driver version:" in small:
        return Event("start", "nvidia-smi")
    return Event("table") if "mib /" in small and "%" in small else None


def _scheduler(text: str, small: str) -> Event | None:
    if "cancelled at" in small or "due to time limit" in small or "oom-kill" in small or "oom_kill" in small:
        return Event("signal", "scheduler")
    if "jobid" in small and "state" in small:
        return Event("start", "slurm")
    words = frozenset(small.split())
    if words & _SCHEDULER_BAD and _has_a_code(small):
        return Event("failure", "scheduler")
    return Event("result", "job completed", done=True) if words & _SCHEDULER_GOOD and _has_a_code(small) else None


def _has_a_code(small: str) -> bool:
    """Return whether a row of sacct contains ``0:0`` or a similar code."""
    return any(part.count(":") == 1 and part.replace(":", "").isdigit() for part in small.split())


# A wait for other processes names one of these. Any other wait ends by itself, so it does not explain a SIGKILL.
_PEERS = ("task", "worker", "peer", "rank", "node", "chief", "cluster", "coordinat", "connect", "barrier", " process")


def _wait(text: str, small: str) -> Event | None:
    if "waiting for" not in small and "wait for" not in small and "waiting to" not in small:
        return None
    if "waiting for caches" in small or "waiting for debugger" in small:
        return None
    name = "collective" if "collective" in small or "nccl" in small or "all_reduce" in small else ""
    return Event("wait", name, done=bool(name) or any(word in small for word in _PEERS))


def _save(text: str, small: str) -> Event | None:
    if "saving" in small or "saved " in small or small.startswith("saved"):
        return Event("save", "saved" if small.startswith(_SAVED) else "")
    return None


def _early(text: str, small: str) -> Event | None:
    return Event("result", "early stopping", done=True) if "early stopping" in small and small.startswith("epoch") else None


def _final_step(text: str, small: str) -> Event | None:
    return Event("result", "final step", done=True) if "loss for final step" in small else None


def _result(text: str, small: str) -> Event | None:
    if not small.startswith(_RESULTS) or ".py" in small:
        return None
    name = next((score for score in _SCORES if score in small[:60]), "")
    return (
        Event("result", f"{small.partition(' ')[0]} {name}") if name and any("0" <= letter <= "9" for letter in small) else None
    )


def _done(text: str, small: str) -> Event | None:
    """A line that only reports that something is done: ``Training finished in 31.2 s``."""
    last = small.rpartition(": ")[2] if small[:1].isdigit() or small[:1] == "[" else small
    words = [word for word in last[:120].replace("=", " ").split() if not word[0].isdigit()]
    words = [word.strip(".,:!-*()") for word in words]
    said = _DONE.intersection(words)
    return Event("result", "done", done=True) if said and _AROUND_DONE.union(_DONE, ("",)).issuperset(words) else None


def _start(text: str, small: str) -> Event | None:
    if text.startswith("==") and "test session starts" in small:
        return Event("start", "pytest")
    if text.startswith("Ran ") and " test" in text[:16]:
        return Event("start", "unittest")
    if text.startswith(("Collecting ", "Looking in indexes", "Defaulting to user installation", "Processing ./")):
        return Event("start", "pip")
    if small.startswith(("solving environment", "collecting package metadata", "## package plan")):
        return Event("start", "conda")
    if text.startswith(("On branch ", "Cloning into ", "Already up to date")):
        return Event("start", "git")
    return Event("start", "make") if text.startswith(("make: ", "make[")) else None


def _build(text: str, small: str) -> Event | None:
    return Event("build") if text.startswith(("Model: ", "Total params:", "Trainable params:")) else None


_READERS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("exit",), _exit),
    (("^c", "keyboardinterrupt"), _interrupt),
    (("passed", "failed", "error"), _tests),
    (("ok",), _unittest),
    (("install", "requirement", "requested packages", "transaction", "activate"), _installer),
    (("error", "fatal", "***", "not found", "notfound", "not recognized", "can't open", "err!"), _error),
    (("nvidia-smi", "nvml", "err!", "mib /", "device handle", "devices were found"), _driver_table),
    (("cancel", "complet", "timeout", "out_of_me", "preempted", "node_fail", "failed", "jobid", "oom", "time limit"), _scheduler),
    (("wait",), _wait),
    (("early stopping",), _early),
    (("final step",), _final_step),
    (("final", "test", "eval", "held-out"), _result),
    (("sav",), _save),
    (("done", "complete", "finish", "success", "succeeded", "total ", "ok"), _done),
    (
        (
            "session",
            "ran ",
            "collecting",
            "looking in",
            "defaulting",
            "processing",
            "solving",
            "package plan",
            "branch",
            "cloning",
            "up to date",
            "make",
        ),
        _start,
    ),
    (("params", "model: "), _build),
)
