"""Parse and compare versions as people write them.

Imported by every cold ``tfhelp ask``, so it only needs the standard library (importing ``packaging`` would take longer than the
whole answer). A version that cannot be ordered is ``None``: a check on it is unknown, never an error.

>>> parse("2.10") < parse("2.10.1") and parse("2.10") == parse("2.10.0")
True
>>> parse("2.16.0rc1") < parse("2.16")
True
>>> parse("nightly") is None
True
>>> satisfies("2.11.0", ">=2.10,<2.12")
True
"""

import functools
import re

_VERSION = re.compile(r"[vV=]*\s*(\d+(?:\.\d+){0,5})(?:\.[*xX])?\s*[-_.]?\s*([a-zA-Z]*)[-_.]?(\d*)")
_PRE_RELEASE = {"dev": -5, "nightly": -5, "a": -4, "alpha": -4, "b": -3, "beta": -3, "c": -2, "rc": -2, "pre": -2, "preview": -2}
_CLAUSE = r"\s*(>=|<=|==|!=|>|<|~=)\s*([^,\s]+)\s*"  # compiled when it is first used

Version = tuple[tuple[int, ...], int, int]


def parse(text: object) -> Version | None:
    """Parse one version into a comparable value.

    Args:
        text: a version as written (``2.10``, ``v2.4.0-rc4``, ``6.5v2``, ``10``); anything else gives ``None``.

    Returns:
        (release numbers without trailing zeros, rank of the pre-release, number of the pre-release), or ``None``.
    """
    return _parse(text) if isinstance(text, str) else None


@functools.lru_cache(maxsize=1000)
def _parse(text: str) -> Version | None:
    found = _VERSION.match(text.strip())
    if not found:
        return None
    numbers = [int(part) for part in found[1].split(".") if len(part) < 10]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    word = found[2].lower()
    rank = _PRE_RELEASE.get(word, 0)
    return tuple(numbers), rank, int(found[3]) if rank and found[3] and len(found[3]) < 10 else 0


def major(text: object) -> int | None:
    """The first number of a version, or ``None`` if there is none."""
    version = parse(text)
    if version is None:
        return None
    return version[0][0] if version[0] else 0


def minor_release(text: object) -> str | None:
    """``2.16`` for ``2.16.1``: the release line that compatibility tables use."""
    version = parse(text)
    if version is None:
        return None
    numbers = (*version[0], 0, 0)
    return f"{numbers[0]}.{numbers[1]}"


def clauses(specifier: str) -> list[tuple[str, str]]:
    """Split ``>=2.10,<2.12`` into its comparisons.

    Raises:
        ValueError: a clause has no operator or no orderable version.
    """
    result = []
    for part in specifier.split(","):
        found = re.fullmatch(_CLAUSE, part)
        if not found or parse(found[2]) is None:
            raise ValueError(f"not a version comparison: {part.strip()!r} (write for example '>=2.10,<2.12')")
        result.append((found[1], found[2]))
    return result


def satisfies(text: object, specifier: str) -> bool | None:
    """Return whether a version is in a range; ``None`` if it cannot be ordered.

    ``==2.16.*`` and ``~=2.16.1`` have the same meaning as in pip.
    """
    version = parse(text)
    if version is None:
        return None
    return all(_holds(version, operator, wanted) for operator, wanted in clauses(specifier))


def _holds(version: Version, operator: str, wanted_text: str) -> bool:
    wanted = parse(wanted_text)
    assert wanted is not None  # clauses() has rejected invalid versions
    if wanted_text.endswith(".*"):
        depth = len(wanted_text.split(".")) - 1
        same = (version[0] + (0,) * depth)[:depth] == (wanted[0] + (0,) * depth)[:depth]
        return same if operator == "==" else not same
    if operator == "~=":
        depth = len(re.findall(r"\d+", wanted_text)) - 1
        return version >= wanted and (version[0] + (0,) * depth)[:depth] == (wanted[0] + (0,) * depth)[:depth]
    outcome = {
        ">=": version >= wanted,
        "<=": version <= wanted,
        "==": version == wanted,
        "!=": version != wanted,
        ">": version > wanted,
        "<": version < wanted,
    }
    return outcome[operator]
