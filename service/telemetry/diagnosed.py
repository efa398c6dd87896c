"""What is reported about a diagnosis."""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

WAITING = "waiting"
"""The stage before a diagnosis: the wait for a worker, and the transfer there and back."""


class Diagnosed(typing.NamedTuple):
    """What is reported about a diagnosis: nothing that was pasted.

    Attributes:
        verdict: as in the answer.
        entry: the first entry; empty if there is none.
        cause: the first cause of that entry; empty if there is none.
        stages: seconds by stage; the stages are those of ``tfhelp.service.diagnosis.stages.STAGES``.
    """

    verdict: str
    entry: str
    cause: str
    stages: dict[str, float]

    @classmethod
    def of(cls, answer: "Answer", stages: dict[str, float]) -> "Diagnosed":
        """The verdict, entry and cause of an answer, with the seconds of its stages."""
        match = answer["matches"][0] if answer["matches"] else None
        cause = match["causes"][0]["cause"] if match and match["causes"] else ""
        return cls(answer["verdict"], match["entry"] if match else "", cause, stages)

    def after(self, seconds: float) -> "Diagnosed":
        """The same, with one more stage before the others: the rest of the seconds that the caller waited."""
        waited = max(0.0, seconds - sum(self.stages.values()))
        return self._replace(stages={WAITING: waited, **self.stages})
