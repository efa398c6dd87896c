"""``diagnose(text, facts) -> answer``: the one function that every door calls."""

import time
import typing

from tfhelp.collectors.reading.condense import condense
from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.index.literals import finder_of
from tfhelp.index.signatures import Hit, admitted
from tfhelp.kb import compiled
from tfhelp.service.diagnosis import candidates, confidence, reading, signs, stages
from tfhelp.service.diagnosis.document import answer_of
from tfhelp.service.diagnosis.features import surroundings
from tfhelp.service.diagnosis.guarded import guarded
from tfhelp.service.diagnosis.likeness import LikenessSearch, Look, is_detailed_account
from tfhelp.service.diagnosis.long_text import Stream
from tfhelp.service.diagnosis.reading import Collected, Json, Reading
from tfhelp.service.diagnosis.verdict import decide

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

DEFAULT_TOP = 3
_LONGEST_WHOLE = 1_500  # characters of a text that show whose it is
_SHORTEST_WHOLE = 200  # characters of one whose code or output says more than the failure alone


class Diagnoser:
    """The knowledge base and indexes, ready to answer.

    Args:
        knowledge: the compiled knowledge base.
        vectors: phrase search by likeness (``tfhelp.index.vectors.VectorIndex``), a function that takes the phrases'
            version and loads it on first use, or ``None`` for no such search.
        warm: whether to prepare the indexes for many questions; this pays off from the second question on.
        words: phrase search by words, instead of the knowledge base's own.
    """

    def __init__(
        self, knowledge: compiled.Knowledge, vectors: typing.Any = None, warm: bool = False, words: typing.Any = None
    ) -> None:
        self.knowledge = knowledge
        self._likeness = LikenessSearch(knowledge, vectors, warm, words)
        # Without the tables of literals a text is read more slowly, with the same result.
        self.finder = (
            guarded([], "the tables of literals", lambda: finder_of(knowledge.signatures.tables, True), None) if warm else None
        )

    @classmethod
    def load(cls, warm: bool = False) -> "Diagnoser":
        """Load it from the program's own files.

        Raises:
            tfhelp.kb.compiled.KnowledgeError: the compiled knowledge base is missing.
        """
        knowledge = compiled.load()
        return cls(knowledge, load_vectors if warm or knowledge.parts else load_once, warm)

    def diagnose(
        self, text: str | Stream, facts: Json | None = None, top: int = DEFAULT_TOP, collected: Collected = None
    ) -> "Answer":
        """Diagnose a text, and return the answer.

        Args:
            text: what the user pasted, or a stream of it, of any length.
            facts: a facts document that the user gave.
            top: maximum number of matches.
            collected: facts of this machine, or a function that returns them once the text is read. They are dropped if the text
                is about another machine.

        Raises:
            tfhelp.kb.fact_sheet.FactError: ``facts`` does not match the model.
        """
        started = time.perf_counter()
        found = self.read(text, facts, collected)
        decision = decide(found, self.knowledge, top)
        stages.ended("causes")
        answer = answer_of(decision, found, self.knowledge)
        stages.ended("document")
        # To the nanosecond, because a memory distinguishes answers by it: fast answers often take the same number of microseconds.
        answer["took_ms"] = round((time.perf_counter() - started) * 1e3, 6)
        return answer

    def read(self, text: str | Stream, facts: Json | None = None, collected: Collected = None) -> Reading:
        """Turn text and facts into candidates, best first, without the answer's text.

        Raises:
            tfhelp.kb.fact_sheet.FactError: ``facts`` does not match the model.
        """
        found = reading.read(text, facts, collected, self.knowledge, self.finder)
        stages.ended("reading")
        self.find(found)
        self.score(found)
        stages.ended("scoring")
        return found

    def find(self, found: Reading, withheld: str = "", silent: str = "") -> None:
        """Find the entries that a text may be about, with their signs, and the rest of the evidence; nothing is scored yet.

        Args:
            found: the reading. ``condensed``, ``candidates`` and ``around`` are set in it.
            withheld: an entry to leave out, as if it did not exist.
            silent: an entry whose signatures do not count, as if the text used new wording.
        """
        ours = signs.count_signs(found.records, found.hits, found.sheet)
        hits = admitted([hit for hit in found.hits if hit.signature.entry not in (withheld, silent)], ours > 0, found.shows_ours)
        if not ours:
            hits = candidates.denied(hits)
            if not found.shows_ours and signs.failed_elsewhere(found.suspects()):
                hits = [hit for hit in hits if not signs.is_said(hit) or self._is_private(hit.signature.entry)]
        found.condensed = condense(found.records, self._harmless(hits) | found.healthy)
        maybe_training = ours > 0 or signs.may_be_a_training(found.records, found.sheet, found.shows_ours)
        named = candidates.of_signs(self.knowledge, hits, found.sheet, maybe_training)
        named.pop(withheld, None)
        decided = [item.entry for item in named.values() if item.decisive and not self._benign(item.entry)]
        # Without any sign of TensorFlow, a text may be another program's, even if a signature matches; private entries are
        # exempt.
        surely = bool(decided) and (ours > 0 or any(map(self._is_private, decided)))
        stages.ended("signs")
        look = _look(found, surely, bool(decided) or any(item.script or item.facts for item in named.values()))
        like = self._likeness_of(found, named, look)
        stages.ended("likeness")
        found.candidates = candidates.gathered(self.knowledge, named, hits, like)
        benign = [item for item in found.candidates if self._benign(item.entry)]
        found.around = surroundings(found, hits, benign, ours or self._is_of_the_team(like), like)
        if decided and not found.around.signs_of_ours:
            found.around = found.around._replace(elsewhere=self._probability_elsewhere(found, look))

    def _likeness_of(self, found: Reading, named: typing.Collection[str], look: Look) -> candidates.Likeness:
        """The likeness of the failure; for another library's or program's failure only whether it is out of scope.

        If a search fails, the answer is made without it. But a command reports what is missing and how to rebuild it.
        """
        ours = found.shows_ours or not signs.failed_elsewhere(found.suspects())
        search = self._likeness.search if ours else self._likeness.search_elsewhere
        if self.finder is None:
            return search(found.condensed, look, named)
        nothing: candidates.Likeness | None = None
        if look is not Look.WORDS:
            like = guarded(found.faults, "the search by meaning", lambda: search(found.condensed, look, named), nothing)
            if like is not None:
                return like
        like = guarded(found.faults, "the search by words", lambda: search(found.condensed, Look.WORDS, named), nothing)
        return candidates.Likeness([], [], {}) if like is None else like

    def _probability_elsewhere(self, found: Reading, look: Look) -> float:
        """The probability that the text is about other software, by its failure alone or with the code and the output around it.

        The condensed failure leaves these out, because they say little about the entry. But code can name another library.
        """
        whole = " ".join(record.text for record in found.records)[:_LONGEST_WHOLE]
        if look is not Look.MEANING or whole == found.condensed or len(whole) < _SHORTEST_WHOLE:
            return found.around.out_of_scope
        like = guarded(found.faults, "the search by meaning", lambda: self._likeness.search(whole, look), None)
        return max(found.around.out_of_scope, like.classified.get(OUT_OF_SCOPE, 0.0) if like else 0.0)

    def score(self, found: Reading) -> None:
        """Score the candidates and sort them, best first."""
        confidence.score(found.candidates, found.around)
        found.candidates = candidates.in_order(found.candidates)

    def _harmless(self, hits: list[Hit]) -> frozenset[int]:
        """``id()`` of the records that a harmless entry matches."""
        return frozenset(
            id(hit.record)
            for hit in candidates.kept_hits(hits)
            if hit.signature.strength == "decisive" and self._benign(hit.signature.entry) and hit.record.kind in ("log", "output")
        )

    def _is_of_the_team(self, like: candidates.Likeness) -> bool:
        """Return whether a private entry is more likely than not: the team's own words then show whose failure it is."""
        return any(share > 0.5 and self._is_private(entry) for entry, share in like.classified.items())

    def _is_private(self, entry: str) -> bool:
        return "private" in self.knowledge.summaries.get(entry, {})

    def _benign(self, entry: str) -> bool:
        return bool(self.knowledge.summaries[entry]["severity"] == "benign")


def load_once(phrases_version: str) -> typing.Any:
    """The phrase search by likeness for one text (``tfhelp.index.quick_search``), or else the one for many texts."""
    from tfhelp.index import quick_search

    return quick_search.load(knowledge=phrases_version) or load_vectors(phrases_version)


def _look(found: Reading, surely: bool, named: bool) -> Look:
    """How far to search. If no signature, script or fact identifies the entry, the words alone may settle it.

    The cause of an identified entry can only be found by the meaning of the surrounding text.
    """
    if not named:
        return Look.WORDS_FIRST
    return Look.WORDS if surely and not is_detailed_account(found.records) else Look.MEANING


def load_vectors(phrases_version: str) -> typing.Any:
    """The phrase search by likeness, shared by the whole process (``tfhelp.index.vectors``)."""
    from tfhelp.index.vectors import shared

    return shared(phrases_version)
