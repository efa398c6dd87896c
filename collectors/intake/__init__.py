"""Turns whatever a user hands over into a text, facts and code.

``take`` recognises compressed files, other encodings, notebooks, scripts, and the output of ``tfhelp collect`` alone or
anywhere in a text. Whatever it does not recognise stays in the text, line for line. It refuses a file that holds no text,
and says what kind of file it is.

Time is linear in the input, and memory is bounded. A short text without a sign of any other kind imports nothing.
"""

import typing

Json = dict[str, typing.Any]

LARGEST_UNPACKED = 256 << 20
"""Bytes that a compressed file may hold, unless the caller allows fewer."""

_HEAD = 4096  # bytes that identify the kind of a file
_LARGEST_RECOGNISED = 4 << 20  # characters; a longer text is a log, and only its two ends are searched for documents
_EDGE = 1 << 20
_DOCUMENT_SIGNS = ('"_about"', '"nbformat"', '"cells"', '"packages"', '"python"', '"driver"', '"gpus"', '"host"', '"os"')
_SCRIPT_SIGNS = ("\nimport ", "\nfrom ")
_SCRIPT_STARTS = ("import ", "from ", "#!", '"""')
_SCRIPT_NAMES = (".py", ".pyw")


class Script(typing.NamedTuple):
    """A program: the name to show in evidence (a notebook's ends in ``.ipynb``), and its source."""

    name: str
    source: str


class Intake:
    """What was recognised.

    Attributes:
        text: the text to diagnose. Lines of a facts document inside it are empty, so that the other lines keep their
            numbers.
        facts: facts documents that were read, the topmost first; not yet checked against the fact table.
        scripts: programs that were read.
        kinds: what was recognised: ``text``, ``facts``, ``notebook``, ``script``, ``nvidia-smi``, ``pip list``, ``gzip``...
        notes: sentences for the user about what was recognised.
        refused: why nothing was read, as a sentence; empty if something was.
    """

    __slots__ = ("facts", "kinds", "notes", "refused", "scripts", "text")

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.facts: list[Json] = []
        self.scripts: list[Script] = []
        self.kinds: list[str] = []
        self.notes: list[str] = []
        self.refused = ""


def take(content: bytes, name: str = "", most: int = LARGEST_UNPACKED) -> Intake:
    """Recognise the kind of the bytes, and read them.

    Args:
        content: a file, or what was pasted. Any bytes will do.
        name: the file's name, if there is one. It appears in notes, and identifies a script.
        most: maximum number of bytes after decompression.

    Returns:
        The result. This function never raises: if something cannot be read, ``refused`` says why.
    """
    plain = unpack(content, name, most)
    if plain.refused:
        return plain
    intake = take_text(plain.text, name)
    intake.kinds = plain.kinds + intake.kinds
    intake.notes = plain.notes + intake.notes
    return intake


def unpack(content: bytes, name: str = "", most: int = LARGEST_UNPACKED) -> Intake:
    """The bytes as text, decompressed and decoded, but with nothing else recognised yet."""
    head = content[:_HEAD]
    if _is_ascii_text(head) and content.isascii() and 0 not in content:
        return Intake(content.decode("ascii"))
    from tfhelp.collectors.intake import binaries, compression, encodings

    intake = Intake()
    for _ in range(compression.MOST_LAYERS):
        kind = compression.kind_of(content)
        if not kind:
            break
        content, said, intake.refused = compression.unpacked(content, kind, name, most)
        if intake.refused:
            return intake
        intake.kinds.append(kind)
        intake.notes += said
    intake.refused = binaries.refusal(content[:_HEAD], name if not intake.kinds else "")
    if not intake.refused:
        intake.text, said = encodings.decode(content)
        intake.notes += said
    return intake


def needs_whole(start: bytes, name: str = "") -> bool:
    """Return whether the first bytes show that a long file must be read as a whole: it is compressed, a notebook, or not text."""
    from tfhelp.collectors.intake import binaries, compression

    if compression.kind_of(start) or binaries.refusal(start[:_HEAD], name):
        return True
    return start.lstrip()[:1] == b"{" and any(sign.encode() in start for sign in ('"nbformat"', '"cells"', '"_about"'))


def take_text(text: str, name: str = "") -> Intake:
    """Recognise the parts of a text.

    Args:
        text: any text.
        name: as in ``take``.
    """
    name = _without_suffix(name)
    intake = Intake(text)
    if is_plain(text, name):
        _name_rest(intake)
        return intake
    if _has_document(text):
        from tfhelp.collectors.intake import documents

        documents.take_out(intake, _parts_to_search(text), name)
    if _may_be_script(intake.text, name):
        from tfhelp.collectors.intake import script

        script.take_out(intake, name)
    if _has_listing(intake.text):
        from tfhelp.collectors.intake import listings

        listings.name_kinds(intake)
    _name_rest(intake)
    return intake


def is_plain(text: str, name: str = "") -> bool:
    """Return whether a text has no sign of anything but plain text, so that ``take_text`` costs nothing."""
    return not (_has_document(text) or _may_be_script(text, name) or _has_listing(text))


def _name_rest(intake: Intake) -> None:
    if intake.text.strip() or not intake.kinds:
        intake.kinds.append("text")


def _is_ascii_text(head: bytes) -> bool:
    return head.isascii() and not head.startswith(b"%PDF-") and head[257:262] != b"ustar"


def _has_document(text: str) -> bool:
    if "{" not in text or '"' not in text:
        return False
    return any(sign in text[start:end] for start, end in _parts_to_search(text) for sign in _DOCUMENT_SIGNS)


def _parts_to_search(text: str) -> list[tuple[int, int]]:
    """Where to search for documents: everywhere, or only at the ends of a long text."""
    if len(text) <= _LARGEST_RECOGNISED or text[:200].lstrip().startswith("{"):
        return [(0, len(text))]
    return [(0, _EDGE), (len(text) - _EDGE, len(text))]


def _may_be_script(text: str, name: str) -> bool:
    if len(text) > _LARGEST_RECOGNISED:
        return False
    if name.lower().endswith(_SCRIPT_NAMES):
        return True
    return text.lstrip("\n").startswith(_SCRIPT_STARTS) or any(sign in text for sign in _SCRIPT_SIGNS)


_LISTING_SIGNS = ("NVIDIA-SMI ", "NVSMI LOG", "# packages in environment at", "\n---", "==")


def _has_listing(text: str) -> bool:
    return len(text) <= _LARGEST_RECOGNISED and any(sign in text for sign in _LISTING_SIGNS)


def _without_suffix(name: str) -> str:
    """The name of the file inside a compressed file: ``train.py`` for ``train.py.gz``."""
    return name.rpartition(".")[0] if name.endswith((".gz", ".zst", ".bz2", ".xz")) else name
