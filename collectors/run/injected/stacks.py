"""A hook: the Python stacks of a process when it crashes or is asked for them, and the exception that ended it.

In ``TFHELP_RUN_FOLDER`` it writes, for each process:

``stacks-PID.txt``
    a header (lines ``pid``, ``parent``, ``signal``, ``rank``, ``python``, ``path``, ``command``), then what the fault
    handler writes: the stacks of all threads on a fatal signal, on Ctrl-C, and on each signal with the number that the header
    names. At the interpreter's end, a line ``own`` follows for each module that was imported from a file outside the
    installation, and then the line ``ended``; anything after it happened while the interpreter was shut down.
``failed-PID.txt``
    the same header and the traceback of the exception that ended the process.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import sys

_HIGH = (1000, 240, 60)  # descriptors that no program relies on: its first file gets the same number as always
_MOST_FILES = 400  # in case workers fail and are restarted for ever
_LONGEST = 1 << 16

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)

_RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "HOROVOD_RANK", "SLURM_PROCID", "TF_CONFIG")

_state = {"folder": "", "descriptor": -1, "signal": 0, "old_error": None, "workers": False}


class _Kept:
    """multiprocessing requires an object that a callback belongs to."""


_kept = _Kept()


def start() -> None:
    """Turn the fault handler on, unless the program was started with it already; watch how the process ends."""
    _state["folder"] = os.environ["TFHELP_RUN_FOLDER"]
    if sys.implementation.name != "cpython":
        return
    _state["signal"] = _number()
    _open()
    atexit.register(_at_end)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    if "--multiprocessing-fork" in _command():
        _watch_workers()


def _number() -> int:
    """The signal that triggers writing stacks: one that programs do not use and that has no handler."""
    import _signal  # signal itself imports enum

    number = getattr(_signal, "SIGRTMAX", 0) - 5
    if number < 0:
        number = getattr(_signal, "SIGINFO", 0)  # macOS has no real-time signals; a process ignores this one
    return number if number and _signal.getsignal(number) in (None, _signal.SIG_DFL) else 0


def _open() -> None:
    """Open a file for this process, and direct the fault handler's output into it."""
    _state["path"] = os.path.join(_state["folder"], f"stacks-{os.getpid()}.txt")
    descriptor = _moved(os.open(_state["path"], _APPEND, 0o600))
    _state["descriptor"], _state["file"] = descriptor, os.fstat(descriptor)[1:3]  # inode and device
    # A program that turned on the fault handler itself keeps it, with its own output file.
    if not faulthandler.is_enabled() or _state.get("ours"):
        faulthandler.enable(descriptor)
        _state["ours"] = True
    if _state["signal"]:
        faulthandler.register(_state["signal"], descriptor, all_threads=True)
    _watch_interrupts()
    os.write(descriptor, _header())


def _watch_interrupts() -> None:
    """Ctrl-C first writes the stacks, and then has its usual effect.

    If the stacks were requested from outside, a waiting thread would already be on its way out. A handler that the program
    sets replaces this one; if the signal is ignored, it stays ignored.
    """
    import _signal

    if hasattr(faulthandler, "register") and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        faulthandler.register(_signal.SIGINT, _state["descriptor"], all_threads=True, chain=True)


def _moved(descriptor: int) -> int:
    try:
        import fcntl
    except ImportError:  # Windows
        return descriptor
    for number in _HIGH:
        try:
            high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, number)
        except (OSError, ValueError):  # above the limit on open files
            continue
        os.close(descriptor)
        return high
    return descriptor


def _header() -> bytes:
    parent = os.getppid() if hasattr(os, "getppid") else 0
    command = ascii(_command()[:64])[:4096]
    rank = next((f"{name}={os.environ[name]}" for name in _RANKS if name in os.environ), "")
    python = f"python {'.'.join(map(str, sys.version_info[:3]))}\npath {sys.path[:64]!a}"
    lines = f"pid {os.getpid()}\nparent {parent}\nsignal {_state['signal']}\nrank {rank[:4096]!a}\n{python}\ncommand {command}\n"
    return lines.encode("ascii")


