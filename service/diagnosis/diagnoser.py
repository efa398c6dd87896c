"""``diagnose(text, facts) -> answer``: the one function that every door calls."""

import time
import typing

from tfhelp.collectors.reading.condense import condense
from tfhelp.index.literals import finder_of
from tfhelp.index.signatures import Hit, admitted
from tfhelp.kb import compiled
from tfhelp.service.diagnosis import candidates, confidence, reading, signs, stages
from tfhelp.service.diagnosis.document import answer_of
from tfhelp.service.diagnosis.features import surroundings
from tfhelp.service.diagnosis.likeness import LikenessSearch, Look, tells_a_story
from tfhelp.service.diagnosis.long_text import Stream
from tfhelp.service.diagnosis.reading import Collected, Json, Reading
from tfhelp.service.diagnosis.spared import spared
from tfhelp.service.diagnosis.verdict import decide

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

DEFAULT_TOP = 3


class Diagnoser:
    """Knowledge base and indexes, ready to answer.

    Args:
        knowledge: the compiled knowledge base.
        vectors: phrase search by likeness (``tfhelp.index.vectors.VectorIndex``), a function that loads it for the
            phrases' version on first need, or ``None`` to go without.
        warm: whether to prepare the indexes for many questions, which pays from the second one on.
        words: phrase search by words, in place of the knowledge base's own.
    """

    def __init__(
        self, knowledge: compiled.Knowledge, vectors: typing.Any = None, warm: bool = False, words: typing.Any = None
    ) -> None:
        self.knowledge = knowledge
        self._likeness = LikenessSearch(knowledge, vectors, warm, words)
        # Without the tables of literals a text is read more slowly, and right all the same.
        self.finder = (
            spared([], "the tables of literals", lambda: finder_of(knowledge.signatures.tables, True), None) if warm else None
        )

    @classmethod
    def load(cls, warm: bool = False) -> "Diagnoser":
        """From the files beside the program.

        Raises:
            tfhelp.kb.compiled.KnowledgeError: the compiled knowledge base is missing.
        """
        knowledge = compiled.load()
        return cls(knowledge, load_vectors if warm or knowledge.parts else load_once, warm)

    def diagnose(
        self, text: str | Stream, facts: Json | None = None, top: int = DEFAULT_TOP, collected: Collected = None
    ) -> "Answer":
        """Answer.

        Args:
            text: what the user pasted, or a stream of it, of any length.
            facts: a facts document that the user gave.
            top: matches at most.
            collected: facts of this machine, or a function that gives them once the text is read; they step back where
                the text is about another machine.

        Raises:
            tfhelp.kb.fact_sheet.FactError: ``facts`` does not fit the model.
        """
        started = time.perf_counter()
        found = self.read(text, facts, collected)
        decision = decide(found, self.knowledge, top)
        stages.ended("causes")
        answer = answer_of(decision, found, self.knowledge)
        stages.ended("document")
        answer["took_ms"] = round((time.perf_counter() - started) * 1e3, 3)  # a memory tells one answer from another by it
        return answer

    def read(self, text: str | Stream, facts: Json | None = None, collected: Collected = None) -> Reading:
        """Text and facts to candidates, best first, without the answer's words.

        Raises:
            tfhelp.kb.fact_sheet.FactError: ``facts`` does not fit the model.
        """
        found = reading.read(text, facts, collected, self.knowledge, self.finder)
        stages.ended("reading")
        self.find(found)
        self.score(found)
        stages.ended("scoring")
        return found

    def find(self, found: Reading, withheld: str = "", silent: str = "") -> None:
        """Find the entries that a text may speak of, with their signs, and what else it says; nothing is scored yet.

        Args:
            found: what was read. It gets ``condensed``, ``candidates`` and ``around``.
            withheld: an entry to do without, as if nobody had written it.
            silent: an entry whose signatures do not count, as if the text said it in words that nobody has written down.
        """
        ours = signs.of_ours(found.records, found.hits, found.sheet)
        hits = admitted([hit for hit in found.hits if hit.signature.entry not in (withheld, silent)], ours > 0, found.shows_ours)
        found.condensed = condense(found.records, self._harmless(hits) | found.healthy)
        named = candidates.of_signs(self.knowledge, hits, found.sheet)
        named.pop(withheld, None)
        decided = [item.entry for item in named.values() if item.decisive and not self._benign(item.entry)]
        # What no word shows to be TensorFlow's may be another program's, whatever its signature says; a team's own is its own.
        surely = bool(decided) and (ours > 0 or any("private" in self.knowledge.summaries[entry] for entry in decided))
        stages.ended("signs")
        look = _look(found, surely, bool(decided) or any(item.script or item.facts for item in named.values()))
        like = self._likeness_of(found, named, look)
        stages.ended("likeness")
        found.candidates = candidates.gathered(self.knowledge, named, hits, like)
        benign = [item for item in found.candidates if self._benign(item.entry)]
        found.around = surroundings(found, hits, benign, ours, like)

    def _likeness_of(self, found: Reading, named: typing.Collection[str], look: Look) -> candidates.Likeness:
        """What the failure is like; for another library's or program's nothing but whether it is out of scope.

        A search that fails takes only itself away. But a command says what is missing and how to make it.
        """
        ours = found.shows_ours or not signs.failed_elsewhere(found.suspects())
        search = self._likeness.search if ours else self._likeness.search_elsewhere
        if self.finder is None:
            return search(found.condensed, look, named)
        nothing: candidates.Likeness | None = None
        if look is not Look.WORDS:
            like = spared(found.faults, "the search by meaning", lambda: search(found.condensed, look, named), nothing)
            if like is not None:
                return like
        like = spared(found.faults, "the search by words", lambda: search(found.condensed, Look.WORDS, named), nothing)
        return candidates.Likeness([], [], {}) if like is None else like

    def score(self, found: Reading) -> None:
        """Score the candidates and put the best first."""
        learned = confidence.weights()
        for item in found.candidates:
            item.score = learned.score(item, found.around)
        found.candidates = candidates.in_order(found.candidates)

    def _harmless(self, hits: list[Hit]) -> frozenset[int]:
        """``id()`` of the records that a harmless entry knows."""
        return frozenset(
            id(hit.record)
            for hit in candidates.kept_hits(hits)
            if hit.signature.strength == "decisive" and self._benign(hit.signature.entry) and hit.record.kind in ("log", "output")
        )

    def _benign(self, entry: str) -> bool:
        return bool(self.knowledge.summaries[entry]["severity"] == "benign")


def load_once(phrases_version: str) -> typing.Any:
    """The phrase search by likeness for one text (``tfhelp.index.quick_search``), or that for many where it cannot be had."""
    from tfhelp.index import quick_search

    return quick_search.load(knowledge=phrases_version) or load_vectors(phrases_version)


def _look(found: Reading, surely: bool, named: bool) -> Look:
    """How far to search. Which entry it is, the words alone may settle, where no signature, no script and no fact names one.

    Which cause of a named one it is, only the meaning of what is told beside it says.
    """
    if not named:
        return Look.WORDS_FIRST
    return Look.WORDS if surely and not tells_a_story(found.records) else Look.MEANING


def load_vectors(phrases_version: str) -> typing.Any:
    """The phrase search by likeness, one for the process (``tfhelp.index.vectors``)."""
    from tfhelp.index.vectors import shared

    return shared(phrases_version)
