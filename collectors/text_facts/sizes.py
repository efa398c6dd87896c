"""Amounts of memory as programs print them, in MiB.

>>> mib("7.92", "GiB"), mib("16384", "KB"), mib("15.5G"), mib("512", "MB"), mib("1048576")
(8110.08, 16.0, 15872.0, 512.0, 1.0)
>>> mib("lots") is None
True

TensorFlow, the kernel, nvidia-smi and ``free`` all write ``MB`` when they mean MiB, so both are read as MiB.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern

_AMOUNT = Pattern(r"([0-9]{1,20}(?:\.[0-9]{1,9})?)\s?([a-zA-Z]{0,9})", re.ASCII)
_PER_MIB = {"b": 1 / 1048576, "k": 1 / 1024, "m": 1.0, "g": 1024.0, "t": 1048576.0, "p": 1073741824.0}
_UNIT = Pattern(r"(?:[kmgtp]i?b?|b|bytes?)", re.IGNORECASE)


def mib(amount: str, unit: str = "") -> float | None:
    """An amount in MiB.

    Args:
        amount: digits with an optional fraction, and the unit if it is not given separately; without a unit, bytes.
        unit: ``B``, ``K``, ``KB``, ``KiB`` and so on to ``P``; ``bytes``.

    Returns:
        MiB, rounded to three places, or ``None`` if it is not an amount.
    """
    found = _AMOUNT.fullmatch(amount.strip().replace(",", ""))
    if not found:
        return None
    unit = (unit or found[2] or "b").strip()
    if not _UNIT.fullmatch(unit):
        return None
    return round(float(found[1]) * _PER_MIB[unit[0].lower()], 3)
