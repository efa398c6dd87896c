"""The words that every renderer of an answer shares. Plain text: the renderer escapes it."""

import typing

from tfhelp.service.vocabulary import CAUSE_VERDICTS, EXPLAINED, SAFETY, VERDICTS, percent

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCause
    from tfhelp.service.diagnosis.answer import Action, Answer, CauseRow, EvidenceRow, Match, MatchedLine, ReadersLine

RIVAL = 0.05
"""Confidence below which another cause or entry is left out."""

RAN_WELL = "The program ran to its end, and no line shows a failure."
SOLVED = "The text says that the problem is solved."
WISH = "The text asks for a feature or proposes a change, and reports no failure."
IF_STILL_WRONG = "If something still looks wrong, say what you expected and what happened instead."
SEVERAL = "The text does not say enough to name one problem. It may be one of these:"
SAY_MORE = "Paste the error message or the last lines of the output; 'tfhelp explain ENTRY' shows one."
NO_GUESS = "Nothing in it matches a known problem well enough. A guess would cost you time, so there is none."
NEAREST = "Closest, but not certain enough to be an answer:"
HARMLESS = "Harmless, nothing to do:"
WORKED = "It worked if:"
UNDO = "To undo:"
WRONG = "Not the right fix if:"
DECIDES = "What would decide:"
MYTH = "Myth:"
FACT = "Fact:"
SUPPORTS = "What supports it:"

_LONGEST_LINE = 300  # characters of a pasted line


def names_an_entry(answer: "Answer") -> bool:
    """Return whether the answer is one entry with its causes and fixes."""
    return answer["verdict"] in ("diagnosed", "likely") and bool(answer["matches"])


def no_failure(answer: "Answer | dict[str, typing.Any]") -> str:
    """Why nothing failed in a text without harmless messages. It needs the whole answer, since a shared one has no facts."""
    log = (answer.get("facts") or {}).get("log") or {}
    if log.get("told_solved"):
        return SOLVED
    return WISH if log.get("asks_for_feature") else RAN_WELL


def headline(answer: "Answer") -> str:
    """The verdict in one line.

    >>> headline({"verdict": "diagnosed", "matches": [{"title": "The GPU is full", "confidence": 0.9}]})
    'Found: The GPU is full (90% sure)'
    >>> headline({"verdict": "unknown", "matches": []})
    'I do not know this one'
    """
    said = VERDICTS[answer["verdict"]]
    if names_an_entry(answer):
        return f"{said}: {answer['matches'][0]['title']} ({sure(answer['matches'][0])})"
    if answer["verdict"] == "undecided":
        return f"{said} {len(answer['matches'])} problems"
    return f"{said}: {EXPLAINED[0].lower()}{EXPLAINED[1:]}".rstrip(".") if answer["verdict"] == "explained" else said


def sure(match: "Match") -> str:
    """How certain an entry is."""
    return f"{percent(match['confidence'])} sure"


def cause_verdict(cause: "CauseRow") -> str:
    """``likely (62%)``."""
    return f"{CAUSE_VERDICTS[cause['verdict']]} ({percent(cause['confidence'])})"


def rivals(match: "Match") -> "list[CauseRow]":
    """Other causes that are still possible."""
    return [cause for cause in match["causes"][1:] if cause["verdict"] != "ruled-out" and cause["confidence"] >= RIVAL]


def ruled_out(match: "Match") -> "list[CauseRow]":
    """Causes that the facts rule out, except the leading one."""
    return [cause for cause in match["causes"][1:] if cause["verdict"] == "ruled-out"]


def other_entries(answer: "Answer") -> "list[Match]":
    """Entries after the first one that are still possible."""
    return [match for match in answer["matches"][1:] if match["confidence"] >= RIVAL]


def where(matched: "MatchedLine") -> str:
    """``line 9``, or ``facts`` if it is not from a line."""
    return f"line {matched['line']}" if matched["line"] else "facts"


def line_text(matched: "MatchedLine") -> str:
    """A matched line, cut if it is very long."""
    text = matched["text"]
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + " \u2026"


