"""Search entries and causes by words: BM25 over weighted fields, with prefixes, misspelt words and synonyms."""

import bisect
import difflib
import itertools
import math
import typing

from tfhelp.kb.lexicon import words
from tfhelp.service.search import synonyms

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled import Knowledge
    from tfhelp.kb.compiled_entry import CompiledCause, CompiledEntry

Weights = dict[str, float]  # term -> how often a document has it, weighted by field

_SATURATION = 3.0
_MOST_TERMS = 40  # terms that one prefix may stand for
_SHORTEST_PREFIX = 2
_SHORTEST_TYPO = 5
_BY_PREFIX = 0.9  # weight of a word with the prefix, if no word matches exactly
_BESIDE_EXACT = 0.25  # the same, if one does
_BY_TYPO = 0.7
_BY_SYNONYM = 0.7
_PAIR = 0.8  # weight of two adjacent words, in addition to the single words'
_LEAST_SHARE = 0.28  # share of the best score; a hit below it is not shown
_LEAST_COVERED = 0.4  # share of the words' weight; an entry that covers less is about something else
_NO_WORD = 4.0  # weight, among the words that must be covered, of a word that is in no document
_SHORTEST_LITERAL = 12
_BY_LITERAL = 12.0  # the words of a message, if the query contains them whole
_BY_HARMLESS = 0.75  # most users who search have a problem
_CAUSES_SHARE = 0.5  # the share of the best cause's score that is added to its entry

# Fields of an entry, and the weight of one word in them.
_OF_ENTRY = {"title": 6.0, "id": 4.0, "family": 1.5, "told_by": 1.5, "means": 1.0, "phrases": 1.2, "literals": 0.8}
_OF_CAUSE = {"title": 5.0, "id": 3.0, "phrases": 1.2, "means": 1.0, "summary": 1.5, "checks": 0.4, "myths": 0.5}
_OF_CAUSES_TO_ENTRY = 0.3  # weight of a word of a cause, counted for its entry


class EntryHit(typing.NamedTuple):
    """An entry, and the cause that the words are about; empty if they are about no particular cause."""

    entry: str
    cause: str
    score: float


class EntrySearch:
    """The searchable words of the entries.

    Args:
        knowledge: the compiled knowledge base; all of its entries are parsed.
    """

    def __init__(self, knowledge: "Knowledge") -> None:
        self._literals = _literals(knowledge)
        entries = [knowledge.entry(name) for name in knowledge.entries()]
        self._entries = _Terms()
        self._causes = _Terms()
        for entry in entries:
            own = _counted(_entry_fields(entry, self._literals), _OF_ENTRY)
            for cause in entry["causes"]:
                weights = _counted(_cause_fields(cause), _OF_CAUSE)
                self._causes.add((entry["id"], cause["id"]), weights)
                _add(own, weights, _OF_CAUSES_TO_ENTRY)
            self._entries.add((entry["id"], ""), own)
        self._harmless = {entry["id"] for entry in entries if entry["severity"] == "benign"}
        self._entries.finish()
        self._causes.finish()
        self._synonyms = synonyms.table()

    def find(self, query: str, most: int = 20) -> list[EntryHit]:
        """Entries that contain the words, best first; upper and lower case do not matter."""
        slots = self._slots(query)
        if not slots:
            return []
        of_entries = self._entries.score(slots)
        of_causes = self._causes.score(slots)
        best: dict[str, tuple[float, str]] = {}
        for (entry, cause), score in of_causes.items():
            if score > best.get(entry, (0.0, ""))[0]:
                best[entry] = (score, cause)
        bonus = self._said(query)
        hits = []
        for (entry, _), score in of_entries.items():
            cause_score, cause = best.get(entry, (0.0, ""))
            total = score + _CAUSES_SHARE * cause_score + bonus.get(entry, 0.0)
            worth = _BY_HARMLESS if entry in self._harmless and entry not in bonus else 1.0
            hits.append(EntryHit(entry, cause if cause_score > score else "", worth * total))
        hits.sort(key=lambda hit: (-hit.score, hit.entry))
        floor = _LEAST_SHARE * hits[0].score if hits else 0.0
        return [hit for hit in hits[:most] if hit.score >= floor]

    def _said(self, query: str) -> dict[str, float]:
        """Entries with a message that the query contains."""
        lower = query.lower()
        return {entry: _BY_LITERAL for entry, literals in self._literals.items() if any(literal in lower for literal in literals)}

    def _slots(self, query: str) -> list["_Slot"]:
        """One slot for each word that must be found, and one for each pair of words, which is optional."""
        typed = query.lower().replace("\u2019", "'").split()
        slots: list[_Slot] = []
        terms: list[str] = []
        for place, word in enumerate(typed):
            last = place == len(typed) - 1 and not query[-1:].isspace()
            for term in words(word):
                slots.append(_Slot(self._alternatives(term, word, last), True))
                terms.append(term)
        pairs = [f"{first} {second}" for first, second in itertools.pairwise(terms)]
        return [*slots, *(_Slot({pair: _PAIR}, False) for pair in pairs)]

    def _alternatives(self, term: str, typed: str, last: bool) -> Weights:
        found: Weights = {}
        exact = self._entries.has(term)
        if exact:
            found[term] = 1.0
        if len(term) >= _SHORTEST_PREFIX and (last or not exact):
            for longer in self._entries.beginning(term):
                found.setdefault(longer, _BESIDE_EXACT if exact else _BY_PREFIX)
        for other in self._synonyms.get(typed.strip(".,:;!?'\"()"), []):
            found.setdefault(" ".join(words(other)), _BY_SYNONYM)
        if not found and len(term) >= _SHORTEST_TYPO:
            found = dict.fromkeys(self._entries.like(term), _BY_TYPO)
        return found


