"""From hits to entries: which entries the text speaks of, how strongly, and which is the failure.

Evidence of three kinds is fused: signatures on records, facts that name an entry, and likeness (lexical, vectors) of
the condensed failure to the knowledge base's phrases. The weights are reasoned, and stand here in one place.
"""

import math
import typing

from tfhelp.collectors.reading.condense import salience
from tfhelp.index.signatures import Hit
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis.checks import compare
from tfhelp.service.diagnosis.text_evidence import CODE_IN_TEXT

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import MatchedLine

# What a sign adds to an entry's score, times the standing of the record that bears it.
_DECISIVE = 6.0
_SUPPORTING = 1.6
# What the training script shows names an entry without any text: a place that fails wherever it runs, or one that fails
# in many cases. Both step back behind a decisive signature, for the text tells what has happened and the script what may.
_CODE_DECISIVE = 3.5
_CODE_SUPPORTING = 2.0
_MOST_FACTS = 4.0  # what all facts together add at most
_NEXT_FACT = 0.5  # each further fact counts half of what the one before it did
_MORE_OF_THE_SAME = 0.25  # a second sign of one kind says little that is new
# The classifier has learned from the words and the vectors of all phrases, so what the nearest of them say is mostly said.
_LEXICAL = 2.0
_VECTOR = 2.0
_VECTOR_FLOOR = 0.35  # cosine below which MiniLM's likeness is that of any two English sentences
_SECOND_PHRASE = 0.5  # what an entry's second best phrase counts: two phrases that are alike tell more than one
_CLASSIFIER = 3.0
_CHANCE = 0.002  # probability that is no more than chance among all entries
_NEAR_TWIN = 4.0
_BEHIND_ROOT = 4.0  # what an entry loses that yields to another which matched decisively


class Candidate:
    """An entry that the text may speak of.

    Attributes:
        entry: its id.
        score: sum of the weighted signs.
        decisive: highest standing of a record with a decisive signature, 0 without one.
        hits: the signatures that matched.
        facts: says of the facts that name it.
        shown_by_script: whether one of them is a place of a script that the person named; code inside the text may be
            there for another reason.
        lexical, vector: likeness of its best phrases, 0 to 1.
        classified: what the classifier gives it, 0 (chance) to 1 (certain).
        phrase: the phrase that is most alike, or empty.
        likeness: cause id -> likeness of the cause's best phrase.
    """

    __slots__ = (
        "classified",
        "decisive",
        "entry",
        "facts",
        "hits",
        "lexical",
        "likeness",
        "phrase",
        "score",
        "shown_by_script",
        "vector",
    )

    def __init__(self, entry: str) -> None:
        self.entry = entry
        self.score = 0.0
        self.decisive = 0.0
        self.hits: list[Hit] = []
        self.facts: list[str] = []
        self.shown_by_script = False
        self.lexical = 0.0
        self.vector = 0.0
        self.classified = 0.0
        self.phrase = ""
        self.likeness: dict[str, float] = {}

    @property
    def first_line(self) -> int:
        """Line of the first record that bears a signature of this entry; 0 without one."""
        return min((hit.record.first_line for hit in self.hits), default=0)


class Likeness(typing.NamedTuple):
    """What the searches by likeness found: (phrase, value) lists, and entry -> probability."""

    lexical: list[tuple[int, float]]
    vector: list[tuple[int, float]]
    classified: dict[str, float]


def of_signs(knowledge: Knowledge, hits: list[Hit], sheet: FactSheet) -> dict[str, Candidate]:
    """The entries that signatures or facts name, by id, not yet scored.

    Args:
        knowledge: the compiled knowledge base.
        hits: signatures on records, ``never`` ones too.
        sheet: facts, derived ones included.
    """
    candidates: dict[str, Candidate] = {}
    for hit in kept_hits(hits):
        entry = hit.signature.entry
        candidate = candidates.get(entry) or candidates.setdefault(entry, Candidate(entry))
        candidate.hits.append(hit)
        if hit.signature.strength == "decisive":
            candidate.decisive = max(candidate.decisive, salience(hit.record))
    _add_facts(knowledge, sheet, candidates)
    return candidates


def ranked(knowledge: Knowledge, named: dict[str, Candidate], hits: list[Hit], likeness: Likeness) -> list[Candidate]:
    """All candidates, best first.

    Args:
        knowledge: the compiled knowledge base.
        named: from ``of_signs``; what is only alike is added to it.
        hits: signatures on records, ``never`` ones too.
        likeness: what the searches found.
    """
    if likeness.lexical or likeness.vector:
        _add_likeness(knowledge, likeness, named)
    for candidate in named.values():
        _score(candidate)
    _lower_near_twins(hits, named)
    _let_roots_pass(knowledge, named)
    return sorted(named.values(), key=lambda item: (-item.score, item.first_line, item.entry))


def kept_hits(hits: list[Hit]) -> list[Hit]:
    """Hits without those that a ``never`` pattern of the same entry cancels on the same record."""
    cancelled = {(hit.signature.entry, id(hit.record)) for hit in hits if hit.signature.strength == "never"}
    return [hit for hit in hits if hit.signature.strength != "never" and (hit.signature.entry, id(hit.record)) not in cancelled]


