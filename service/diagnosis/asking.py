"""How to ask for a fact: what a door shows with a question, and which replies are allowed.

A check may ask for a computed fact (``derived.numpy_too_old``). A user cannot know such a fact, so the question is about the fact
that it is computed from (``packages.numpy``), if there is one.
"""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCheck
    from tfhelp.service.diagnosis.answer import Option, Question, QuestionType

NOT_THERE = "not there"
OUTPUT = "output"  # the type of a question that only a command's output answers

_MADE_OF = {
    "derived.address_space_limited": "host.address_space_limit_mib",
    "derived.container_limits_memory": "host.cgroup_limit_mib",
    "derived.cpu_lacks_avx": "host.avx",
    "derived.cuda_knows_gpu": "gpus",
    "derived.cuda_satisfies_tensorflow": "cuda.version",
    "derived.cudnn_satisfies_tensorflow": "cudnn.version",
    "derived.disk_full": "host.disk_free_mib",
    "derived.driver_satisfies_tensorflow": "driver.version",
    "derived.glibc_satisfies_tensorflow": "os.glibc",
    "derived.gpu_count": "gpus",
    "derived.gpu_hidden_by_env": "env.CUDA_VISIBLE_DEVICES",
    "derived.gpu_newer_than_build": "gpus",
    "derived.gpu_older_than_build": "gpus",
    "derived.gpu_present": "gpus",
    "derived.keras_major": "packages.keras",
    "derived.keras_satisfies_tensorflow": "packages.keras",
    "derived.killed": "run.exit_code",
    "derived.locked_memory_small": "host.locked_memory_limit_kib",
    "derived.memory_limit_mib": "host.memory_total_mib",
    "derived.native_crash": "run.exit_code",
    "derived.numpy_major": "packages.numpy",
    "derived.numpy_too_old": "packages.numpy",
    "derived.open_files_limit_low": "host.open_files_limit",
    "derived.pip_too_old": "python.pip_version",
    "derived.protobuf_too_new": "packages.protobuf",
    "derived.protobuf_too_old": "packages.protobuf",
    "derived.python_supported": "python.version",
    "derived.shm_small": "host.shm_total_mib",
    "derived.tensorflow_version": "packages.tensorflow",
    "derived.training_started": "log.steps_done",
    "derived.windows_stub_without_intel": "packages.tensorflow-intel",
}
# Facts with their own question, since the check's words ask for a value that is computed from them.
_WORDS = {
    "gpus": "Which NVIDIA GPUs does the machine have?",
    "host.avx": "Does the processor have AVX?",
    "host.address_space_limit_mib": "What is the limit on virtual memory, in MiB?",
    "host.disk_free_mib": "How much space is left on the disk, in MiB?",
    "host.locked_memory_limit_kib": "What is the limit on locked memory, in KiB?",
    "log.steps_done": "How many training steps passed before it failed?",
    "run.exit_code": "With which exit code did it end?",
}
_ABSENT_WORDS = {"gpus": "no NVIDIA GPU", "driver.version": "no driver"}
_LIMITS = {"host.address_space_limit_mib": "unlimited", "host.cgroup_limit_mib": "no limit"}
_HINTS = {
    "gpus": "its name, such as NVIDIA GeForce RTX 3060",
    "run.exit_code": "such as 137 or -9",
    "env.CUDA_VISIBLE_DEVICES": "such as 0 or -1",
    "os.architecture": "such as x86_64 or aarch64",
}
# version -> (lowest and highest possible major version, example)
MAJORS: dict[str, tuple[int, int, str]] = {
    "driver.version": (300, 1999, "550.54.14"),
    "driver.library_version": (300, 1999, "550.54.14"),
    "driver.cuda_version": (7, 29, "12.4"),
    "cuda.version": (7, 29, "12.4"),
    "cuda.ptxas_version": (7, 29, "12.4"),
    "cudnn.version": (5, 19, "8.9.7"),
    "os.glibc": (2, 2, "2.31"),
    "python.version": (2, 3, "3.11.9"),
    "packages.tensorflow": (0, 2, "2.16.1"),
    "packages.keras": (0, 4, "3.3.3"),
    "packages.numpy": (0, 3, "1.26.4"),
    "packages.protobuf": (2, 9, "4.25.3"),
}
_EXAMPLE = "2.16.1"


