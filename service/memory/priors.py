"""Compute from feedback how far a cause is moved: the shift is bounded, and no single sender can reach that bound."""

import math
import typing

from tfhelp.service.diagnosis.experience import Shift

MOST = 1.0
"""Maximum log-odds by which all senders together can move a cause. A common cause is 2.5 ahead of a rare one, and a strong check
is 3.0.
"""
MOST_OF_A_SENDER = 2
"""The maximum weight of one sender's feedback on a cause, over all fingerprints."""
_CAUTION = 4.0  # pseudo-votes on both sides, so that the first votes move little


class Vote(typing.NamedTuple):
    """One sender's vote: the failure with this fingerprint had this cause (``entry/cause``), or did not."""

    sender: str
    fingerprint: str
    cause: str
    was_it: bool


def shifts(votes: typing.Iterable[Vote]) -> dict[str, Shift]:
    """How far each cause is moved.

    Args:
        votes: in the order in which they were given. For each fingerprint, a sender's last vote on a cause counts.

    Returns:
        ``entry/cause`` -> shift, only for causes that are moved.
    """
    last = {(vote.cause, vote.sender, vote.fingerprint): vote.was_it for vote in votes}
    heard: dict[str, dict[str, list[bool]]] = {}
    for (cause, sender, _), was_it in last.items():
        heard.setdefault(cause, {}).setdefault(sender, []).append(was_it)
    found = {cause: Shift(log_odds(senders.values()), _says(senders.values())) for cause, senders in heard.items()}
    return {cause: shift for cause, shift in found.items() if shift.log_odds}


def log_odds(senders: typing.Iterable[list[bool]]) -> float:
    """The log-odds by which a cause is moved, within ``MOST``.

    Args:
        senders: the votes of each sender on the cause, one for each fingerprint.
    """
    counts = [_bounded(2 * sum(words) - len(words)) for words in senders]
    for_it = sum(count for count in counts if count > 0)
    against = -sum(count for count in counts if count < 0)
    return max(-MOST, min(MOST, math.log((for_it + _CAUTION) / (against + _CAUTION))))


def _bounded(count: int) -> int:
    return max(-MOST_OF_A_SENDER, min(MOST_OF_A_SENDER, count))


def _says(senders: typing.Iterable[list[bool]]) -> str:
    words = [word for said in senders for word in said]
    was, was_not = sum(words), len(words) - sum(words)
    if not was_not:
        return f"your team said {times(was)} that this cause was it"
    if not was:
        return f"your team said {times(was_not)} that this cause was not it"
    return f"your team said {times(was)} that this cause was it, and {times(was_not)} that it was not"


def times(count: int) -> str:
    """A number of times in words.

    >>> times(1), times(14)
    ('once', '14 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
