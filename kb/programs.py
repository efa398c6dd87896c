"""Fault programs: the content of a ``<cause-id>.broken.py`` or ``<cause-id>.fixed.py``, read but not run.

A program begins with an inline script-metadata block (PEP 723, https://peps.python.org/pep-0723/)::

    # /// script
    # requires-python = ">=3.10"
    # dependencies = ["tensorflow==2.21.*"]
    #
    # [tool.tfhelp]
    # timeout = 60
    # ///

and marks the part that users see::

    # --- shown
    optimizer = keras.optimizers.Adam(1e-3, clipnorm=1.0)
    # --- end

Keys of ``[tool.tfhelp]``, all optional:

=================  =======================================================================================================
``name``           file name that the program runs under, default ``train.py`` (its own name would give away the cause)
``timeout``        seconds after which the run is ended, default 120
``exit``           expected exit code of the broken program: an integer, ``"nonzero"`` (default) or ``"hangs"`` (it is still
                   running when ``timeout`` is over; choose a short one, the fixed program has its own)
``signal``         name of the signal that the broken program dies from, for example ``"SIGKILL"``
``send-signal``    a signal from outside: ``name``, and ``after`` (seconds) or ``when`` (a text appears in the output) or both;
                   ``worker`` limits it to one worker process
``limits``         ``address_space_mib``, ``data_mib``, ``open_files``, ``stack_kib``, ``file_size_mib``, ``cpu_seconds``,
                   ``processes`` (processes and threads together), ``group_memory_mib`` (of a control group; the kernel kills)
``memory_mib``     the process is killed (SIGKILL) when it holds more, as an out-of-memory killer does
``files``          files made before the run: name -> text, or name -> {base64 = "..."}
``workers``        number of worker processes; each gets ``TF_CONFIG`` with free ports of the loopback device
``env``            environment variables: name -> text
``rate``           share of runs that fail, for programs that fail only sometimes: above 0, at most 1
``python``         a different interpreter, for example ``"3.9"``; ``dependencies`` are then installed for it
``isolated``       ``true``: its own environment, which contains only the dependencies, for programs that fail because a
                   package is missing
``tmpfs_mib``      the working folder is a file system of this size (for a full disk)
``observed``       ``true``: recorded as ``tfhelp run`` sees it, with the facts of the run, because its output is not enough
``stdin``          text on standard input
``args``           list of command-line arguments
``needs``          files on the machine that it runs or inspects: names on ``PATH`` or absolute paths (``zsh``)
=================  =======================================================================================================
"""

import base64
import binascii
import re
import signal
import tomllib
import typing

from tfhelp.kb.program_region import RegionError, region

__all__ = ["Program", "ProgramError", "RegionError", "SentSignal", "read_program", "region"]

_BLOCK = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
_LIMITS = ("address_space_mib", "data_mib", "open_files", "stack_kib", "file_size_mib", "cpu_seconds", "processes") + (
    "group_memory_mib",
)
_TOML_LINE = re.compile(r"at line (\d+)")
_FILE_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*")

Table = dict[str, typing.Any]


class ProgramError(ValueError):
    """A program's metadata is invalid. The message names the file, the line and the fault."""


class SentSignal:
    """A signal sent to the running program from outside.

    Attributes:
        name: as in the module ``signal``, for example ``SIGINT``.
        after: seconds to wait: from the start, or from the moment when ``when`` appears.
        when: a text in the output that starts the wait, else empty.
        worker: index of the worker process that gets it; ``None`` stands for all.
    """

    __slots__ = ("after", "name", "when", "worker")

    def __init__(self, name: str, after: float, when: str, worker: int | None) -> None:
        self.name = name
        self.after = after
        self.when = when
        self.worker = worker


