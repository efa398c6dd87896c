"""Lines that a terminal cut at its width, joined again. Some terminals put a line end there when their text is copied."""

import typing

from tfhelp.collectors.lazy_pattern import Pattern

_NARROWEST, _WIDEST = 60, 400  # characters of a terminal's line
_FEW = 3  # lines that are cut, before the text counts as cut
_MOST = 0.6  # share of the longest lines that must go on in the next line
_DISTINCT = 0.5  # share of those that must differ: rows of a table have one length because they are alike
_MOST_LINES = 20_000

_NEW = Pattern(
    r'\s{2}|\s*\d{1,12}/\d|\d{4}-\d\d-\d\d|[IWEF]\d{4} |Traceback|File "|Epoch |(?:WARNING|ERROR|INFO|DEBUG|CRITICAL|FATAL)\b'
    r"|[\w.]{1,80}(?:Error|Exception|Warning)\b|[\[(<{]|\W{3}|\s*$"
)
_ENDS_OF_ROWS = (*"|│┃║+╇┩┛╝╗┐┘=━─═_", "  ")
_DIGITS = Pattern(r"\d+")


def rejoined(raws: typing.Sequence[str], first: int) -> list[tuple[int, str]]:
    """The lines with their numbers. A line that was cut is joined again, and has the number of its first piece.

    Args:
        raws: the lines of a text as pasted.
        first: number of the first line.
    """
    numbered = list(enumerate(raws, first))
    cut = _cut_places(raws)
    if not cut:
        return numbered
    joined: list[tuple[int, str]] = []
    for place, (number, raw) in enumerate(numbered):
        if place - 1 in cut:
            before, piece = joined[-1]
            joined[-1] = before, piece + raw
        else:
            joined.append((number, raw))
    return joined


def _cut_places(raws: typing.Sequence[str]) -> set[int]:
    """The places of lines that go on in the next line; empty if the text was not cut."""
    if not _FEW < len(raws) <= _MOST_LINES:
        return set()
    width = max(map(len, raws))
    if not _NARROWEST <= width <= _WIDEST:
        return set()
    full = [place for place, raw in enumerate(raws[:-1]) if len(raw) == width]
    if len(full) < _FEW:
        return set()
    cut = {place for place in full if not raws[place].endswith(_ENDS_OF_ROWS) and not _NEW.match(raws[place + 1])}
    kinds = {_DIGITS.sub("0", raws[place]) for place in cut}
    return cut if len(cut) >= max(_FEW, _MOST * len(full)) and len(kinds) >= _DISTINCT * len(cut) else set()
