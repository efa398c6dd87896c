"""Convert an answer to the stored row, and back. Everything is redacted here, for every caller."""

import hashlib
import hmac
import json
import typing
import zlib

from tfhelp.collectors.redaction import redact_document
from tfhelp.service.diagnosis.sharing import examples_of
from tfhelp.service.memory.fingerprint import NAMING, Fingerprint, fingerprint

Json = dict[str, typing.Any]
Row = dict[str, typing.Any]

_LONGEST_JOB = 200
_LONGEST_WORDS = 2_000
_LONGEST_NAME = 100
_HASH = 32  # hexadecimal digits


def redacted(document: Json) -> Json:
    """A document without secrets and characters that a database cannot store; an answer in it keeps the examples of its fixes."""
    answer = document.get("answer")
    cleaned: Json = redact_document(document, examples_of(answer) if isinstance(answer, dict) else frozenset())
    return cleaned


def hashed(word: str, kind: str) -> str:
    """A hash of a word, which can be compared but not read; empty stays empty."""
    return hashlib.sha256(f"tfhelp {kind}: {word}".encode(errors="replace")).hexdigest()[:_HASH] if word else ""


def token_hash(token: str) -> str:
    """The stored hash of a token. A random token has at least 144 bits, so a fast hash is enough against guessing.

    A token that is made from an ``Idempotency-Key`` is only as hard to guess as that key.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def row_of(answer: Json, given: Json, sender: str) -> Row:
    """The columns from an answer; the store sets ``uid``, ``token_hash``, ``at`` and ``again``.

    Args:
        answer: the document, redacted.
        given: the input, redacted.
        sender: an opaque identifier.
    """
    mark = fingerprint(answer)
    first = (answer.get("matches") or [{}])[0]
    causes = first.get("causes") or [{}]
    names = answer.get("verdict") in NAMING
    epochs, steps = progress(answer)
    return {
        "fingerprint": mark.value,
        "fingerprint_version": mark.version,
        "message": plain(mark.message),
        "kb_version": plain(answer.get("kb_version", "")),
        "verdict": plain(answer.get("verdict", ""))[:20],
        "entry": plain(first.get("entry", "")) if names else "",
        "cause": plain(causes[0].get("cause", "")) if names else "",
        "sender": hashed(sender, "sender"),
        "job": job_of(given),
        "log": log_of(given, mark),
        "digest": digest_of(answer, mark),
        "epochs": epochs,
        "steps": steps,
        "condensed": plain(answer.get("condensed", "")),
        "answer": packed(answer),
        "given": json.dumps(given),
    }


def plain(value: object, most: int = 10_000) -> str:
    """Text that every database accepts: without null characters and lone surrogates."""
    return str(value).replace("\0", "").encode("utf-8", "replace").decode("utf-8")[:most]


def packed(document: Json) -> bytes:
    """A document as compressed JSON."""
    return zlib.compress(json.dumps(document).encode("ascii"))


def unpacked(content: bytes) -> Json:
    """The document from compressed JSON."""
    document: Json = json.loads(zlib.decompress(content))
    return document


def job_of(given: Json) -> str:
    """The name of the job or of the given file, empty if there is none."""
    return plain(given.get("job") or given.get("name") or "", _LONGEST_JOB)


def log_of(given: Json, mark: Fingerprint) -> str:
    """A key that identifies a log: the same log with more facts is not another attempt.

    If the door gives no ``log``, two logs of the same size that fail with the same words are taken for the same one.
    """
    told = given.get("log") or [given.get(key) for key in ("name", "bytes", "lines", "excerpts")]
    return hashed(json.dumps([told, mark.message], sort_keys=True), "log")


def mark_of_text(text: str, key: bytes) -> str:
    """The value of ``log``: a hash of the whole text, including its time stamps, from which nothing can be read.

    Args:
        text: the text, not redacted.
        key: a secret that the database does not hold. Without one, a reader of the database could guess what was redacted, such
            as an address or a password, until the hash agrees.
    """
    return hmac.new(key, f"tfhelp text: {text}".encode(errors="replace"), hashlib.sha256).hexdigest()[:_HASH]


def digest_of(answer: Json, mark: Fingerprint) -> str:
    """A key that distinguishes answers of the same failure, so that an answer does not count itself. Recalling does not change
    it.
    """
    return hashed(json.dumps([mark.value, answer.get("verdict"), answer.get("kb_version"), answer.get("took_ms")]), "answer")


def progress(answer: Json) -> tuple[int | None, int | None]:
    """Epochs and steps that the run completed, None if they are not known."""
    facts = answer.get("facts") or {}
    found = []
    for name in ("epochs", "steps"):
        values = [(facts.get("course") or {}).get(f"done_{name}"), (facts.get("log") or {}).get(f"{name}_done")]
        counts = [value for value in values if isinstance(value, int) and 0 <= value < 2**31]
        found.append(max(counts, default=None))
    return found[0], found[1]


def said_row(said: str, sender: str, words: str, by: str, cause: str) -> Row:
    """The columns of feedback, redacted."""
    cleaned = redacted({"words": words, "by": by, "cause": cause})
    cause = plain(cleaned["cause"], _LONGEST_NAME)
    return {
        "sender": hashed(sender, "sender"),
        "said": said,
        "words": plain(cleaned["words"], _LONGEST_WORDS),
        "by": plain(cleaned["by"], _LONGEST_NAME),
        "cause": cause,
        "named": entry_of(cause),
    }


def entry_of(cause: str) -> str:
    """The entry of an ``entry/cause``, empty if there is none.

    >>> entry_of("card-full/neighbour")
    'card-full'
    """
    entry, slash, _ = cause.partition("/")
    return entry if slash else ""
