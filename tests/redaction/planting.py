"""Texts with planted secrets, drawn from a seed, and which of the secrets redaction misses."""

import collections
import typing

from tests.redaction.contexts import CONTEXTS
from tests.redaction.draw import Draw, Plant
from tests.redaction.kinds import KINDS
from tfhelp.collectors.redaction import redact

KEPT_SEEDS = ("development", "other crossing")  # each draws the kinds and their contexts in a different order
FRAGMENT = 10  # a run of this many characters of a long secret must not come through either


class Case(typing.NamedTuple):
    """A plant in its context."""

    plant: Plant
    context: str
    text: str


def cases(seed: str, count: int) -> typing.Iterator[Case]:
    """At least this many planted secrets: each kind in turn, in contexts drawn from the seed."""
    draw = Draw(seed)
    names, contexts, planted = list(KINDS), list(CONTEXTS), 0
    number = draw.lot.randrange(1_000)
    while planted < count:
        draw.lot.shuffle(names)
        for name in names:
            text, secrets = KINDS[name](draw)
            plant = Plant(name, text, (secrets,) if isinstance(secrets, str) else tuple(secrets))
            context = contexts[number % len(contexts)]
            yield Case(plant, context, CONTEXTS[context](draw, text))
            planted += len(plant.secrets)
            number += 1
        number += draw.lot.randrange(len(contexts))


def let_through(case: Case, redacted: str | None = None) -> list[str]:
    """Secrets that the redacted text still shows, completely or, for long ones, ten characters in a row."""
    shown = redact(case.text) if redacted is None else redacted
    return [secret for secret in case.plant.secrets if any(piece in shown for piece in _pieces(secret))]


def _pieces(secret: str) -> list[str]:
    if len(secret) < 2 * FRAGMENT:
        return [secret]
    return [secret[start : start + FRAGMENT] for start in range(0, len(secret) - FRAGMENT + 1, FRAGMENT // 2)]


class Row(typing.NamedTuple):
    """The result for one kind."""

    planted: int
    through: int


def by_kind(seed: str, count: int) -> dict[str, Row]:
    """Kind -> how many were planted, and how many of them came through."""
    planted: collections.Counter[str] = collections.Counter()
    through: collections.Counter[str] = collections.Counter()
    for case in cases(seed, count):
        planted[case.plant.kind] += len(case.plant.secrets)
        through[case.plant.kind] += len(let_through(case))
    return {kind: Row(planted[kind], through[kind]) for kind in sorted(planted)}
