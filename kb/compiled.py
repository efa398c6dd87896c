"""The compiled knowledge base: one file of JSON lines that start-up reads without YAML or pydantic.

The first line holds what every answer needs (signatures, titles, the fact table) and where the other lines lie; an
entry, a compatibility table or the phrases are parsed when they are asked for. ``tfhelp.kb.compile`` writes it.
"""

import json
import os
import typing

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.tables import Tables

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import CompiledEntry, Summary
    from tfhelp.kb.private import Part

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "artefacts", "knowledge.jsonl")
FORMAT = 5


class KnowledgeError(ArtefactError):
    """The compiled file is missing, damaged or of another format. The message names the command that makes it."""


class SignatureRow(typing.NamedTuple):
    """A signature as compiled.

    ``literals``: groups, of each of which one occurs wherever the pattern matches. ``captures``: group -> path of the fact.
    ``said``: it is about people's words. ``raised_by``: whose record it must be, empty for the rule of its kind. ``shared``:
    others print these words too.
    """

    entry: str
    strength: str
    pattern: str
    literals: list[list[str]]
    captures: dict[str, str]
    said: bool = False
    raised_by: typing.Sequence[str] = ()
    shared: bool = False


class Knowledge:
    """The compiled knowledge base.

    Attributes:
        version: hash of all that it was made from.
        phrases_version: hash of the phrases alone; the vector index must be of the same.
        signatures: decisive, supporting and never patterns of all entries.
        fact_types: path -> type of every fact that a document may hold.
        summaries: entry id -> what every answer needs of it (``tfhelp.kb.compiled_entry.Summary``).
        tables: the compatibility tables, each parsed on first use.
    """

    __slots__ = (
        "_cache",
        "_content",
        "_path",
        "_phrases",
        "_places",
        "fact_types",
        "phrases_version",
        "signatures",
        "summaries",
        "tables",
        "version",
    )

    def __init__(self, content: bytes, path: str = PATH) -> None:
        """Args: content: of the compiled file. path: its name, for what may be wrong with it."""
        self._path = path
        end = content.find(b"\n")
        try:
            head = json.loads(content[: max(end, 0)])
            form = head.get("format")
        except (ValueError, AttributeError):
            raise self._fault("damaged") from None
        if form != FORMAT:
            raise self._fault("of another version of tfhelp")
        if len(content) != end + 1 + head["length"]:
            raise self._fault("damaged: it was cut off or added to")
        self._content = content[end + 1 :]
        self._places: dict[str, list[int]] = head["places"]
        self._cache: dict[str, typing.Any] = {}
        self._phrases: list[tuple[str, str, str]] | None = None
        self.version: str = head["version"]
        self.phrases_version: str = head["phrases_version"]
        self.signatures = [SignatureRow(*row) for row in head["signatures"]]
        self.fact_types: dict[str, str] = head["fact_types"]
        self.summaries: dict[str, Summary] = head["summaries"]
        self.tables = Tables(lambda name: self.line(f"table:{name}"))

    def _fault(self, wrong: str) -> KnowledgeError:
        return KnowledgeError(f"{self._path}: {wrong}; run 'make kb'")

    def line(self, name: str) -> typing.Any:
        """A part of the body by its name (``entry:ID``, ``table:NAME``, ``phrases``), parsed once.

        Raises:
            KeyError: there is no such part.
            KnowledgeError: it is damaged.
        """
        if name not in self._cache:
            start, end = self._places[name]
            try:
                self._cache[name] = json.loads(self._content[start:end])
            except ValueError:
                raise self._fault(f"damaged: {name} cannot be read") from None
        return self._cache[name]

    @property
    def shipped(self) -> "Knowledge":
        """The knowledge base without private folders: this one, unless some lie over it (``tfhelp.kb.overlay``)."""
        return self

    @property
    def parts(self) -> "list[Part]":
        """The private folders that lie over it."""
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

    def literals_of_checks(self) -> set[str]:
        """The first literals of every text check; this parses all entries."""
        checks = (check for name in self.summaries for cause in self.entry(name)["causes"] for check in cause["checks"])
        return {literal for check in checks for group in check.get("literals", ())[:1] for literal in group}

    @property
    def phrases(self) -> list[tuple[str, str, str]]:
        """(entry, cause or empty, text) of everything that is searched by likeness, in the index's order."""
        if self._phrases is None:
            self._phrases = [(row[0], row[1], row[2]) for row in self.line("phrases")]
        return self._phrases

    @property
    def training_examples(self) -> list[tuple[str, str]]:
        """(entry, text) of what the classifier learns from besides the phrases, when the index is built.

        They are the entries' examples, and, with no entry, what people say of other software.
        """
        return [(row[0], row[1]) for row in self.line("training_examples")]

    @property
    def lexicon(self) -> dict[str, typing.Any]:
        """The inverted index over the phrases (``tfhelp.index.lexical`` says of what form)."""
        lexicon: dict[str, typing.Any] = self.line("lexicon")
        return lexicon


def load(path: str | None = None) -> Knowledge:
    """Read a compiled knowledge base.

    Args:
        path: of the file; ``None`` for the shipped one with the folders of private knowledge that ``TFHELP_KB`` names.

    Raises:
        KnowledgeError: it is missing, damaged, or of another format, or a named folder is none.
    """
    if path is None and os.environ.get("TFHELP_KB"):
        from tfhelp.kb.overlay import OverlaidKnowledge
        from tfhelp.kb.private import parts

        shipped = load(PATH)
        found = parts(shipped)
        return OverlaidKnowledge(shipped, found) if found else shipped
    path = path or PATH
    try:
        with open(path, "rb") as file:
            return Knowledge(file.read(), path)
    except FileNotFoundError:
        raise KnowledgeError(f"{path}: missing; run 'make kb'") from None
