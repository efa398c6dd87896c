"""Causes by their checks: which hold, speak against a cause, rule it out or confirm it."""

import math
import typing

from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.causes import rank
from tfhelp.service.diagnosis.questions import deciding_facts


def cause(name: str, frequency: str = "occasional", **check: object) -> dict[str, typing.Any]:
    full = {"says": f"{name} is so", "weight": "medium", "required": False, "decides": False, **check}
    return {"id": name, "frequency": frequency, "checks": [full] if check else []}


def sheet(**facts: object) -> FactSheet:
    made = FactSheet()
    for name, value in facts.items():
        made.put(name.replace("__", "."), value, "given")
    return made


def test_without_facts_the_more_common_cause_leads_and_is_only_possible() -> None:
    ranked = rank({"causes": [cause("rare-one", "rare"), cause("common-one", "common")]}, sheet(), [])
    assert [(item.cause["id"], item.verdict) for item in ranked] == [("common-one", "possible"), ("rare-one", "possible")]
    assert ranked[0].confidence > ranked[1].confidence
    assert sum(item.confidence for item in ranked) < 1


def test_a_holding_check_makes_it_likely_and_a_deciding_one_confirms() -> None:
    entry = {"causes": [cause("a", fact="run.exit_code", **{"is": 137}, weight="strong"), cause("b", "common")]}
    assert rank(entry, sheet(run__exit_code=137), [])[0].verdict == "likely"
    entry["causes"][0]["checks"][0]["decides"] = True
    first = rank(entry, sheet(run__exit_code=137), [])[0]
    assert (first.cause["id"], first.verdict) == ("a", "confirmed")


def test_a_failing_required_check_rules_out() -> None:
    entry = {"causes": [cause("a", "common", fact="os.name", **{"is": "windows"}, required=True), cause("b", "rare")]}
    first, second = rank(entry, sheet(os__name="linux"), [])
    assert (first.cause["id"], second.verdict, second.score, second.confidence) == ("b", "ruled-out", -math.inf, 0.0)


def test_a_failing_check_speaks_against_only_where_it_says_so() -> None:
    silent = cause("a", fact="os.wsl", **{"is": True})
    speaking = cause("b", fact="os.wsl", **{"is": True}, against="strong")
    first, second = rank({"causes": [speaking, silent]}, sheet(os__wsl=False), [])
    assert (first.cause["id"], first.score, second.score) == ("a", 0.0, -3.0)


def test_likeness_of_a_phrase_supports_its_cause() -> None:
    assert rank({"causes": [cause("a"), cause("b")]}, sheet(), [], {"b": 0.8})[0].cause["id"] == "b"


def test_the_fact_that_would_move_the_ranking_most_is_asked_first() -> None:
    ask = {"if_unknown": {"ask": "Which?", "command": "uname"}}
    entry = {
        "causes": [
            cause("a", "common", fact="os.wsl", **{"is": True}, weight="weak", **ask),
            cause("b", fact="os.container", **{"is": True}, weight="strong", decides=True, **ask),
            cause("c", "rare", fact="os.name", **{"is": "macos"}, **ask),
        ]
    }
    questions = deciding_facts(rank(entry, sheet(), []), sheet(), {"os.container": "boolean"})
    assert questions[0] == {
        "fact": "os.container",
        "says": "b is so",
        "why": "Which?",
        "command": "uname",
        "question": "Is this true: b is so?",
        "type": "boolean",
        "options": [{"label": "yes", "reply": "true"}, {"label": "no", "reply": "false"}],
        "hint": "",
    }
    assert deciding_facts(rank(entry, sheet(os__container=True), []), sheet(os__container=True), {}) == []
