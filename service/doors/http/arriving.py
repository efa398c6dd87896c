"""A request as it arrives. Headers that only a proxy may set are trusted or removed, and the host must be one of ours."""

import re
import typing
import urllib.parse

from starlette.datastructures import Headers
from starlette.types import Scope

from tfhelp.service.access.addresses import client_address, read_address
from tfhelp.service.access.policy import Policy

OPEN_PATHS = ("/healthz", "/readyz", "/static/", "/slack/", "/login", "/logged-out")
"""Paths open to everybody: probes, files without people's content, Slack, which signs its requests, and the login itself."""
_PROBES = ("/healthz", "/readyz")
_OF_PROXIES = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip", "forwarded")
_SINGLE = ("host", "authorization")
_USER = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class RefusedError(Exception):
    """A request that is refused: its status, and the reason, as a sentence without its full stop.

    Attributes:
        status: the HTTP status.
        reason: the reason, for people.
        code: the code for programs, one of ``tfhelp.service.doors.http.errors.CODES``.
    """

    def __init__(self, status: int, reason: str, code: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.code = code


class Arrival(typing.NamedTuple):
    """A request, with what the server trusts about it.

    Attributes:
        scope: the scope with the client's real address and scheme, and without the headers that only a proxy may set.
        address: the client's address.
        by_proxy: whether a trusted proxy sent it.
        user: the person that the proxy names; empty for none.
    """

    scope: Scope
    address: str
    by_proxy: bool
    user: str


def arrived(scope: Scope, policy: Policy) -> Arrival:
    """The request, checked. Raises: RefusedError: its headers contradict each other, or it is for another host."""
    headers = Headers(scope=scope)
    peer = scope["client"][0] if scope.get("client") else ""
    by_proxy = peer in policy.proxies
    _check_single(headers, (*_SINGLE, *([policy.user_header] if policy.user_header else [])) if by_proxy else _SINGLE)
    address = client_address(peer, headers.getlist("x-forwarded-for"), policy.proxies)
    user = _user(headers, policy.user_header) if by_proxy and policy.user_header else ""
    said = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower() if by_proxy else ""
    hidden = {_plain(name) for name in (*_OF_PROXIES, policy.user_header) if name}
    kept = [(name, value) for name, value in scope["headers"] if _plain(name.decode("latin-1")) not in hidden]
    port = scope["client"][1] if scope.get("client") and address == peer else 0
    arriving = {
        **scope,
        "headers": kept,
        "client": (address, port),
        "scheme": said if said in _DEFAULT_PORTS else scope["scheme"],
    }
    if not scope["path"].startswith(_PROBES):
        _check_host(headers.get("host", ""), policy)
    return Arrival(arriving, address, by_proxy, user)


def _plain(name: str) -> str:
    """A header's name as careless programs read it: some take ``X_Forwarded_User`` for ``X-Forwarded-User``."""
    return name.lower().replace("_", "-")


def _check_single(headers: Headers, names: typing.Iterable[str]) -> None:
    for name in names:
        if len(headers.getlist(name)) > 1:
            raise RefusedError(400, f"the header {name} came twice, and only one of them can be right", "bad-header")


def _user(headers: Headers, name: str) -> str:
    raw = headers.get(name, "").strip()
    try:
        user = raw.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        user = raw
    if user and not _USER.fullmatch(user):
        raise RefusedError(400, f"the header {name} holds no name of a person", "bad-header")
    return user


def _check_host(host: str, policy: Policy) -> None:
    if host in policy.hosts:
        return
    shown = host[:80] if read_address(host) or re.fullmatch(r"[A-Za-z0-9.:_\[\]-]{1,300}", host) else "of another form"
    reason = f"this server does not answer under the host name {shown}; its owner can name it with --allowed-hosts"
    raise RefusedError(400, reason, "wrong-host")


def is_foreign(scope: Scope, policy: Policy) -> bool:
    """Return whether a page of another site made a browser send this request.

    A program that is not a browser sends neither ``Sec-Fetch-Site`` nor ``Origin``.
    """
    headers = Headers(scope=scope)
    site = headers.get("sec-fetch-site", "").lower()
    if site:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and not _is_own(origin, headers.get("host", ""), scope["scheme"], policy)


def is_followed_link(scope: Scope) -> bool:
    """Return whether a browser opens a page in its window: somebody followed a link, or a login sends them back.

    The request may come from another site, such as a chat or the issuer. That site cannot read the page, and a GET changes
    nothing.
    """
    headers = Headers(scope=scope)
    opens = (headers.get("sec-fetch-mode", "").lower(), headers.get("sec-fetch-dest", "").lower()) == ("navigate", "document")
    return opens and scope["method"] in ("GET", "HEAD")


def is_shared_with(scope: Scope, policy: Policy) -> bool:
    """Return whether the page that sends this request has an origin that may call the API."""
    origin = Headers(scope=scope).get("origin", "").rstrip("/")
    return "*" in policy.place.origins or (bool(origin) and origin in policy.place.origins)


def _is_own(origin: str, host: str, scheme: str, policy: Policy) -> bool:
    """Return whether an origin is this server's: under the host name of the request, or under the public address.

    The scheme is not compared: a proxy may speak https to the browser and http to the server.
    """
    said = _place(origin)
    ours = {_place(f"{one}://{host}") for one in {scheme, urllib.parse.urlsplit(origin).scheme} if one in _DEFAULT_PORTS}
    return said is not None and said in ours | {_place(policy.place.public_url)} - {None}


def _place(url: str) -> tuple[str, int] | None:
    """Host and port of an address; None if it has none."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None