class _Slot(typing.NamedTuple):
    """The terms that match a word of the query: term -> weight. ``counts``: an entry without it covers less."""

    terms: Weights
    counts: bool


class _Terms:
    """Documents by term."""

    def __init__(self) -> None:
        self._postings: dict[str, dict[tuple[str, str], float]] = {}
        self._sorted: list[str] = []
        self._count = 0

    def add(self, document: tuple[str, str], weights: Weights) -> None:
        self._count += 1
        for term, weight in weights.items():
            self._postings.setdefault(term, {})[document] = weight

    def finish(self) -> None:
        self._sorted = sorted(term for term in self._postings if " " not in term)

    def has(self, term: str) -> bool:
        return term in self._postings

    def beginning(self, prefix: str) -> list[str]:
        """Words with this prefix, shortest first."""
        start = bisect.bisect_left(self._sorted, prefix)
        end = bisect.bisect_left(self._sorted, prefix + "\U0010ffff")
        return sorted(self._sorted[start:end], key=lambda word: (len(word), word))[:_MOST_TERMS]

    def like(self, term: str) -> list[str]:
        """Similarly spelt words with the same beginning."""
        near = [word for word in self.beginning_with_letter(term[0]) if abs(len(word) - len(term)) < 3]
        return difflib.get_close_matches(term, near, 3, 0.8)

    def beginning_with_letter(self, letter: str) -> list[str]:
        start = bisect.bisect_left(self._sorted, letter)
        return self._sorted[start : bisect.bisect_left(self._sorted, letter + "\U0010ffff")]

    def score(self, slots: list[_Slot]) -> dict[tuple[str, str], float]:
        scores: dict[tuple[str, str], float] = {}
        covered: dict[tuple[str, str], float] = {}
        whole = 0.0
        for slot in slots:
            weight = self._weight_of(slot)
            whole += weight if slot.counts else 0.0
            for document, score in self._of_slot(slot).items():
                scores[document] = scores.get(document, 0.0) + score
                if slot.counts:
                    covered[document] = covered.get(document, 0.0) + weight
        shares = {document: covered.get(document, 0.0) / whole for document in scores}
        return {
            document: score * (0.1 + 0.9 * shares[document] ** 2)
            for document, score in scores.items()
            if shares[document] >= _LEAST_COVERED
        }

    def _of_slot(self, slot: _Slot) -> dict[tuple[str, str], float]:
        best: dict[tuple[str, str], float] = {}
        for term, worth in slot.terms.items():
            postings = self._postings.get(term, {})
            weight = worth * self._rarity(len(postings))
            for document, count in postings.items():
                score = weight * count * (_SATURATION + 1) / (count + _SATURATION)
                if score > best.get(document, 0.0):
                    best[document] = score
        return best

    def _weight_of(self, slot: _Slot) -> float:
        """The weight of the word, by its most common term."""
        counts = [len(self._postings[term]) for term in slot.terms if term in self._postings]
        return self._rarity(max(counts)) if counts else _NO_WORD

    def _rarity(self, holding: int) -> float:
        return math.log(1 + (self._count - holding + 0.5) / (holding + 0.5))


def _entry_fields(entry: "CompiledEntry", literals: dict[str, list[str]]) -> dict[str, list[str]]:
    return {
        "title": [entry["title"]],
        "id": [entry["id"].replace("-", " ")],
        "family": [entry["family"].replace("-", " ")],
        "told_by": [entry["told_by"]["sign"]] if "told_by" in entry else [],
        "means": [entry["means"]],
        "phrases": entry.get("matches", {}).get("phrases", []),
        "literals": literals.get(entry["id"], []),
    }


def _cause_fields(cause: "CompiledCause") -> dict[str, list[str]]:
    return {
        "title": [cause["title"]],
        "id": [cause["id"].replace("-", " ")],
        "phrases": cause["phrases"],
        "means": [cause["means"]],
        "summary": [cause["fix"]["summary"]],
        "checks": [check["says"] for check in cause["checks"]],
        "myths": [myth["says"] for myth in cause["myths"]],
    }


def _literals(knowledge: "Knowledge") -> dict[str, list[str]]:
    """entry -> fixed words, in lower case, of its decisive messages. What people say about a failure is not a message."""
    found: dict[str, list[str]] = {}
    for row in knowledge.signatures:
        if row.strength == "decisive" and not row.said and row.literals and len(row.literals[0]) <= 4:
            found.setdefault(row.entry, []).extend(one for one in row.literals[0] if len(one) >= _SHORTEST_LITERAL)
    return {entry: list(dict.fromkeys(literals)) for entry, literals in found.items()}


def _counted(fields: dict[str, list[str]], worth: dict[str, float]) -> Weights:
    """The terms of a document: words, and pairs of adjacent words. Words weigh less in a long field."""
    weights: Weights = {}
    for field, texts in fields.items():
        terms = [term for text in texts for term in _terms(text)]
        share = worth[field] / (1 + math.log1p(len(terms) / 20))
        for term in terms:
            weights[term] = weights.get(term, 0.0) + share
    return weights


def _terms(text: str) -> list[str]:
    single = words(text)
    return [*single, *(f"{first} {second}" for first, second in itertools.pairwise(single))]


def _add(target: Weights, other: Weights, share: float) -> None:
    for term, weight in other.items():
        target[term] = target.get(term, 0.0) + share * weight
