"""Look up a message in the atlas: what can have raised it, in which releases, with which values."""

import re
import typing

from tfhelp.kb.atlas.fingerprint import Run
from tfhelp.kb.atlas.likeliest import NATIVE, Evidence, Likeliest, Site, is_named, is_raised_as
from tfhelp.kb.atlas.matching import Anchors, Fingerprint, Found, find
from tfhelp.kb.atlas.opened import Span
from tfhelp.kb.atlas.store import PATH
from tfhelp.kb.text import Frame

_MOST_SITES = 40
_ADDED = re.compile(r" (?:Call arguments|Arguments) received by ")
"""Keras appends the arguments of the call to a layer's message. They belong to no template."""


_FEWEST_WORDS = 4
_FEWEST_IN_A_ROW = 3
"""A fingerprint with fewer fixed words, and fewer of them in a row, counts only if it covers the whole message and the exception
is the same. Measured on 1,713 messages from 42 other packages: none of 32 matches is left. Fingerprints with more words only need
to occur; 10 of them match.
"""
_OTHERS_CLASS = 6
"""An exception that does not fit counts as six words fewer. For example, C++ code does not raise ``ValueError``."""
_CLASS = re.compile(r"(?:[A-Za-z_][\w.]*\.)?([A-Z]\w*): ")


class Place(typing.NamedTuple):
    """A place that raises a message.

    Attributes:
        module: dotted, ``keras.layers.input_spec``; the folder ``src`` of Keras is left out.
        function: qualified name inside the module; empty at its level.
        exception: class without its module; empty if the source computes it.
        public: the public name that the function is best known by, or empty.
        releases: the releases that have it.
        names: of the values, as the source calls them; empty if it has no short name for one.
    """

    module: str
    function: str
    exception: str
    public: str
    releases: tuple[Span, ...]
    names: tuple[str, ...]


class Explained(typing.NamedTuple):
    """What can have raised a message.

    Attributes:
        place: the most likely one.
        others: other places whose message has the same fingerprint, most likely first.
        values: (name in the source, text in the message). Names of values that cannot be told apart are joined by commas.
        fixed: how many words of the message are the template's own.
        whole: the message begins and ends where the template does.
        led: it begins with the template's first fixed word, so no value comes before it.
    """

    place: Place
    others: tuple[Place, ...]
    values: tuple[tuple[str, str], ...]
    fixed: int
    whole: bool
    led: bool