def _add_facts(knowledge: Knowledge, sheet: FactSheet, candidates: dict[str, Candidate]) -> None:
    notes = sheet.get("code.notes")
    harmless = frozenset(notes) if isinstance(notes, list) else frozenset()
    for entry, summary in knowledge.summaries.items():
        weights: list[float] = []
        for match in summary["facts"]:
            # A note about the script is true of healthy programs too: it tells causes apart and names no entry.
            if match["fact"] in harmless or not compare(sheet.get(match["fact"]), match["is"]):
                continue
            candidate = candidates.setdefault(entry, Candidate(entry))
            candidate.facts.append(match["says"])
            decisive = match["strength"] == "decisive"
            if match["fact"].startswith("code."):
                candidate.shown_by_script |= not sheet.source(match["fact"]).startswith(f"{CODE_IN_TEXT} ")
                weights.append(_CODE_DECISIVE if decisive else _CODE_SUPPORTING)
            elif decisive:
                candidate.decisive = max(candidate.decisive, 0.8)
            else:
                weights.append(_SUPPORTING)
        if weights:
            weights.sort(reverse=True)
            candidates[entry].score += min(_MOST_FACTS, sum(weight * _NEXT_FACT**place for place, weight in enumerate(weights)))


def _add_likeness(knowledge: Knowledge, likeness: Likeness, candidates: dict[str, Candidate]) -> None:
    phrases = knowledge.phrases
    for kind, found in (("lexical", likeness.lexical), ("vector", likeness.vector)):
        values: dict[str, list[float]] = {}
        for number, raw in found:
            entry, cause, text = phrases[number]
            value = min(1.0, raw / 1.5) if kind == "lexical" else max(0.0, (raw - _VECTOR_FLOOR) / (1 - _VECTOR_FLOOR))
            candidate = candidates.get(entry) or candidates.setdefault(entry, Candidate(entry))
            if cause and value > candidate.likeness.get(cause, 0.0):
                candidate.likeness[cause] = value
            likes = values.setdefault(entry, [])
            if value > candidate.lexical and value > candidate.vector and (not likes or value > likes[0]):
                candidate.phrase = text
            likes.append(value)  # the best comes first
        for entry, likes in values.items():
            setattr(candidates[entry], kind, (likes[0] + _SECOND_PHRASE * sum(likes[1:2])) / (1 + _SECOND_PHRASE))
    for entry, probability in likeness.classified.items():
        if probability > _CHANCE and entry in knowledge.summaries:
            candidate = candidates.get(entry) or candidates.setdefault(entry, Candidate(entry))
            candidate.classified = 1 - math.log(probability) / math.log(_CHANCE)


def _score(candidate: Candidate) -> None:
    strengths = (("decisive", _DECISIVE), ("supporting", _SUPPORTING)) if candidate.hits or candidate.decisive else ()
    for strength, weight in strengths:
        saliences = sorted((salience(hit.record) for hit in candidate.hits if hit.signature.strength == strength), reverse=True)
        if strength == "decisive":
            if candidate.decisive:
                candidate.score += weight * candidate.decisive
            saliences = saliences[1:]
        elif saliences:
            candidate.score += weight * saliences[0]
            saliences = saliences[1:]
        candidate.score += min(2.0, sum(saliences)) * weight * _MORE_OF_THE_SAME
    candidate.score += _LEXICAL * candidate.lexical + _VECTOR * candidate.vector + _CLASSIFIER * candidate.classified


def _lower_near_twins(hits: list[Hit], candidates: dict[str, Candidate]) -> None:
    """A near twin is like the entry in words too: where only likeness is left, the ``never`` pattern speaks."""
    for entry in {hit.signature.entry for hit in hits if hit.signature.strength == "never"}:
        if entry in candidates and not candidates[entry].hits:
            candidates[entry].score -= _NEAR_TWIN


def _let_roots_pass(knowledge: Knowledge, candidates: dict[str, Candidate]) -> None:
    for candidate in candidates.values():
        for root in knowledge.summaries[candidate.entry]["yields_to"]:
            if root in candidates and candidates[root].decisive:
                candidate.score -= _BEHIND_ROOT
                break


def lines_matched(candidate: Candidate, records: list[Record], limit: int = 4) -> "list[MatchedLine]":
    """The lines that speak for a candidate, as the answer's JSON has them: decisive ones first."""
    rows: list[MatchedLine] = []
    ordered = sorted(candidate.hits, key=lambda hit: (hit.signature.strength != "decisive", -salience(hit.record)))
    for hit in ordered:
        row: MatchedLine = {"line": hit.record.line, "text": _excerpt(hit), "by": "signature"}
        if row not in rows:
            rows.append(row)
    if not rows and candidate.phrase and records:
        by: typing.Literal["vector", "lexical"] = "vector" if candidate.vector >= candidate.lexical else "lexical"
        rows.append({"line": records[0].first_line, "text": records[0].text[:300], "by": by, "phrase": candidate.phrase})
    return rows[:limit]


def _excerpt(hit: Hit) -> str:
    return (hit.record.message or hit.record.text)[:300]
