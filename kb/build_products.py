"""Check the files that the build makes: one manifest lists the length and the SHA-256 of every file.

A cold ``ask`` only checks lengths (``check_length``, a file system call before a file is read) and what the formats themselves
show. ``tfhelp doctor`` and the start of ``tfhelp serve`` read every file and compare its hash (``check``, a quarter of a second).
"""

import json
import os
import typing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANIFEST = "kb/artefacts/manifest.json"
FORMAT = 1

KNOWLEDGE = "kb/artefacts/knowledge.bin"
CONFIDENCE = "service/artefacts/confidence.json"
_INDEX = "make clean-index index"
_ALL = "make clean setup"
PRODUCTS = {
    KNOWLEDGE: "make kb",
    "index/artefacts/manifest.json": _INDEX,
    "index/artefacts/encoder.json": _INDEX,
    "index/artefacts/tokenizer.json": _INDEX,
    "index/artefacts/encoder.ort": _INDEX,
    "index/artefacts/vectors.faiss": _INDEX,
    "index/artefacts/classifier.bin": _INDEX,
    "index/artefacts/words.txt": _INDEX,
    "index/artefacts/quick.bin": _INDEX,
    "index/artefacts/sieve.hsdb": _INDEX,
    "index/artefacts/sieve-edges.hsdb": _INDEX,
    CONFIDENCE: "make index",
}
"""File -> the command that rebuilds it."""

OPTIONAL = frozenset(
    (
        "index/artefacts/encoder.json",
        "index/artefacts/tokenizer.json",
        "index/artefacts/encoder.ort",
        "index/artefacts/classifier.bin",
        "index/artefacts/words.txt",
        "index/artefacts/quick.bin",
        "index/artefacts/sieve.hsdb",
        "index/artefacts/sieve-edges.hsdb",
    )
)
"""Files that some builds do not make: without Hyperscan, or with a custom model."""


class Row(typing.TypedDict):
    """The manifest's row for a file."""

    bytes: int
    sha256: str


class ArtefactError(Exception):
    """A file that the build makes is missing or damaged, or has a different version. The message names the file, the fault,
    and the command that rebuilds it.
    """


def fault(path: str, wrong: str, command: str = "") -> ArtefactError:
    """The error for a file, in the common form."""
    return ArtefactError(f"{path}: {wrong}; run '{command or PRODUCTS.get(name_of(path), _INDEX)}'")


def name_of(path: str) -> str:
    """A file's name in the manifest: package, folder and name."""
    return "/".join(os.path.abspath(path).replace("\\", "/").split("/")[-3:])


def _root_of(path: str) -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(path))))


_MADE_FOR = b'{"made_for":["'
_LONGEST_VERSIONS = 200  # bytes of both together


def made_for(path: str) -> tuple[str, str]:
    """The version of the phrases and the digest of all texts that a file was made from; both are empty if there is no such file.

    Args:
        path: of a file that begins with a line of JSON whose first key is ``made_for``.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(len(_MADE_FOR) + _LONGEST_VERSIONS)
    except FileNotFoundError:
        return "", ""
    if not head.startswith(_MADE_FOR):
        return "", ""
    phrases, _, texts = head.removeprefix(_MADE_FOR).partition(b"]")[0].decode("ascii", "replace").partition('","')
    return phrases, texts.rstrip('"')


def record(paths: typing.Iterable[str], only_new: bool = False) -> None:
    """Add files that were just made to the manifest next to them.

    The rows of files that do not exist are removed. A file outside the packages' own folders has no manifest, and is ignored.

    Args:
        paths: the files.
        only_new: whether to keep existing rows: a file that was not rebuilt must still match its row.
    """
    for path in paths:
        name, root = name_of(path), _root_of(path)
        if name not in PRODUCTS or not os.path.isdir(os.path.join(root, os.path.dirname(MANIFEST))):
            continue
        rows = _rows_or_none(root) or {}
        if only_new and name in rows:
            continue
        rows.pop(name, None)
        if os.path.isfile(path):
            rows[name] = {"bytes": os.path.getsize(path), "sha256": _sha256(path)}
        _write(root, rows)


def _write(root: str, rows: dict[str, Row]) -> None:
    path = os.path.join(root, MANIFEST)
    from tfhelp.kb.whole_file import write_whole

    document = {"format": FORMAT, "files_sha256": _digest(rows), "files": dict(sorted(rows.items()))}
    write_whole(path, json.dumps(document, indent=2).encode() + b"\n")


def _rows_or_none(root: str) -> dict[str, Row] | None:
    try:
        return rows_of(root)
    except ArtefactError:
        return None


def rows_of(root: str = ROOT) -> dict[str, Row]:
    """The manifest.

    Raises:
        ArtefactError: it is missing or damaged, or has a different version.
    """
    return _rows(_document(root), root)


def _document(root: str) -> dict[str, typing.Any]:
    path = os.path.join(root, MANIFEST)
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except FileNotFoundError:
        raise fault(path, "missing", _ALL) from None
    except ValueError:
        raise fault(path, "damaged", _ALL) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise fault(path, "of another version of tfhelp", _ALL)
    return document


def _rows(document: dict[str, typing.Any], root: str) -> dict[str, Row]:
    rows: dict[str, Row] = document.get("files", {})
    if not isinstance(rows, dict) or not all(
        isinstance(row, dict) and {"bytes", "sha256"} <= row.keys() for row in rows.values()
    ):
        raise fault(os.path.join(root, MANIFEST), "damaged", _ALL)
    return rows


def _digest(rows: dict[str, Row]) -> str:
    import hashlib

    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def check_length(path: str) -> None:
    """Compare a file's length with the manifest next to it, if there is one, so that a truncated file is never used.

    Raises:
        ArtefactError: the file is missing or has a different length.
    """
    rows = _rows_or_none(_root_of(path))
    row = rows.get(name_of(path)) if rows else None
    if row is None:
        return
    if not os.path.isfile(path):
        raise fault(path, "missing")
    if os.path.getsize(path) != row["bytes"]:
        raise fault(path, f"damaged ({os.path.getsize(path)} bytes, not {row['bytes']})")


def check(root: str = ROOT) -> None:
    """Compare every file with the manifest, by its hash.

    Raises:
        ArtefactError: the manifest or a file is missing, damaged, or not from this build.
    """
    document = _document(root)
    rows = _rows(document, root)
    if document.get("files_sha256") != _digest(rows):
        raise fault(os.path.join(root, MANIFEST), "damaged", _ALL)
    for name in PRODUCTS:
        path = os.path.join(root, *name.split("/"))
        if name not in rows:
            if name not in OPTIONAL:
                raise fault(path, "missing from the manifest" if os.path.isfile(path) else "missing")
            continue
        check_length(path)
        if _sha256(path) != rows[name]["sha256"]:
            raise fault(path, "damaged (its SHA-256 is not that of the build)")


def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
