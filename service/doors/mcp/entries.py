"""The entries of the knowledge base as resources: the list, and each entry in full, as Markdown."""

import typing

from tfhelp.service.doors.mcp.short import short_fix
from tfhelp.service.doors.mcp.wording import step_markdown
from tfhelp.service.vocabulary import SEVERITIES

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge
    from tfhelp.kb.compiled_entry import CompiledCause

Json = dict[str, typing.Any]


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
    checks = [f"- {check['says']}" for check in cause["checks"]]
    parts += ["Speaks for it:\n" + "\n".join(checks)] if checks else []
    parts += [f"**Fix:** {fix.summary}", *(step_markdown(number, step) for number, step in enumerate(fix.steps, 1))]
    parts += [f"It worked if: {fix.worked_if}", f"Not the right fix if: {fix.wrong_if}"]
    parts += [f"Often said: {myth['says']}. {myth['truth']}" for myth in whole["myths"]]
    sources = [f"- {_source(source)}" for source in whole["sources"]]
    return [*parts, "Sources:\n" + "\n".join(sources)] if sources else parts


def _source(source: Json) -> str:
    if "url" in source:
        return f"{source['url']} (seen {source['seen']})"
    if "document" in source:
        return f'"{source["document"]}"' + (f", {source['part']}" if "part" in source else "")
    return f"run: {source['ran']}"
