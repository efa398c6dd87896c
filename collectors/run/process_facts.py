"""What the stacks and the ends of a run's processes show: facts for checks, and rows for the reader."""

import re
import signal
import typing

from tfhelp.collectors.run.phases import crash_place, is_deep_recursion, phase_of
from tfhelp.collectors.run.processes import ProcessRecord, failed_records, is_readers_file
from tfhelp.collectors.run.python_stacks import Dump, StackFrame, ThreadStack
from tfhelp.collectors.run.waiting_calls import WHAT, Wait, kind_in, makes_data, short_name, source_of, wait_of
from tfhelp.kb.fact_sheet import FactSheet

_SOURCE = "stacks of the run's processes"
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver", "loky.backend.resource_tracker")
_MOST_ROWS = 12
_TRACEBACK_FRAME = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,9}), in ([^\n]{1,300})')


class Waiting(typing.TypedDict):
    """Where a thread of the reader's code is. ``kind`` is empty if it computes, or if that is not known."""

    process: str
    thread: str
    line: str
    function: str
    kind: str
    waits_for: str
    call: str


class Failure(typing.TypedDict):
    """A process that failed. ``root``: it failed first, and the other failures may only be consequences."""

    process: str
    how: str
    line: str
    root: bool


def is_helper(record: ProcessRecord) -> bool:
    """Return whether it is a process that multiprocessing starts for its own purposes."""
    return any(helper in word for word in record.command for helper in _HELPERS)


def program_of(records: list[ProcessRecord], pid: int) -> ProcessRecord | None:
    """The record of the program itself; behind a shell or a launcher that waits for one process, the record of that process."""
    known = {record.pid: record for record in records if record.dumps and not is_helper(record)}
    first = known.get(pid) or next((record for record in known.values() if record.parent not in known), None)
    while first is not None:
        children = [record for record in known.values() if record.parent == first.pid]
        wait = _main_wait(first.dumps[-1])
        if len(children) != 1 or wait is None or wait.kind != "process" or "multiprocessing" in " ".join(children[0].command):
            break
        if wait.call.startswith(("pool.", "process.", "popen_fork.")):  # its own worker, not a program that it launched
            break
        first = children[0]
    return first


def _main_wait(dump: Dump) -> Wait | None:
    main = dump.main()
    return wait_of(main) if main else None


def put_waits(sheet: FactSheet, records: list[ProcessRecord], pid: int) -> None:
    """For a run that hangs: the calls in which its processes wait. Nothing is put if no stack was read.

    Args:
        sheet: receives the facts.
        records: the processes that run now.
        pid: the program's process id.
    """
    program = program_of(records, pid)
    if program is None:
        return
    main = program.dumps[-1].main()
    if main is not None and (phase := phase_of(main)):
        sheet.put("run.phase", phase, _SOURCE)
        if phase == "exit" and (line := _line_of_another_thread(program.dumps[-1], main)):
            sheet.put("run.thread_line", line, _SOURCE)
    wait = _main_wait(program.dumps[-1])
    if wait is not None:
        sheet.put("run.waits_line", wait.line(), _SOURCE)
        if wait.kind:
            sheet.put("run.waits_in", wait.kind, _SOURCE)
    _put_data_waits(sheet, [thread for thread in program.dumps[-1].threads if makes_data(thread)])
    workers = [record for record in records if record.dumps and record is not program and not is_helper(record)]
    workers = [record for record in workers if record.pid != pid and _is_below(record, program, records)]
    sheet.put("run.worker_processes", len(workers), _SOURCE)
    if workers:
        kinds = {kind_in(main) or "other" for record in workers if (main := record.dumps[-1].main())}
        sheet.put("run.workers_wait_in", sorted(kinds), _SOURCE)
        sheet.put("run.workers_forked", any(_is_fork(record, program) for record in workers), _SOURCE)
        lines = {found.line() for record in workers if (found := _main_wait(record.dumps[-1]))}
        sheet.put("run.worker_lines", sorted(lines), _SOURCE)


def _line_of_another_thread(dump: Dump, main: ThreadStack) -> str | None:
    waits = (wait_of(thread) for thread in dump.threads if thread is not main)
    return next((wait.line() for wait in waits if wait), None)


def _is_fork(record: ProcessRecord, program: ProcessRecord) -> bool:
    """Return whether a worker is a copy of the program. A process that was started from scratch has its own command."""
    return bool(record.command) and record.command == program.command


