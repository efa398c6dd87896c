"""The kept inputs: a small corpus for each reader, one input per line, and a file for each input that once showed a fault."""

import ast
import hashlib
import pathlib
import typing

from tests.fuzz.target import Target

_HERE = pathlib.Path(__file__).parent
CORPUS = _HERE / "corpus"
FOUND = _HERE / "found"


def corpus(name: str) -> list[bytes]:
    """The corpus of a reader; each line of its file is a bytes literal, so that texts are readable."""
    file = CORPUS / f"{name}.txt"
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return [typing.cast(bytes, ast.literal_eval(line)) for line in lines]


def write_corpus(name: str, inputs: typing.Iterable[bytes]) -> None:
    """Replace the corpus of a reader."""
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{name}.txt").write_text("".join(f"{one!r}\n" for one in inputs), encoding="ascii")


def found(name: str) -> dict[str, bytes]:
    """Inputs of a reader that once showed a fault, by the names of their files, which describe the fault."""
    return {path.name: path.read_bytes() for path in sorted((FOUND / name).glob("*"))}


def as_files(target: Target, root: pathlib.Path) -> pathlib.Path:
    """A reader's inputs as files below ``root``: seeds, the kept ones, and those that are already there."""
    folder = root / "corpus" / target.name
    folder.mkdir(parents=True, exist_ok=True)
    for data in [*target.seeds(), *corpus(target.name), *found(target.name).values()]:
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data[: target.longest])
    return folder
