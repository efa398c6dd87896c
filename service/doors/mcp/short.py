"""The short form of an answer, cut to fit the limit: what a model needs in order to act, and where the rest is."""

import typing

from tfhelp.service.doors.formats.words import your_line
from tfhelp.service.doors.mcp import budget
from tfhelp.service.doors.mcp.budget import cut
from tfhelp.service.doors.mcp.forms import (
    Alternative,
    Cause,
    Diagnosis,
    Fix,
    Line,
    Named,
    OtherCause,
    Question,
    Step,
)
from tfhelp.service.doors.mcp.wording import diagnosis_markdown
from tfhelp.service.vocabulary import EXPLAINED, SAFETY, SEVERITIES, VERDICTS, percent

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, Match
    from tfhelp.service.diagnosis.answer import Fix as WholeFix

_MOST_LINES = 3
_MOST_REASONS = 4
_MOST_OTHERS = 4
_LONGEST_LINE = 240
_LONGEST_NOTE = 300
_RIVAL = 0.01  # confidence below which another cause is left out

MORE = "detail='full', or the resource tfhelp://entries/"
MORE_TEXT = "More of the log (from its first line), the script as code, or the exit code as facts run.exit_code may help."


def diagnosis(answer: "Answer") -> tuple[Diagnosis, str]:
    """The short form and its Markdown, cut to fit ``budget.MOST_TOKENS``. They exceed it if nothing more can be removed."""
    document = _document(answer)
    markdown = diagnosis_markdown(document)
    for shorten in _SHORTER:
        while budget.cost(document, markdown) > budget.MOST_TOKENS and shorten(document):
            markdown = diagnosis_markdown(document)
    return document, markdown


def _document(answer: "Answer") -> Diagnosis:
    document = Diagnosis(verdict=answer["verdict"], says=_headline(answer), kb_version=answer["kb_version"])
    document.notes = [cut(note, _LONGEST_NOTE) for note in answer.get("notes", [])] or None
    document.harmless = list(dict.fromkeys(row["entry"] for row in answer["benign"]))[:6] or None
    if answer["verdict"] in ("diagnosed", "likely"):
        _add_match(document, answer["matches"])
        document.your_line = cut(your_line(answer["your_line"]), _LONGEST_LINE) if "your_line" in answer else None
        _add_question(document, answer)
        document.more = f"{MORE}{document.entry}"
    elif answer["verdict"] == "undecided":
        document.candidates = [_choice(match) for match in answer["matches"]]
        document.more = f"See which sign is there. {MORE_TEXT}"
    elif answer["verdict"] == "nothing-failed":
        document.candidates = [_named(match) for match in answer["matches"]] or None
        document.more = "If something still looks wrong, say what was expected and what happened instead."
    else:
        _add_abstention(document, answer)
    return document


def _headline(answer: "Answer") -> str:
    verdict, matches = answer["verdict"], answer["matches"]
    if verdict in ("diagnosed", "likely"):
        sure = f"{percent(matches[0]['confidence'])} sure"
        return f"{VERDICTS[verdict]}: {matches[0]['title']} ({sure}, {SEVERITIES[matches[0]['severity']]})."
    if verdict == "undecided":
        return f"{VERDICTS[verdict]} {len(matches)} problems: the text does not say enough to name one."
    return EXPLAINED if verdict == "explained" else f"{VERDICTS[verdict]}."


def _add_match(document: Diagnosis, matches: "list[Match]") -> None:
    match = matches[0]
    document.entry, document.title, document.family = match["entry"], match["title"], match["family"]
    document.severity, document.confidence = match["severity"], match["confidence"]
    document.lines = [
        Line(line=row["line"], text=cut(row["text"], _LONGEST_LINE)) for row in match["matched"][:_MOST_LINES]
    ] or None
    first, *others = match["causes"]
    document.cause = _cause(first)
    holding = [row["because"] for row in first["evidence"] if row["outcome"] == "holds"]
    holding += [*match.get("op_says", []), *([match["raised_in"]] if "raised_in" in match else [])]
    document.because = [cut(says, _LONGEST_NOTE) for says in holding[:_MOST_REASONS]] or None
    document.other_causes = [
        OtherCause(id=row["cause"], title=row["title"], verdict=row["verdict"], confidence=row["confidence"])
        for row in others
        if row["verdict"] != "ruled-out" and row["confidence"] >= _RIVAL
    ][:_MOST_OTHERS] or None
    document.candidates = [_named(other) for other in matches[1:]] or None


