"""Find the raises that can have produced a message, and the values in its text.

The words are hashed once. Every run of one to four words is looked up among the anchors; a fingerprint whose anchor is
found is checked run by run. The work for a text is bounded: at most ``MOST_WORDS`` words are read, and at most ``MOST_TRIES``
fingerprints are checked.
"""

import bisect
import typing

from tfhelp.kb.atlas.fingerprint import LONGEST_ANCHOR, WORD, Gap, Hashes, Run

MOST_WORDS = 3000
MOST_TRIES = 400
_FEWEST_OF_CUT = 12
"""Fixed words that a message must share with a template whose end it lacks; they must also be half of the template's words."""
_MOST_OF_ONE = 8
"""Maximum number of checks of one fingerprint, if its anchor occurs many times in a text."""


class Fingerprint(typing.NamedTuple):
    """A fingerprint as stored: ``anchor`` is the run that anchors it, ``gaps`` contain empty strings instead of names here."""

    runs: tuple[Run, ...]
    gaps: tuple[Gap, ...]
    anchor: int


class Found(typing.NamedTuple):
    """A fingerprint found in a text.

    Attributes:
        row: number of the fingerprint.
        first, last: the words that it covers, from 0, ``last`` included.
        fixed: how many of them are fixed.
        begins, ends: it begins at the start of the text or after a colon; it ends at the end of the text.
        values: for each gap, the texts of its values in order (several if punctuation separates them).
        spans: for each gap, the words of its value: (first, one past the last).
        punctuated: the punctuation around every value is that of the template.
    """

    row: int
    first: int
    last: int
    fixed: int
    begins: bool
    ends: bool
    values: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...]
    punctuated: bool = True


class Anchors(typing.NamedTuple):
    """Sorted hashes of anchors, and for each the number of its fingerprint."""

    digests: typing.Sequence[int]
    rows: typing.Sequence[int]

    def of(self, digest: int) -> list[int]:
        place = bisect.bisect_left(self.digests, digest)
        found = []
        while place < len(self.digests) and self.digests[place] == digest:
            found.append(self.rows[place])
            place += 1
        return found


def anchor_key(digest: int, words: int) -> int:
    """The sort key of an anchor: its hash, combined with its length."""
    return (digest + words * 0x9E3779B1) & 0xFFFFFFFF


