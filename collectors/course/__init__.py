"""The course of the run: what began, how far it got, which failures it did not survive, how it ended.

Lines and records become events (``scan``, with ``progress``, ``outputs`` and ``failures``), the events of each process
become its course (``story``), and the courses become facts with the line that shows them. What an event means is decided by
the derived facts and the diagnosis.
"""

from tfhelp.collectors.course.scan import Stories, events_of, is_written_by_user
from tfhelp.collectors.course.setting import devices, kind, started
from tfhelp.collectors.course.story import Course
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record, Text

_TITLE_WORDS = 6

FACTS = (
    "course.kind",
    "course.started",
    "course.words",
    "course.devices",
    "course.planned_epochs",
    "course.done_epochs",
    "course.planned_steps",
    "course.done_steps",
    "course.last",
    "course.end",
    "course.failures",
    "course.failure_line",
    "course.survived",
    "course.workers_failed",
    "course.parent_exit",
)

_ORDER = ("waiting", "interrupted", "silent", "completed", "unknown")  # the order in which ends are chosen if no process failed


def put_course(text: Text, sheet: FactSheet) -> None:
    """Put the course of the run on the sheet, each fact with the line that shows it.

    Args:
        text: lines and records; the cost grows with them, but in a long text only the ends and the failures are read.
        sheet: gets ``course.*``.
    """
    if not text.records:
        return
    stories = events_of(text)
    courses = {worker: _course(stories, worker) for worker in stories}
    _note_warnings(text, courses)
    own = courses.setdefault("", Course())
    if own.wait and any(course.progress_line > own.wait.line for course in courses.values()):
        own.wait = None
    _put_setting(text, stories, sheet)
    _put_failures(courses, sheet)
    _put_progress(max(courses.values(), key=_extent), sheet)
    _put_end(courses, sheet)


def _course(stories: Stories, worker: str) -> Course:
    course = Course()
    for event in stories[worker]:
        course.take(event)
    course.close()
    return course


def _note_warnings(text: Text, courses: dict[str, Course]) -> None:
    """Note each process's last warning or error. If it has done no step, only errors count: warnings are common then."""
    for record in text.records:
        course = courses.get(record.worker)
        if course is not None and record.kind == "log" and (record.level == "E" or (record.level == "W" and course.has_steps)):
            course.warned = max(course.warned, record.last_line)


def _title(records: list[Record]) -> Record | None:
    """The sentence at the top that states the problem; a program's first sentence counts something or is continued."""
    if not records or records[0].kind != "prose":
        return None
    said = records[0].text
    counts = any(character.isdigit() for character in said)
    return None if counts or said.endswith(("...", ":")) or said.count(" ") < _TITLE_WORDS - 1 else records[0]


def _put_setting(text: Text, stories: Stories, sheet: FactSheet) -> None:
    spoken = next((record for record in text.records if is_written_by_user(record)), None) or _title(text.records)
    what = kind(text, stories)
    if what == "prose":
        spoken = spoken or text.records[0]
    sheet.put("course.kind", what, "log line 1")
    if began := started(text, stories):
        sheet.put("course.started", began[0], _at(began[1]))
    sheet.put("course.words", spoken is not None, _at(spoken.first_line if spoken else 1))
    if used := devices(text):
        sheet.put("course.devices", used[0], _at(used[1]))


def _put_failures(courses: dict[str, Course], sheet: FactSheet) -> None:
    failed = sorted(
        ((failure.event.line, worker) for worker, course in courses.items() for failure in course.failures),
        key=lambda one: one[0],
    )
    survived = [failure.event.line for course in courses.values() for failure in course.survived]
    waits = [] if failed else [course.wait.line for course in courses.values() if course.end() == "waiting" and course.wait]
    first = failed[0][0] if failed else min(waits, default=0)
    sheet.put("course.failures", len(failed) + len(waits), _at(first or 1))
    if first:
        sheet.put("course.failure_line", first, _at(first))
    if survived:
        sheet.put("course.survived", len(survived), _at(survived[0]))
    workers = list(dict.fromkeys(worker for _, worker in failed if worker))
    if workers:
        sheet.put("course.workers_failed", workers, _at(first))


def _extent(course: Course) -> int:
    return course.progress_line


def _put_progress(course: Course, sheet: FactSheet) -> None:
    epochs, steps = course.epochs, course.steps
    if epochs.last >= 0:
        sheet.put("course.done_epochs", epochs.done, _at(epochs.line))
        if epochs.announced:
            sheet.put("course.planned_epochs", epochs.announced, _at(epochs.line))
    if steps.last >= 0:
        sheet.put("course.done_steps", steps.last, _at(steps.line))
        if steps.announced:
            sheet.put("course.planned_steps", steps.announced, _at(steps.line))


def _put_end(courses: dict[str, Course], sheet: FactSheet) -> None:
    course = _deciding(courses)
    sheet.put("course.end", course.end(), _at(course.end_line() or 1))
    stage = course.stage()
    if stage:
        sheet.put("course.last", stage, _at(course.last.line if course.last else 1))
    parent = courses[""].exit
    if parent is not None:
        sheet.put("course.parent_exit", parent.number, _at(parent.line))


def _deciding(courses: dict[str, Course]) -> Course:
    """The first course that failed; if none did, the one whose end says most about what went wrong."""
    failed = [course for course in courses.values() if course.failures]
    if failed:
        return min(failed, key=lambda course: course.failures[0].event.line)
    return min(courses.values(), key=lambda course: _ORDER.index(course.end()))


def _at(line: int) -> str:
    return f"log line {line}"
