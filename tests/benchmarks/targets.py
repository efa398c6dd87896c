"""The result of a benchmark: our figure, that of its peer in the same run, their ratio, and the target for it."""

import typing


class Row(typing.NamedTuple):
    """One line of the table.

    Attributes:
        what: what was measured.
        ours: our figure with its unit.
        peer: what it is compared with, and the figure of the peer.
        ratio: one divided by the other, in the direction that the target refers to.
        target: bound on the ratio.
        at_least: whether the ratio has to reach the target; otherwise it must not exceed it.
    """

    what: str
    ours: str
    peer: str
    ratio: float
    target: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the ratio meets the target."""
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target

    def wanted(self) -> str:
        """The target in words."""
        return f"at {'least' if self.at_least else 'most'} {self.target:g} times"


def milliseconds(seconds: float) -> str:
    """A duration in readable form."""
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
