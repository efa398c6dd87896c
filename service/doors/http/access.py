"""Who is let in: every request is checked before any door sees it.

A token identifies a program. A session, or a header of a trusted proxy, identifies a person in a browser. Any path that is not
in a list here needs the scope ``diagnose``, so a path that was forgotten is refused.
"""

import re
import typing

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tfhelp.service.access.identity import ANYBODY, Caller, NotAllowedError, Who, reset_current, set_current
from tfhelp.service.access.policy import Policy
from tfhelp.service.access.rates import Allowance
from tfhelp.service.doors.http.arriving import (
    OPEN_PATHS,
    Arrival,
    RefusedError,
    arrived,
    is_followed_link,
    is_foreign,
    is_shared_with,
)
from tfhelp.service.doors.http.errors import error_response
from tfhelp.service.doors.http.reached import API_PATHS
from tfhelp.service.doors.http.remembering import MemoryAwayError, Remembering
from tfhelp.service.doors.http.sessions import login_path, person_of, with_sessions
from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    from fastapi import FastAPI

    from tfhelp.service.doors.web.pages import Pages

_SAFE = ("GET", "HEAD", "OPTIONS")
_UNCOUNTED = ("/healthz", "/readyz", "/static/", "/slack/")
_BEARER = re.compile(r"(?i:bearer) +(\S{1,500})")
# The first match counts.
_SCOPES = (
    (re.compile(r"(?:GET|HEAD) /(?:a|api/v1/answers)/.*"), "memory-read"),
    (re.compile(r"[A-Z]+ /(?:a|api/v1/answers)/.*"), "memory-write"),
    (re.compile(r"[A-Z]+ /api/v1/feedback/?"), "memory-write"),
    (re.compile(r"[A-Z]+ /(?:metrics|status|api/v1/status)(?:/.*)?"), "metrics"),
)
_SIGNED_BY_OTHERS = "/slack/"
_TITLES = {401: "Who are you?", 403: "Not allowed", 429: "Too many requests", 503: "Not now"}
_RETRY_S = 5


def scope_of(method: str, path: str) -> str:
    """The scope that a request needs.

    >>> scope_of("GET", "/a/x"), scope_of("DELETE", "/api/v1/answers/x"), scope_of("POST", "/whatever-comes")
    ('memory-read', 'memory-write', 'diagnose')
    """
    return next((scope for pattern, scope in _SCOPES if pattern.fullmatch(f"{method} {path}")), "diagnose")


