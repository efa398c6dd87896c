"""The session of a person in a browser: a signed cookie that only this server can make and no script can read."""

import hashlib
import hmac
import time
import typing
import urllib.parse

from starlette.types import ASGIApp, Scope

from tfhelp.service.access.identity import Who
from tfhelp.service.access.policy import Oidc, Policy

LASTS_S = 8 * 3600.0
"""A working day. After that, the issuer is asked again."""
_LONGEST_TARGET = 500
_PERSON = "person"


def with_sessions(app: ASGIApp, policy: Policy) -> ASGIApp:
    """An application with ``scope["session"]``, if people log in here."""
    if policy.login is None:
        return app
    from starlette.middleware.sessions import SessionMiddleware

    is_https = policy.place.public_url.startswith("https://")
    return SessionMiddleware(
        app,
        secret_key=_key(policy.login),
        # A browser accepts a cookie with this prefix only from this host and only over https.
        session_cookie="__Host-tfhelp" if is_https else "tfhelp_session",
        max_age=int(LASTS_S),
        same_site="lax",
        https_only=is_https,
    )


def _key(login: Oidc) -> str:
    """The signing key. It is derived from the client's secret, so that all replicas have the same one."""
    return hmac.new(login.client_secret.encode(), f"tfhelp session {login.client_id}".encode(), hashlib.sha256).hexdigest()


def begin(session: dict[str, typing.Any], who: Who) -> None:
    """Log a person in. Nothing from an earlier session stays."""
    session.clear()
    session[_PERSON] = [who.key, who.shown, sorted(who.scopes), time.time() + LASTS_S]


def person_of(scope: Scope) -> Who | None:
    """The person who is logged in; None if nobody is, or the login has expired."""
    kept = (scope.get("session") or {}).get(_PERSON)
    if kept is None:
        return None
    key, shown, scopes, ends = kept
    return Who(key, shown, frozenset(scopes)) if time.time() < ends else None


def login_path(scope: Scope) -> str:
    """The login page's path, with this request as the page to return to."""
    query = scope.get("query_string", b"").decode("latin-1")
    target = urllib.parse.quote(scope["path"]) + (f"?{query}" if query else "")
    return "/login?" + urllib.parse.urlencode({"next": target})


def safe_target(written: str) -> str:
    r"""The path on this server to open after the login, or ``/``: a link must not lead to another site.

    >>> [safe_target(one) for one in ("/a/x?y=1", "//evil.example", "/\\evil.example", "https://evil.example", "/a\tb")]
    ['/a/x?y=1', '/', '/', '/', '/']
    """
    parts = urllib.parse.urlsplit(written) if written.isascii() and written.isprintable() else None
    is_path = parts is not None and not parts.scheme and not parts.netloc and parts.path.startswith("/")
    taken = is_path and not written.startswith("//") and "\\" not in written and len(written) <= _LONGEST_TARGET
    return written if taken and not written.startswith(("/login", "/logout", "/logged-out")) else "/"
