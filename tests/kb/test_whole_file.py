"""Files that are written at once by several threads: each writer succeeds, and a reader sees one of the contents as a whole."""

import os
import pathlib
import threading
import typing

import pytest

from tfhelp.kb.private import keep
from tfhelp.kb.whole_file import write_whole

_ENDS_A_FAILED_TEST_S = 120


def _at_once(monkeypatch: pytest.MonkeyPatch, writes: typing.Sequence[typing.Callable[[], None]]) -> list[OSError]:
    """Let each writer finish its temporary file before one of them renames its own; return what failed then."""
    all_have_written = threading.Barrier(len(writes))
    failed: list[OSError] = []
    rename = os.replace

    def together(old: str, new: str) -> None:
        all_have_written.wait(_ENDS_A_FAILED_TEST_S)
        try:
            rename(old, new)
        except OSError as error:
            failed.append(error)
            raise

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", together)
        threads = [threading.Thread(target=write) for write in writes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return failed


def test_threads_that_keep_the_same_file_do_not_share_a_temporary_one(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = [bytes([letter]) * 100_000 for letter in b"abc"]
    path = tmp_path / "cache" / "kb-1-2.bin"
    failed = _at_once(monkeypatch, [lambda content=content: keep(str(path), content) for content in contents])  # type: ignore[misc]
    assert failed == []
    assert path.read_bytes() in contents
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_old_content_stays_if_the_new_one_cannot_be_written(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    write_whole(str(path), b"old")
    with pytest.raises(TypeError):
        write_whole(str(path), typing.cast(bytes, "no bytes"))
    assert path.read_bytes() == b"old"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(str(tmp_path / "folder"), b"new")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_file_gets_the_permissions_that_any_new_file_gets(tmp_path: pathlib.Path) -> None:
    (tmp_path / "any").touch()
    write_whole(str(tmp_path / "whole"), b"")
    write_whole(str(tmp_path / "own"), b"", 0o600)
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "any").stat().st_mode
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o600


def test_what_a_killed_process_left_in_the_cache_is_removed_after_a_day(tmp_path: pathlib.Path) -> None:
    left, being_written, other = tmp_path / "kb-1-2.bin.aa.new", tmp_path / "kb-1-2.bin.bb.new", tmp_path / "kb-9-2.bin.aa.new"
    for file in (left, being_written, other):
        file.touch()
    for file in (left, other):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    keep(str(tmp_path / "kb-1-3.bin"), b"x", "kb-1-")
    assert {file.name for file in tmp_path.iterdir()} == {"kb-1-3.bin", being_written.name, other.name}
