"""An answer as Markdown: to copy, for a thread, for a comment on GitHub, for an agent.

The Markdown is CommonMark without HTML. User names, hosts and secrets are removed, since it leaves the machine; pasted text is
escaped (``escaping``). It is generated from the JSON document alone, so it is the same at every door.
"""

import typing

from tfhelp.service.doors.formats import words
from tfhelp.service.doors.formats.escaping import code, fence, literal, printable_line, prose
from tfhelp.service.vocabulary import EXPLAINED, SEVERITIES, VERDICTS

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, Fix, Match

_MOST_LINES = 5  # lines of the log
_MOST_REASONS = 6
_KEPT_BACK = ("facts", "report")
"""Parts of the document that are not shown, so they need no redaction."""


def markdown(answer: "Answer | dict[str, typing.Any]", full: bool = False) -> str:
    """The answer as Markdown.

    Args:
        answer: the JSON document of a diagnosis.
        full: whether to add the fixes of the other causes, the unknown facts, the sources and common misconceptions.

    Returns:
        Lines that end with a line break.
    """
    shown = shareable(answer)
    why = words.no_failure(answer)
    of_verdict = {
        "undecided": _choices,
        "nothing-failed": lambda shown: _nothing_failed(shown, why),
        "explained": _explained,
        "unknown": _unknown,
    }
    lines = of_verdict[shown["verdict"]](shown) if shown["verdict"] in of_verdict else _entry(shown, full)
    lines += _run(shown)
    for note in words.remarks(shown):
        lines += ["", prose(note)]
    lines += ["", f"*tfhelp, knowledge {literal(str(shown['kb_version']))}*"]
    return "\n".join(lines) + "\n"


def shareable(answer: "Answer | dict[str, typing.Any]") -> "Answer":
    """The shown parts of an answer, redacted, so that it may leave the machine."""
    from tfhelp.service.diagnosis.sharing import redacted

    return redacted({key: value for key, value in answer.items() if key not in _KEPT_BACK})


def _entry(answer: "Answer", full: bool) -> list[str]:
    match = answer["matches"][0]
    lines = [
        f"### {VERDICTS[answer['verdict']]}: {prose(match['title'])}",
        "",
        f"{words.sure(match)}, {SEVERITIES[match['severity']]}; `{match['entry']}`",
    ]
    cause = match["causes"][0]
    lines += ["", f"**Cause:** {prose(cause['title'])} \u2013 {words.cause_verdict(cause)}. {prose(cause['means'])}"]
    lines += _fix(cause["fix"])
    lines += _reasons(cause, full)
    lines += _log(match, answer)
    lines += _rivals(answer, match, full)
    if full:
        lines += _myths_and_sources(cause["fix"])
    return [*lines, *_harmless(answer), *_next(answer)]


def _fix(fix: "Fix") -> list[str]:
    lines = ["", f"**Fix:** {prose(fix['summary'])}", ""]
    for number, step in enumerate(fix["steps"], 1):
        margin = " " * (len(str(number)) + 2)
        lines += [f"{number}. {prose(step['say'])}", *_action(step, margin)]
        for choice in step.get("one_of", ()):
            lines += [f"{margin}- **{prose(choice['when'])}:** {prose(choice['say'])}", *_action(choice, margin + "  ")]
    for title, said in ((words.WORKED, fix["verify"]), (words.UNDO, fix.get("undo")), (words.WRONG, fix["wrong_when"])):
        if said:
            lines += ["", f"**{title}** {prose(said)}"]
    return lines


def _action(action: "Action", margin: str) -> list[str]:
    lines = []
    if "snippet" in action:
        lines += ["", *fence(action["snippet"]["code"], _language(action["snippet"]["language"]), margin), ""]
    if words.safety(action):
        lines.append(f"{margin}**Careful: {prose(words.safety(action))}**" + ("" if "why" not in action else "  "))
    if "why" in action:
        lines.append(f"{margin}{prose(action['why'])}")
    return lines


def _language(name: str) -> str:
    return name if name.isalnum() else "text"


def _reasons(cause: "CauseRow", full: bool) -> list[str]:
    speaking = {"holds": "", "fails": "Against it: ", **({"unknown": ""} if full else {})}
    rows = [row for row in cause["evidence"] if row["outcome"] in speaking][: None if full else _MOST_REASONS]
    listed = [f"- {speaking[row['outcome']]}{prose(row['because'])}{_from(row['source'])}" for row in rows]
    return ["", "**Why:**", "", *listed] if listed else []


def _from(source: str) -> str:
    return f" *({literal(source)})*" if source else ""


def _log(match: "Match", answer: "Answer") -> list[str]:
    seen = [row for row in match["matched"] if row["line"]][:_MOST_LINES]
    lines = []
    if seen:
        said = "\n".join(f"{row['line']}: {printable_line(' '.join(words.line_text(row).split()))}" for row in seen)
        lines += ["", "**Lines of the log:**", "", *fence(said, pasted=True)]
    if "your_line" in answer:
        lines += ["", f"**Your line:** {code(words.your_line(answer['your_line']))}"]
    facts = [row["text"] for row in match["matched"] if not row["line"]]
    if facts:
        lines += ["", f"**Facts:** {prose('; '.join(facts))}"]
    for says in (*([match["raised_in"]] if "raised_in" in match else []), *match.get("op_says", [])):
        lines += ["", prose(says)]
    return lines


