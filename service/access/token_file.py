"""Tokens in a file, for a server without a memory: a line for each, with its hash. Write access to it is enough to issue tokens."""

import contextlib
import math
import os
import re
import secrets
import sys
import tempfile
import threading
import time
import typing

from tfhelp.service.access.identity import SCOPES, Who
from tfhelp.service.access.tokens import Listed, checked, expiry, hash_of, is_token, new_token, who_of
from tfhelp.service.errors import InputError

VARIABLE = "TFHELP_TOKENS_FILE"
_HEAD = (
    "# Tokens of tfhelp: id, name, scopes, made, ends (seconds since 1970, or never), SHA-256. 'tfhelp token' writes this file.\n"
)
_LINE = re.compile(r"([0-9a-f]{32}) (\S{1,80}) ([a-z,-]{1,200}) (\d{1,15}(?:\.\d+)?) (never|\d{1,15}(?:\.\d+)?) ([0-9a-f]{64})")


class FileTokens:
    """Tokens in a file, which is read again when it changes. The last use of a token is not recorded.

    Args:
        path: path of the file. ``create`` makes it readable by its owner only.
        clock: the time, in seconds since 1970, UTC.

    Raises:
        InputError: the file exists but is not a token file.
    """

    at_hand = True

    def __init__(self, path: str, clock: typing.Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: object = None
        self._rows: dict[str, Listed] = {}
        if os.path.exists(path):
            self._rows, self._seen = self._read(), self._state()

    def find(self, token: str) -> Who | None:
        """See ``Tokens.find``. A file that can no longer be read allows nothing."""
        found = self._now().get(hash_of(token)) if is_token(token) else None
        return who_of(found) if found and found.state(self._clock()) == "live" else None

    def any_live(self) -> bool:
        """See ``Tokens.any_live``."""
        now = self._clock()
        return any(token.state(now) == "live" for token in self._now().values())

    def create(self, name: str, scopes: typing.Sequence[str], days: float | None) -> str:
        """See ``Tokens.create``."""
        checked(name, scopes, days)
        token, now = new_token(), self._clock()
        rows = self._read() if os.path.exists(self._path) else {}
        if any(row.name == name and row.state(now) == "live" for row in rows.values()):
            raise InputError(f"there is already a token named {name}; 'tfhelp token revoke {name}' revokes it")
        made = Listed(secrets.token_hex(16), name, tuple(scopes), now, expiry(days, now), None, None)
        self._write({**rows, hash_of(token): made})
        return token

    def listed(self) -> list[Listed]:
        """See ``Tokens.listed``."""
        return list(self._read().values())

    def revoke(self, name: str) -> Listed:
        """See ``Tokens.revoke``. Its line is removed from the file."""
        rows, now = self._read(), self._clock()
        named = (digest for digest, row in rows.items() if name in (row.name, row.id) and row.state(now) == "live")
        found = next(named, None)
        if found is None:
            raise InputError(f"there is no working token named {name[:80]!r}; 'tfhelp token list' lists the tokens")
        gone = rows.pop(found)
        self._write(rows)
        return gone._replace(revoked=now)

    def _now(self) -> dict[str, Listed]:
        """The tokens of the file as it is now."""
        with self._lock:
            state = self._state()
            if state is not None and state == self._seen:
                return self._rows
            self._seen, self._rows = state, {}
            try:
                self._rows = self._read()
            except InputError as error:
                print(f"tfhelp serve: {error}; no token of it works until you correct it", file=sys.stderr, flush=True)
            return self._rows

    def _state(self) -> object:
        """A value that changes when the file does. A secret that Kubernetes renews is a different file."""
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _read(self) -> dict[str, Listed]:
        """Raises: InputError: the file cannot be read, or a line does not hold a token."""
        try:
            with open(self._path, encoding="utf-8") as file:
                lines = [(number, line.strip()) for number, line in enumerate(file, 1)]
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self._path}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})") from None
        return dict(self._of_line(number, line) for number, line in lines if line and not line.startswith("#"))

    def _of_line(self, number: int, line: str) -> tuple[str, Listed]:
        found = _LINE.fullmatch(line)
        scopes = found[3].split(",") if found else []
        if found is None or not set(scopes) <= set(SCOPES):
            # Somebody may have typed a token into the line by hand, so the line is not shown.
            raise InputError(f"{self._path}:{number}: 'tfhelp token create' does not write such a line")
        ends = None if found[5] == "never" else float(found[5])
        return found[6], Listed(found[1], found[2], tuple(scopes), float(found[4]), ends, None, None)

    def _write(self, rows: typing.Mapping[str, Listed]) -> None:
        """Replace the file as a whole, so that a server never reads half of it."""
        folder = os.path.dirname(os.path.abspath(self._path))
        lines = [_line(digest, row) for digest, row in rows.items()]
        try:
            handle, path = tempfile.mkstemp(prefix=".tokens-", dir=folder)  # readable by its owner only
            try:
                with open(handle, "w", encoding="utf-8") as file:
                    file.write(_HEAD + "".join(lines))
                _keep_mode(self._path, path)
                os.replace(path, self._path)
            except BaseException:
                os.unlink(path)
                raise
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written ({error.strerror})") from None


def _line(digest: str, row: Listed) -> str:
    ends = "never" if row.expires is None else str(math.ceil(row.expires))
    return f"{row.id} {row.name} {','.join(row.scopes)} {int(row.created)} {ends} {digest}\n"


def _keep_mode(before: str, after: str) -> None:
    """Give the new file the permissions of the old one."""
    with contextlib.suppress(OSError):
        found = os.stat(before)
        os.chmod(after, found.st_mode & 0o777)
        if hasattr(os, "chown"):
            os.chown(after, found.st_uid, found.st_gid)
