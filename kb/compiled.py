"""The compiled knowledge base: one file, which is mapped at start-up and read without YAML or pydantic.

It is a file of sections (``tfhelp.kb.sections``). Entries, phrases, signatures and the lexicon are found in it by number or name,
and parsed on first use. So neither a cold ``ask`` nor a worker of the service spends time on entries that its texts are not
about. ``tfhelp.kb.compile`` writes it.
"""

import json
import os
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled_parts import FactRow, Phrase, Phrases, Summaries
from tfhelp.kb.lexicon import Lexicon
from tfhelp.kb.packed_rows import Names, Rows
from tfhelp.kb.sections import Sections, SectionsError, mapped
from tfhelp.kb.signature_table import Signatures, SignatureTable
from tfhelp.kb.tables import Tables

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledEntry, Summary
    from tfhelp.kb.private import Part

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "artefacts", "knowledge.bin")
FORMAT = 6
_KEPT = 512  # parts that stay parsed


class KnowledgeError(ArtefactError):
    """The compiled file is missing or damaged, or has a different format. The message names the command that rebuilds it."""


class Knowledge:
    """The compiled knowledge base.

    Attributes:
        version: hash of everything that it was built from.
        phrases_version: hash of the phrases alone; the vector index must have the same.
        signatures: decisive, supporting and never patterns of all entries.
        fact_types: path -> type of every fact that a document may contain.
        summaries: entry id -> what every answer needs from it (``tfhelp.kb.compiled_entry.Summary``), by family and id.
        phrases: (entry, cause or empty, text) of everything that is searched by similarity, in the index's order.
        lexicon: the inverted index over the phrases.
        tables: the compatibility tables, each parsed on first use.
    """

    __slots__ = (
        "_cache",
        "_path",
        "_sections",
        "fact_types",
        "lexicon",
        "phrases",
        "phrases_version",
        "signatures",
        "summaries",
        "tables",
        "version",
    )

    def __init__(self, content: bytes | memoryview, path: str = PATH) -> None:
        """Args: content: of the compiled file. path: its name, for error messages."""
        self._path = path
        try:
            self._sections = sections = Sections(content, FORMAT)
        except SectionsError as error:
            raise self._fault(str(error)) from None
        self._cache: dict[str, typing.Any] = {}
        self.version: str = sections.head["version"]
        self.phrases_version: str = sections.head["phrases_version"]
        self.fact_types: dict[str, str] = sections.head["fact_types"]
        self.signatures: Signatures = SignatureTable(sections)
        self.summaries: typing.Mapping[str, Summary] = Summaries(sections)
        self.phrases: typing.Sequence[Phrase] = Phrases(sections)
        self.lexicon = Lexicon(sections)
        self.tables = Tables(lambda name: self.line(f"table:{name}"))

    def _fault(self, wrong: str) -> KnowledgeError:
        return KnowledgeError(f"{self._path}: {wrong}; run 'make kb'")

    def line(self, name: str) -> typing.Any:
        """A part by its name (``entry:ID``, ``table:NAME``, ``about``), parsed once.

        Raises:
            KeyError: there is no such part.
            KnowledgeError: the part is damaged.
        """
        if name not in self._cache:
            found = self._entry(name[6:]) if name.startswith("entry:") else self._part(name)
            if len(self._cache) >= _KEPT:
                self._cache.clear()
            self._cache[name] = found
        return self._cache[name]

    def _entry(self, identifier: str) -> typing.Any:
        number = Names(self._sections, "names").find(identifier)
        if number is None:
            raise KeyError(identifier)
        try:
            return Rows(self._sections, "entries").row(number)
        except ArtefactError:
            raise self._fault(f"damaged: entry:{identifier} cannot be read") from None

    def _part(self, name: str) -> typing.Any:
        try:
            return json.loads(str(self._sections.part(name), "utf-8"))
        except ValueError:
            raise self._fault(f"damaged: {name} cannot be read") from None

    @property
    def shipped(self) -> "Knowledge":
        """The knowledge base without private folders: this one, unless folders are added to it (``tfhelp.kb.overlay``)."""
        return self

    @property
    def parts(self) -> "list[Part]":
        """The private folders that are added to it."""
        return []

    def entries(self) -> list[str]:
        """Ids of all entries, by family and id."""
        return list(self.summaries)

    def entry(self, identifier: str) -> "CompiledEntry":
        """One entry as compiled: ``entry.yaml`` with its snippets in place.

        Raises:
            KeyError: no such entry.
        """
        if identifier not in self.summaries:
            raise KeyError(identifier)
        entry: CompiledEntry = self.line(f"entry:{identifier}")
        return entry

    @property
    def facts(self) -> list[FactRow]:
        """The facts that name an entry, in the entries' order."""
        if "facts" not in self._cache:
            self._cache["facts"] = [FactRow(*row) for row in self._part("facts")]
        found: list[FactRow] = self._cache["facts"]
        return found

    @property
    def training_examples(self) -> list[tuple[str, str]]:
        """(entry, text) of the texts, besides the phrases, that the classifier is trained on when the index is built.

        They are the entries' examples, and texts about other software, which have no entry.
        """
        rows = Rows(self._sections, "training_examples")
        return [(row[0], row[1]) for row in map(rows.row, range(len(rows)))]


def load(path: str | None = None) -> Knowledge:
    """Read a compiled knowledge base.

    Args:
        path: of the file; ``None`` for the shipped one with the folders of private knowledge that ``TFHELP_KB`` names.

    Raises:
        KnowledgeError: it is missing, damaged, or has a different format, or a named folder is not a knowledge folder.
    """
    if path is None and os.environ.get("TFHELP_KB"):
        from tfhelp.kb.overlay import OverlaidKnowledge
        from tfhelp.kb.private import parts

        shipped = load(PATH)
        found = parts(shipped)
        return OverlaidKnowledge(shipped, found) if found else shipped
    path = path or PATH
    try:
        return Knowledge(mapped(path), path)
    except FileNotFoundError:
        raise KnowledgeError(f"{path}: missing; run 'make kb'") from None
