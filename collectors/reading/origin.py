"""Who wrote a record, or raised its exception: derived from structure, not from a list of other programs' names.

The evidence is the package of the innermost frame, the C++ source of a log line, the logger, the program's prefix and the
kernel's process name. ``kb/origins.yaml`` holds the closed list of our own names and of those that only pass errors on;
anything else is foreign.
"""

import itertools
import re
import sys
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.native_code import is_dated, of_native_frames, thrown_by
from tfhelp.collectors.reading.other_languages import language_of
from tfhelp.kb import origin_names as names
from tfhelp.kb.text import Frame, Record

NEUTRAL = "neutral"
"""A package, or the standard library, that passes on what its caller did: the next frame outwards shows the origin."""

_HEAD = 300  # characters of a log line that may hold its source
_MOST_RAISED = 20  # exceptions of a text in which a repeated one is looked for
_REPEATED = 40  # characters of a message that a title repeats
_READ = 600  # characters of a record that show who wrote it
_INSTALLED = Pattern(r"(?:site|dist)-packages[/\\]{1,4}([A-Za-z_]\w{0,80})(?:[/\\]{1,4}(\w{1,80}))?")
_BUILT = Pattern(r"(?:^|[/\\])(tensorflow|keras|tf_keras)[/\\]{1,2}(?:python|src|core|compiler)[/\\]")
_STANDARD = Pattern(
    r"[/\\]lib(?:64)?[/\\]python[23]\.\d{1,2}[/\\]|(?:Python\d{0,3}|conda\d?|forge|envs[/\\][\w.-]{1,60})[/\\]{1,2}lib[/\\]",
    re.IGNORECASE,
)
_OWN = ("<stdin>", "<ipython-input", "<cell", "<command-", "<timed")
_CPP = Pattern(r"([\w./\\@+-]{0,300}\.(?:cc|cpp|cxx|cuh?|mm|h)):\d{1,6}(?=[\])\s:,]|$)")
_LOGGER = Pattern(
    r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)(?::([\w.]{1,120}):|\]?[ -]{1,4}[\[(]?([A-Za-z_][\w.]{0,120})[\])]?: )"
)
_WARNED = Pattern(r"(\S{1,600}\.py):\d{1,7}: \w{0,60}Warning: ")
_KILLED = Pattern(
    r"(?:[Kk]ill(?:ed)? process \d{1,10}[ ,]{1,2}|Process \d{1,10} (?=\([^()]{1,60}\) (?:of user \d{1,10} dumped|crashed)))\(([^()]{1,60})\)"
)
_TRAPPED = Pattern(r"([\w.+:/-]{1,60})\[\d{1,10}\]:? (?:general protection|trap |segfault at)")
_KERNEL = Pattern(r"kernel: |NVRM: |oom_reaper:|oom-kill:|\bXid \(PCI|^\[ {0,6}\d{1,9}\.\d{6}\] ")
_SCHEDULER = Pattern(
    r"\bTERM_(?:MEM|RUN)LIMIT|PBS: job killed|OOMKilled|Back-off restarting|FailedScheduling|(?:JOB|STEP) \S{1,60} (?:ON \S{1,80} )?CANCELLED AT"
)
_INSTALLER = Pattern(
    r"ERROR: (?:Could not find a version|No matching distribution|Cannot install|Could not build wheels|Failed building|Could not install"
    r"|pip's dependency|Ignored the following|Package '|ResolutionImpossible|Exception:$)|error: (?:subprocess-exited|metadata-generation|externally-managed|resolution-too-deep)"
    r"|(?:Collecting|Downloading|Using cached|Building wheel|Installing collected packages|Successfully (?:installed|built|uninstalled)|Requirement already"
    r"|Looking in (?:indexes|links)|Preparing metadata|Solving environment|Collecting package metadata|PackagesNotFoundError|UnsatisfiableError|E: Unable to locate|CondaError)"
)
_PREFIX = Pattern(
    r"([A-Za-z-][\w.+-]{0,60})(?:\[\d{1,10}\])?: (?:line \d{1,6}: )?(?:(?:fatal |internal )?error\b|fatal\b|cannot |can't |unable |failed |symbol lookup error|\*\*\*|(?:\S{1,200}: )?command not found"
    r"|(?:\S{1,200}: )?[Nn]o such file|(?:\S{1,200}: )?[Pp]ermission denied)",
    re.IGNORECASE,
)
# What a shell reports about a job that a signal ended, and the command after it.
_COMMAND = Pattern(
    r"(?:(?:\S{1,300}: line \d{1,7}: {1,8}\d{1,10} |\[\d{1,9}\][+-]? )?(?:Killed|Segmentation fault|Aborted|Bus error|Illegal instruction)"
    # zsh: a name before the message, or the number of the job and of the process
    r"|(?:zsh: |\[\d{1,9}\] {1,8}(?:[+-] {1,8})?)(?:\d{1,10} )?(?:killed|terminated|hangup|bus error|abort|segmentation fault"
    r"|illegal hardware instruction|trace trap|IOT instruction))"
    r"(?: \(core dumped\))? {1,40}(\S{1,300})"
)
_WITHOUT_COMMAND = Pattern(r"(?:Killed|Segmentation fault|Aborted|Bus error|Illegal instruction)(?: \(core dumped\))?\s{0,9}")
_PROGRAM = Pattern(r"[A-Za-z][\w.+-]{1,80}")
_PROMPT = Pattern(r"[^$#]{0,200}[$#] {1,8}(\.?/\S{1,300})")  # a program by its path; a bare word may start anything
_IMPORTING = Pattern(
    r"""\bpython[\d.]{0,6}(?: -[A-Zabd-z]\w{0,20}(?: \w{1,40})?){0,4} -c {0,4}["'](?:import|from) {1,4}([A-Za-z_]\w{0,60})"""
)
_NAMED = Pattern(r"([A-Za-z][\w.@+-]{0,60})\[\d{1,10}\]: ")
# glibc names the program before the place of a failed assertion, and the linker the file that needs a newer library.
_ASSERTED = Pattern(r"([A-Za-z][\w.+-]{0,60}): \S{1,300}:\d{1,7}: .{1,600}: Assertion [`']")
_REQUIRED = Pattern(r"\(required by ([^()]{1,600})\)")
# PyTorch names itself where it runs out of memory; people often quote this line alone.
_SHORT_OF_MEMORY = "reserved in total by PyTorch"
# How PyTorch prints a tensor; TensorFlow's begins with "tf.Tensor(" or "<tf.Tensor".
_PRINTED_BY_TORCH = Pattern(r"(?:^|[^.\w])tensor\([^()]{0,200}(?:grad_fn=|device='(?:cuda|mps|cpu))")
_CONTAINER_ID = Pattern(r"[0-9a-f]{12}|[0-9a-f]{64}")
_PRINTED = ("traceback", "exception", "log", "output")  # not by a person, and not by a shell
_NO_PROGRAM = frozenset(
    ("error", "warning", "fatal", "info", "note", "debug", "critical", "exception", "python", "python3", "file", "line")
    # The codes of a status, which precede its message.
    + ("cancelled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists", "permission_denied")
    + (
        "resource_exhausted",
        "failed_precondition",
        "aborted",
        "out_of_range",
        "unimplemented",
        "internal",
        "unavailable",
        "data_loss",
    )
)
_BAR_OF_KERAS = Pattern(r"\s{0,40}\d{1,12}/(?:\d{1,12}|Unknown|\?)\s{0,10}(?:\[[=>.]|[━╸╺]|- \d{1,9}m?s)")


