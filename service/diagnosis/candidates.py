"""From hits to entries: which entries the text is about, by which signs, and which is the failure.

Three kinds of evidence are gathered: signatures on records, facts that identify an entry, and likeness (lexical, vectors) of
the condensed failure to the knowledge base's phrases. The weight of each sign is learned (``features``, ``confidence``).
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

BEHIND = 2.0  # log-odds by which an entry stays below one to which it yields
RULED_OUT = -1.0  # log-odds of an entry that the facts rule out, at most: a share of 0.27, which is below the threshold
_VECTOR_FLOOR = 0.35  # cosine that MiniLM gives to any two English sentences; less is no evidence
_SECOND_PHRASE = 0.5  # weight of an entry's second best phrase: two similar phrases are stronger evidence than one
_CHANCE = 0.002  # the chance probability among all entries
_CERTAIN = 0.996  # higher probabilities of the classifier add no evidence
_FACT = 0.8  # a deciding fact counts as much as a shell's final message


class Candidate:
    """An entry that the text may be about.

    Attributes:
        entry: its id.
        score: log-odds that the text is about it, against the text being about nothing in the knowledge base.
        decisive: highest salience of a record with a decisive signature, 0 without one.
        hits: the signatures that matched.
        facts: descriptions of the facts that identify it.
        script: 2 if a place in the script always fails, 1 if it fails in many cases, else 0.
        shown_by_script: whether such a place is in a script that the user named; code inside the text may be there for another
            reason.
        lexical, vector: likeness of its best phrases, 0 to 1.
        classified: the classifier's score: 0 (chance), 1 (as likely as not) to 1.9 (nearly certain).
        phrase: the most similar phrase, or empty.
        likeness: cause id -> likeness of the cause's best phrase.
        near_twin: a ``never`` pattern matched, and only likeness supports the entry.
        roots: other entries, to which this one yields, that matched decisively.
        refuted: the facts rule out the entry, or all of its causes.
    """

    __slots__ = (
        "classified",
        "decisive",
        "entry",
        "facts",
        "hits",
        "lexical",
        "likeness",
        "near_twin",
        "phrase",
        "refuted",
        "roots",
        "score",
        "script",
        "shown_by_script",
        "vector",
    )

    def __init__(self, entry: str) -> None:
        self.entry = entry
        self.score = 0.0
        self.decisive = 0.0
        self.hits: list[Hit] = []
        self.facts: list[str] = []
        self.script = 0
        self.shown_by_script = False
        self.near_twin = False
        self.roots: list[Candidate] = []
        self.refuted = False
        self.lexical = 0.0
        self.vector = 0.0
        self.classified = 0.0
        self.phrase = ""
        self.likeness: dict[str, float] = {}

    @property
    def behind_root(self) -> bool:
        """Whether it yields to a candidate that matched decisively and is not ruled out."""
        return any(not root.refuted for root in self.roots)

    @property
    def first_line(self) -> int:
        """Line of the first record with a signature of this entry; 0 without one."""
        return min((hit.record.first_line for hit in self.hits), default=0)


class Likeness(typing.NamedTuple):
    """The results of the searches by likeness: (phrase, value) lists, and entry -> probability.

    ``settled_by_words``: the words alone were sure enough, and the encoder was not used.
    """

    lexical: list[tuple[int, float]]
    vector: list[tuple[int, float]]
    classified: dict[str, float]
    settled_by_words: bool = False


def of_signs(knowledge: Knowledge, hits: list[Hit], sheet: FactSheet, maybe_training: bool) -> dict[str, Candidate]:
    """The entries that signatures or facts identify, by id.

    Args:
        knowledge: the compiled knowledge base.
        hits: signatures on records, including ``never`` ones.
        sheet: facts, derived ones included.
        maybe_training: whether the text may be about a training run of any software. If it is not, a ``shared`` fact does not count.
    """
    candidates: dict[str, Candidate] = {}
    for hit in kept_hits(hits):
        entry = hit.signature.entry
        candidate = candidates.get(entry) or candidates.setdefault(entry, Candidate(entry))
        candidate.hits.append(hit)
        if hit.signature.strength == "decisive":
            candidate.decisive = max(candidate.decisive, salience(hit.record))
    _add_facts(knowledge, sheet, candidates, maybe_training)
    return candidates


def gathered(knowledge: Knowledge, named: dict[str, Candidate], hits: list[Hit], likeness: Likeness) -> list[Candidate]:
    """All candidates with all their signs, not yet scored.

    Args:
        knowledge: the compiled knowledge base.
        named: from ``of_signs``; entries found by likeness alone are added to it.
        hits: signatures on records, including ``never`` ones.
        likeness: the results of the searches.
    """
    if likeness.lexical or likeness.vector:
        _add_likeness(knowledge, likeness, named)
    # A near twin is similar to the entry in words too: if only likeness is left, the ``never`` pattern decides.
    for entry in {hit.signature.entry for hit in hits if hit.signature.strength == "never"}:
        if entry in named:
            named[entry].near_twin = not named[entry].hits
    for candidate in named.values():
        candidate.roots = [root for root in _roots(knowledge, candidate.entry, named) if root.decisive]
    return list(named.values())


def _roots(knowledge: Knowledge, entry: str, named: dict[str, Candidate]) -> list[Candidate]:
    """The candidates to which an entry yields; two entries that yield to each other stay as they are."""
    summaries = knowledge.summaries
    roots = [root for root in summaries[entry]["yields_to"] if root in named]
    return [named[root] for root in roots if entry not in summaries[root]["yields_to"]]


def hold_back(candidates: list[Candidate]) -> None:
    """Lower the scores of candidates that a fact rules out, and of those that yield to another.

    The learned weights do not suffice if such a candidate has many signs. A crash, for example, has its log line, its stack trace,
    its exit code and the shell's last word, while its cause has one line.
    """
    scores = {item.entry: min(item.score, RULED_OUT) if item.refuted else item.score for item in candidates}
    for item in candidates:
        behind = [scores[root.entry] - BEHIND for root in item.roots if not root.refuted]
        item.score = min([scores[item.entry], *behind])


def in_order(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates by score, best first; ties are in the order of the text."""
    return sorted(candidates, key=lambda item: (-item.score, item.first_line, item.entry))


