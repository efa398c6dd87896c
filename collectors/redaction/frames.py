"""What loggers, launchers and containers put around each line: the same words every time, but with other numbers."""

import re

from tfhelp.collectors.lazy_pattern import Pattern

# What stands before the quotation mark that ends a string with a line: an escaped line end, as in a container's log, or escapes.
_ESCAPES = r"(?:\\{1,4}[nr])?\\{0,3}"
_PARTS = re.compile("[0-9]+|[^0-9]+")
_STRING_ENDS = Pattern(rf"{_ESCAPES}[\"']")
_ESCAPES_AT_END = Pattern(rf"{_ESCAPES}$")


def parts(words: str) -> list[str]:
    """The words, split into runs of digits and of other characters."""
    return _PARTS.findall(words)


def behind_words(words: list[str], line: str) -> int | None:
    """Where the rest of a line begins, if it begins with these words and any numbers.

    Args:
        words: from ``parts``.
        line: the line.
    """
    at = 0
    for part in words:
        if _is_number(part):
            digits = _PARTS.match(line, at)
            if not digits or not _is_number(digits[0]):
                return None
            at = digits.end()
        elif line.startswith(part, at):
            at += len(part)
        else:
            return None
    return at


def without_end(line: str, end: str) -> str:
    """The line without this end, if it has it. The end of a string may have other numbers in it."""
    if not end or line.endswith(end):
        return line.removesuffix(end)
    lengths = common_end(end, line)
    return line[: len(line) - lengths[1]] if lengths[0] == len(end) else line


def common_end(first: str, second: str) -> tuple[int, int]:
    """The lengths of the end that two lines have in common, in which the numbers may differ. It begins where a string ends.

    >>> common_end('{"log":"password:\\\\n","time":"12:09"}', '{"log":" x\\\\n","time":"12:10"}')
    (19, 19)
    >>> common_end("password: 1", "password: 23")
    (0, 0)
    """
    one, other = len(first), len(second)
    for mine, theirs in zip(reversed(parts(first)), reversed(parts(second)), strict=False):
        numbers = _is_number(mine) + _is_number(theirs)
        same = 0 if numbers == 1 else _same_end(mine, theirs)
        one, other = (one - len(mine), other - len(theirs)) if numbers == 2 else (one - same, other - same)
        if numbers == 1 or (not numbers and mine != theirs):
            break
    begins = _STRING_ENDS.search(first[one:]), _STRING_ENDS.search(second[other:])
    if not begins[0] or not begins[1]:
        return 0, 0
    return len(first) - one - begins[0].start(), len(second) - other - begins[1].start()


def end_of_string(line: str, start: int, quote: str) -> int:
    """Where a string that holds a line ends: before the quotation mark and its escapes; at the end of the line if there is none."""
    quoted = line.find(quote, start)
    if quoted < 0:
        return len(line.rstrip())
    escapes = _ESCAPES_AT_END.search(line[start:quoted])
    return start + escapes.start() if escapes else quoted


def quote_of(end: str) -> str:
    """The quotation mark with which the end of a line begins, behind escapes; empty for none."""
    found = _STRING_ENDS.match(end)
    return found[0][-1] if found else ""


def _is_number(part: str) -> bool:
    return part[0] in "0123456789"


def _same_end(first: str, second: str) -> int:
    count = 0
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if one != other:
            break
        count += 1
    return count