def _put_data_waits(sheet: FactSheet, threads: list[ThreadStack]) -> None:
    """The thread that makes data: one that runs the reader's code takes precedence over one of a loader."""
    waits = [found for thread in threads if (found := wait_of(thread))]
    if waits:
        sheet.put("run.data_line", waits[0].line(), _SOURCE)
    kinds = [waits[0].kind] if waits else [kind_in(thread) for thread in threads]
    kind = next(filter(None, kinds), None)
    if kind:
        sheet.put("run.data_waits_in", kind, _SOURCE)


def _is_below(record: ProcessRecord, above: ProcessRecord, records: list[ProcessRecord]) -> bool:
    parents = {one.pid: one.parent for one in records}
    place = record.pid
    for _ in range(32):
        place = parents.get(place, 0)
        if place == above.pid:
            return True
    return False


def waiting_rows(records: list[ProcessRecord], pid: int) -> list[Waiting]:
    """Each thread that runs the reader's code: the program's first, and main threads before others."""
    program = program_of(records, pid)
    ordered = sorted(records, key=lambda record: (record is not program, record.pid))
    rows: list[Waiting] = []
    for record in ordered:
        if not record.dumps or is_helper(record):
            continue
        for thread in sorted(record.dumps[-1].threads, key=lambda one: not one.is_main()):
            wait = wait_of(thread)
            if wait is not None:
                kind = "main thread" if thread.is_main() else "thread that makes data" if makes_data(thread) else "a thread"
                rows.append(
                    {
                        "process": record.name(),
                        "thread": kind,
                        "line": wait.line(),
                        "function": wait.frame.function,
                        "kind": wait.kind or "",
                        "waits_for": WHAT.get(wait.kind or "", ""),
                        "call": wait.call,
                    }
                )
    return rows[:_MOST_ROWS]


def failure_rows(records: list[ProcessRecord]) -> list[Failure]:
    """The failures for the reader; the first is the root."""
    return [
        {"process": record.name(), "how": record.how(), "line": failed_line(record), "root": number == 0}
        for number, record in enumerate(failed_records(records)[:_MOST_ROWS])
    ]


def failed_line(record: ProcessRecord) -> str:
    """The innermost line of the reader's code in which a process failed; empty if there is none."""
    if record.failure:
        frames = [StackFrame(file, int(line), name) for file, line, name in _TRACEBACK_FRAME.findall(record.failure)]
        frame = next((one for one in reversed(frames) if is_readers_file(one.file)), None)
    else:
        thread = record.crashed_thread()
        frame = thread.own_line() if thread else None
    if frame is None:
        return ""
    source = source_of(frame)
    return f"{short_name(frame.file)} line {frame.line}" + (f": {source}" if source else "")


def put_end_of(sheet: FactSheet, record: ProcessRecord) -> None:
    """Report the end of a failed process as that of the run, if the program hid it: the training failed, not its launcher."""
    crash = getattr(signal, record.fatal(), None)
    sheet.put("run.exit_code", 128 + crash if crash else 1, _SOURCE)
    sheet.put("run.signal", record.fatal() if crash else None, _SOURCE)
    if crash:
        sheet.put("run.killed_by", "itself", _SOURCE)


def put_lost(sheet: FactSheet, records: list[ProcessRecord], there: typing.Collection[int], hung: bool = False) -> None:
    """How many processes are gone although their interpreter did not reach its end: they were killed, or called ``os._exit``.

    A pool that is shut down ends its workers in this way too. So at the program's end, they count only if another
    worker ended by itself.

    Args:
        sheet: receives the fact.
        records: the processes of the run.
        there: those that are running now, and the program.
        hung: the program is still running.
    """
    workers = [record for record in records if record.pid not in there and not is_helper(record)]
    lost = [record for record in workers if not (record.ended or record.failure or record.fatal())]
    if hung or len(lost) < len(workers) or not lost:
        sheet.put("run.processes_lost", len(lost), _SOURCE)


def put_failures(sheet: FactSheet, records: list[ProcessRecord]) -> None:
    """For a run that has ended: which of its processes failed, and where one crashed."""
    if not records:
        return
    failed = failed_records(records)
    sheet.put("run.processes_failed", len(failed), _SOURCE)
    if failed:
        sheet.put("run.first_failure", f"{failed[0].name()}: {failed[0].how()}", _SOURCE)
    crashed = next((record for record in records if record.fatal()), None)
    thread = crashed.crashed_thread() if crashed else None
    if crashed is None or thread is None:
        return
    if line := failed_line(crashed):
        sheet.put("run.crash_line", line, _SOURCE)
    if place := crash_place(thread):
        sheet.put("run.crash_call", f"{short_name(thread.frames[0].file)} {thread.frames[0].function}", _SOURCE)
        sheet.put("run.crash_in", place, _SOURCE)
        sheet.put("run.crash_recursion", is_deep_recursion(thread), _SOURCE)
