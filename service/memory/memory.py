"""The interface of a memory of answers: this process for a day, or a team's database."""

import typing

Json = dict[str, typing.Any]
Said = typing.Literal["helped", "did-not-help", "something-else"]
LONGEST: dict[str, int] = {"words": 2000, "by": 80, "cause": 200}
"""Maximum number of characters of the fields of feedback, by name."""


class Kept(typing.NamedTuple):
    """An answer that a link opens again.

    Attributes:
        token: unguessable; on an open server, anyone who has it can read and delete the answer. If the server asks who people
            are, only the owner and an administrator can delete it.
        at: when it was kept, in seconds since 1970, UTC.
        answer: the document that the API sends, redacted.
        given: the part of the input that is shown again: ``name``, ``bytes``, ``lines`` and ``excerpts``, redacted. ``log``, if
            present, identifies the log (``tfhelp.service.memory.rows.mark_of_text``), ``job`` names the job.
    """

    token: str
    at: float
    answer: Json
    given: Json


class Seen(typing.NamedTuple):
    """How often a failure was kept before, and what helped.

    Attributes:
        times: how often, not counting this time.
        first: the first time, in seconds since 1970, UTC.
        last: the last time, in the same unit.
        helped: entry and cause of the newest answer with the feedback "it helped", as ``entry/cause``; empty if there is none.
        words: that feedback's comment, redacted.
        by: the name given with it; empty if none was given.
    """

    times: int
    first: float
    last: float
    helped: str = ""
    words: str = ""
    by: str = ""


class Memory(typing.Protocol):
    """A store of answers."""

    keeps_s: float | None
    """How long an answer is kept, in seconds; None until it is deleted."""

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer, and return its token. Its content is redacted first.

        Args:
            answer: the document that the API sends.
            given: see ``Kept``.
            sender: the sender, as an opaque identifier; only used so that one sender counts once.
            token: unguessable, for a request that may come twice: an answer already kept under it is not changed. Empty makes a
                new one.
        """
        ...

    def read(self, token: str) -> Kept | None:
        """The answer of a token; None if there is none, or it is no longer kept."""
        ...

    def forget(self, token: str) -> bool:
        """Delete an answer. False if there was none."""
        ...

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Store feedback on an answer. Only a sender's last feedback counts. False if no such answer is kept.

        Args:
            token: of the answer.
            said: whether it helped.
            sender: the sender, as an opaque identifier.
            words: a comment: what it was instead, or what was changed.
            by: a name, if one is given.
            cause: the actual cause, as ``entry/cause``, if it is given.
        """
        ...

    def seen(self, answer: Json) -> Seen | None:
        """How often the failure of this answer occurred before; None for never, or if the memory does not keep that."""
        ...
