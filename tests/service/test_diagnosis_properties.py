"""Whatever is pasted and given, there is an answer of the right form, and never an error of ours."""

import json
import typing

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.faults.knowledge import ENTRIES
from tfhelp.kb import compiled
from tfhelp.kb.facts import fact_table
from tfhelp.service.diagnosis.diagnoser import Diagnoser

KNOWLEDGE = compiled.load()
# Without vectors: other tests cover them, and a thousand texts would wait for the encoder.
DIAGNOSER = Diagnoser(KNOWLEDGE, None, warm=True)
LINES = sorted(
    {
        line
        for path in sorted(ENTRIES.glob("*/*/*.recorded.json"))[::3]
        for line in json.loads(path.read_text(encoding="utf-8"))["output"].splitlines()[-12:]
    }
)
_VALUES = {
    "text": st.sampled_from(["", "6.5v2", "2.10", "2.0.0-beta", "x" * 300, "$(reboot)", "<b>", "'; DROP TABLE x", "\u2028", "0"]),
    "number": st.sampled_from([0, -1, 1e18, 0.5, 64]),
    "integer": st.sampled_from([0, -9, 137, 139, 3221225477, 10**20]),
    "boolean": st.booleans(),
    "texts": st.lists(st.sampled_from(["libcudart.so.12", ""]), max_size=2),
    "integers": st.lists(st.sampled_from([79, -1]), max_size=2),
}


def _value(kind: str) -> st.SearchStrategy[typing.Any]:
    if kind.startswith("one of "):
        return st.sampled_from(kind[7:].split("|"))
    if kind == "list":
        return st.lists(
            st.fixed_dictionaries({}, optional={"name": _VALUES["text"], "memory_total_mib": _VALUES["number"]}), max_size=3
        )
    return st.none() | _VALUES[kind]


_PATHS = sorted(path.replace(".*", ".tensorflow") for path in fact_table() if "[]" not in path)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, typing.Any]:
    """A facts document of legal paths and types, with odd values."""
    table = {path.replace(".*", ".tensorflow"): kind for path, kind in fact_table().items()}
    document: dict[str, typing.Any] = {}
    for path in draw(st.lists(st.sampled_from(_PATHS), max_size=8, unique=True)):
        group, _, name = path.partition(".")
        if name:
            document.setdefault(group, {})[name] = draw(_value(table[path]))
        else:
            document[group] = draw(_value(table[path]))
    return document


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(LINES) | st.text(max_size=60), max_size=25), documents(), st.integers(1, 5))
def test_any_text_and_facts_are_answered(lines: list[str], facts: dict[str, typing.Any], top: int) -> None:
    text = "\n".join(lines)
    answer = DIAGNOSER.diagnose(text, facts, top)
    assert json.loads(json.dumps(answer)) == answer
    assert len(answer["matches"]) <= top
    assert answer["abstained"] == (answer["verdict"] in ("explained", "unknown"))
    assert answer["matches"] or answer["verdict"] in ("explained", "unknown", "nothing-failed")
    for match in answer["matches"]:
        assert 0 <= match["confidence"] < 1
        assert all(0 <= row["line"] <= text.count("\n") + 1 for row in match["matched"])
        assert sum(cause["confidence"] for cause in match["causes"]) <= 1 + 1e-2
        assert {cause["verdict"] for cause in match["causes"]} <= {"confirmed", "likely", "possible", "ruled-out"}
    severities = [match["severity"] for match in answer["matches"]]
    assert severities[:1] != ["benign"] or set(severities) == {"benign"}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12), documents())
def test_both_ways_to_the_signatures_give_the_same_answer(lines: list[str], facts: dict[str, typing.Any]) -> None:
    cold = Diagnoser(KNOWLEDGE, None)
    one, other = (diagnoser.diagnose("\n".join(lines), facts) for diagnoser in (DIAGNOSER, cold))
    del one["took_ms"], other["took_ms"]
    assert one == other
