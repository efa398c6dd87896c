"""The compiled entries have the form that their types declare."""

import typing

from tfhelp.kb import compiled
from tfhelp.kb.compiled_entry import CompiledEntry, Summary

KNOWLEDGE = compiled.load()


def faults(value: typing.Any, form: typing.Any, place: str) -> list[str]:
    """Places where a value does not match a form made of typed dicts, lists, choices and plain types."""
    if form is typing.Any:
        return []
    if typing.is_typeddict(form):
        if not isinstance(value, dict):
            return [f"{place}: no object"]
        hints = typing.get_type_hints(form)
        wrong = [f"{place}: lacks {key}" for key in form.__required_keys__ - value.keys()]
        wrong += [f"{place}: {key} is unknown" for key in value.keys() - hints.keys()]
        return wrong + [
            fault for key in value.keys() & hints.keys() for fault in faults(value[key], hints[key], f"{place}.{key}")
        ]
    origin, inner = typing.get_origin(form), typing.get_args(form)
    if origin is typing.Literal:
        return [] if value in inner else [f"{place}: {value!r}"]
    if origin is list:
        return [fault for number, item in enumerate(value) for fault in faults(item, inner[0], f"{place}.{number}")]
    if origin is dict:
        return [fault for key, item in value.items() for fault in faults(item, inner[1], f"{place}.{key}")]
    return [] if isinstance(value, form) else [f"{place}: {value!r} is no {form.__name__}"]


def test_every_entry_has_the_form() -> None:
    assert [fault for name in KNOWLEDGE.entries() for fault in faults(KNOWLEDGE.entry(name), CompiledEntry, name)] == []


def test_every_summary_has_the_form() -> None:
    assert [fault for name, summary in KNOWLEDGE.summaries.items() for fault in faults(summary, Summary, name)] == []


def test_another_form_is_seen() -> None:
    entry = dict(KNOWLEDGE.entry("dtype-mismatch"))
    del entry["means"]
    assert faults({**entry, "severity": "bad", "causes": [{"id": 3}], "more": 1}, CompiledEntry, "x") != []
    assert "x: lacks means" in faults(entry, CompiledEntry, "x")
