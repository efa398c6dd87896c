"""Match signatures against records: which patterns match where, and what their groups capture.

A pattern is read, compiled and run only where one of its literals occurs in the text (``tfhelp.index.literals``).
"""

import bisect
import re
import typing

from tfhelp.index.automata import compiled
from tfhelp.index.literals import finder_of
from tfhelp.index.searchable import SearchableRecords, searchable
from tfhelp.kb.chosen_names import is_chosen
from tfhelp.kb.signature_table import SignatureRow, Signatures
from tfhelp.kb.text import Record


class Hit(typing.NamedTuple):
    """A signature that matched a record.

    Attributes:
        captured: fact path -> what a group of the pattern captured.
        line: of the pasted text, where the match begins.
    """

    signature: SignatureRow
    record: Record
    captured: dict[str, str]
    line: int


def scan(signatures: Signatures, records: list[Record]) -> list[Hit]:
    """All hits, in the signatures' order.

    Args:
        signatures: all of them.
        records: of one text, preferably searchable with a finder of the signatures' literals (``finder_of``).
    """
    texts = records if isinstance(records, SearchableRecords) else SearchableRecords(records, finder_of(signatures.tables, False))
    places = _places(signatures, texts)
    _thin_out(signatures, places, texts)
    hits = []
    for number in sorted(places):
        signature = signatures.row(number)
        for place in places[number]:
            hit = _search(signature, texts[place])
            if hit:
                hits.append(hit)
    return hits


def admitted(hits: list[Hit], second_sign: bool, shown: bool | None = None) -> list[Hit]:
    """The hits that count, each with the strength that it may have here.

    A record that another library raised, or another program printed, counts only if the text also shows TensorFlow or Keras. A
    signature can name a different required origin in ``raised_by``. A signature whose words other programs print too (``shared``)
    is decisive only with a second sign.

    Args:
        hits: from a scan.
        second_sign: whether anything else in the text or among the facts is TensorFlow's or Keras'.
        shown: whether the text itself shows TensorFlow or Keras. A record of another library or program needs this: an installed
            TensorFlow does not show what failed. If it is not given, ``second_sign`` counts for both.
    """
    of_others = second_sign if shown is None else shown
    return [_as_strong(hit, second_sign) for hit in hits if _may_count(hit, of_others)]


def _may_count(hit: Hit, shown: bool) -> bool:
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


def _is_program_output(record: Record) -> bool:
    """Return whether a program wrote the whole record. There, a pattern for what people write would only match by chance.

    What you write right below a log line may become part of the line's record.
    """
    return record.kind in ("traceback", "progress") or (record.kind == "log" and record.first_line == record.last_line)


_MANY = 200  # records
_ENDS = re.compile(r"(?<!\[)\^|\$|\\[AzZ]")


def _places(signatures: Signatures, records: SearchableRecords) -> dict[int, typing.Sequence[int]]:
    """Number of a signature -> ascending numbers of the records that contain its literals."""
    possible: dict[int, set[int]] = {number: set(range(len(records))) for number in signatures.free()}
    for literal, found in records.held.items():
        for number in signatures.of_literal(literal):
            if number in possible:
                possible[number].update(found)
            else:
                possible[number] = set(found)
    spoken = {place for place, record in enumerate(records) if not _is_program_output(record)}
    places: dict[int, typing.Sequence[int]] = {}
    for number, found_in in possible.items():
        signature = signatures.row(number)
        candidates = found_in & spoken if signature.said else found_in
        others = signature.literals[1:]
        places[number] = [place for place in sorted(candidates) if records.holds(place, others)]
    return places


def _thin_out(signatures: Signatures, places: dict[int, typing.Sequence[int]], records: SearchableRecords) -> None:
    """If a long text contains a pattern's literals everywhere, leave out the pieces in which the pattern does not match.

    RE2 reads a piece of many records in the time of a few calls. A match in one record is a match in the piece, unless the
    pattern is anchored to the text's ends.
    """
    common = [
        number for number, found in places.items() if len(found) > _MANY and not _ENDS.search(signatures.row(number).pattern)
    ]
    if not common:
        return
    kept: dict[int, list[int]] = {number: [] for number in common}
    for start in range(0, len(records), _MANY):
        piece = "\n".join([record.text for record in records[start : start + _MANY]])
        for number in common:
            found = places[number]
            inside = found[bisect.bisect_left(found, start) : bisect.bisect_left(found, start + _MANY)]
            if inside and _compile(signatures.row(number).pattern).search(piece):
                kept[number] += inside
    places.update(kept)


def _search(signature: SignatureRow, record: Record) -> Hit | None:
    pattern = _compile(signature.pattern)
    match = pattern.search(record.text)
    tried = 0
    while match and is_chosen(record.text, match.start()):  # such a name says nothing about the failure
        tried += 1
        match = pattern.search(record.text, match.start() + 1) if tried < _TRIED else None
    if not match:
        return None
    captured = {path: match[group] for group, path in signature.captures.items() if match[group]}
    return Hit(signature, record, captured, record.line_of(match.start()))


_TRIED = 50  # places in a record
_KEPT = 4_096  # compiled patterns; each takes about ten kilobytes

_compiled: dict[str, typing.Any] = {}


def _compile(pattern: str) -> typing.Any:
    """The compiled pattern. It is cached, because most texts that people send are of the same kinds."""
    known = _compiled.get(pattern)
    if known is None:
        if len(_compiled) >= _KEPT:
            _compiled.clear()
        known = _compiled[pattern] = compiled(pattern)
    return known


def search_text(pattern: str, literals: list[list[str]], records: list[Record]) -> int:
    """The line where a text check's pattern first matches, counted from 1; 0 if it matches nowhere."""
    for record in searchable(records).holding(literals):  # usually none
        match = _compile(pattern).search(record.text)
        if match:
            return record.line_of(match.start())
    return 0