def of_package(name: str) -> str:
    """The origin of a package's exception, by its import path; ``NEUTRAL`` if the package only passes errors on.

    >>> of_package("keras.src.saving"), of_package("torch.nn"), of_package("google.protobuf.message")
    ('keras', 'library:torch', 'neutral')
    """
    first, _, rest = name.partition(".")
    if first in names.TENSORFLOW:
        return "tensorflow"
    if first in names.KERAS:
        return "keras"
    if first in names.NEUTRAL or f"{first}.{rest.partition('.')[0]}" in names.NEUTRAL or first in sys.stdlib_module_names:
        return NEUTRAL
    return f"library:{first}"


def of_file(path: str) -> str:
    """The origin of the code in a file: a package, the user's own code, or ``NEUTRAL``.

    >>> of_file("/home/me/train.py"), of_file("/usr/lib/python3.11/queue.py"), of_file("C:\\\\x\\\\Lib\\\\site-packages\\\\keras\\\\a.py")
    ('user', 'neutral', 'keras')
    """
    if installed := _INSTALLED.search(path):
        return of_package(f"{installed[1]}.{installed[2] or ''}")
    if built := _BUILT.search(path):
        return of_package(built[1])
    if path.endswith(".pyx"):
        return of_package(path.replace("\\", "/").partition("/")[0])  # Cython prints the path inside the package
    if path.startswith("<"):
        return "user" if path.startswith(_OWN) else NEUTRAL
    if "__autograph_generated_file" in path or _STANDARD.search(path):
        return NEUTRAL
    return "user"


