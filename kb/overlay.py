"""The shipped knowledge base with folders of private knowledge laid over it: one ``Knowledge`` for all that reads one."""

import typing

from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.private import Part

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary

Phrase = tuple[str, str, str]


class OverlaidKnowledge(Knowledge):
    """Shipped and private entries together.

    Phrases are the shipped ones, in their order and under their numbers, and then those of each folder. Lexicon, phrases'
    version and training examples stay the shipped ones: the indexes belong to them. Private phrases are searched beside them.

    Attributes:
        faults: what was left out of them, ``file:line: field: message``.
    """

    __slots__ = ("_owners", "_parts", "_shipped", "faults")

    def __init__(self, shipped: Knowledge, parts: list[Part]) -> None:
        """Args: shipped: the shipped knowledge base. parts: the folders; of two entries with one id the first one stays."""
        for name in Knowledge.__slots__:
            setattr(self, name, getattr(shipped, name))
        self._shipped = shipped
        self._parts = parts
        self.faults = [fault for part in parts for fault in part.faults]
        self._owners: dict[str, Part] = {}
        self._phrases = None
        summaries: dict[str, Summary] = {}
        for part in parts:
            for name, summary in part.knowledge.summaries.items():
                if name in self._owners:
                    self.faults.append(f"{part.places[name]}: id: {self._owners[name].places[name]} has this id too")
                    continue
                self._owners[name] = part
                summaries[name] = typing.cast("Summary", {**summary, "private": part.folder})
        self.summaries = {**shipped.summaries, **summaries}
        self.signatures = [row for row in shipped.signatures if row.entry not in self._owners]
        for part in parts:
            self.signatures += [row for row in part.knowledge.signatures if self._owners.get(row.entry) is part]
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
        """As ``Knowledge.line``; an entry's from the folder that has it."""
        owner = self._owners.get(name.removeprefix("entry:")) if name.startswith("entry:") else None
        return owner.knowledge.line(name) if owner else super().line(name)

    @property
    def phrases(self) -> list[Phrase]:
        """(entry, cause or empty, text) of all that is searched by likeness; no entry where another folder has its id."""
        if self._phrases is None:
            self._phrases = [*self.shipped.phrases, *(row for part in self.parts for row in self._phrases_of(part))]
        return self._phrases

    def _phrases_of(self, part: Part) -> list[Phrase]:
        return [row if self._owners.get(row[0]) is part else ("", "", row[2]) for row in part.knowledge.phrases]


def faults_in_words(knowledge: Knowledge) -> list[str]:
    """For an answer: what of the private knowledge does not count, and why."""
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
