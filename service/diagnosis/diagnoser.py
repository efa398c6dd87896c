"""``diagnose(text, facts) -> answer``: the one function that every face calls."""

import time
import typing

from tfhelp.collectors import text_facts
from tfhelp.collectors.course import put_course
from tfhelp.collectors.reading.condense import condense, plain_failure, speaks_of_an_error
from tfhelp.collectors.reading.lines import clean_lines
from tfhelp.collectors.reading.records import split
from tfhelp.index import lexical
from tfhelp.index.classifier import OUT_OF_SCOPE
from tfhelp.index.searchable import SearchableRecords
from tfhelp.index.signatures import Hit, SignatureIndex, scan
from tfhelp.kb import compiled
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.text import Record, Text
from tfhelp.service.diagnosis import candidates, confidence, questions, text_evidence
from tfhelp.service.diagnosis.causes import RankedCause, rank
from tfhelp.service.diagnosis.fixes import fill_fix
from tfhelp.service.diagnosis.framework import foreign_share

Json = dict[str, typing.Any]
Collected = Json | typing.Callable[[], Json] | None

DEFAULT_TOP = 3
_LONG_TEXT = 50_000  # characters, from about which preparing the one pass (6 ms) costs no more than it saves
_LIKE_ENOUGH = 40  # phrases that a search hands on
_STORY = 14  # words that do not yet make a story
_IN_WORDS = 0.7  # share of them that are words and neither numbers nor paths
_EDGE = 20  # records
_NEAREST = 3  # entries named beside an abstention
_REFUTED = 4.0  # what an entry loses when the facts rule out all of its causes


class Reading:
    """All that was read and found on the way to an answer; ``out_of_scope``: probability that it speaks of other software."""

    __slots__ = ("candidates", "condensed", "hits", "out_of_scope", "records", "sheet", "text")

    def __init__(self, text: str, records: list[Record], sheet: FactSheet, hits: list[Hit]) -> None:
        self.text = text
        self.records = records
        self.sheet = sheet
        self.hits = hits
        self.condensed = ""
        self.out_of_scope = 0.0
        self.candidates: list[candidates.Candidate] = []