def because(row: "EvidenceRow") -> str:
    """A reason and, in brackets, the source of its fact."""
    return row["because"] + (f" [{row['source']}]" if row["source"] else "")


def safety(action: "Action") -> str:
    """The risk of a step; empty if it is safe."""
    said = action["safety"]
    if said["level"] == "safe":
        return ""
    return SAFETY[said["level"]] + (f": {said['note']}" if said.get("note") else "")


def harmless(answer: "Answer") -> list[tuple[str, str, list[int]]]:
    """(entry, title, its first lines) of the harmless messages in the text, each entry once."""
    shown = {match["entry"] for match in answer["matches"]}
    found: dict[str, tuple[str, set[int]]] = {}
    for row in answer["benign"]:
        if row["entry"] not in shown:
            found.setdefault(row["entry"], (row["title"], set()))[1].add(row["line"])
    return [(entry, title, sorted(lines)[:4]) for entry, (title, lines) in found.items()]


def at_lines(lines: typing.Sequence[int]) -> str:
    """``line 3, 7``; empty without a line, as for a fact."""
    numbers = [str(line) for line in lines if line]
    return f"line {', '.join(numbers)}" if numbers else ""


def facts_left_out(answer: "Answer") -> str:
    """Why facts of this machine did not count; empty if they did."""
    whys = [row["why"] for row in answer["stepped_back"] if "another machine" in row["why"]]
    return f"Facts of this machine were left out: {whys[0]}" if whys else ""


def more_may_help(answer: "Answer") -> str:
    """What else the user can give if there is no answer: only what was not given.

    >>> more_may_help({"facts": {"run": {"exit_code": 0}}})
    'More of the log (from its first line) or the script (--code) may help.'
    """
    facts = answer.get("facts") or {}
    ways = ["More of the log (from its first line)"]
    ways += [] if "exit_code" in (facts.get("run") or {}) else ["the exit code (--exit-code)"]
    ways += [] if facts.get("code") else ["the script (--code)"]
    return f"{' or '.join(filter(None, (', '.join(ways[:-1]), ways[-1])))} may help."


def your_line(line: "ReadersLine") -> str:
    """``train.py:9: model.fit(x)``."""
    return f"{line['file']}:{line['line']}" + (f": {line['source']}" if line["source"] else "")


def question(answer: "Answer") -> str:
    """The one fact that would decide, as a question; empty if there is none."""
    return f"{answer['ask_for'][0]['why']} ({answer['ask_for'][0]['fact']})" if answer["ask_for"] else ""


def next_commands(answer: "Answer") -> list[tuple[str, str]]:
    """(command, its purpose) of what to run next."""
    commands = [(row["command"], row["why"]) for row in answer["ask_for"][:1] if row["command"]]
    if names_an_entry(answer):
        commands.append((f"tfhelp explain {answer['matches'][0]['entry']}", "everything that tfhelp knows about this problem"))
    elif answer["abstained"] and answer.get("nearest"):
        commands.append((f"tfhelp explain {answer['nearest'][0]['entry']}", "the nearest known problem"))
    return commands


def source(source: dict[str, typing.Any]) -> str:
    """Where a piece of advice comes from."""
    if "url" in source:
        return f"{source['url']} (seen {source['seen']})"
    if "document" in source:
        return f'"{source["document"]}"' + (f", {source['part']}" if "part" in source else "")
    return f"tested here: {source['ran']}"


def supports(cause: "CompiledCause") -> list[str]:
    """What supports a cause. Two checks may read different facts to find out the same, and then have the same sentence."""
    return list(dict.fromkeys(check["says"] for check in cause["checks"]))


def myth(row: typing.Mapping[str, str]) -> str:
    """A common misconception, and what is right."""
    return f"{MYTH} {row['says'].rstrip('.')}. {FACT} {row['truth']}"


def remarks(answer: "Answer") -> list[str]:
    """The lines below an answer: what a team's memory knows about the failure, and what was recognised in the input."""
    recalled = typing.cast("dict[str, typing.Any]", answer).get("memory") or {}
    says = recalled.get("says", [])
    notes = [note for note in answer.get("notes", []) if note not in says]  # doors that show no memory have these among the notes
    return [*([" ".join(says)] if says else []), *notes]
