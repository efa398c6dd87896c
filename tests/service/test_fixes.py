"""The fix of a cause, and how its words are joined."""

import typing

from tfhelp.kb.compiled import load
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.fixes import fill_fix
from tfhelp.service.doors.formats import words
from tfhelp.service.doors.mcp.entries import entry_markdown


def alternatives() -> typing.Iterator[str]:
    knowledge = load()
    for identifier in knowledge.entries():
        for cause in knowledge.entry(identifier)["causes"]:
            for step in fill_fix(cause, FactSheet())["steps"]:
                yield from (choice["when"] for choice in step.get("one_of", ()))


def test_a_condition_has_no_full_stop_before_the_colon_that_follows_it() -> None:
    found = list(alternatives())
    assert found
    assert [when for when in found if when.endswith(".") and not when.endswith("...")] == []


def test_a_myth_and_the_fact_are_told_apart() -> None:
    row = {"says": "Every warning is an error.", "truth": "Most warnings are harmless."}
    assert words.myth(row) == "Myth: Every warning is an error. Fact: Most warnings are harmless."


def test_an_agent_reads_myths_with_one_full_stop() -> None:
    knowledge = load()
    identifier, myth = next(
        (name, myth) for name in knowledge.entries() for cause in knowledge.entry(name)["causes"] for myth in cause["myths"]
    )
    page = entry_markdown(knowledge, identifier)
    assert f"Myth: {myth['says'].rstrip('.')}. Fact: {myth['truth']}" in page
