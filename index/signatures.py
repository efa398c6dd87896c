"""Signatures on records: which patterns match where, and what their groups capture.

A pattern is compiled and run only where one of its literals occurs in the text. A cold ``ask`` looks for each literal
(``scan``); the service finds them all in one pass (``SignatureIndex``). ``tests/index/test_signatures.py`` proves them equal.
"""

import bisect
import re
import typing

from tfhelp.index.automata import compiled
from tfhelp.index.literals import LiteralFinder
from tfhelp.index.searchable import SearchableRecords, searchable
from tfhelp.kb.compiled import SignatureRow
from tfhelp.kb.text import Record


class Hit(typing.NamedTuple):
    """A signature that matched a record."""

    signature: SignatureRow
    record: Record
    captured: dict[str, str]


def scan(signatures: list[SignatureRow], records: list[Record]) -> list[Hit]:
    """All hits, by the signatures' literals first: for one text, where compiling all patterns costs more."""
    texts = searchable(records)
    nobody_speaks = all(map(_is_a_programs, records))
    hits = []
    joined = texts.joined
    for signature in signatures:
        if signature.said and nobody_speaks:
            continue
        for literal in signature.literals[0] if signature.literals else ("",):
            if literal in joined:
                break
        else:
            continue  # true of nearly all signatures, so nothing expensive may come before
        for record in texts.holding(signature.literals):
            if signature.said and _is_a_programs(record):
                continue
            hit = _search(signature, record)
            if hit:
                hits.append(hit)
    return hits


def admitted(hits: list[Hit], second_sign: bool, shown: bool | None = None) -> list[Hit]:
    """The hits that may speak, as strongly as they may.

    A record that another library raised, or another program printed, speaks only where the text shows TensorFlow or Keras
    as well. Who has to have raised it otherwise, a signature says by ``raised_by``. Words that others print too
    (``shared``) are decisive only beside a second sign.

    Args:
        hits: from a scan.
        second_sign: whether anything else in the text or among the facts is TensorFlow's or Keras'.
        shown: whether the text itself shows it, which is what another's record needs: that TensorFlow is installed says
            nothing of who failed. Without it ``second_sign`` counts for both.
    """
    of_others = second_sign if shown is None else shown
    return [_as_strong(hit, second_sign) for hit in hits if _may_speak(hit, of_others)]


def _may_speak(hit: Hit, shown: bool) -> bool:
    owner = hit.record.origin.partition(":")[0]
    wanted = hit.signature.raised_by
    if hit.signature.strength == "never" or owner in ("", "unknown"):
        return True
    if wanted:
        return "any" in wanted or owner in wanted
    return shown or owner not in ("library", "program")


def _as_strong(hit: Hit, second_sign: bool) -> Hit:
    if second_sign or not hit.signature.shared or hit.signature.strength != "decisive":
        return hit
    return hit._replace(signature=hit.signature._replace(strength="supporting"))


def _is_a_programs(record: Record) -> bool:
    """Whether a program wrote all of the record: in its words a pattern about people's words would find only chance.

    What a person wrote right below a log line may have become part of its record.
    """
    return record.kind in ("traceback", "progress") or (record.kind == "log" and record.first_line == record.last_line)


_MANY = 200  # records
_ENDS = re.compile(r"(?<!\[)\^|\$|\\[AzZ]")


class SignatureIndex:
    """Signatures by their literals, for a process that answers many questions.

    Attributes:
        finder: of each pattern's first literals, the checks' too; the records that are scanned have to be made with it.
    """

    __slots__ = ("_by_literal", "_signatures", "_without", "finder")

    def __init__(self, signatures: list[SignatureRow], other_literals: typing.Iterable[str] = ()) -> None:
        """Args: signatures: all of them. other_literals: what else the records will be asked for."""
        self._signatures = signatures
        self._without = [number for number, row in enumerate(signatures) if not row.literals]
        self._by_literal: dict[str, list[int]] = {}
        for number, row in enumerate(signatures):
            for literal in row.literals[0] if row.literals else ():
                self._by_literal.setdefault(literal, []).append(number)
        self.finder = LiteralFinder({*self._by_literal, *other_literals})

    def scan(self, records: SearchableRecords) -> list[Hit]:
        """All hits on the records, in the signatures' order."""
        places = self._places(records)
        self._thin_out(places, records)
        hits = []
        for number in sorted(places):
            signature = self._signatures[number]
            for place in places[number]:
                hit = _search(signature, records[place])
                if hit:
                    hits.append(hit)
        return hits

    def _places(self, records: SearchableRecords) -> dict[int, typing.Sequence[int]]:
        """Number of a signature -> numbers of the records that hold its literals, ascending."""
        possible: dict[int, set[int]] = {number: set(range(len(records))) for number in self._without}
        for literal, found in records.held.items():
            for number in self._by_literal.get(literal, ()):
                if number in possible:
                    possible[number].update(found)
                else:
                    possible[number] = set(found)
        spoken = {place for place, record in enumerate(records) if not _is_a_programs(record)}
        places: dict[int, typing.Sequence[int]] = {}
        for number, found_in in possible.items():
            signature = self._signatures[number]
            candidates = found_in & spoken if signature.said else found_in
            others = signature.literals[1:]
            places[number] = [place for place in sorted(candidates) if records.holds(place, others)]
        return places

    def _thin_out(self, places: dict[int, typing.Sequence[int]], records: SearchableRecords) -> None:
        """Where a long text holds a pattern's literals all over, leave out the pieces in which the pattern does not match.

        RE2 reads a piece of many records in the time of a few calls. A match in one record is a match in the piece, unless
        the pattern speaks of the text's ends.
        """
        common = [
            number
            for number, found in places.items()
            if len(found) > _MANY and not _ENDS.search(self._signatures[number].pattern)
        ]
        if not common:
            return
        kept: dict[int, list[int]] = {number: [] for number in common}
        for start in range(0, len(records), _MANY):
            piece = "\n".join([record.text for record in records[start : start + _MANY]])
            for number in common:
                found = places[number]
                inside = found[bisect.bisect_left(found, start) : bisect.bisect_left(found, start + _MANY)]
                if inside and _compile(self._signatures[number].pattern).search(piece):
                    kept[number] += inside
        places.update(kept)


def _search(signature: SignatureRow, record: Record) -> Hit | None:
    match = _compile(signature.pattern).search(record.text)
    if not match:
        return None
    captured = {path: match[group] for group, path in signature.captures.items() if match[group]}
    return Hit(signature, record, captured)


_compiled: dict[str, typing.Any] = {}


def _compile(pattern: str) -> typing.Any:
    """The compiled pattern; kept, since the knowledge base's patterns are a fixed, small set."""
    if pattern not in _compiled:
        _compiled[pattern] = compiled(pattern)
    return _compiled[pattern]


def search_text(pattern: str, literals: list[list[str]], records: list[Record]) -> Record | None:
    """The first record that a text check's pattern matches, or ``None``."""
    for record in searchable(records).holding(literals):  # mostly none
        if _compile(pattern).search(record.text):
            return record
    return None