class Diagnoser:
    """Knowledge base and indexes, ready to answer.

    Args:
        knowledge: the compiled knowledge base.
        vectors: phrase search by likeness (``tfhelp.index.vectors.VectorIndex``), a function that loads it for the
            phrases' version on first need, or ``None`` to go without.
        warm: whether to prepare the indexes for many questions, which pays from the second one on.
    """

    def __init__(self, knowledge: compiled.Knowledge, vectors: typing.Any = None, warm: bool = False) -> None:
        self.knowledge = knowledge
        self._vectors = vectors
        self._index: SignatureIndex | None = None
        self._lexical: lexical.LexicalIndex | None = None
        if warm:
            self._index = SignatureIndex(knowledge.signatures, knowledge.literals_of_checks())
            self._lexical = lexical.LexicalIndex(knowledge.lexicon, len(knowledge.phrases))

    @classmethod
    def load(cls, warm: bool = False) -> "Diagnoser":
        """From the files beside the program.

        Raises:
            tfhelp.kb.compiled.KnowledgeError: the compiled knowledge base is missing.
        """
        return cls(compiled.load(), load_vectors, warm)

    def diagnose(self, text: str, facts: Json | None = None, top: int = DEFAULT_TOP, collected: Collected = None) -> Json:
        """Answer.

        Args:
            text: what the person pasted, up to any length.
            facts: a facts document that the person gave.
            top: matches at most.
            collected: facts of this machine, or a function that gives them once the text is read; they step back where
                the text is about another one.

        Returns:
            The JSON document of the API (``README.md`` shows one).

        Raises:
            tfhelp.kb.fact_sheet.FactError: ``facts`` does not fit the model.
        """
        started = time.perf_counter()
        reading = self.read(text, facts, collected)
        answer = self._answer(reading, top)
        answer["kb_version"] = self.knowledge.version
        answer["took_ms"] = round((time.perf_counter() - started) * 1e3, 1)
        return answer

    def read(self, text: str, facts: Json | None = None, collected: Collected = None) -> Reading:
        """Text and facts to candidates, best first, without the answer's words."""
        given = read_document(facts or {}, self.knowledge.fact_types)
        index = self._index or (SignatureIndex(self.knowledge.signatures) if len(text) > _LONG_TEXT else None)
        records = SearchableRecords(split(text), index.finder if index else None)
        hits = index.scan(records) if index else scan(self.knowledge.signatures, records)
        sheet = text_facts.read(text, records)
        put_course(Text(list(clean_lines(text)), records), sheet)
        text_evidence.put_exception(records, sheet)
        text_evidence.put_captures(hits, sheet, self.knowledge.fact_types)
        sheet.add(given)
        text_evidence.put_code(text, sheet)
        if callable(collected):
            collected = collected()
        if collected:
            text_evidence.add_collected(sheet, read_document(collected, self.knowledge.fact_types, "collected"))
        derive(sheet, self.knowledge.tables)
        reading = Reading(text, records, sheet, hits)
        self._find(reading)
        return reading

    def _find(self, reading: Reading) -> None:
        knowledge = self.knowledge
        harmless = frozenset(
            id(hit.record)
            for hit in candidates.kept_hits(reading.hits)
            if hit.signature.strength == "decisive" and self._benign(hit.signature.entry) and hit.record.kind in ("log", "output")
        )
        reading.condensed = condense(reading.records, harmless)
        named = candidates.of_signs(knowledge, reading.hits, reading.sheet)
        decided = any(item.decisive for item in named.values() if not self._benign(item.entry))
        near = self._alike_in_words(reading.condensed) if reading.condensed else []
        close: list[tuple[int, float]] = []
        classified: dict[str, float] = {}
        if reading.condensed and (not decided or _tells_a_story(reading.records)):
            vectors = self._vectors(knowledge.phrases_version) if callable(self._vectors) else self._vectors
            if vectors is not None:
                close, classified = vectors.look_up(reading.condensed, _LIKE_ENOUGH)
                reading.out_of_scope = classified.get(OUT_OF_SCOPE, 0.0)
        likeness = candidates.Likeness(near, close, classified)
        reading.candidates = candidates.ranked(knowledge, named, reading.hits, likeness)

    def _alike_in_words(self, query: str) -> list[tuple[int, float]]:
        if self._lexical:
            return self._lexical.search(query, _LIKE_ENOUGH)
        return lexical.search(self.knowledge.lexicon, query, _LIKE_ENOUGH)

    def _benign(self, entry: str) -> bool:
        return bool(self.knowledge.summaries[entry]["severity"] == "benign")

    def _answer(self, reading: Reading, top: int) -> Json:
        failures = [item for item in reading.candidates if not self._benign(item.entry)]
        benign = [item for item in reading.candidates if self._benign(item.entry) and item.decisive]
        failures, ranked = self._ranked(failures, reading, max(top, _NEAREST))
        # Of a program that ended with exit code 0 a line that speaks of an error is no failure: it went on.
        plain = reading.sheet.get("derived.ended_well") is not True and any(map(plain_failure, self._unknown(reading)))
        out_of_scope = max(self._told_out_of_scope(reading, plain), foreign_share(reading.records, reading.sheet))
        sure = confidence.of_failures(failures, out_of_scope, plain)
        matches = [
            self._match(item, value, ranked[item.entry], reading, place)
            for place, (item, value) in enumerate(zip(failures[: max(top, _NEAREST)], sure, strict=False))
        ]
        answer: Json = {"abstained": False, "matches": matches[:top], "benign": _benign_lines(benign, self.knowledge)}
        undecided = bool(failures and benign and not failures[0].decisive and not failures[0].shown_by_script)
        if not sure or sure[0] < (self._undecided_threshold(reading) if undecided else confidence.THRESHOLD):
            if benign and not any(speaks_of_an_error(record) for record in self._unknown(reading)):
                answer["matches"] = [
                    self._match(item, confidence.of_benign(item), self._causes(item, reading), reading, place)
                    for place, item in enumerate(benign[:top])
                ]
            else:
                answer |= {"abstained": True, "matches": [], "nearest": _nearest(matches, self.knowledge)}
        answer["condensed"] = reading.condensed
        answer["facts"] = reading.sheet.document()
        answer["stepped_back"] = [
            {"fact": path, "value": value, "source": source, "why": why} for path, value, source, why in reading.sheet.lost
        ]
        leading = ranked.get(answer["matches"][0]["entry"]) if answer["matches"] else None
        answer["ask_for"] = questions.deciding_facts(leading or [], reading.sheet)
        if answer["abstained"]:
            answer["report"] = questions.bug_report(reading.condensed, answer["facts"])
        return answer

    def _ranked(
        self, failures: list[candidates.Candidate], reading: Reading, count: int
    ) -> tuple[list[candidates.Candidate], dict[str, list[RankedCause]]]:
        """The candidates, those whose causes the facts all rule out lowered; with the causes of the first ``count``.

        A candidate's causes are looked at when it comes to stand first among the rest: most never do.
        """
        ranked: dict[str, list[RankedCause]] = {}
        first: list[candidates.Candidate] = []
        rest = list(failures)
        while rest and len(first) < count:
            item = rest[0]
            if item.entry in ranked:
                first.append(rest.pop(0))
                continue
            ranked[item.entry] = self._causes(item, reading)
            if all(cause.verdict == "ruled-out" for cause in ranked[item.entry]):
                item.score -= _REFUTED
                rest.sort(key=lambda other: -other.score)
        return first + rest, ranked

    def _told_out_of_scope(self, reading: Reading, plain: bool) -> float:
        """What the words say of other software.

        A mere "it does not work" beside a script that shows a fault says nothing, and beside a decisive signature the
        words around it say half as much: only names of other software, which are counted apart, say more.
        """
        decided = any(item.decisive for item in reading.candidates if not self._benign(item.entry))
        if any(item.shown_by_script for item in reading.candidates) and not plain and not decided:
            return 0.0
        return reading.out_of_scope / 2 if decided else reading.out_of_scope

    def _undecided_threshold(self, reading: Reading) -> float:
        """Beside a harmless message that is known, what no signature decides speaks only of what else is said, and plainly."""
        besides = any(record.kind == "prose" or plain_failure(record) for record in self._unknown(reading))
        return confidence.PLAIN if besides else confidence.NEVER

    def _causes(self, item: candidates.Candidate, reading: Reading) -> list[RankedCause]:
        return rank(self.knowledge.entry(item.entry), reading.sheet, reading.records, item.likeness)

    def _unknown(self, reading: Reading) -> list[Record]:
        """Records that no signature knows."""
        known = {id(hit.record) for hit in reading.hits if hit.signature.strength != "never"}
        return [record for record in reading.records if id(record) not in known]

    def _match(self, item: candidates.Candidate, sure: float, ranked: list[RankedCause], reading: Reading, place: int) -> Json:
        summary = self.knowledge.summaries[item.entry]
        return {
            "entry": item.entry,
            "title": summary["title"],
            "family": summary["family"],
            "severity": summary["severity"],
            "role": "failure" if place == 0 or item.decisive else "alternative",
            "confidence": round(sure, 3),
            "matched": candidates.lines_matched(item, reading.records)
            + [{"line": 0, "text": says, "by": "fact"} for says in item.facts],
            "causes": [
                {
                    "cause": cause.cause["id"],
                    "title": cause.cause["title"],
                    "means": cause.cause["means"],
                    "confidence": round(cause.confidence, 3),
                    "verdict": cause.verdict,
                    "evidence": [found.document() for found in cause.evidence],
                    "fix": fill_fix(cause.cause, reading.sheet),
                }
                for cause in ranked
            ],
        }