def of_frames(frames: list[Frame]) -> str | None:
    """The origin shown by the innermost frame that has one, or ``None``."""
    for frame in reversed(frames):
        origin = of_file(frame.file)
        if origin != NEUTRAL:
            return origin
    return None


def of_exception(name: str) -> str:
    """The origin of an exception, by its class as printed; ``unknown`` for a class without its module."""
    module, _, _ = name.rpartition(".")
    if module == "__main__":
        return "user"
    origin = of_package(module) if module else NEUTRAL
    return "unknown" if origin == NEUTRAL else origin


def is_foreign(record: Record) -> bool:
    """Return whether another library or another program is known to have raised or written a record."""
    return record.origin.startswith(("library:", "program:"))


def is_elsewhere(record: Record) -> bool:
    """Return whether the failed part is known to have nothing to do with TensorFlow. The name of a runtime does not show that."""
    return is_foreign(record) and record.origin.partition(":")[2] not in names.RUNTIMES


def of_record(record: Record, exception: str = "", program: str = "") -> str:
    """The origin of a record: who wrote it or raised its exception.

    Args:
        record: with its kind, its text and, for a traceback, its frames.
        exception: the exception's class as printed, with its module if it has one.
        program: the name that a system log gives the writer, else empty.
    """
    if record.frames and (found := of_frames(record.frames)):
        raised = of_exception(exception) if found == "user" and exception else "unknown"
        return found if raised == "unknown" else raised  # the frames inside the package were left out
    if not record.frames and record.kind in _PRINTED and (language := language_of(record.text[:_READ])):
        return f"program:{language}"
    formed = _of_form(record, exception)
    if program and formed not in ("tensorflow", "keras"):
        return _of_system_log(program) or formed
    return formed


def _of_system_log(program: str) -> str | None:
    """The origin of a system log line, by the name at its start; ``None`` if that program only relays the output of others."""
    name = program.rpartition("/")[2]
    if name in names.CARRIERS or _CONTAINER_ID.fullmatch(name):
        return None
    return "scheduler" if name in names.SCHEDULERS else _of_program(name)


def _of_form(record: Record, exception: str) -> str:
    if record.kind in _OF_KIND:
        return _OF_KIND[record.kind](record)
    if record.kind in ("traceback", "exception") and exception:
        origin = of_exception(exception)
        if origin == "unknown" and _names_torch(record.text[:_READ]):
            return "library:torch"
        if origin == "unknown" and "::" in record.text[:_READ] and (native := of_native_frames(record.text[:_READ])):
            return native
        needed = _REQUIRED.search(record.text[:_READ]) if origin == "unknown" and "required by" in record.text else None
        return of_file(needed[1]) if needed and of_file(needed[1]) not in (NEUTRAL, "user") else origin
    return _of_words(record) or "unknown"


