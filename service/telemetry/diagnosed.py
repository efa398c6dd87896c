"""What is told of a diagnosis."""

import typing

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

WAITING = "waiting"
"""The stage before a diagnosis: until a worker took the question, and the way there and back."""


class Diagnosed(typing.NamedTuple):
    """What is told of a diagnosis: nothing that was pasted.

    Attributes:
        verdict: as in the answer.
        entry: the first one; empty without one.
        cause: its first cause; empty without one.
        stages: seconds by stage, of ``tfhelp.service.diagnosis.stages.STAGES``.
    """

    verdict: str
    entry: str
    cause: str
    stages: dict[str, float]

    @classmethod
    def of(cls, answer: "Answer", stages: dict[str, float]) -> "Diagnosed":
        """What an answer came to."""
        match = answer["matches"][0] if answer["matches"] else None
        cause = match["causes"][0]["cause"] if match and match["causes"] else ""
        return cls(answer["verdict"], match["entry"] if match else "", cause, stages)

    def after(self, seconds: float) -> "Diagnosed":
        """The same, with what is left of the seconds that the caller waited as the stage before all others."""
        waited = max(0.0, seconds - sum(self.stages.values()))
        return self._replace(stages={WAITING: waited, **self.stages})