def made_of(path: str) -> str:
    """The fact to ask for instead of a computed one; the same path if there is none."""
    return _MADE_OF.get(path, path)


def question_of(check: "CompiledCheck", types: dict[str, str]) -> "Question":
    """The question for a check's fact.

    Args:
        check: one with ``fact`` and ``if_unknown``.
        types: path -> type of every fact.
    """
    asked = check["if_unknown"]
    path = made_of(check["fact"])
    kind = type_of(path, types)
    words = f"Is this true: {check['says'].rstrip('.')}?" if kind == "boolean" else asked["ask"]
    return {
        "fact": check["fact"],
        "says": check["says"],
        "why": asked["ask"],
        "command": asked.get("command", ""),
        "question": _WORDS.get(path, words),
        "type": kind,
        "options": _options(path, kind, types, check.get("is") is not False or path in _WORDS),
        "hint": hint(path, kind),
    }


def type_of(path: str, types: dict[str, str]) -> "QuestionType":
    """The type of the question for a fact; ``output`` if only the output of a command answers it."""
    if path == "gpus" or path.startswith("env."):
        return "text"
    if path.startswith("derived."):
        return "output"
    if is_version(path):
        return "version"
    kind = types.get(path, "")
    if not kind or kind == "list" or "[]" in path:
        return "output"
    if kind.startswith("one of "):
        return "choice"
    if kind in ("integer", "number"):
        return "number"
    return "boolean" if kind == "boolean" else "text"


def is_version(path: str) -> bool:
    """Return whether a fact's value is a version, which begins with a digit."""
    return path.startswith("packages.") or path.endswith((".version", "_version", ".glibc"))


def choices_of(path: str, types: dict[str, str]) -> list[str]:
    """The values of a fact that has only a few."""
    return types[path].removeprefix("one of ").split("|")


def may_be_absent(path: str, kind: "QuestionType") -> bool:
    """Return whether "not there" is a possible reply: it is for a package or a driver, but not for a yes or no, or an amount."""
    return kind in ("version", "text") or path in _LIMITS


def hint(path: str, kind: "QuestionType") -> str:
    """The placeholder of the reply field; empty if there is no field."""
    if kind in ("boolean", "choice"):
        return ""
    if kind == OUTPUT:
        return "what the command prints"
    return _HINTS.get(path) or {
        "version": f"such as {example(path)}",
        "number": "a number, or 12 GiB" if path.endswith("_mib") else "a number",
    }.get(kind, "what the command prints")


def example(path: str) -> str:
    """An example version for this fact."""
    return MAJORS[path][2] if path in MAJORS else _EXAMPLE


def absent_words(path: str) -> str:
    """The words for "not there" for this fact."""
    if path.startswith("packages."):
        return "not installed"
    return "not set" if path.startswith("env.") else {**_ABSENT_WORDS, **_LIMITS}.get(path, NOT_THERE)


def _options(path: str, kind: "QuestionType", types: dict[str, str], yes_is_true: bool) -> "list[Option]":
    if kind == "boolean":
        # The question repeats the check's statement, which may be that the fact is false.
        replies = ("true", "false") if yes_is_true else ("false", "true")
        return [{"label": "yes", "reply": replies[0]}, {"label": "no", "reply": replies[1]}]
    options: list[Option] = []
    if kind == "choice":
        options += [{"label": choice, "reply": choice} for choice in choices_of(path, types)]
    if may_be_absent(path, kind):
        options.append({"label": absent_words(path), "reply": NOT_THERE})
    return options