def _names_torch(text: str) -> bool:
    """Return whether a message has a form that only PyTorch prints."""
    return _SHORT_OF_MEMORY in text or ("tensor(" in text and _PRINTED_BY_TORCH.search(text) is not None)


def _of_progress(record: Record) -> str:
    return "keras" if _BAR_OF_KERAS.match(record.text) else "unknown"


def _of_shell(record: Record) -> str:
    text = record.text
    if text.startswith(
        ("Fatal Python error", "terminate called", "free(): ", "malloc", "double free", "corrupted", "munmap", "*** ")
    ):
        return thrown_by(text) or "unknown"
    if command := _COMMAND.match(text):
        return "shell" if "py" in text else _of_command(command[1])
    return _of_words(record) or "shell"


def _of_command(word: str) -> str:
    """The origin of a shell's message about a command, by the command's first word. A shell, a launcher or a script may run
    the user's training."""
    name = word.rpartition("/")[2]
    known = name in names.SHELLS or name in names.CARRIERS or name in names.SCHEDULERS or name in names.INSTALLERS
    return "shell" if known or not _PROGRAM.fullmatch(name) or _may_run_users_code(name) else f"program:{name}"


def _of_log(record: Record) -> str:
    text = record.text[:_READ]
    if source := _CPP.search(text):
        return "program:" if is_dated(text) else _of_source(source[1])
    if "-packages" in text[:_HEAD] and (installed := _INSTALLED.search(text[:_HEAD])):
        origin = of_package(f"{installed[1]}.{installed[2] or ''}")
        return "unknown" if origin == NEUTRAL else origin
    if warned := _WARNED.match(text):
        origin = of_file(warned[1])
        return "unknown" if origin == NEUTRAL else origin
    if said := _of_words(record):
        return said
    if logger := _LOGGER.search(text):
        return _of_logger(logger[1] or logger[2])
    return "unknown"


def _of_logger(name: str) -> str:
    if name in names.OWN_LOGGERS:
        return "user"
    origin = of_package(name)
    # A name without a dot may be the user's own: "INFO data: ...".
    return "unknown" if origin == NEUTRAL or ("." not in name and origin.startswith("library:")) else origin


def _of_source(path: str) -> str:
    parts = path.replace("\\", "/").lstrip("./")
    if "/" not in parts:
        return "unknown" if path.endswith((".cc", ".h")) else "program:"  # newer builds of TensorFlow print no folder
    for source in (*names.SOURCES, *names.SHARED_SOURCES):
        if parts.startswith(f"{source}/"):
            return "tensorflow"
    if "/tensorflow/" in parts:
        return "tensorflow"
    if parts.startswith("include/"):
        return "unknown"  # a header of whichever program was built with it
    if path.startswith("/") or path[1:2] == ":":
        return "program:"  # the place where it was built does not show what it is
    return f"program:{parts.removeprefix('external/').partition('/')[0]}"


def _of_words(record: Record) -> str | None:
    """The origin of a record, by its form: a program, the kernel, the scheduler or the installer."""
    text = record.text[:_READ]
    if _names_torch(text):
        return "library:torch"
    if ("process" in text or "Process" in text) and (killed := _KILLED.search(text)):
        return _of_process(killed[1])
    if "]" in text and (trapped := _TRAPPED.search(text)):
        return _of_process(trapped[1].rpartition("/")[2])
    if (named := _NAMED.match(text)) and (said := _of_system_log(named[1])):
        return said
    if _KERNEL.search(text):
        return "kernel"
    if _INSTALLER.match(text):
        return "installer"
    if "Assertion" in text and (asserted := _ASSERTED.match(text)):
        return _of_program(asserted[1])
    if record.kind != "log" and ((source := _CPP.search(text)) and "/" in source[1]):
        return _of_source(source[1])
    first = text.partition(": ")[0]
    if first in names.SCHEDULERS or _SCHEDULER.search(text):
        return "scheduler"
    prefixed = _PREFIX.match(text)
    return _of_program(prefixed[1]) if prefixed else None


