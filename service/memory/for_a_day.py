"""Answers kept in this process for a day, so that a link, a reload and the browser's Back button work without a database."""

import collections
import json
import math
import secrets
import threading
import time
import typing
import zlib

from tfhelp.service.memory.memory import Json, Kept, Said, Seen

DAY_S = 24 * 3600.0
MOST_ANSWERS = 2000
MOST_BYTES = 64 << 20  # bytes of all kept answers, compressed
_LONGEST_WORDS = 2000  # characters of a comment on feedback


class _Row:
    """A kept answer, compressed, and the last feedback of each sender."""

    __slots__ = ("at", "packed", "said")

    def __init__(self, at: float, packed: bytes) -> None:
        self.at = at
        self.packed = packed
        self.said: dict[str, tuple[Said, str, str, str]] = {}


class ForADay:
    """Keeps answers in this process: for a day, redacted, bounded in number and in bytes. The oldest are dropped first.

    Thread-safe.

    Attributes:
        keeps_s: how long an answer is kept, in seconds.
    """

    keeps_s: float | None

    __slots__ = ("_bytes", "_clock", "_lock", "_most", "_most_bytes", "_rows", "keeps_s")

    def __init__(
        self,
        keeps_s: float = DAY_S,
        most: int = MOST_ANSWERS,
        most_bytes: int = MOST_BYTES,
        clock: typing.Callable[[], float] = time.time,
    ) -> None:
        self.keeps_s = keeps_s
        self._most = most
        self._most_bytes = most_bytes
        self._clock = clock
        self._rows: collections.OrderedDict[str, _Row] = collections.OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer, redacted, and return its token; ``sender`` is not kept. See ``Memory.keep``."""
        from tfhelp.collectors.redaction import redact_document
        from tfhelp.service.diagnosis.sharing import examples_of

        # Redact both together, so that a secret gets the same placeholder in the answer and in the lines of the log.
        safe = redact_document({"answer": answer, "given": given}, examples_of(answer))
        packed = zlib.compress(json.dumps(safe, ensure_ascii=False).encode("utf-8", "replace"), 3)
        token = token or secrets.token_urlsafe(18)
        with self._lock:
            if token in self._rows:
                return token
            self._rows[token] = _Row(self._clock(), packed)
            self._bytes += len(packed)
            self._drop_expired()
        return token

    def read(self, token: str) -> Kept | None:
        """The answer of a token. See ``Memory.read``."""
        with self._lock:
            self._drop_expired()
            row = self._rows.get(token)
        if row is None:
            return None
        document = json.loads(zlib.decompress(row.packed))
        return Kept(token, row.at, document["answer"], document["given"])

    def forget(self, token: str) -> bool:
        """Delete an answer and its feedback. See ``Memory.forget``."""
        with self._lock:
            return self._drop(token)

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Store feedback on an answer, redacted; it is deleted with the answer. See ``Memory.feedback``."""
        from tfhelp.collectors.redaction import redact

        with self._lock:
            self._drop_expired()
            row = self._rows.get(token)
            if row is None:
                return False
            if sender in row.said or len(row.said) < self._most:
                row.said[sender] = (said, redact(words[:_LONGEST_WORDS]), by[:100], cause[:200])
            return True

    def said(self, token: str) -> list[Said]:
        """The feedback on an answer, one for each sender."""
        with self._lock:
            row = self._rows.get(token)
            return [word for word, _, _, _ in row.said.values()] if row else []

    def seen(self, answer: Json) -> Seen | None:
        """Always ``None``: one day in one process does not show how often a failure recurs."""
        return None

    def _drop_expired(self) -> None:
        """Drop expired answers, and the oldest ones while there is too much. The newest stays, even if it is large."""
        oldest = self._clock() - self.keeps_s if self.keeps_s is not None else -math.inf
        while self._rows:
            token, row = next(iter(self._rows.items()))
            too_much = len(self._rows) > self._most or (self._bytes > self._most_bytes and len(self._rows) > 1)
            if row.at > oldest and not too_much:
                return
            self._drop(token)

    def _drop(self, token: str) -> bool:
        row = self._rows.pop(token, None)
        if row is None:
            return False
        self._bytes -= len(row.packed)
        return True
