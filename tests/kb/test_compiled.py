"""The compiled file: damage is reported, and a damaged file is never partly used."""

import pathlib

import pytest

from tfhelp.kb import compiled
from tfhelp.kb.compiled import Knowledge, KnowledgeError

CONTENT = pathlib.Path(compiled.PATH).read_bytes()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged"),
        (CONTENT[:1000], "damaged"),
        (b"not json\n" + CONTENT, "damaged"),
        (CONTENT[:-1], "cut off"),
        (CONTENT[: len(CONTENT) // 2], "cut off"),
        (CONTENT + b"{}\n", "added to"),
        (CONTENT.replace(b'"format":', b'"format":9', 1), "another version"),
    ],
    ids=["empty", "half a head", "something before", "a byte short", "half", "something behind", "other format"],
)
def test_a_damaged_file_is_one_clear_error(content: bytes, reason: str) -> None:
    with pytest.raises(KnowledgeError, match=reason):
        Knowledge(content)


def test_a_missing_file_names_the_command(tmp_path: pathlib.Path) -> None:
    with pytest.raises(KnowledgeError, match="make kb"):
        compiled.load(str(tmp_path / "knowledge.bin"))