def _command() -> list[str]:
    words = getattr(sys, "orig_argv", None)
    if words is None:
        try:
            with open("/proc/self/cmdline", "rb") as file:
                words = file.read().decode("utf-8", "replace").split("\0")[:-1]
        except OSError:
            words = []
    return list(words)


def _after_fork() -> None:
    """The child of a fork gets its own file; the parent's file stays with the parent."""
    try:
        old, file = _state["descriptor"], _state["file"]
        _open()
        if os.fstat(old)[1:3] == file:  # programs that go into the background close all files and open others
            os.close(old)
        _state["old_error"] = getattr(sys, "last_value", None)
        _watch_workers()
    except Exception:  # noqa: BLE001 - whatever it is, the program must not notice
        pass


def _watch_workers() -> None:
    """Processes of multiprocessing end without ``atexit``, and their exception is printed and dropped.

    Their last step is to run the finalizers of ``multiprocessing.util``, and while these run, the exception is available. A
    forked process clears the list of finalizers first; a spawned one does not.
    """
    if "--multiprocessing-fork" in _command():
        import multiprocessing.util

        multiprocessing.util.Finalize(None, _at_end_of_worker, exitpriority=-1000)
    util = sys.modules.get("multiprocessing.util")
    if util is not None and not _state["workers"]:  # the child's own children inherit a callback after fork
        _state["workers"] = True
        util.register_after_fork(_kept, lambda _: util.Finalize(None, _at_end_of_worker, exitpriority=-1000))


def _at_end_of_worker() -> None:
    _end(sys.exc_info()[1])


def _at_end() -> None:
    """The interpreter sets ``sys.last_value`` when an exception has ended the program, before it calls ``atexit``."""
    error = getattr(sys, "last_value", None)
    frames = getattr(error, "__traceback__", None)
    # A console and a test runner set it too, for exceptions that they have caught: then the frame has callers.
    ended_it = error is not _state["old_error"] and (frames is None or frames.tb_frame.f_back is None)
    _end(error if ended_it else None)


def _end(error: BaseException | None) -> None:
    try:
        # Recording a KeyboardInterrupt would change the exit status: each eval() here makes Python forget that it had one.
        if error is not None and not isinstance(error, (SystemExit, KeyboardInterrupt)):
            _write_failure(error)
        descriptor = os.open(_state["path"], _APPEND & ~os.O_CREAT)
        os.write(descriptor, _own_modules() + b"ended\n")
        os.close(descriptor)
    except Exception:  # noqa: BLE001 - whatever it is, the program must not notice
        pass


def _own_modules() -> bytes:
    """The files of the program's own modules."""
    places = tuple({os.path.join(place, library) for place in (sys.prefix, sys.base_prefix) for library in ("lib", "Lib")})
    found = set()
    for module in list(sys.modules.values()):
        try:
            file = object.__getattribute__(module, "__dict__").get("__file__")  # a lazy module loads on any other access
        except AttributeError:
            continue
        if isinstance(file, str) and file.endswith(".py") and "-packages" not in file and not file.startswith(places):
            found.add(os.path.abspath(file))
    here = os.path.dirname(os.path.abspath(__file__))
    return "".join(f"own {file!a}\n" for file in sorted(found)[:_MOST_FILES] if os.path.dirname(file) != here).encode("ascii")


def _write_failure(error: BaseException) -> None:
    import traceback

    if len(os.listdir(_state["folder"])) > _MOST_FILES:
        return
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__)).encode("utf-8", "replace")
    if len(text) > _LONGEST:
        text = text[: _LONGEST // 2] + b"\n  ...\n" + text[-_LONGEST // 2 :]
    path = os.path.join(_state["folder"], f"failed-{os.getpid()}.txt")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_header() + text)
