"""Who asks, and what they may do."""

import contextvars
import typing

SCOPES = {
    "diagnose": "ask for a diagnosis, search, and read the knowledge base",
    "memory-read": "read kept answers, and what the team knows of a failure",
    "memory-write": "have answers kept, say whether they helped, and delete your own",
    "metrics": "read the figures of the server",
    "admin": "all of these, and delete anybody's answers",
}
"""Every scope, and what it allows."""

OF_A_PERSON = frozenset(SCOPES) - {"admin"}
"""The scopes of a person who is logged in."""


class NotAllowedError(Exception):
    """Somebody asks for what they may not do. The message says what, in a sentence without its full stop.

    Attributes:
        scope: that is missing; empty where a scope would not help.
    """

    def __init__(self, reason: str, scope: str = "") -> None:
        super().__init__(reason)
        self.scope = scope


class Who(typing.NamedTuple):
    """Somebody whom the server knows, or anybody.

    Attributes:
        key: tells one from another, for ever: a name may change or be given to somebody else. Empty for whoever is not known.
        shown: what the audit log and the pages show of them.
        scopes: names from ``SCOPES``.
    """

    key: str
    shown: str
    scopes: frozenset[str]

    def may(self, scope: str) -> bool:
        """Whether they have a scope."""
        return scope in self.scopes or "admin" in self.scopes


class Caller(typing.NamedTuple):
    """Who asks, and from which address; the address is empty where nobody knows it."""

    who: Who
    address: str


ANYBODY = Who("", "", frozenset(SCOPES))
"""Whoever reaches a server that asks nobody who they are."""

NOBODY = Caller(Who("", "", frozenset()), "")
"""What is outside of a request may do nothing, so that a forgotten check refuses."""

SLACK = Caller(Who("slack", "Slack", OF_A_PERSON), "")
"""The Slack app. Slack signs its requests, and the app checks itself whose answer is deleted."""

_CURRENT: contextvars.ContextVar[Caller] = contextvars.ContextVar("tfhelp_caller", default=NOBODY)


def current() -> Caller:
    """Who sent the request that is answered here; a thread started by ``anyio.to_thread`` knows it too."""
    return _CURRENT.get()


def set_current(caller: Caller) -> contextvars.Token[Caller]:
    """From here on, this request is that caller's."""
    return _CURRENT.set(caller)


def reset_current(before: contextvars.Token[Caller]) -> None:
    """The request is over."""
    _CURRENT.reset(before)
