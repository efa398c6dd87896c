"""From text and facts to evidence: the parsed text, the matches, and the facts."""

import typing

from tfhelp.collectors import text_facts
from tfhelp.collectors.course import put_course
from tfhelp.collectors.reading import read as read_text
from tfhelp.collectors.reading import read_parts
from tfhelp.index.literals import Finder, finder_of
from tfhelp.index.searchable import SearchableRecords
from tfhelp.index.signatures import Hit, admitted, scan
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.derived import derive
from tfhelp.kb.fact_sheet import FactSheet, read_document
from tfhelp.kb.text import Record, Text
from tfhelp.service.diagnosis import long_text, signs, text_evidence
from tfhelp.service.diagnosis.features import Surroundings
from tfhelp.service.diagnosis.guarded import guarded
from tfhelp.service.diagnosis.releases_shown import put_releases

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.candidates import Candidate

Json = dict[str, typing.Any]
Collected = Json | typing.Callable[[], Json] | None

_LONG_TEXT = 50_000  # characters; from about this length, preparing the single pass (6 ms) saves more than it costs


class Reading:
    """Everything that was read and found on the way to an answer.

    Attributes:
        text: the parsed lines and records.
        records: the same records, searchable.
        sheet: the facts, derived ones included.
        hits: signatures on records, including ``never`` ones.
        shows_ours: whether another library's or program's record may be about TensorFlow (``signs.show_ours``).
        condensed: the failure in a few words, for search by likeness.
        healthy: ``id()`` of records that also occur in a team's good runs (``tfhelp.service.diagnosis.healthy``).
        around: what the text shows besides its candidates.
        candidates: entries that the text may be about, best first.
        faults: sentences about parts of tfhelp that failed.
        interpreter: this machine's, if the text may be from a run here, so that its packages may be read; else empty.
    """

    __slots__ = (
        "around",
        "candidates",
        "condensed",
        "faults",
        "healthy",
        "hits",
        "interpreter",
        "records",
        "sheet",
        "shows_ours",
        "text",
    )

    def __init__(self, text: Text, records: list[Record], sheet: FactSheet, hits: list[Hit], shows_ours: bool) -> None:
        self.text = text
        self.shows_ours = shows_ours
        self.records = records
        self.sheet = sheet
        self.hits = hits
        self.condensed = ""
        self.healthy: frozenset[int] = frozenset()
        self.around = Surroundings()
        self.candidates: list[Candidate] = []
        self.interpreter = ""
        self.faults: list[str] = []

    def unexplained(self) -> list[Record]:
        """Records that no signature matches."""
        known = {id(hit.record) for hit in self.hits if hit.signature.strength != "never"}
        return [record for record in self.suspects() if id(record) not in known]

    def suspects(self) -> list[Record]:
        """The records without those of a team's good runs."""
        return [record for record in self.records if id(record) not in self.healthy] if self.healthy else self.records


def _pasted(text: "str | long_text.Stream", knowledge: Knowledge) -> Text:
    if isinstance(text, long_text.Stream) or long_text.is_long(text):
        return read_parts(long_text.sieved(text, knowledge))
    return read_text(text)


def _is_worth_an_index(text: "str | long_text.Stream") -> bool:
    return long_text.is_long(text) or len(typing.cast(str, text)) > _LONG_TEXT


def read(
    text: "str | long_text.Stream",
    facts: Json | None,
    collected: Collected,
    knowledge: Knowledge,
    finder: Finder | None = None,
) -> Reading:
    """Read a text and settle the facts; this does not look for candidates yet.

    Args:
        text: what was pasted, or a stream of it, of any length.
        facts: a facts document that the user gave.
        collected: facts of this machine, or a function that returns them once the text is read. They are dropped if the text is
            about another machine.
        knowledge: the compiled knowledge base.
        finder: finds its signatures' literals, prepared for many questions.

    Raises:
        tfhelp.kb.fact_sheet.FactError: ``facts`` does not match the model.
    """
    given = read_document(facts or {}, knowledge.fact_types)
    pasted = _pasted(text, knowledge)
    records = SearchableRecords(pasted.records, finder or finder_of(knowledge.signatures.tables, _is_worth_an_index(text)))
    hits = scan(knowledge.signatures, records)
    healthy, hits = _healthy(pasted, hits, knowledge)
    shows_ours = signs.show_ours(pasted.records, hits)
    ours = pasted if shows_ours else signs.without_others(pasted, admitted(hits, False))
    faults: list[str] = []
    sheet = guarded(faults, "the facts in the text", lambda: text_facts.read(ours), FactSheet())
    guarded(faults, "the course of the run", lambda: put_course(_without(ours, healthy), sheet), None)
    guarded(faults, "the facts of the exception", lambda: text_evidence.put_exception(pasted, sheet), None)
    captured = hits if shows_ours else admitted(hits, False)
    guarded(faults, "values that messages name", lambda: text_evidence.put_captures(captured, sheet, knowledge.fact_types), None)
    sheet.add(given)
    guarded(faults, "the code in the text", lambda: text_evidence.put_code(pasted, sheet), None)
    guarded(faults, "the releases that the text shows", lambda: put_releases(ours, sheet), None)
    if callable(collected):
        nothing: Json = {}
        collected = guarded(faults, "facts of this machine", collected, nothing)
    if collected:
        text_evidence.add_collected(sheet, read_document(collected, knowledge.fact_types, "collected"))
    guarded(faults, "what follows from the facts", lambda: derive(sheet, knowledge.tables), None)
    found = Reading(pasted, records, sheet, hits, shows_ours)
    found.faults = faults
    found.healthy = healthy
    found.interpreter = _interpreter(collected, sheet) if collected else ""
    return found


def _healthy(text: Text, hits: list[Hit], knowledge: Knowledge) -> tuple[frozenset[int], list[Hit]]:
    """The records of a team's good runs, and the hits without failure signatures on those records."""
    if not knowledge.parts:
        return frozenset(), hits
    from tfhelp.service.diagnosis.healthy import healthy_records, known_forms

    healthy = healthy_records(text, hits, known_forms(knowledge))
    summaries = knowledge.summaries
    return healthy, [
        hit for hit in hits if id(hit.record) not in healthy or summaries[hit.signature.entry]["severity"] == "benign"
    ]


def _without(text: Text, healthy: frozenset[int]) -> Text:
    if not healthy:
        return text
    from tfhelp.service.diagnosis.healthy import without_healthy

    return without_healthy(text, healthy)


def _interpreter(collected: Json, sheet: FactSheet) -> str:
    """The interpreter that was inspected here, unless its facts were dropped because the text is from another machine."""
    here = (collected.get("python") or {}).get("executable")
    return here if isinstance(here, str) and sheet.get("python.executable") == here else ""
