"""Sentences and snippets with holes that facts fill: ``{log.failed_shape|the tensor}``.

A hole is a fact's path in braces; the text after a bar is for an unknown fact. Everything else in braces is left unchanged, so
that Python code needs no escaping. A filled value in a shell line is quoted.
"""

import re
import typing

# The groups of facts are checked after the match: a pattern with all alternatives would take longer to compile than to use.
_HOLE = re.compile(r"\{(([a-z]+)\.[A-Za-z0-9_.\-]+)(?:\|([^{}]*))?\}")
_GROUPS = frozenset(
    (
        "log",
        "derived",
        "os",
        "python",
        "packages",
        "env",
        "cuda",
        "cudnn",
        "driver",
        "host",
        "run",
        "code",
        "tensorflow",
        "course",
        "learning",
        "tried",
    )
)
_LONGEST_VALUE = 300  # a filled value is a name, a shape or a short list; more would bury the sentence


def holes(text: str) -> list[tuple[str, str | None]]:
    """(path, default) of every hole, in order.

    >>> holes("raise {log.limit|the limit}, keep {x}")
    [('log.limit', 'the limit')]
    """
    return [(found[1], found[3]) for found in _HOLE.finditer(text) if found[2] in _GROUPS]


def check_shell(line: str) -> None:
    """Reject a shell line with a hole inside quotes, because quoting the value would end the quotes.

    Raises:
        ValueError: names the hole.
    """
    quote = ""
    position = 0
    while position < len(line):
        found = _HOLE.match(line, position)
        if found and found[2] in _GROUPS:
            if quote:
                raise ValueError(f"the hole {found[0]} stands inside quotes; close them before it: 'a'=={{hole}}")
            if found[3] is None:
                raise ValueError(f"the hole {found[0]} has no default")
            position = found.end()
            continue
        character = line[position]
        if character == "\\" and quote != "'":
            position += 1
        elif character in "'\"" and quote in ("", character):
            quote = "" if quote else character
        position += 1


def fill(text: str, value_of: typing.Callable[[str], object], quote: typing.Callable[[str], str] = str) -> str:
    """Fill the holes.

    Args:
        text: the template.
        value_of: path -> the fact's value; ``None`` or a false ``UNKNOWN`` leaves the default.
        quote: applied to each filled value (``shlex.quote`` for a shell line), not to defaults.
    """

    if "{" not in text:
        return text

    def replace(found: re.Match[str]) -> str:
        if found[2] not in _GROUPS:
            return found[0]
        value = value_of(found[1])
        if value is None or (not value and not isinstance(value, (int, float, str))):
            return found[3] if found[3] is not None else "unknown"
        return quote(in_words(value))

    return _HOLE.sub(replace, text)


def in_words(value: object) -> str:
    """A fact's value in a sentence: 24 instead of 24.0, a list with commas, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"
    if isinstance(value, list):
        return ", ".join(in_words(item) for item in value[:8])
    return str(value).replace("\n", " ")[:_LONGEST_VALUE]