def _cause(row: "CauseRow") -> Cause:
    return Cause(
        id=row["cause"],
        title=row["title"],
        means=row["means"].strip(),
        verdict=row["verdict"],
        confidence=row["confidence"],
        fix=short_fix(row["fix"]),
    )


def short_fix(fix: "WholeFix") -> Fix:
    """A fix without its reasons and sources."""
    steps = [
        Step(
            say=step["say"],
            code=_code(step),
            language=step["snippet"]["language"] if "snippet" in step else None,
            caution=_caution(step),
            one_of=[
                Alternative(when=one.get("when", ""), say=one["say"], code=_code(one), caution=_caution(one))
                for one in step.get("one_of", [])
            ]
            or None,
        )
        for step in fix["steps"]
    ]
    return Fix(summary=fix["summary"], steps=steps, worked_if=fix["verify"], wrong_if=fix["wrong_when"])


def _code(action: "Action") -> str | None:
    return action["snippet"]["code"].rstrip() if "snippet" in action else None


def _caution(action: "Action") -> str | None:
    safety = action["safety"]
    if safety["level"] == "safe":
        return None
    return ": ".join(part for part in (SAFETY[safety["level"]], safety.get("note", "")) if part)


def _named(match: "Match") -> Named:
    return Named(entry=match["entry"], title=match["title"], confidence=match["confidence"])


def _choice(match: "Match") -> Named:
    sign = match["told_by"]
    return Named(entry=match["entry"], title=match["title"], told_by=sign["sign"], command=sign.get("command"))


def _add_question(document: Diagnosis, answer: "Answer") -> None:
    for question in answer["ask_for"][:1]:
        document.question = Question(fact=question["fact"], why=question["why"], command=question["command"] or None)


def _add_abstention(document: Diagnosis, answer: "Answer") -> None:
    if "explained" in answer:
        document.explained = [cut(says, 2 * _LONGEST_NOTE) for says in answer["explained"]["says"]]
    document.candidates = [
        Named(entry=row["entry"], title=row["title"], confidence=row["confidence"]) for row in answer.get("nearest", [])
    ] or None
    document.more = "The candidates are close, but none is certain enough to be an answer. " if document.candidates else ""
    document.more += MORE_TEXT


# Each function removes one thing and returns whether it did.


def _without_reasons(document: Diagnosis) -> bool:
    return bool(document.because) and _drop_last(document, "because", 2)


def _without_harmless(document: Diagnosis) -> bool:
    return _drop_last(document, "harmless", 0)


def _fewer_lines(document: Diagnosis) -> bool:
    return _drop_last(document, "lines", 1)


def _fewer_candidates(document: Diagnosis) -> bool:
    return document.cause is not None and _drop_last(document, "candidates", 0)


def _fewer_steps(document: Diagnosis) -> bool:
    fix = document.cause.fix if document.cause else None
    if fix is None or len(fix.steps) < 2:
        return False
    fix.steps = fix.steps[:-1]
    fix.steps_left_out = (fix.steps_left_out or 0) + 1
    return True


def _fewer_ways(document: Diagnosis) -> bool:
    steps = document.cause.fix.steps if document.cause else []
    for step in steps:
        if step.one_of and len(step.one_of) > 1:
            step.one_of = step.one_of[:-1]
            return True
    return False


def _fewer_sentences(document: Diagnosis) -> bool:
    return _drop_last(document, "explained", 2) or _drop_last(document, "notes", 0)


def _without_means(document: Diagnosis) -> bool:
    if document.cause is None or document.cause.means is None:
        return False
    document.cause.means = None
    return True


def _drop_last(document: Diagnosis, field: str, least: int) -> bool:
    rows = getattr(document, field) or []
    if len(rows) <= least:
        return False
    setattr(document, field, rows[:-1] or None)
    return True


_SHORTER = (
    _without_reasons,
    _without_harmless,
    _fewer_lines,
    _fewer_candidates,
    _without_means,
    _fewer_steps,
    _fewer_sentences,
    _fewer_ways,
)