def kept_hits(hits: list[Hit]) -> list[Hit]:
    """Hits without those that a ``never`` pattern of the same entry cancels on the same record."""
    cancelled = {(hit.signature.entry, id(hit.record)) for hit in hits if hit.signature.strength == "never"}
    return [hit for hit in hits if hit.signature.strength != "never" and (hit.signature.entry, id(hit.record)) not in cancelled]


def denied(hits: list[Hit]) -> list[Hit]:
    """Hits without those in a user's words that a ``never`` pattern of the same entry cancels anywhere in the user's words.

    For a text without any sign of TensorFlow or Keras: the software that one sentence names is the one that the next is about.
    """
    named = {hit.signature.entry for hit in hits if hit.signature.strength == "never" and hit.record.kind == "prose"}
    return [
        hit for hit in hits if hit.signature.strength == "never" or hit.record.kind != "prose" or hit.signature.entry not in named
    ]


def _add_facts(knowledge: Knowledge, sheet: FactSheet, candidates: dict[str, Candidate], maybe_training: bool) -> None:
    notes = sheet.get("code.notes")
    harmless = frozenset(notes) if isinstance(notes, list) else frozenset()
    for match in knowledge.facts:
        # A note about the script is also true of healthy programs: it distinguishes causes but identifies no entry.
        if match.fact in harmless or (match.shared and not maybe_training) or not compare(sheet.get(match.fact), match.is_):
            continue
        if match.strength == "never":
            if match.entry in candidates:
                candidates[match.entry].refuted = True
            continue
        candidate = candidates.setdefault(match.entry, Candidate(match.entry))
        candidate.facts.append(match.says)
        decisive = match.strength == "decisive"
        if match.fact.startswith("code."):
            candidate.shown_by_script |= not sheet.source(match.fact).startswith(f"{CODE_IN_TEXT} ")
            candidate.script = max(candidate.script, 1 + decisive)
        elif decisive:
            candidate.decisive = max(candidate.decisive, _FACT)


def _add_likeness(knowledge: Knowledge, likeness: Likeness, candidates: dict[str, Candidate]) -> None:
    phrases = knowledge.phrases
    for kind, found in (("lexical", likeness.lexical), ("vector", likeness.vector)):
        values: dict[str, list[float]] = {}
        for number, raw in found:
            entry, cause, text = phrases[number]
            if entry not in knowledge.summaries:
                continue  # a private entry whose id another folder uses
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
            candidate.classified = 1 - _log_odds(min(_CERTAIN, probability)) / _log_odds(_CHANCE)


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def lines_matched(candidate: Candidate, records: list[Record], limit: int = 4) -> "list[MatchedLine]":
    """The lines that support a candidate, in the form of the answer's JSON: decisive ones first."""
    rows: list[MatchedLine] = []
    ordered = sorted(candidate.hits, key=lambda hit: (hit.signature.strength != "decisive", -salience(hit.record)))
    for hit in ordered:
        row: MatchedLine = {"line": hit.line, "text": _excerpt(hit), "by": "signature"}
        if row not in rows:
            rows.append(row)
    if not rows and candidate.phrase and records:
        by: typing.Literal["vector", "lexical"] = "vector" if candidate.vector >= candidate.lexical else "lexical"
        shown = max(records, key=salience)  # the first of equal ones
        rows.append({"line": shown.first_line, "text": shown.text[:300], "by": by, "phrase": candidate.phrase})
    return rows[:limit]


def _excerpt(hit: Hit) -> str:
    return (hit.record.message or hit.record.text)[:300]
