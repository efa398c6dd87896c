"""``import tfhelp``: the diagnosis as a function call. ``tfhelp.diagnose`` describes its arguments."""

import os
import threading
import typing

from tfhelp.collectors.intake import Intake, take, take_text
from tfhelp.service.diagnosis.given import Given, join, with_notes
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.diagnosis.diagnoser import Diagnoser

Json = dict[str, typing.Any]
Code = str | os.PathLike[str] | None

_diagnosers: list["Diagnoser"] = []
_loading = threading.Lock()


def answer_to(
    text: str | bytes,
    facts: typing.Mapping[str, typing.Any] | None,
    code: Code,
    exit_code: int | None,
    python: str | None,
    collect: bool,
    top: int,
) -> "Answer":
    """See ``tfhelp.diagnose`` for arguments, result and errors."""
    if not isinstance(text, (str, bytes)):
        raise InputError(f"text is of type {type(text).__name__}; expected str or bytes")
    if facts is not None and not isinstance(facts, typing.Mapping):
        raise InputError(f"facts is of type {type(facts).__name__}; expected a mapping, as 'tfhelp collect' prints it")
    if top < 1:
        raise InputError(f"top is {top}; it must be at least 1")
    given = _given(text, _with_run({} if facts is None else dict(facts), exit_code), code)
    collected = None
    if collect and (python is not None or not given.machine):
        from tfhelp.service.diagnosis.collecting import collect_meanwhile

        collected = collect_meanwhile(python)
    return with_notes(_diagnoser().diagnose(given.text, given.facts, top, collected), given.notes)


def _given(text: str | bytes, facts: Json, code: Code) -> Given:
    intake = take_text(text) if isinstance(text, str) else take(text)
    facts = _with_code(facts, intake, code)
    given = join([intake], facts, lambda: _diagnoser().knowledge.fact_types)
    if not given.text.strip() and not given.facts:
        raise InputError(given.nothing or "the text is empty; give the error, or how the program ended (exit_code)")
    return given


def _with_run(facts: Json, exit_code: int | None) -> Json:
    if exit_code is None:
        return facts
    run = facts.get("run")
    return {**facts, "run": {**(run if isinstance(run, dict) else {}), "exit_code": exit_code}}


def _with_code(facts: Json, intake: Intake, code: Code) -> Json:
    """The facts, plus those of the program; what the caller states has priority."""
    if code is None or intake.refused:
        return facts
    from tfhelp.service.diagnosis.collecting import merge_documents

    return merge_documents(facts, _facts_of_code(code))


def _facts_of_code(code: str | os.PathLike[str]) -> Json:
    from tfhelp.collectors.code import examine, facts_of_script
    from tfhelp.service.lint.linting import document_of_code, fault_of

    if not (isinstance(code, str) and "\n" in code):
        return document_of_code(os.fspath(code))
    examination = examine(code, "code.py")
    if examination.fault is not None:
        raise InputError(fault_of("code", examination))
    return facts_of_script(code, examination).document()


def _diagnoser() -> "Diagnoser":
    """This process's diagnoser. After the first question, each one takes a few milliseconds."""
    with _loading:
        if not _diagnosers:
            from tfhelp.service.diagnosis.diagnoser import Diagnoser

            _diagnosers.append(Diagnoser.load())
        return _diagnosers[0]