def _of_program(name: str) -> str | None:
    small = name.lower()
    if small in names.SHELLS:
        return "shell"
    if small in names.INSTALLERS:
        return "installer"
    if (
        small in _NO_PROGRAM
        or name in names.RUNTIMES
        or small.endswith(("error", "exception", "warning"))
        or _may_run_users_code(name)
    ):
        return None
    return f"program:{name}"


def _of_process(name: str) -> str:
    return "kernel" if _may_run_users_code(name) else f"program:{name}"


def _may_run_users_code(process: str) -> bool:
    return process.startswith(tuple(names.PROCESSES)) or process.endswith((".py", ".sh"))


def _of_prose(record: Record) -> str:
    """A program's message may be a sentence too, but then it has the program's form from its first word on."""
    text = record.text[:_READ]
    formed = (
        _NAMED.match(text)
        or _KILLED.search(text[:_HEAD])
        or _TRAPPED.match(text)
        or _KERNEL.match(text)
        or _PREFIX.match(text)
        or _ASSERTED.match(text)
    )
    return (_of_words(record) if formed else None) or "person"


_OF_KIND: dict[str, typing.Callable[[Record], str]] = {
    "prose": _of_prose,
    "command": lambda _record: "person",
    "progress": _of_progress,
    "shell": _of_shell,
    "log": _of_log,
}


def settle(records: list[Record]) -> None:
    """Settle what only the other records show: whose job a shell reports, whose exception a title repeats, and which shared log lines
    are from JAX.
    """
    for before, record in itertools.pairwise(records):
        ran = before.text if record.origin == "shell" and before.kind in ("command", "output") else ""
        if origin := _of_job(ran):
            record.origin = origin
        elif record.kind == "shell" and is_elsewhere(before) and _tells_no_program(record):
            record.origin = before.origin  # the job that a signal ended has just said why
    _settle_titles(records)
    if not any(_is_jax(record) for record in records):
        return
    for record in records:
        if record.kind == "log" and any(
            source in record.text[:_READ] for source in (*names.SHARED_SOURCES, "external/xla/", "external/tsl/")
        ):
            record.origin = "library:jax"


def _of_job(ran: str) -> str | None:
    """The origin of a shell's message about the job before it: the package of ``python -c "import PACKAGE"``, or the program.

    A prompt without a name, such as "/opt/app # ./app", does not make a line a command, but the shell's message below it does.
    """
    if imported := _IMPORTING.search(ran[-_READ:]):
        origin = of_package(imported[1])
        return origin if origin.startswith("library:") else "shell"
    if command := _PROMPT.match(ran):
        return "shell" if "py" in ran else _of_command(command[1])
    return None


def _tells_no_program(record: Record) -> bool:
    """Return whether a line reports that some program ended: the shell's "Aborted", or what the C++ runtime prints before it."""
    return record.text.startswith("terminate called") or _WITHOUT_COMMAND.fullmatch(record.text) is not None


def _settle_titles(records: list[Record]) -> None:
    """Give an exception that is repeated with its origin this origin: a report's title is often the message alone."""
    raised = [record for record in records if record.exception]
    if len(raised) > _MOST_RAISED:
        return
    for title, record in itertools.permutations(raised, 2):
        repeated = title.exception == record.exception and title.message[:_REPEATED] == record.message[:_REPEATED]
        if repeated and title.kind == "exception" and title.origin == "unknown" and is_foreign(record):
            title.origin = record.origin


def _is_jax(record: Record) -> bool:
    return record.origin in ("library:jax", "library:jaxlib") or any(
        of_file(frame.file) in ("library:jax", "library:jaxlib") for frame in record.frames
    )