def _rivals(answer: "Answer", match: "Match", full: bool) -> list[str]:
    rows: list[str] = []
    for cause in words.rivals(match):
        rows.append(f"- {words.cause_verdict(cause)}: {prose(cause['title'])}")
        if full:
            rows += [f"  {line}".rstrip() for line in _fix(cause["fix"])]
    rows += [f"- {words.sure(other)}: {prose(other['title'])} (`{other['entry']}`)" for other in words.other_entries(answer)]
    lines = ["", "**It could also be:**", "", *rows] if rows else []
    ruled_out = words.ruled_out(match)
    return [*lines, "", "Ruled out: " + prose("; ".join(cause["title"] for cause in ruled_out))] if ruled_out else lines


def _myths_and_sources(fix: "Fix") -> list[str]:
    lines = []
    for myth in fix["myths"]:
        lines += ["", f"**{words.MYTH}** {prose(myth['says'].rstrip('.'))}. **{words.FACT}** {prose(myth['truth'])}"]
    if fix["sources"]:
        lines += ["", "**Sources:**", "", *(f"- {_source(source)}" for source in fix["sources"])]
    return lines


def _source(source: dict[str, typing.Any]) -> str:
    said = words.source(source)
    url = source.get("url", "")
    plain = url.startswith(("https://", "http://")) and not any(mark in url for mark in "<> \n\\")
    return f"<{url}>{literal(said[len(url) :])}" if plain else literal(said)


def _harmless(answer: "Answer") -> list[str]:
    found = words.harmless(answer)
    said = [prose(title) + (f" ({words.at_lines(lines)})" if words.at_lines(lines) else "") for _, title, lines in found]
    return ["", f"**{words.HARMLESS}** {'; '.join(said)}"] if said else []


def _next(answer: "Answer") -> list[str]:
    lines = ["", f"**{words.DECIDES}** {prose(words.question(answer))}"] if answer["ask_for"] else []
    commands = words.next_commands(answer)
    if commands:
        lines += ["", "**What to run next:**", "", *fence("\n".join(command for command, _ in commands), "shell")]
    return lines


def _nothing_failed(answer: "Answer", why: str) -> list[str]:
    lines = [
        f"### {VERDICTS['nothing-failed']}",
        "",
        "Some lines look like errors and are harmless:" if answer["matches"] else why,
    ]
    rows = []
    for match in answer["matches"]:
        place = words.at_lines([row["line"] for row in match["matched"]])
        rows.append(f"- {prose(match['title'])}{f' ({place})' if place else ''}: {prose(match['causes'][0]['means'])}")
    return [*lines, *(["", *rows] if rows else []), "", words.IF_STILL_WRONG]


def _choices(answer: "Answer") -> list[str]:
    lines = [f"### {words.headline(answer)}", "", words.SEVERAL, ""]
    for match in answer["matches"]:
        lines.append(f"- **{prose(match['title'])}** (`{match['entry']}`)  ")
        lines.append(f"  How to tell: {prose(match['told_by']['sign'])}")
        if "command" in match["told_by"]:
            lines += ["", *fence(match["told_by"]["command"], "shell", "  "), ""]
    return [*lines, "", prose(words.SAY_MORE.replace("'", "`"))]


def _unknown(answer: "Answer") -> list[str]:
    lines = [f"### {VERDICTS['unknown']}", "", words.NO_GUESS]
    if answer["condensed"]:
        lines += ["", "What the text says, in short:", "", *fence(answer["condensed"][:400], pasted=True)]
    return [*lines, *_your_line(answer), *_nearest(answer), *_next(answer), "", words.more_may_help(answer)]


def _explained(answer: "Answer") -> list[str]:
    lines = [f"### {VERDICTS['explained']}", "", EXPLAINED, "", *(f"- {prose(says)}" for says in answer["explained"]["says"])]
    return [*lines, *_your_line(answer), *_nearest(answer), *_next(answer)]


def _your_line(answer: "Answer") -> list[str]:
    return ["", f"**Your line:** {code(words.your_line(answer['your_line']))}"] if "your_line" in answer else []


def _nearest(answer: "Answer") -> list[str]:
    rows = [f"- {prose(row['title'])} (`{row['entry']}`)" for row in answer.get("nearest", [])]
    return ["", words.NEAREST, "", *rows] if rows else []


def _run(answer: "Answer") -> list[str]:
    if not answer.get("run"):
        return []
    from tfhelp.service.run.findings import lines_of

    lines = lines_of(answer["run"])
    return ["", "**What the run showed:**", "", *fence("\n".join(lines), pasted=True)] if lines else []
