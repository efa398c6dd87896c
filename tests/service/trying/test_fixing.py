"""The proven fix in the user's file: the same encoding, line endings, permissions and link."""

import os
import pathlib

import pytest

from tfhelp.service.errors import InputError
from tfhelp.service.lint.linting import read_source
from tfhelp.service.trying.fixing import Fix

WRONG, RIGHT = b"lr=0.1", b"learning_rate=0.1"


def fixed(path: pathlib.Path) -> Fix:
    before = read_source(str(path))
    return Fix(str(path), before, before.replace(WRONG.decode(), RIGHT.decode()))


@pytest.mark.parametrize(
    "content",
    [
        b"# -*- coding: latin-1 -*-\nname = '\xe9'\no = Adam(lr=0.1)\n",
        b"\xef\xbb\xbfname = '\xc3\xa9'\no = Adam(lr=0.1)\n",
        b"name = 1\r\no = Adam(lr=0.1)\r\n",
        b"name = 1\no = Adam(lr=0.1)",
    ],
    ids=["latin-1", "byte-order mark", "CRLF", "no final newline"],
)
def test_only_the_fix_changes(tmp_path: pathlib.Path, content: bytes) -> None:
    script = tmp_path / "train.py"
    script.write_bytes(content)
    fixed(script).write()
    assert script.read_bytes() == content.replace(WRONG, RIGHT)


def test_permissions_and_links_are_kept(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    script.write_bytes(b"o = Adam(lr=0.1)\n")
    script.chmod(0o751)
    link = tmp_path / "link.py"
    link.symlink_to(script)
    fixed(link).write()
    assert link.is_symlink()
    assert script.read_bytes() == b"o = Adam(learning_rate=0.1)\n"
    assert script.stat().st_mode & 0o777 == 0o751
    assert sorted(os.listdir(tmp_path)) == ["link.py", "train.py"]


def test_a_file_that_has_changed_is_not_overwritten(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    script.write_bytes(b"o = Adam(lr=0.1)\n")
    fix = fixed(script)
    script.write_bytes(b"o = Adam(lr=0.2)\n")
    with pytest.raises(InputError, match="has changed since the experiments began; nothing was written"):
        fix.write()
    assert script.read_bytes() == b"o = Adam(lr=0.2)\n"