class _Words:
    """A text's words, their hashes, and the places of runs of each length."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [found.span() for found in _first(WORD.finditer(text))]
        self.hashes = Hashes([text[start:end] for start, end in self.spans])
        self._places: dict[int, dict[int, list[int]]] = {}

    def places(self, run: Run) -> list[int]:
        """The places of a run: the ascending numbers of its first word."""
        if run.words not in self._places:
            table: dict[int, list[int]] = {}
            for place in range(len(self.spans) - run.words + 1):
                table.setdefault(self.hashes.of(place, run.words), []).append(place)
            self._places[run.words] = table
        return self._places[run.words].get(run.digest, [])


def _first(words: typing.Iterator[typing.Any]) -> typing.Iterator[typing.Any]:
    for _, word in zip(range(MOST_WORDS), words, strict=False):
        yield word


def find(text: str, anchors: Anchors, fingerprint: typing.Callable[[int], Fingerprint]) -> list[Found]:
    """The fingerprints that occur in a text, in the order of their first word."""
    words = _Words(text)
    found: list[Found] = []
    tries: dict[int, int] = {}
    for place in range(len(words.spans)):
        for size in range(1, min(LONGEST_ANCHOR, len(words.spans) - place) + 1):
            for row in anchors.of(anchor_key(words.hashes.of(place, size), size)):
                tries[row] = tries.get(row, 0) + 1
                if tries[row] > _MOST_OF_ONE or len(tries) > MOST_TRIES:
                    continue
                one = _check(row, fingerprint(row), place, words)
                if one is not None:
                    found.append(one)
    return sorted(found, key=lambda one: (one.first, -one.fixed, one.row))


def _check(row: int, fingerprint: Fingerprint, place: int, words: _Words) -> Found | None:
    """The fingerprint with its anchor at ``place``, if its runs, or enough of the first ones, occur there in order."""
    starts = _starts(fingerprint, place, words)
    if starts is None:
        return None
    runs, whole = fingerprint.runs[: len(starts)], len(starts) == len(fingerprint.runs)
    fixed = sum(run.words for run in runs)
    if not whole and (fixed < _FEWEST_OF_CUT or 2 * fixed < sum(run.words for run in fingerprint.runs)):
        return None
    ends = [start + run.words for start, run in zip(starts, runs, strict=True)]
    spans = [(0, starts[0]), *zip(ends, starts[1:], strict=False)]
    nothing = (len(words.spans), len(words.spans))
    spans += [(ends[-1], len(words.spans))] if whole else [nothing] * (len(fingerprint.gaps) - len(spans))
    pairs = list(zip(fingerprint.gaps, spans, strict=True))
    known = pairs if whole else pairs[: len(starts)]
    values = [_values(gap, span, words) for gap, span in known]
    before = words.text[words.spans[starts[0]][0] - 2 : words.spans[starts[0]][0]] if starts[0] else ""
    return Found(
        row,
        starts[0],
        ends[-1] - 1,
        fixed,
        starts[0] == 0 or ":" in before or (len(fingerprint.gaps[0]) > 1 and starts[0] < 8),
        whole and (ends[-1] == len(words.spans) or len(fingerprint.gaps[-1]) > 1),
        (*values, *([()] * (len(pairs) - len(values)))),
        tuple(spans),
        all(_is_punctuated(gap, span, words) for gap, span in known),
    )


def _starts(fingerprint: Fingerprint, place: int, words: _Words) -> list[int] | None:
    """The start of each run: the anchor's is ``place``; the runs before and after it are as near as possible.

    The last runs after it may be missing.
    """
    runs, gaps = fingerprint.runs, fingerprint.gaps
    if place not in _near(words.places(runs[fingerprint.anchor]), place):
        return None
    starts = [place]
    for number in range(fingerprint.anchor - 1, -1, -1):
        places, last = words.places(runs[number]), starts[0] - runs[number].words
        at = bisect.bisect_right(places, last) - 1
        if at < 0 or (len(gaps[number + 1]) == 1 and places[at] != last):
            return None
        starts.insert(0, places[at])
    end = place + runs[fingerprint.anchor].words
    for number in range(fingerprint.anchor + 1, len(runs)):
        places = words.places(runs[number])
        at = bisect.bisect_left(places, end)
        if at == len(places) or (len(gaps[number]) == 1 and places[at] != end):
            break
        starts.append(places[at])
        end = places[at] + runs[number].words
    return starts


def _near(places: list[int], place: int) -> list[int]:
    at = bisect.bisect_left(places, place)
    return places[at : at + 1]


def _values(gap: Gap, span: tuple[int, int], words: _Words) -> tuple[str, ...]:
    """The texts of a gap's values. Its punctuation is removed; values that no punctuation separates stay one text."""
    if len(gap) == 1:
        return ()
    text = _between(span, words)
    text = text.removeprefix(gap[0].strip()).removesuffix(gap[-1].strip()).strip()
    parts = []
    for separator in gap[2:-1:2]:
        before, found, after = text.partition(separator.strip()) if separator.strip() else (text, "", "")
        if not found:
            break
        parts.append(before.strip())
        text = after.strip()
    return (*parts, text)


def _between(span: tuple[int, int], words: _Words) -> str:
    """The text between two runs."""
    first, last = span
    start = words.spans[first - 1][1] if first else _start_of_message(words, last)
    end = words.spans[last][0] if last < len(words.spans) else len(words.text)
    return words.text[start:end].strip()


def _is_punctuated(gap: Gap, span: tuple[int, int], words: _Words) -> bool:
    """Return whether the text in a gap begins and ends with the gap's punctuation. Other text may surround the whole message."""
    text, first, last = "".join(_between(span, words).split()), span[0] == 0, span[1] == len(words.spans)
    head, tail = "".join(gap[0].split()), "".join(gap[-1].split())
    if len(gap) == 1:
        return text == head or first or last
    return (first or text.startswith(head)) and (last or text.endswith(tail))


def _start_of_message(words: _Words, before: int) -> int:
    """The start of a value at the very beginning: after the last colon followed by a space, which ends an exception's name."""
    end = words.spans[before][0]
    colon = words.text.rfind(": ", 0, end)
    return colon + 2 if colon >= 0 else 0
