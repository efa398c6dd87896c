"""Prepare an answer for sharing: everything that the user gave is redacted, and the knowledge base's own text stays."""

import functools
import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer


def redacted(answer: typing.Mapping[str, typing.Any]) -> "Answer":
    """An answer without secrets; the example addresses in its fixes are not secret, and stay."""
    from tfhelp.collectors.redaction import redact_document

    return typing.cast("Answer", redact_document(dict(answer), examples_of(answer)))


def examples_of(answer: typing.Mapping[str, typing.Any]) -> frozenset[str]:
    """The addresses and names that the entries of an answer use as examples."""
    matches = answer.get("matches")
    entries = [match.get("entry") for match in matches if isinstance(match, dict)] if isinstance(matches, list) else []
    return frozenset().union(*[_examples_of_entry(entry) for entry in entries if isinstance(entry, str)])


@functools.lru_cache(maxsize=256)
def _examples_of_entry(identifier: str) -> frozenset[str]:
    """The examples of one entry; none if this knowledge base has no such entry, because another server answered."""
    from tfhelp.collectors.redaction import examples_in
    from tfhelp.kb import compiled

    try:
        return examples_in([cause["fix"] for cause in compiled.load().entry(identifier)["causes"]])
    except (KeyError, compiled.KnowledgeError):
        return frozenset()
