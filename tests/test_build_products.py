"""The build products are complete; if one is not, the message names the file, the fault and the command that rebuilds it."""

import json
import os
import pathlib
import shutil
import typing

import pytest

from tfhelp.index import quick_search
from tfhelp.index.vectors import VectorIndex
from tfhelp.kb import build_products, compiled
from tfhelp.kb.build_products import MANIFEST, OPTIONAL, PRODUCTS, ArtefactError
from tfhelp.service.diagnosis import confidence

EVERY_FILE = [*PRODUCTS, MANIFEST]


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """The build products of this checkout, to be damaged: links, because they are large; a damaged link is replaced by a file."""
    for name in PRODUCTS:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        source = pathlib.Path(build_products.ROOT, name)
        if source.exists():
            _link(source, place)
    build_products.record(str(tmp_path / name) for name in PRODUCTS)
    return tmp_path


def _link(source: pathlib.Path, place: pathlib.Path) -> None:
    try:
        os.link(source, place)
    except OSError:  # a different file system
        shutil.copyfile(source, place)


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _with_a_wrong_byte(content: bytes) -> bytes:
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


SPOILT: dict[str, typing.Callable[[bytes], bytes | None]] = {
    "missing": lambda _: None,
    "empty": lambda _: b"",
    "cut": _cut,
    "a wrong byte": _with_a_wrong_byte,
    "something else": lambda _: b'{"other": 1}\n',
}


def _spoil(path: pathlib.Path, how: str) -> None:
    content = SPOILT[how](path.read_bytes())
    path.unlink()
    if content is not None:
        path.write_bytes(content)


def _use(root: pathlib.Path) -> None:
    """Read everything, as a short question does."""
    knowledge = compiled.load(str(root / build_products.KNOWLEDGE))
    assert [knowledge.entry(name)["id"] for name in knowledge.entries()] == knowledge.entries()
    assert knowledge.phrases
    confidence.weights(str(root / build_products.CONFIDENCE))
    folder = str(root / "index" / "artefacts")
    index = VectorIndex.load(folder)
    index.look_up("out of memory", 3)
    index.settled_by_words("out of memory")
    quick = quick_search.load(folder)
    assert quick is not None or not os.path.isfile(os.path.join(folder, quick_search.QUICK_FILE))
    if quick:
        quick.look_up("out of memory", 3)


def test_whole_files_are_used(root: pathlib.Path) -> None:
    build_products.check(str(root))
    _use(root)


def test_the_build_of_this_checkout_is_whole() -> None:
    build_products.check()


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("name", EVERY_FILE)
def test_a_spoilt_file_is_named_with_the_command(root: pathlib.Path, name: str, how: str) -> None:
    if not (root / name).exists():
        assert name in OPTIONAL
        return
    _spoil(root / name, how)
    with pytest.raises(ArtefactError) as raised:
        build_products.check(str(root))
    assert str(root / name) in str(raised.value)
    assert f"run '{PRODUCTS.get(name, 'make clean setup')}'" in str(raised.value)


@pytest.mark.parametrize("how", ["missing", "empty", "cut", "something else"])
@pytest.mark.parametrize("name", [name for name in PRODUCTS if "sieve" not in name and "groups" not in name])
def test_a_question_ends_in_the_same_error_and_no_other(root: pathlib.Path, name: str, how: str) -> None:
    _spoil(root / name, how)
    with pytest.raises(ArtefactError, match="run 'make ") as raised:
        _use(root)
    assert name.rpartition("/")[2] in str(raised.value)


def test_a_wrong_byte_never_gives_a_raw_error(root: pathlib.Path) -> None:
    for name in (name for name in PRODUCTS if "sieve" not in name and "groups" not in name):
        whole = (root / name).read_bytes()
        _spoil(root / name, "a wrong byte")
        try:
            _use(root)
        except ArtefactError as error:
            assert name.rpartition("/")[2] in str(error) or "encoder" in str(error)
        (root / name).write_bytes(whole)


def test_a_manifest_of_another_version_is_named(root: pathlib.Path) -> None:
    path = root / MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "format": 0}), encoding="utf-8")
    with pytest.raises(ArtefactError, match="manifest.json: of another version of tfhelp; run 'make clean setup'"):
        build_products.check(str(root))


def test_a_file_outside_the_rooms_has_no_manifest(tmp_path: pathlib.Path) -> None:
    other = tmp_path / "index" / "artefacts" / "vectors.faiss"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"x")
    build_products.record([str(other)])
    assert [path.name for path in tmp_path.rglob("*.json")] == []
    build_products.check_length(str(other))


def test_what_is_not_made_anew_keeps_its_row(root: pathlib.Path) -> None:
    path = root / build_products.KNOWLEDGE
    before = build_products.rows_of(str(root))[build_products.KNOWLEDGE]
    _spoil(path, "cut")
    build_products.record([str(path)], only_new=True)
    assert build_products.rows_of(str(root))[build_products.KNOWLEDGE] == before
    build_products.record([str(path)])
    assert build_products.rows_of(str(root))[build_products.KNOWLEDGE]["bytes"] == path.stat().st_size
