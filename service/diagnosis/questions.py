"""What to ask next: the facts that would decide between causes, and a bug report if nothing is known."""

import math
import typing

from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.asking import made_of, question_of
from tfhelp.service.diagnosis.causes import WEIGHTS, RankedCause

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledCheck
    from tfhelp.service.diagnosis.answer import Question

Json = dict[str, typing.Any]
_MOST = 3


def deciding_facts(ranked: list[RankedCause], sheet: FactSheet, types: dict[str, str]) -> "list[Question]":
    """Unknown facts of the leading entry, sorted by how much they would move its causes' ranking.

    Empty if the first cause is confirmed, or if no unknown fact could change the order. ``types``: path -> type.
    """
    if not ranked or ranked[0].verdict == "confirmed":
        return []
    moves: dict[str, tuple[float, Question]] = {}
    for item in ranked:
        if item.score == -math.inf:
            continue
        for evidence in item.evidence:
            check = evidence.check
            if evidence.outcome != "unknown" or "fact" not in check or "if_unknown" not in check:
                continue
            far = move(check, item, ranked)
            path = made_of(check["fact"])  # two computed facts may be made of one, which is asked for once
            if far > (moves[path][0] if path in moves else 0.0):
                moves[path] = (far, question_of(check, types))
    ordered = sorted(moves.values(), key=lambda pair: -pair[0])
    return [question for _, question in ordered[:_MOST]]


def move(check: "CompiledCheck", item: RankedCause, ranked: list[RankedCause]) -> float:
    """How far the answer could move: what the outcomes ``holds`` and ``fails`` would add, times how open the case is."""
    holds = 6.0 if check["decides"] else WEIGHTS[check["weight"]]
    fails = 6.0 if check["required"] else WEIGHTS[check["against"]] if "against" in check else 0.0
    leader = ranked[0]
    if item is leader:
        return (fails + 0.5 * holds) * (1.1 - leader.confidence)
    return (holds + 0.2 * fails) * (item.confidence + 0.05) * (1.1 - max(0.0, leader.confidence - item.confidence))


def bug_report(condensed: str, facts: Json) -> str:
    """A bug report for another project: the condensed failure and the facts, redacted, in Markdown."""
    import json

    from tfhelp.collectors.redaction import redact, redact_document

    safe = {key: value for key, value in redact_document(facts).items() if key != "_about"}
    return "\n".join(
        [
            "### What happens",
            "",
            "```text",
            redact(condensed).replace("```", "'''"),
            "```",
            "",
            "### Environment",
            "",
            "```json",
            json.dumps(safe, indent=2, ensure_ascii=False),
            "```",
        ]
    )
