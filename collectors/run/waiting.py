"""What the processes of a run wait for, as Linux shows it to every user for their own processes.

Not a Python stack: that needs permission to trace, or code inside the program. The kernel function in which the main thread of
a process sleeps (``/proc/PID/wchan``, https://man7.org/linux/man-pages/man5/proc_pid_wchan.5.html) costs nothing to read and
distinguishes a lock from a pipe, a child, the disk or a driver.
"""

import typing

# Part of the kernel function's name -> what is waited for. The first match counts.
_SIGNS = (
    ("futex", "lock"),
    ("pipe", "pipe"),
    ("unix_stream", "pipe"),  # socket pairs, which multiprocessing uses as two-way pipes
    ("nvidia", "driver"),
    ("uvm", "driver"),
    ("nanosleep", "sleep"),
    ("do_wait", "child"),
    ("kernel_wait", "child"),
    ("poll", "event"),  # epoll, poll and select: network, mostly
    ("select", "event"),
    ("sk_", "event"),
    ("tcp", "event"),
    ("inet", "event"),
    ("io_schedule", "disk"),
    ("folio", "disk"),
    ("page", "disk"),
    ("nfs", "disk"),
    ("rpc", "disk"),
)


def waits_for(pid: int, root: str = "/proc") -> str | None:
    """What a process waits for.

    Returns:
        ``lock``, ``pipe``, ``driver``, ``sleep``, ``child``, ``event``, ``disk``, ``nothing`` (it is running) or ``other``;
        ``None`` if the system does not show it.
    """
    try:
        with open(f"{root}/{pid}/wchan", encoding="ascii", errors="replace") as file:
            function = file.read().strip()
        with open(f"{root}/{pid}/stat", encoding="utf-8", errors="replace") as file:
            state = file.read().rpartition(")")[2].split()[:1]
    except OSError:
        return None
    if state == ["R"]:
        return "nothing"
    if function in ("", "0"):  # hidden, or it has just woken up
        return None
    return next((what for sign, what in _SIGNS if sign in function), "other")


class Waits(typing.NamedTuple):
    """What the program waits for, and what its workers wait for: each kind once, sorted; ``None`` if nothing is known."""

    program: str | None
    workers: list[str] | None


def waits_of_run(program: typing.Any) -> Waits:
    """What a running program (a ``psutil.Process``) and the processes that it has started wait for.

    Behind a shell or launcher that only waits for its one child, that child is the program.
    """
    import psutil

    try:
        for _ in range(8):
            children = program.children()
            if len(children) != 1 or waits_for(program.pid) != "child":
                break
            program = children[0]
        workers = [waits_for(child.pid) for child in program.children(recursive=True) if not _is_tracker(child)]
    except psutil.Error:
        return Waits(None, None)
    known = sorted({what for what in workers if what is not None})
    return Waits(waits_for(program.pid), known if known and None not in workers else None)


def _is_tracker(process: typing.Any) -> bool:
    """Return whether it is multiprocessing's own helper, which waits on a pipe as long as the program lives."""
    import psutil

    try:
        return any("resource_tracker" in word for word in process.cmdline())
    except psutil.Error:
        return False
