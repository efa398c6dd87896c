"""A memory in lists, which also writes replies to a file, so that a test in another process can read them."""

import json
import os
import pathlib
import time
import typing

from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.service.memory.memory import Json, Kept, Said, Seen


class ListedMemory:
    """Answers and the replies to them. Failures are the same if their first entry is the same."""

    keeps_s: float | None = 24 * 3600.0

    def __init__(self, path: str) -> None:
        self._path = pathlib.Path(path)
        self._kept: dict[str, Kept] = {}
        self._said: list[Json] = []

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        token = token or os.urandom(16).hex()
        self._kept[token] = Kept(token, time.time(), redact_document(answer), redact_document(given))
        return token

    def read(self, token: str) -> Kept | None:
        return self._kept.get(token)

    def forget(self, token: str) -> bool:
        return self._kept.pop(token, None) is not None

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        if token not in self._kept:
            return False
        self._said.append({"token": token, "said": said, "sender": sender, "words": redact(words), "by": by, "cause": cause})
        fresh = self._path.with_suffix(".fresh")
        fresh.write_text(json.dumps(self._said))
        fresh.replace(self._path)  # whole or not at all: the test reads while this process writes
        return True

    def seen(self, answer: Json) -> Seen | None:
        same = [kept for kept in self._kept.values() if _entry(kept.answer) == _entry(answer)]
        if not same or not _entry(answer):
            return None
        helped = [item for item in self._said if item["said"] == "helped" and item["token"] in {kept.token for kept in same}]
        last: dict[str, typing.Any] = helped[-1] if helped else {"words": "", "by": ""}
        entry = f"{_entry(answer)}/neighbour" if helped else ""
        return Seen(len(same), same[0].at, same[-1].at, entry, last["words"], last["by"])


def _entry(answer: Json) -> str:
    return answer["matches"][0]["entry"] if answer["matches"] else ""