class Program:
    """One fault program as its file states it.

    Attributes:
        path: the file, as given to ``read_program``.
        text: the whole source.
        requires_python: version specifier, for example ``>=3.10``; empty if the block has none.
        dependencies: requirement specifiers as pip reads them.
        exit: expected exit code of the broken program, ``"nonzero"`` or ``"hangs"``.
        signal: name of the expected signal, else empty.
        limits: name of the limit -> value, in the unit that its name ends in.
        files: name -> content, created in the working folder before the run.
        options: see the keys in this module's docstring for the remaining attributes.
    """

    __slots__ = (
        "args",
        "dependencies",
        "env",
        "exit",
        "files",
        "isolated",
        "limits",
        "memory_mib",
        "name",
        "needs",
        "observed",
        "path",
        "python",
        "rate",
        "requires_python",
        "send_signal",
        "signal",
        "stdin",
        "text",
        "timeout",
        "tmpfs_mib",
        "workers",
    )

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.requires_python = ""
        self.dependencies: tuple[str, ...] = ()
        self.name = "train.py"
        self.timeout = 120.0
        self.exit: int | str = "nonzero"
        self.signal = ""
        self.send_signal: SentSignal | None = None
        self.limits: dict[str, int] = {}
        self.memory_mib: int | None = None
        self.files: dict[str, bytes] = {}
        self.workers = 0
        self.env: dict[str, str] = {}
        self.rate = 1.0
        self.observed = False
        self.python = ""
        self.isolated = False
        self.tmpfs_mib: int | None = None
        self.stdin = ""
        self.args: tuple[str, ...] = ()
        self.needs: tuple[str, ...] = ()


def read_program(path: str, text: str) -> Program:
    """Read a program's metadata.

    Args:
        path: the file's name, for messages.
        text: its content.

    Raises:
        ProgramError: there is no ``script`` block or more than one, it is not TOML, or a key or value is wrong.
    """
    program = Program(path, text)
    metadata, first_line = _metadata(path, text)

    def wrong(key: str, what: str) -> ProgramError:
        return ProgramError(f"{path}:{_line_of(text, key, first_line)}: {key}: {what}")

    tools = metadata.pop("tool", {})
    for key, value in metadata.items():
        if key == "requires-python" and isinstance(value, str):
            program.requires_python = value
        elif key == "dependencies" and _is_texts(value):
            program.dependencies = tuple(value)
        elif key in ("requires-python", "dependencies"):
            raise wrong(key, "requires-python is a text, dependencies a list of texts")
        else:
            raise wrong(key, "the block knows requires-python, dependencies and [tool.tfhelp]")
    options = tools.get("tfhelp", {}) if isinstance(tools, dict) else None
    if not isinstance(options, dict):
        raise wrong("tool", "[tool.tfhelp] is a table")
    for key, value in options.items():
        reader = _READERS.get(key)
        if reader is None:
            raise wrong(key, f"unknown key; known are {', '.join(_READERS)}")
        try:
            setattr(program, key.replace("-", "_"), reader(value))
        except _WrongValueError as error:
            raise wrong(key, str(error)) from None
    if program.python and not program.dependencies:
        raise wrong("python", "another interpreter needs the dependencies to install for it")
    return program


def _metadata(path: str, text: str) -> tuple[Table, int]:
    """The parsed ``script`` block and the number of the line that it begins on."""
    blocks = [match for match in _BLOCK.finditer(text) if match.group("type") == "script"]
    if len(blocks) != 1:
        what = "no '# /// script' block" if not blocks else "more than one '# /// script' block"
        raise ProgramError(f"{path}:1: {what} (PEP 723; it ends with a line '# ///')")
    first_line = text.count("\n", 0, blocks[0].start()) + 1
    content = "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in blocks[0].group("content").splitlines(keepends=True)
    )
    try:
        return tomllib.loads(content), first_line
    except tomllib.TOMLDecodeError as error:
        where = _TOML_LINE.search(str(error))
        line = first_line + int(where.group(1)) if where else first_line
        raise ProgramError(f"{path}:{line}: the block is not TOML: {error}") from None


