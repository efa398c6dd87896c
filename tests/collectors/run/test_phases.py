"""What a process is doing, and whose call it crashed in, by its stack."""

import pytest

from tfhelp.collectors.run.phases import crash_place, is_deep_recursion, phase_of
from tfhelp.collectors.run.process_facts import put_lost
from tfhelp.collectors.run.processes import ProcessRecord, exception_line
from tfhelp.collectors.run.python_stacks import StackFrame, ThreadStack
from tfhelp.kb.fact_sheet import FactSheet

SITE = "/srv/venv/lib/python3.11/site-packages"
KERAS = f"{SITE}/keras/src/backend/tensorflow/trainer.py"
EXECUTE = f"{SITE}/tensorflow/python/eager/execute.py"
TRACING = f"{SITE}/tensorflow/python/framework/func_graph.py"
CALLING = f"{SITE}/tensorflow/python/eager/polymorphic_function/tracing_compilation.py"
TYPES = f"{SITE}/tensorflow/core/function/polymorphism/function_type.py"
PROCESSES = "/usr/lib/python3.11/multiprocessing"
OWN = "/home/user/train.py"


def thread(*calls: tuple[str, str]) -> ThreadStack:
    return ThreadStack("main", True, [StackFrame(file, 7, function) for file, function in calls])


@pytest.mark.parametrize(
    ("calls", "phase"),
    [
        ([(EXECUTE, "quick_execute"), (KERAS, "fit"), (OWN, "<module>")], "training"),
        ([(EXECUTE, "quick_execute"), (KERAS, "evaluate"), (KERAS, "fit"), (OWN, "<module>")], "validation"),
        ([(EXECUTE, "quick_execute"), (KERAS, "evaluate"), (OWN, "<module>")], "evaluation"),
        ([(EXECUTE, "quick_execute"), (KERAS, "predict"), (OWN, "f"), (KERAS, "fit"), (OWN, "<module>")], "prediction"),
        ([(OWN, "call"), (TRACING, "func_graph_from_py_func"), (KERAS, "fit"), (OWN, "<module>")], "tracing"),
        ([(EXECUTE, "quick_execute"), (CALLING, "call_function"), (KERAS, "fit"), (OWN, "<module>")], "training"),
        (
            [
                (TYPES, "canonicalize_to_monomorphic"),
                (CALLING, "_maybe_define_function"),
                (CALLING, "trace_function"),
                (CALLING, "call_function"),
                (KERAS, "evaluate"),
                (KERAS, "fit"),
                (OWN, "<module>"),
            ],
            "validation",
        ),
        ([("<frozen importlib._bootstrap_external>", "get_data"), (OWN, "<module>")], "import"),
        ([(OWN, "fit"), (OWN, "<module>")], None),
        ([("/usr/lib/python3.11/threading.py", "_shutdown")], "exit"),
        ([(f"{PROCESSES}/process.py", "join"), (f"{PROCESSES}/util.py", "_exit_function")], "exit"),
        ([(OWN, "_shutdown")], None),
        ([("/usr/lib/python3.11/threading.py", "_shutdown"), (OWN, "<module>")], None),
    ],
)
def test_the_phase(calls: list[tuple[str, str]], phase: str | None) -> None:
    assert phase_of(thread(*calls)) == phase


@pytest.mark.parametrize(
    ("calls", "place"),
    [
        ([(OWN, "smooth"), (KERAS, "fit"), (OWN, "<module>")], "own-code"),
        ([("/usr/lib/python3.11/ctypes/__init__.py", "string_at"), (OWN, "<module>")], "own-code"),
        ([(EXECUTE, "quick_execute"), (OWN, "<module>")], "tensorflow"),
        ([(f"{SITE}/numpy/linalg/_linalg.py", "svd"), (OWN, "<module>")], "library"),
        ([], None),
    ],
)
def test_the_place_of_a_crash(calls: list[tuple[str, str]], place: str | None) -> None:
    assert crash_place(thread(*calls)) == place


def test_a_recursion_is_deep_and_repeats_itself() -> None:
    assert is_deep_recursion(thread(*[(OWN, "depth"), (OWN, "parts")] * 50))
    assert not is_deep_recursion(thread(*[(OWN, "depth")] * 20))
    assert not is_deep_recursion(thread(*[(OWN, f"layer{number}") for number in range(100)]))


def record(pid: int, ended: bool = False, failure: str = "") -> ProcessRecord:
    found = ProcessRecord(pid)
    found.ended, found.failure = ended, failure
    return found


@pytest.mark.parametrize(
    ("records", "there", "hung", "lost"),
    [
        ([record(1), record(2), record(3, ended=True)], [1], False, 1),
        ([record(1), record(2), record(3)], [1], False, None),  # as when a pool is shut down
        ([record(1), record(2), record(3)], [1, 3], True, 1),
        ([record(1), record(2, failure="ValueError: no")], [1], True, 0),
        ([record(1)], [1], False, 0),
    ],
)
def test_processes_that_are_gone_without_a_word(
    records: list[ProcessRecord], there: list[int], hung: bool, lost: int | None
) -> None:
    sheet = FactSheet()
    put_lost(sheet, records, there, hung)
    assert sheet.values.get("run.processes_lost") == lost


@pytest.mark.parametrize(
    ("traceback", "line"),
    [
        ('Traceback (most recent call last):\n  File "t.py", line 1\nKeyError: 3\n', "KeyError: 3"),
        (
            'Traceback (most recent call last):\n  File "t.py", line 1\na.NotFoundError: Graph error\n\t [[x]] [Op:y]',
            "a.NotFoundError: Graph error",
        ),
        ("", ""),
    ],
)
def test_the_line_that_names_the_exception(traceback: str, line: str) -> None:
    assert exception_line(traceback).strip() == line.strip()