def _tells_a_story(records: list[Record]) -> bool:
    """Whether a person describes at some length what happened: it tells the causes apart where a message does not.

    People write before or behind what they paste, and in words; what programs print in words is full of numbers and paths.
    """
    edges = records if len(records) <= 2 * _EDGE else records[:_EDGE] + records[-_EDGE:]
    return any(record.kind == "prose" and _is_story(record.text.split()) for record in edges)


def _is_story(words: list[str]) -> bool:
    return len(words) > _STORY and sum(word.strip("\"'(),.:;?!").isalpha() for word in words) >= _IN_WORDS * len(words)


def load_vectors(phrases_version: str) -> typing.Any:
    """The phrase search by likeness, one for the process (``tfhelp.index.vectors``)."""
    from tfhelp.index.vectors import shared

    return shared(phrases_version)


def _benign_lines(benign: list[candidates.Candidate], knowledge: compiled.Knowledge) -> list[Json]:
    return [
        {"entry": item.entry, "title": knowledge.summaries[item.entry]["title"], "line": hit.record.first_line}
        for item in benign
        for hit in item.hits
    ]


def _nearest(matches: list[Json], knowledge: compiled.Knowledge) -> list[Json]:
    return [{"entry": row["entry"], "title": row["title"], "confidence": row["confidence"]} for row in matches[:_NEAREST]]
