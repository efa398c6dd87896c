"""The extension: what it does for each cell, and the magics ``%tfhelp`` and ``%%tfhelp``."""

from __future__ import annotations

import atexit
import os
import re
import sys
import typing

from . import asking, journal, telling
from .asking import AskError, Question
from .cells import Cells, notebook_of
from .crash_stacks import CrashStacks
from .failures import is_of_tensorflow, may_be_known, text_of, with_cells
from .native_output import NativeOutput
from .watching import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

USAGE = (
    "%tfhelp explains the last exception, %tfhelp TEXT a message or a complaint, %tfhelp --full shows every cause. "
    "%%tfhelp as the first line of a cell watches the cell; with --hang-after SECONDS it also looks when the cell is silent."
)
_OPTION = re.compile(r"--?[a-z][a-z-]*\Z")  # alone, it is a mistyped option and not an error text
_MARK = "# %%tfhelp\n"  # takes the place of the magic's own line, so that lines keep their numbers


class Failure(typing.NamedTuple):
    """An exception that ended a cell: the cell's number (0 for unknown), and its output with the traceback after it."""

    number: int
    text: str
    facts: typing.Dict[str, typing.Any]


class Extension:
    """The extension as loaded by one shell."""

    def __init__(self, shell: typing.Any) -> None:
        self._shell = shell
        self._cells = Cells()
        self._failure: Failure | None = None
        self._death: journal.Death | None = None
        self._watched: tuple[Watch, BaseException | None, bool] | None = None
        self._inside = False
        self._number = 0  # number of the cell that is running, or ran last
        self._files_before: set[str] = set()
        self._watched_files: dict[str, int] = {}
        self._journal: journal.Journal | None = None
        self._native: NativeOutput | None = None
        self._stacks: CrashStacks | None = None

    # ------------------------------------------------------------------ beginning and end

    def start(self) -> None:
        """Register everything; show what must be shown immediately."""
        for number, source in enumerate(self._shell.user_ns.get("In", [])):
            if number and source:
                self._cells.add(number, source)
        self._shell.events.register("pre_run_cell", self._before)
        self._shell.events.register("post_run_cell", self._after)
        self._shell.register_magic_function(self._explain_line, "line", "tfhelp")
        self._shell.register_magic_function(self._run_watched, "cell", "tfhelp")
        if hasattr(self._shell, "kernel"):
            self._open_journal()
        if self._death is not None:
            telling.hint(telling.how_it_died(self._death), "%tfhelp says more.")
        missing = asking.what_is_missing()
        if missing:
            telling.hint(missing, "")

    def _open_journal(self) -> None:
        notebook = str(self._shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or "")
        connection = _connection()
        try:
            self._death = journal.last_death(notebook, connection)
            self._journal = journal.Journal(notebook, connection)
            self._stacks = CrashStacks(self._journal.path("stacks.txt"))
            self._stacks.start()
            if os.name == "posix":
                self._native = NativeOutput(self._journal.path("stderr.log"), self._journal.note_memory)
                self._native.start()
        except (OSError, ValueError, RuntimeError):  # no folder, or a kernel without descriptors: the rest works without them
            pass
        atexit.register(self._close_journal)

    def _close_journal(self) -> None:
        if self._native is not None:
            self._native.stop()
        if self._stacks is not None:
            self._stacks.stop()
        if self._journal is not None:
            self._journal.remove()
        self._native = self._stacks = self._journal = None

    def stop(self) -> None:
        """Leave everything as it was."""
        self._shell.events.unregister("pre_run_cell", self._before)
        self._shell.events.unregister("post_run_cell", self._after)
        for kind in ("line", "cell"):
            self._shell.magics_manager.magics[kind].pop("tfhelp", None)
        atexit.unregister(self._close_journal)
        self._close_journal()

    # ------------------------------------------------------------------ each cell

    def _before(self, info: typing.Any = None) -> None:
        if self._inside or not getattr(info, "store_history", True):
            return
        number = self._number = len(self._shell.user_ns.get("In") or ()) or int(self._shell.execution_count)
        self._cells.add(number, getattr(info, "raw_cell", None) or "", getattr(info, "cell_id", None))
        if self._journal is not None:
            self._journal.begins(number, self._cells.sources(), self._files(number))
        if self._native is not None:
            self._native.cell_begins()

    def _after(self, result: typing.Any = None) -> None:
        if self._inside or result is None or not getattr(getattr(result, "info", None), "store_history", True):
            return
        said = self._native.cell_ends() if self._native is not None else ""
        if self._journal is not None:
            self._journal.cell_ends()
        watched, self._watched = self._watched, None
        if watched is not None:
            self._after_watched(result, *watched)
            return
        error = result.error_before_exec or result.error_in_exec
        if error is not None and not isinstance(error, (SystemExit, KeyboardInterrupt)):
            self._failure = Failure(self._number, said + text_of(error, self._files()), {})
            self._hint(error, self._failure.text)

    def _hint(self, error: BaseException, text: str) -> None:
        """Show one line, if the failure is TensorFlow's or its message is known."""
        ours = is_of_tensorflow(error)
        if not ours and not may_be_known(error, text):
            return
        try:
            answer = asking.answer_to(Question(text, collect=False))
        except AskError:
            return
        if telling.is_worth_a_hint(answer, ours):
            telling.hint(telling.headline(answer), "%tfhelp shows why, and the fix.")

    def _files(self, number: int = 0) -> dict[str, int]:
        """File name of each cell -> its number, including the file that the cell with the given number will have."""
        compiler = self._shell.compile
        files: dict[str, int] = dict(getattr(compiler, "_filename_map", {}))
        if self._inside:  # the shell gives the watched code the number of the next cell
            self._watched_files.update({file: self._number for file in files if file not in self._files_before})
        files.update(self._watched_files)
        sources = self._cells.sources()
        for known in [number] if files and number else [] if files else sources:
            source = sources.get(known, "")
            try:
                name = compiler.get_code_name(source, self._shell.transform_cell(source), known)
            except Exception:  # noqa: BLE001 - an older IPython; its file names contain the numbers
                continue
            files.setdefault(name, known)
        return files

    # ------------------------------------------------------------------ magics

    def _explain_line(self, line: str) -> None:
        """Explain the last exception, or a text. %tfhelp [--full] [TEXT]"""
        text = line.strip()
        full = text == "--full" or text.startswith("--full ")
        text = text[len("--full") :].strip() if full else text
        failure = self._failure or self._failure_before()
        if text in ("-h", "--help", "?"):
            telling.say(USAGE)
        elif _OPTION.match(text):
            telling.say(f"%tfhelp does not know {text.split()[0]!r}. {USAGE}")
        elif text:
            self._ask_and_show(text, {}, self._cells.as_notebook(), full, "")
        elif failure is not None:
            about = f"About the exception of In[{failure.number}]" if failure.number else "About the last exception"
            self._ask_and_show(failure.text, failure.facts, self._cells.as_notebook(), full, about)
        elif self._death is not None:
            death = self._death
            self._ask_and_show(
                telling.text_of_dead_kernel(death),
                telling.facts_of_dead_kernel(death),
                notebook_of(death.cells),
                full,
                telling.how_it_died(death),
            )
        else:
            telling.say(f"No exception so far. {USAGE}")

    def _failure_before(self) -> Failure | None:
        """The exception that the shell remembers from before the extension was loaded."""
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        return Failure(0, text_of(error, self._files()), {}) if isinstance(error, BaseException) else None

    def _ask_and_show(self, text: str, facts: Json, notebook: str, full: bool, about: str) -> bool:
        try:
            answer = asking.answer_to(Question(text, telling.with_loaded_releases(facts), notebook))
        except AskError as error:
            telling.hint(str(error), "")
            return False
        telling.show(answer, full, about)
        return True

    def _run_watched(self, line: str, cell: str) -> None:
        """Run a cell and watch it. %%tfhelp [--full] [--hang-after SECONDS]"""
        words = line.split()
        full = "--full" in words
        rest = [word for word in words if word != "--full"]
        hang_after = _seconds(rest)
        if hang_after is None and rest:
            telling.say(f"%%tfhelp does not know {' '.join(rest)!r}. {USAGE}")
            return
        watch = Watch(self._native, hang_after, lambda watch: self._explain_silence(watch, full))
        self._files_before = set(self._files())
        self._inside = True
        watch.begin()
        try:
            result = self._shell.run_cell(_MARK + cell, store_history=False)
        finally:
            watch.end()
            self._files()
            self._inside = False
        self._watched = watch, result.error_before_exec or result.error_in_exec, full

    def _explain_silence(self, watch: Watch, full: bool) -> None:
        """Explain a silent cell. Runs in the watching thread, while the cell keeps running."""
        files = self._files()
        stack = with_cells(watch.stack(files), files)
        place = watch.place(files)
        about = f"No output for {watch.silence:.0f} s; the cell goes on{' in ' + place if place else ''}"
        facts = telling.facts_of_watch(watch, hung=True)
        self._ask_and_show(
            f"{watch.output()}\n{stack}", telling.with_waiting(facts, stack), self._cells.as_notebook(), full, about
        )

    def _after_watched(self, result: typing.Any, watch: Watch, error: BaseException | None, full: bool) -> None:
        number = self._number
        if error is None:
            self._after_success(watch, full)
            return
        result.error_in_exec = error  # the cell counts as failed, as it would without this extension
        hung = isinstance(error, KeyboardInterrupt) and watch.seemed_hung
        if isinstance(error, (KeyboardInterrupt, SystemExit)) and not hung:
            return
        text = f"{watch.output()}\n{text_of(error, self._files())}"
        facts = telling.facts_of_watch(watch, hung)
        self._failure = Failure(number, text, facts)
        about = f"In[{number}] {'was interrupted' if hung else 'failed'} after {watch.seconds:.1f} s"
        self._ask_and_show(text, facts, self._cells.as_notebook(), full, about)

    def _after_success(self, watch: Watch, full: bool) -> None:
        facts = telling.facts_of_watch(watch)
        facts["run"]["exit_code"] = 0
        how = f"The cell ended after {watch.seconds:.1f} s, with at most {watch.peak_mib:.0f} MiB in the kernel."
        try:
            answer = asking.answer_to(Question(watch.output(), facts, self._cells.as_notebook(), collect=False))
        except AskError as error:
            telling.hint(str(error), "")
            return
        if not telling.calls_for_an_answer(answer):
            telling.hint(how, "Nothing in its output calls for an answer.")
        else:
            self._ask_and_show(watch.output(), facts, self._cells.as_notebook(), full, how)


def _seconds(words: list[str]) -> float | None:
    """The number in ``--hang-after SECONDS``; ``None`` for anything else."""
    try:
        value = float(words[1]) if len(words) == 2 and words[0] == "--hang-after" else 0.0
    except ValueError:
        return None
    return value if 0 < value < float("inf") else None


def _connection() -> str:
    """Name of the kernel's connection file; empty if there is none."""
    try:
        from ipykernel.connect import get_connection_file

        return os.path.basename(get_connection_file())
    except Exception:  # noqa: BLE001 - a different kind of kernel
        return ""