class Access:
    """ASGI middleware.

    Args:
        app: the application behind it.
        policy: who may do what.
        pages: pages for people who are refused; None answers JSON on every path.
    """

    def __init__(self, app: ASGIApp, policy: Policy, pages: "Pages | None" = None) -> None:
        self._app = app
        self._policy = policy
        self._pages = pages
        self._database = Remembering()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        allowance: list[Allowance] = []
        try:
            arrival = arrived(scope, self._policy)
            caller = Caller(await self._who(arrival), arrival.address)
            allowance += await self._counted(arrival.scope, caller)
            self._check(arrival.scope, caller.who)
        except (RefusedError, NotAllowedError) as error:
            await self._refusal(scope, error, allowance)(scope, receive, _with_rate(send, allowance))
            return
        before = set_current(caller)
        try:
            await self._app(arrival.scope, receive, _with_rate(send, allowance))
        finally:
            reset_current(before)

    async def _who(self, arrival: Arrival) -> Who:
        """Who sends the request, if that is known.

        Raises:
            RefusedError: a token is unknown or cannot be looked up, or the request did not come through the proxy.
        """
        policy, path = self._policy, arrival.scope["path"]
        if policy.is_open:
            return ANYBODY
        if path.startswith(_UNCOUNTED):
            return Who("", "", frozenset())
        if policy.proxies_only:
            if not arrival.by_proxy:
                raise RefusedError(403, "this server is reached through its proxy", "not-allowed")
            return ANYBODY
        bearer = _BEARER.fullmatch(Headers(scope=arrival.scope).get("authorization", ""))
        if bearer and policy.tokens:
            return await self._bearer(bearer[1], arrival)
        # A request from a page of another site also has the browser's cookies, and so the name that a proxy derives from them.
        if is_foreign(arrival.scope, policy) and not is_followed_link(arrival.scope):
            return Who("", "", frozenset())
        if arrival.user:
            return policy.person(f"user:{arrival.user}", arrival.user, [arrival.user])
        return person_of(arrival.scope) or Who("", "", frozenset())

    async def _bearer(self, token: str, arrival: Arrival) -> Who:
        try:
            found = await self._holder(token)
        except Exception as error:  # noqa: BLE001 - drivers raise their own classes; an unchecked token lets nobody in
            log_fault("looking up a token", error)
            raise RefusedError(503, "tokens cannot be checked at the moment", "not-ready") from None
        if found is None:
            await self._counted(arrival.scope, Caller(Who("", "", frozenset()), arrival.address))
            raise RefusedError(401, "this token is not known here, or it no longer works", "bad-token")
        return found

    async def _holder(self, token: str) -> Who | None:
        """The bearer of a token. Raises: MemoryAwayError: a database that may know the token does not answer."""
        try:
            found: Who | None = await self._database.run(self._policy.who_has, token)
        except MemoryAwayError:
            found = self._policy.who_has(token, at_hand=True)
            if found is None:
                raise
        return found

    async def _counted(self, scope: Scope, caller: Caller) -> list[Allowance]:
        """What the client has left; empty if there are no rate limits.

        Raises:
            RefusedError: the client has nothing left.
        """
        rates = self._policy.rates
        if rates is None or scope["path"].startswith(_UNCOUNTED):
            return []
        client = caller.client
        try:
            allowance: Allowance = await self._database.run(rates.hit, client) if rates.shared else rates.hit(client)
        except MemoryAwayError:
            allowance = rates.hit_here(client)
        if not allowance.allowed:
            raise _TooManyError(allowance)
        return [allowance]

    def _check(self, scope: Scope, who: Who) -> None:
        """Raises: RefusedError, NotAllowedError: another site sent the request, or its sender may not do this."""
        method, path = scope["method"], scope["path"]
        if path.startswith(_SIGNED_BY_OTHERS):
            return
        is_shared = path.startswith("/api/") and is_shared_with(scope, self._policy)
        if method not in _SAFE and not is_shared and is_foreign(scope, self._policy):
            raise RefusedError(403, "a page of another site sent this request", "foreign-origin")
        if path.startswith(OPEN_PATHS) or path == "/logout":
            return
        needed = scope_of(method, path)
        if who.may(needed):
            return
        if who.key:
            raise NotAllowedError(f"this needs the scope {needed}", needed)
        raise RefusedError(401, "this server needs a token or a login", "no-token")

    def _refusal(self, scope: Scope, error: "RefusedError | NotAllowedError", allowance: list[Allowance]) -> Response:
        if isinstance(error, _TooManyError):
            allowance.append(error.allowance)
        status = error.status if isinstance(error, RefusedError) else 403
        response = self._refusal_response(scope, status, error)
        response.headers.update(self._challenge(status, error))
        if isinstance(error, _TooManyError):
            response.headers["Retry-After"] = str(error.allowance.seconds)
        elif status == 503:
            response.headers["Retry-After"] = str(_RETRY_S)
        return response

    def _refusal_response(self, scope: Scope, status: int, error: "RefusedError | NotAllowedError") -> Response:
        path = scope["path"]
        code = error.code if isinstance(error, RefusedError) else "not-allowed"
        if self._pages is None or path.startswith(API_PATHS) or path == "/metrics":
            return error_response(status, "", str(error), code)
        login = self._policy.login is not None and code == "no-token"
        if login and scope["method"] in ("GET", "HEAD"):
            return RedirectResponse(login_path(scope), 303)
        sentence = f"{str(error)[0].upper()}{str(error)[1:]}."
        if login:
            sentence += " You are not logged in, or your login has expired. Log in in another tab, then send the form again here."
        return self._pages.error(status, _TITLES.get(status, "Not possible"), sentence)

    def _challenge(self, status: int, error: Exception) -> dict[str, str]:
        """``WWW-Authenticate``, which tells a program how to authenticate (RFC 6750)."""
        if status not in (401, 403) or not self._policy.tokens:
            return {}
        said = 'Bearer realm="tfhelp"'
        if isinstance(error, NotAllowedError) and error.scope:
            return {"WWW-Authenticate": f'{said}, error="insufficient_scope", scope="{error.scope}"'}
        if status == 403:
            return {}
        known = isinstance(error, RefusedError) and error.code == "no-token"
        return {"WWW-Authenticate": said if known else f'{said}, error="invalid_token"'}


class _TooManyError(RefusedError):
    def __init__(self, allowance: Allowance) -> None:
        reason = f"more than {allowance.limit} requests; send the next one in {allowance.seconds} s"
        super().__init__(429, reason, "too-many")
        self.allowance = allowance


def _with_rate(send: Send, allowance: list[Allowance]) -> Send:
    """A ``send`` that adds headers with what the client has left."""
    if not allowance:
        return send
    last = allowance[-1]

    async def send_with_rate(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["RateLimit-Limit"] = str(last.limit)
            headers["RateLimit-Remaining"] = str(last.remaining)
            headers["RateLimit-Reset"] = str(last.seconds)
        await send(message)

    return send_with_rate


def add_access(app: "FastAPI", policy: Policy, pages: "Pages") -> None:
    """Enforce the policy on every request, and add the login pages if people log in."""

    async def not_allowed(request: Request, error: Exception) -> Response:
        if request.url.path.startswith(API_PATHS):
            return error_response(403, "", str(error), "not-allowed")
        return pages.error(403, _TITLES[403], f"{str(error)[0].upper()}{str(error)[1:]}.")

    app.add_exception_handler(NotAllowedError, not_allowed)
    app.add_middleware(Access, policy=policy, pages=pages)
    if policy.login is not None:
        from tfhelp.service.doors.http.login import login_router

        app.include_router(login_router(policy, pages))
        app.add_middleware(with_sessions, policy=policy)