def _line_of(text: str, key: str, first_line: int) -> int:
    """Number of the line in the block with a key; the block's first line if that is unknown."""
    named = re.compile(rf"#\s*\[?(?:tool\.tfhelp\.)?\"?{re.escape(key)}\b")
    for number, line in enumerate(text.splitlines()[first_line:], first_line + 1):
        if named.match(line):
            return number
    return first_line


class _WrongValueError(Exception):
    """A value does not fit its key; the message says what is expected."""


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _WrongValueError("must be a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not _is_texts(value):
        raise _WrongValueError("must be a list of texts")
    return tuple(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise _WrongValueError("must be a number of seconds above 0")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _WrongValueError("must be an integer, at least 1")
    return value


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise _WrongValueError("must be above 0 and at most 1")
    return float(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongValueError("must be true or false")
    return value


def _exit(value: object) -> int | str:
    if value in ("nonzero", "hangs"):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 255:
        raise _WrongValueError('must be an exit code from 0 to 255, "nonzero" or "hangs"')
    return value


def _signal_name(value: object) -> str:
    if not isinstance(value, str) or not value.startswith("SIG") or not hasattr(signal, value):
        raise _WrongValueError('must be the name of a signal, for example "SIGKILL"')
    return value


def _file_name(value: object) -> str:
    if not isinstance(value, str) or not _FILE_NAME.fullmatch(value) or ".." in value.split("/"):
        raise _WrongValueError(f"{value!r} is not a file name inside the working folder")
    return value


def _script_name(value: object) -> str:
    name = _file_name(value)
    if "/" in name or not name.endswith(".py"):
        raise _WrongValueError("must be a plain file name that ends in .py")
    return name


def _send_signal(value: object) -> SentSignal:
    if not isinstance(value, dict) or not {"name"} < set(value) <= {"name", "after", "when", "worker"}:
        raise _WrongValueError("has the keys name, and after or when or both, and perhaps worker")
    if "after" not in value and "when" not in value:
        raise _WrongValueError("needs after (seconds) or when (a text on the output)")
    worker = value.get("worker")
    if worker is not None and (isinstance(worker, bool) or not isinstance(worker, int) or worker < 0):
        raise _WrongValueError("worker must be the index of a worker process, from 0")
    after = _seconds(value["after"]) if "after" in value else 0.0
    return SentSignal(_signal_name(value["name"]), after, _text(value.get("when", "")), worker)


def _limits(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise _WrongValueError("must be a table")
    for name in value:
        if name not in _LIMITS:
            raise _WrongValueError(f"unknown limit {name}; known are {', '.join(_LIMITS)}")
    return {name: _count(limit) for name, limit in value.items()}


def _files(value: object) -> dict[str, bytes]:
    if not isinstance(value, dict):
        raise _WrongValueError("must be a table: name -> text or {base64 = ...}")
    files = {}
    for name, content in value.items():
        if isinstance(content, str):
            files[_file_name(name)] = content.encode()
        elif isinstance(content, dict) and set(content) == {"base64"} and isinstance(content["base64"], str):
            try:
                files[_file_name(name)] = base64.b64decode(content["base64"], validate=True)
            except binascii.Error as error:
                raise _WrongValueError(f"{name} is not base64: {error}") from None
        else:
            raise _WrongValueError(f'{name} must be a text or {{base64 = "..."}}')
    return files


def _env(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise _WrongValueError("must be a table: name -> text")
    return dict(value)


_READERS: dict[str, typing.Callable[[object], typing.Any]] = {
    "name": _script_name,
    "timeout": _seconds,
    "exit": _exit,
    "signal": _signal_name,
    "send-signal": _send_signal,
    "limits": _limits,
    "memory_mib": _count,
    "files": _files,
    "workers": _count,
    "env": _env,
    "rate": _share,
    "observed": _truth,
    "python": _text,
    "isolated": _truth,
    "tmpfs_mib": _count,
    "stdin": _text,
    "args": _texts,
    "needs": _texts,
}
