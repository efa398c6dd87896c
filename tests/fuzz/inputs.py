"""The kept inputs: a small corpus of each reader, one input a line, and a file for each input that once showed a fault."""

import ast
import pathlib
import typing

_HERE = pathlib.Path(__file__).parent
CORPUS = _HERE / "corpus"
FOUND = _HERE / "found"


def corpus(name: str) -> list[bytes]:
    """The corpus of a reader; each line of its file is a literal of bytes, so that texts can be read."""
    file = CORPUS / f"{name}.txt"
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return [typing.cast(bytes, ast.literal_eval(line)) for line in lines]


def write_corpus(name: str, inputs: typing.Iterable[bytes]) -> None:
    """Replace the corpus of a reader."""
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{name}.txt").write_text("".join(f"{one!r}\n" for one in inputs), encoding="ascii")


def found(name: str) -> dict[str, bytes]:
    """Inputs of a reader that once showed a fault, by the names of their files, which say what it was."""
    return {path.name: path.read_bytes() for path in sorted((FOUND / name).glob("*"))}
