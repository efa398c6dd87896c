"""How large the facts in a request may be, and which numbers. 'tfhelp collect' prints some 10 KiB, in three levels."""

import math
import typing

MOST_BYTES = 256 << 10
_DEEPEST = 16
_MOST_VALUES = 20_000


def facts_fault(facts: typing.Any) -> str:
    """What is wrong with the size or the numbers of a facts document; empty if nothing is.

    Args:
        facts: parsed JSON.
    """
    size = count = 0
    waiting = [(facts, 1)]
    while waiting:
        value, depth = waiting.pop()
        count += 1
        if depth > _DEEPEST:
            return f"nested more than {_DEEPEST} levels deep"
        if isinstance(value, dict):
            size += sum(map(len, value))
            waiting += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
        elif isinstance(value, str):
            size += len(value)
        elif isinstance(value, float) and not math.isfinite(value):
            return f"{value} is no finite number"
        if size > MOST_BYTES or count + len(waiting) > _MOST_VALUES:
            return f"larger than the limit of {MOST_BYTES >> 10} KiB and {_MOST_VALUES:,} values"
    return ""
