"""How people and other sites reach the service: below a path, under a public name, from pages of other origins."""

import re
import typing

from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tfhelp.service.doors.http.request_ids import HEADER
from tfhelp.service.doors.http.versions import HEADER as VERSION_HEADER

API_PATHS = ("/api/", "/healthz", "/readyz", "/slack/", "/openapi.json")
"""Paths for programs: their errors are JSON, and pages of other origins may be allowed to call them."""

_URL = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]{1,255}(?:/[\w.~/-]{0,200})?")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]{1,255}")
_PATH = re.compile(r"(?:/[\w.~-]{1,80}){1,8}")


class ReachedError(ValueError):
    """A setting that cannot be used. The message names it."""


class Reached(typing.NamedTuple):
    """Settings of ``tfhelp serve``.

    Attributes:
        root_path: path below which a proxy serves the service, such as ``/tfhelp``; empty for none.
        public_url: the address at which people reach the service, without a trailing slash; empty if not set.
        origins: pages of these origins may call the API from a browser; ``*`` for all.
    """

    root_path: str = ""
    public_url: str = ""
    origins: tuple[str, ...] = ()

    @classmethod
    def of(cls, root_path: str, public_url: str, origins: typing.Sequence[str]) -> "Reached":
        """Settings as people write them.

        Raises:
            ReachedError: one of them is not a path, an address or an origin.
        """
        path, url = root_path.rstrip("/"), public_url.rstrip("/")
        if path and not _PATH.fullmatch(path):
            raise ReachedError(f"--root-path is {root_path[:80]!r}; it takes a path such as /tfhelp")
        if url and not _URL.fullmatch(url):
            raise ReachedError(f"--public-url is {public_url[:80]!r}; it takes an address such as https://help.example.org")
        listed = [one.strip().rstrip("/") for part in origins for one in part.split(",") if one.strip()]
        wrong = next((one for one in listed if one != "*" and not _ORIGIN.fullmatch(one)), None)
        if wrong is not None:
            raise ReachedError(f"--cors names {wrong[:80]!r}; it takes origins such as https://ide.example.org, or *")
        return cls(path, url, tuple(listed))


class BelowPath:
    """ASGI middleware: removes the root path from a request's path, and adds it to redirects."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path == self._root or path.startswith(self._root + "/"):  # a proxy may have removed it already
            path = path[len(self._root) :] or "/"
            scope = {**scope, "path": path, "raw_path": path.encode()}

        async def send_rooted(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = self._root + headers["location"]
            await send(message)

        await self._app(scope, receive, send_rooted)


class ApiForOrigins:
    """ASGI middleware: cross-origin requests, for the API alone; the pages answer no other site's scripts."""

    def __init__(self, app: ASGIApp, origins: typing.Sequence[str]) -> None:
        self._app = app
        self._shared = CORSMiddleware(
            app,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Accept", "Idempotency-Key", HEADER],
            expose_headers=[HEADER, VERSION_HEADER, "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
            max_age=3600,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shared = scope["type"] == "http" and scope["path"].startswith(API_PATHS) and not scope["path"].startswith("/slack/")
        await (self._shared if shared else self._app)(scope, receive, send)
