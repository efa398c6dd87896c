"""What a memory of answers can do, whoever keeps them: this process for a day, or a team's database."""

import typing

Json = dict[str, typing.Any]
Said = typing.Literal["helped", "did-not-help", "something-else"]
LONGEST: dict[str, int] = {"words": 2000, "by": 80, "cause": 200}
"""Most characters of what somebody adds to their feedback, by its name."""


class Kept(typing.NamedTuple):
    """An answer that a link opens again.

    Attributes:
        token: unguessable; who has it may read and delete the answer.
        at: when it was kept, in seconds since 1970, UTC.
        answer: the document that the API sends, redacted.
        given: what was given, as far as it is shown again: ``name``, ``bytes``, ``lines`` and ``excerpts``, redacted. ``log``, if it
            stands there, tells the log from another one (``tfhelp.service.memory.rows.mark_of_text``), ``job`` names the job.
    """

    token: str
    at: float
    answer: Json
    given: Json


class Seen(typing.NamedTuple):
    """How often a failure was kept before, and what helped.

    Attributes:
        times: how often, this time left out.
        first: the first time, in seconds since 1970, UTC.
        last: the last time, in the same unit.
        helped: entry and cause of the newest answer that somebody said helped, as ``entry/cause``; empty where nobody did.
        words: what that person wrote about it, redacted.
        by: the name that the person gave; empty where none was given.
    """

    times: int
    first: float
    last: float
    helped: str = ""
    words: str = ""
    by: str = ""


class Memory(typing.Protocol):
    """A place that keeps answers."""

    keeps_s: float | None
    """How long an answer is kept, in seconds; None for as long as nobody deletes it."""

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer, and return its token. Whatever stands in it is redacted first.

        Args:
            answer: the document that the API sends.
            given: see ``Kept``.
            sender: who asked, as an opaque word; only used so that one sender counts once.
            token: unguessable, for a request that may come twice: an answer that is kept under it already stays as it is. Empty
                makes a new one.
        """
        ...

    def read(self, token: str) -> Kept | None:
        """The answer of a token; None where there is none, or no longer."""
        ...

    def forget(self, token: str) -> bool:
        """Delete an answer. False where there was none."""
        ...

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Note what somebody says of an answer. The last word of a sender counts. False where no such answer is kept.

        Args:
            token: of the answer.
            said: whether it helped.
            sender: who says it, as an opaque word.
            words: what they add: what it was instead, or what they changed.
            by: a name, if they give one.
            cause: the cause that it was, as ``entry/cause``, if they say so.
        """
        ...

    def seen(self, answer: Json) -> Seen | None:
        """How often the failure of this answer was met before; None for never, or where that is not kept."""
        ...
