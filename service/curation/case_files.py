"""Files of cases with known answers, and the errors in them."""

import difflib
import json
import typing

from tfhelp.service.curation.feedback_cases import case_of, is_export
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge

Json = dict[str, typing.Any]


class CaseFile(typing.NamedTuple):
    """The cases of a file, each with an ``id``. ``exported``: a memory wrote them, so no curator typed their ids."""

    cases: list[Json]
    exported: bool

    def check_names(self, knowledge: "Knowledge") -> None:
        """Check that the entries and causes of the cases exist: a misspelt id would count as a miss.

        An exported file may name an entry that a later release has renamed; that is not the fault of the person who evaluates it.

        Raises:
            InputError: an entry or cause does not exist.
        """
        for case in [] if self.exported else self.cases:
            entries = _given(case, "entry")
            for name in entries:
                _check(case, "entry", name, list(knowledge.summaries), "; for an entry of your own, give its folder with --kb")
            causes = [cause["id"] for name in entries for cause in knowledge.entry(name)["causes"]]
            for name in _given(case, "cause"):
                _check(case, "cause", name, causes, f" in {' or '.join(entries) or 'a case without an entry'}")


def read_cases(path: str) -> CaseFile:
    """Read JSON lines: ``text``, ``entry`` and more, or what ``tfhelp memory export`` writes.

    Raises:
        InputError: the file cannot be read, or a line is not a case; the message names the line.
    """
    try:
        with open(path, encoding="utf-8") as file:
            rows = [(number, json.loads(line)) for number, line in enumerate(file, 1) if line.strip()]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not JSON lines: {error}") from None
    if rows and isinstance(rows[0][1], dict) and is_export(rows[0][1]):
        return CaseFile([case for _, row in rows[1:] if isinstance(row, dict) and (case := case_of(row))], True)
    for number, case in rows:
        if not isinstance(case, dict) or not isinstance(case.get("text"), str) or "entry" not in case:
            raise InputError(f"{path}:{number}: a case needs 'text' and 'entry'")
        for name, others in (("entry", "entries_ok"), ("cause", "causes_ok")):
            if not isinstance(case.get(name), str | None):
                raise InputError(f"{path}:{number}: {name!r} must be an id or null")
            if not isinstance(case.get(others, []), list) or not all(isinstance(item, str) for item in case.get(others, [])):
                raise InputError(f"{path}:{number}: {others!r} must be a list of ids")
    return CaseFile([{"id": f"{path}:{number}", **case} for number, case in rows], False)


def _given(case: Json, name: str) -> list[str]:
    """The right entry or cause of a case, and the others that count as right."""
    others = case.get({"entry": "entries_ok", "cause": "causes_ok"}[name], [])
    return [*([case[name]] if case.get(name) else []), *others]


def _check(case: Json, what: str, name: str, known: list[str], hint: str) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, known, 1, 0.5)
        raise InputError(f"case {case['id']}: there is no {what} {name!r}" + (f"; did you mean {near[0]!r}?" if near else hint))
