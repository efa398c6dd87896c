"""Who sends a request, and what they may do."""

import contextvars
import typing

from tfhelp.service.access.addresses import network_of

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
    """Somebody asks for something they may not do. The message says what it is, as a sentence without its full stop.

    Attributes:
        scope: the missing scope; empty if no scope would help.
    """

    def __init__(self, reason: str, scope: str = "") -> None:
        super().__init__(reason)
        self.scope = scope


class Who(typing.NamedTuple):
    """A person or program that the server knows, or an unknown one.

    Attributes:
        key: a permanent identifier: a name may change or be given to somebody else. Empty if unknown.
        shown: the name that the audit log and the pages show.
        scopes: names from ``SCOPES``.
    """

    key: str
    shown: str
    scopes: frozenset[str]

    def may(self, scope: str) -> bool:
        """Return whether they have a scope."""
        return scope in self.scopes or "admin" in self.scopes


class Caller(typing.NamedTuple):
    """Who sends a request, and from which address; the address is empty if unknown."""

    who: Who
    address: str

    @property
    def client(self) -> str:
        """What counts as one client where clients share something: the person or program, or else the network."""
        return self.who.key or f"address:{network_of(self.address)}"


ANYBODY = Who("", "", frozenset(SCOPES))
"""Everybody who reaches a server that does not ask who they are."""

NOBODY = Caller(Who("", "", frozenset()), "")
"""The caller outside any request. It may do nothing, so a forgotten check refuses."""

SLACK = Caller(Who("slack", "Slack", OF_A_PERSON), "")
"""The Slack app. Slack signs its requests, and the app itself checks whose answer is deleted."""

_CURRENT: contextvars.ContextVar[Caller] = contextvars.ContextVar("tfhelp_caller", default=NOBODY)


def current() -> Caller:
    """Who sent the current request; a thread started by ``anyio.to_thread`` knows it too."""
    return _CURRENT.get()


def set_current(caller: Caller) -> contextvars.Token[Caller]:
    """Set the caller of this request from here on."""
    return _CURRENT.set(caller)


def reset_current(before: contextvars.Token[Caller]) -> None:
    """Restore the caller from before the request, which is over."""
    _CURRENT.reset(before)
