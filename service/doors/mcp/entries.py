"""The entries of the knowledge base as resources: the list, and each entry in full, as Markdown."""

import typing

from tfhelp.service.doors.formats import words
from tfhelp.service.doors.mcp.short import short_fix
from tfhelp.service.doors.mcp.wording import step_markdown
from tfhelp.service.vocabulary import SEVERITIES

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge
    from tfhelp.kb.compiled_entry import CompiledCause


def list_markdown(knowledge: "Knowledge") -> str:
    """All entries, one per line, by family."""
    lines: list[str] = []
    family = ""
    for identifier, summary in knowledge.summaries.items():
        if summary["family"] != family:
            family = summary["family"]
            lines += ["", f"## {family}", ""]
        lines.append(f"- `{identifier}`: {summary['title']}")
    return "\n".join(["# Entries", "", "tfhelp://entries/ID is the whole entry.", *lines])


def entry_markdown(knowledge: "Knowledge", identifier: str) -> str:
    """One entry with all its causes, checks, fixes, myths and sources.

    Raises:
        KeyError: there is no such entry.
    """
    entry = knowledge.entry(identifier)
    parts = [
        f"# {entry['title']}",
        f"`{entry['id']}`, {entry['family']}, {SEVERITIES[entry['severity']]}",
        entry["means"].strip(),
    ]
    for cause in entry["causes"]:
        parts += _cause(cause)
    return "\n\n".join(parts)


def _cause(cause: "CompiledCause") -> list[str]:
    from tfhelp.kb.fact_sheet import FactSheet
    from tfhelp.service.diagnosis.fixes import fill_fix

    whole = fill_fix(cause, FactSheet())
    fix = short_fix(whole)
    parts = [f"## {cause['title']}", f"`{cause['id']}`, {cause['frequency']}", cause["means"].strip()]
    signs = [f"- {sentence}" for sentence in words.supports(cause)]
    parts += [f"{words.SUPPORTS}\n" + "\n".join(signs)] if signs else []
    parts += [f"**Fix:** {fix.summary}", *(step_markdown(number, step) for number, step in enumerate(fix.steps, 1))]
    parts += [f"{words.WORKED} {fix.worked_if}", f"{words.WRONG} {fix.wrong_if}"]
    parts += [words.myth(myth) for myth in whole["myths"]]
    sources = [f"- {words.source(source)}" for source in whole["sources"]]
    return [*parts, "Sources:\n" + "\n".join(sources)] if sources else parts
