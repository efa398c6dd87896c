"""Signatures on records: which patterns match where, and what their groups capture.

Two ways to the same hits. A cold ``ask`` compiles only the patterns whose literal occurs in the text (``scan``); the
service builds one RE2 set of all patterns (``SignatureSet``). ``tests/index/test_signatures.py`` proves them equal.
"""

import typing

from tfhelp.index.searchable import searchable
from tfhelp.kb.compiled import SignatureRow
from tfhelp.kb.record import Record

# RE2's default of 8 MiB refuses sets from about 600 patterns on.
_SET_MEMORY = 512 << 20


class Hit(typing.NamedTuple):
    """A signature that matched a record."""

    signature: SignatureRow
    record: Record
    captured: dict[str, str]


def scan(signatures: list[SignatureRow], records: list[Record]) -> list[Hit]:
    """All hits, by the signatures' literals first: for one text, where compiling all patterns costs more."""
    texts = searchable(records)
    hits = []
    for signature in signatures:
        for record in texts.holding(signature.literals):
            hit = _search(_compile(signature.pattern), signature, record)
            if hit:
                hits.append(hit)
    return hits


class SignatureSet:
    """All signatures as one linear-time pass, for a process that answers many questions."""

    def __init__(self, signatures: list[SignatureRow]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = _SET_MEMORY
        self._signatures = signatures
        self._set = re2.Set.SearchSet(options)
        for signature in signatures:
            self._set.Add(signature.pattern)
        self._set.Compile()

    def scan(self, records: list[Record]) -> list[Hit]:
        """All hits on the records, in the signatures' order."""
        found: dict[int, list[Record]] = {}
        for record in records:
            for number in self._set.Match(record.text) or ():
                found.setdefault(number, []).append(record)
        hits = []
        for number in sorted(found):
            signature = self._signatures[number]
            compiled = _compile(signature.pattern)
            hits += [hit for record in found[number] if (hit := _search(compiled, signature, record))]
        return hits


def _search(compiled: typing.Any, signature: SignatureRow, record: Record) -> Hit | None:
    match = compiled.search(record.text)
    if not match:
        return None
    captured = {path: match[group] for group, path in signature.captures.items() if match[group]}
    return Hit(signature, record, captured)


_compiled: dict[str, typing.Any] = {}


def _compile(pattern: str) -> typing.Any:
    """The compiled pattern; kept, since the knowledge base's patterns are a fixed, small set."""
    if pattern not in _compiled:
        import re2

        _compiled[pattern] = re2.compile(pattern)
    return _compiled[pattern]


def search_text(pattern: str, literals: list[str], records: list[Record]) -> Record | None:
    """The first record that a text check's pattern matches, or ``None``."""
    return next((record for record in searchable(records).holding(literals) if _compile(pattern).search(record.text)), None)