class Messages(Likeliest):
    """The part of the atlas for messages."""

    def __init__(self, path: str = PATH) -> None:
        """Open it; raises as ``Opened`` does."""
        super().__init__(path)
        self._anchors: Anchors | None = None
        self._sites: dict[int, list[Site]] = {}

    def explain(
        self,
        message: str,
        exception: str = "",
        frames: typing.Sequence[Frame] = (),
        most: int = 5,
        code: str = "",
        installed: typing.Mapping[str, str] | None = None,
    ) -> list[Explained]:
        """What can have raised a message, most likely first; empty if no fingerprint fits.

        Args:
            message: the exception's message, with or without its class in front.
            exception: class of the exception, if it is known. A place that raises a different class comes later.
            frames: of the traceback. A place that they name comes first.
            most: maximum number of results.
            code: lines of the user's own code, which may call the place.
            installed: package -> installed version, if it is known.
        """
        text, exception = _without_class(_ADDED.split(message, maxsplit=1)[0], exception)
        evidence = Evidence(message, exception, frames, code, installed)
        found = find(text, self._anchored(), self._fingerprint)
        meant = (one for one in found if not self._is_weak(one) or self._is_exact(one, exception))
        ranked = sorted(meant, key=lambda one: self._rank(one, evidence), reverse=True)
        kept: dict[tuple[int, int, int], list[Found]] = {}
        for one in _innermost_first(ranked):
            same = kept.setdefault((one.first, one.last, one.fixed), [])
            if all(one.row != other.row for other in same):
                same.append(one)
        return [self._explained(same, evidence) for same in list(kept.values())[:most]]

    def _anchored(self) -> Anchors:
        if self._anchors is None:
            self._anchors = Anchors(self._store.numbers("digests"), self._store.numbers("rows"))
        return self._anchors

    def _sites_of(self, number: int) -> list[Site]:
        if number not in self._sites:
            self._sites[number] = self._store.get("sites", f"{number:05d}")
        return self._sites[number]

    def _fingerprint(self, number: int) -> Fingerprint:
        runs, gaps, anchor = self._store.get("prints", f"{number:05d}")
        pairs = tuple(Run(runs[place], runs[place + 1]) for place in range(0, len(runs), 2))
        return Fingerprint(pairs, tuple(_gap(parts) for parts in gaps), anchor)

    def _is_weak(self, found: Found) -> bool:
        runs = self._fingerprint(found.row).runs
        return found.fixed < _FEWEST_WORDS and max(run.words for run in runs) < _FEWEST_IN_A_ROW

    def _is_exact(self, found: Found, exception: str) -> bool:
        """Return whether the message is only this template, raised by the class that the source names."""
        return found.first == 0 and found.ends and any(site[3] == exception for site in self._sites_of(found.row))

    def _rank(self, found: Found, evidence: Evidence) -> tuple[float, int]:
        sites = self._sites_of(found.row)
        score = float(found.fixed) + 2 * found.begins + 2 * found.ends
        if evidence.exception and any(is_raised_as(site[3], evidence.exception) for site in sites):
            score += 3
        if evidence.frames and any(is_named(site, evidence.frames) for site in sites[:_MOST_SITES]):
            score += 20
        if evidence.exception in NATIVE and not any(site[3] in NATIVE for site in sites):
            score -= _OTHERS_CLASS
        return score + 2 * any(self.is_usual(site) for site in sites) + found.punctuated, -found.row

    def _explained(self, same: list[Found], evidence: Evidence) -> Explained:
        """Merge templates that cover the same words and differ only in punctuation or in the places of their values."""
        pairs = [(site, found) for found in same for site in self._sites_of(found.row)]
        pairs.sort(key=lambda pair: self.order(pair[0], evidence, pair[1].punctuated))
        places = [self._place(site) for site, _ in pairs]
        found = pairs[0][1]
        whole = found.begins and found.ends
        return Explained(places[0], tuple(places[1:]), self._values(found, places[0].names), found.fixed, whole, found.first == 0)

    def _values(self, found: Found, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        _, gaps, _ = self._store.get("prints", f"{found.row:05d}")
        given = iter(names)
        pairs: list[tuple[str, str]] = []
        for gap, texts in zip(gaps, found.values, strict=True):
            inside = [next(given) for _ in gap[1:]]
            # The last text belongs to all values that cannot be told apart.
            pairs += zip(inside, texts[:-1], strict=False)
            if inside and texts:
                pairs.append((", ".join(name for name in inside[len(texts) - 1 :] if name), texts[-1]))
        return tuple(pairs)

    def _place(self, site: list[typing.Any]) -> Place:
        package, module, function, exception, releases, names, public = site
        return Place(module, function, exception, public, self._spans(package, releases), tuple(names))


def _without_class(message: str, exception: str) -> tuple[str, str]:
    """(message without the exception's class before it, the class). If the class is not given, it is read from the message."""
    found = _CLASS.match(message)
    if found and (found.group(1) == exception or (not exception and found.group(1).endswith(("Error", "Exception")))):
        return message[found.end() :], found.group(1)
    return message, exception


def _gap(parts: list[str]) -> tuple[str, ...]:
    """Stored punctuation as a gap whose values have no name."""
    return (parts[0], *(text for part in parts[1:] for text in ("", part)))


def _innermost_first(ranked: list[Found]) -> list[Found]:
    """If a message only wraps another one, put the wrapped message before it."""
    if not ranked:
        return []
    best, rest = ranked[0], ranked[1:]
    for span, texts in zip(best.spans, best.values, strict=True):
        inside = [one for one in rest if texts and span[0] <= one.first <= span[0] + 4 and one.last < span[1]]
        if inside:
            return [*_innermost_first(inside), best, *(one for one in rest if one not in inside)]
    return ranked
