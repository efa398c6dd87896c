"""Which parts of an answer are shown to others: no secrets of its user, but everything from the knowledge base."""

import json
import typing

import pytest

from tfhelp.kb import compiled
from tfhelp.service.diagnosis import sharing
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.rows import redacted

ENTRY = {"causes": [{"fix": {"steps": [{"snippet": {"code": "ping 10.0.0.1; ssh head-node-7 -> head-node-7:2222"}}]}}]}


class _Knowledge:
    def entry(self, identifier: str) -> typing.Any:
        return {"shown": ENTRY}[identifier]


@pytest.fixture(autouse=True)
def _own_knowledge(monkeypatch: pytest.MonkeyPatch) -> typing.Iterator[None]:
    monkeypatch.setattr(compiled, "load", _Knowledge)
    sharing._examples_of_entry.cache_clear()
    yield
    sharing._examples_of_entry.cache_clear()


def _answer(entry: str = "shown") -> dict[str, typing.Any]:
    """An answer whose fix contains an example of ours and a host of the user's, next to the user's own words."""
    code = "ping 10.0.0.1; ssh head-node-7 -> head-node-7:2222; ping 10.77.3.9; cd /home/qadewol/run"
    fix = {"steps": [{"snippet": {"code": code}}]}
    matched = [{"line": 1, "text": "connect to 10.0.0.1 and 10.77.3.9 failed, /home/qadewol/train.py"}]
    return {"verdict": "diagnosed", "matches": [{"entry": entry, "matched": matched, "causes": [{"cause": "x", "fix": fix}]}]}


def _shown(document: typing.Any) -> tuple[str, str]:
    """From a redacted answer: the fix's code, and the user's line."""
    match = document["matches"][0]
    return match["causes"][0]["fix"]["steps"][0]["snippet"]["code"], match["matched"][0]["text"]


def test_the_examples_of_a_fix_stay_and_what_the_user_gave_goes() -> None:
    code, line = _shown(sharing.redacted(_answer()))
    assert code.startswith("ping 10.0.0.1; ssh head-node-7 -> head-node-7:2222; ping IP-")
    assert code.endswith("cd /home/USER-1/run")
    assert "10." not in line
    assert "10.77.3.9" not in code


def test_an_entry_that_nobody_knows_here_has_no_examples() -> None:
    code, _ = _shown(sharing.redacted(_answer("another servers")))
    assert "10.0.0.1" not in code


def test_memories_keep_the_examples_too() -> None:
    memory = ForADay()
    kept = memory.read(memory.keep(_answer(), {}))
    assert kept is not None
    assert "qadewol" not in json.dumps(kept.answer)
    assert "ping 10.0.0.1;" in _shown(kept.answer)[0]
    assert "ping 10.0.0.1;" in _shown(redacted({"answer": _answer(), "given": {"text": "x"}})["answer"])[0]
