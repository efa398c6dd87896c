"""The shipped knowledge base with folders of private knowledge added: one ``Knowledge`` object for all readers."""

import bisect
import collections.abc
import itertools
import typing

from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.compiled_parts import FactRow, Phrase
from tfhelp.kb.private import Part
from tfhelp.kb.signature_table import OverlaidSignatures

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary


class OverlaidKnowledge(Knowledge):
    """Shipped and private entries combined.

    The phrases are the shipped ones, with their order and numbers, followed by those of each folder. The lexicon, the phrases'
    version and the training examples stay the shipped ones, because the indexes belong to them. Private phrases are searched
    separately.

    Attributes:
        faults: the faults of entries that were left out, ``file:line: field: message``.
    """

    __slots__ = ("_owners", "_parts", "_shipped", "faults")

    def __init__(self, shipped: Knowledge, parts: list[Part]) -> None:
        """Args: shipped: the shipped knowledge base. parts: the folders; of two entries with the same id, the first one is
        used.
        """
        for name in Knowledge.__slots__:
            setattr(self, name, getattr(shipped, name))
        self._shipped = shipped
        self._parts = parts
        self.faults = [fault for part in parts for fault in part.faults]
        self._owners: dict[str, Part] = {}
        for part in parts:
            for name in part.knowledge.summaries:
                if name in self._owners:
                    self.faults.append(f"{part.places[name]}: id: {self._owners[name].places[name]} has this id too")
                    continue
                self._owners[name] = part
        self._cache = {}
        self.summaries = OverlaidSummaries(shipped.summaries, self._owners)
        self.phrases = OverlaidPhrases(shipped.phrases, parts, self._owners)
        self.signatures = OverlaidSignatures(
            [
                (shipped.signatures, lambda entry: entry not in self._owners),
                *((part.knowledge.signatures, lambda entry, part=part: self._owners.get(entry) is part) for part in parts),
            ]
        )
        self.version = "+".join([shipped.version, *(part.key[:8] for part in parts)])

    @property
    def shipped(self) -> Knowledge:
        """The knowledge base without the folders."""
        return self._shipped

    @property
    def parts(self) -> list[Part]:
        """The folders."""
        return self._parts

    def line(self, name: str) -> typing.Any:
        """As ``Knowledge.line``, but an entry comes from the folder that has it."""
        owner = self._owners.get(name.removeprefix("entry:")) if name.startswith("entry:") else None
        return owner.knowledge.line(name) if owner else super().line(name)

    @property
    def facts(self) -> list[FactRow]:
        """As ``Knowledge.facts``, with each entry's facts from its own file."""
        if "facts" not in self._cache:
            shipped = [row for row in self.shipped.facts if row.entry not in self._owners]
            private = [row for part in self.parts for row in part.knowledge.facts if self._owners.get(row.entry) is part]
            self._cache["facts"] = shipped + private
        found: list[FactRow] = self._cache["facts"]
        return found


class OverlaidSummaries(collections.abc.Mapping[str, "Summary"]):
    """Entry id -> summary; a private one names its folder."""

    __slots__ = ("_owners", "_shipped")

    def __init__(self, shipped: "typing.Mapping[str, Summary]", owners: dict[str, Part]) -> None:
        """Args: shipped: the summaries of the shipped entries. owners: private entry -> its folder."""
        self._shipped = shipped
        self._owners = owners

    def __getitem__(self, identifier: str) -> "Summary":
        owner = self._owners.get(identifier)
        if owner is None:
            return self._shipped[identifier]
        return typing.cast("Summary", {**owner.knowledge.summaries[identifier], "private": owner.folder})

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._owners or identifier in self._shipped

    def __iter__(self) -> typing.Iterator[str]:
        yield from self._shipped
        yield from (name for name in self._owners if name not in self._shipped)

    def __len__(self) -> int:
        return len(self._shipped) + sum(name not in self._shipped for name in self._owners)


class OverlaidPhrases(collections.abc.Sequence[Phrase]):
    """(entry, cause or empty, text) of everything searched by similarity; without an entry if another folder has its id."""

    __slots__ = ("_owners", "_parts", "_shipped", "_starts")

    def __init__(self, shipped: typing.Sequence[Phrase], parts: list[Part], owners: dict[str, Part]) -> None:
        """Args: shipped: the shipped phrases. parts: the folders. owners: private entry -> its folder."""
        self._shipped = shipped
        self._parts = parts
        self._owners = owners
        self._starts = list(itertools.accumulate((len(part.knowledge.phrases) for part in parts), initial=len(shipped)))

    def __len__(self) -> int:
        return self._starts[-1]

    @typing.overload
    def __getitem__(self, number: int) -> Phrase: ...
    @typing.overload
    def __getitem__(self, number: slice) -> list[Phrase]: ...
    def __getitem__(self, number: int | slice) -> Phrase | list[Phrase]:
        if isinstance(number, slice):
            return [self[place] for place in range(len(self))[number]]
        number = range(len(self))[number]
        if number < len(self._shipped):
            return self._shipped[number]
        place = bisect.bisect_right(self._starts, number) - 1
        part = self._parts[place]
        row = part.knowledge.phrases[number - self._starts[place]]
        return row if self._owners.get(row[0]) is part else ("", "", row[2])


def faults_in_words(knowledge: Knowledge) -> list[str]:
    """The notes for an answer: which private entries are left out, and why."""
    if not isinstance(knowledge, OverlaidKnowledge) or not knowledge.faults:
        return []
    folders = len({fault.partition(":")[0].rpartition("/")[0] for fault in knowledge.faults})
    left_out = (
        "One entry of your team's knowledge was left out"
        if folders == 1
        else f"{folders} entries of your team's knowledge were left out"
    )
    more = f" (and {len(knowledge.faults) - 1} more)" if len(knowledge.faults) > 1 else ""
    return [f"{left_out}: {knowledge.faults[0]}{more}. 'tfhelp kb check --kb DIR' names every fault."]
