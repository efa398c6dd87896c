"""The search of a cold start finds the same as the service's search, and imports none of its libraries."""

import functools
import pathlib
import subprocess
import sys
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.index import quick_search, stored_classifier, vectors
from tfhelp.index.encoder import ARTEFACTS, MAX_TOKENS
from tfhelp.index.quick_search import QUICK_FILE, QuickSearch
from tfhelp.index.vectors import VectorIndex
from tfhelp.index.wordpiece import MARKS
from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError, made_for

QUESTIONS = [
    "my graphics card's memory is full after a few steps although the batch is small",
    'ValueError: Input 0 of layer "dense" is incompatible with the layer: expected axis -1',
    "w " * 300,
    "x" * 5_000,
    "a\x00b\x7fc\td\r\ne",
]
ASCII = st.text(st.characters(max_codepoint=127), max_size=200)


@functools.cache
def shared_quick() -> QuickSearch:
    found = quick_search.load(ARTEFACTS, compiled.load(compiled.PATH).phrases_version)
    assert found is not None
    return found


@functools.cache
def library() -> typing.Any:
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(pathlib.Path(ARTEFACTS, "tokenizer.json")))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer


@pytest.fixture(scope="module")
def quick() -> QuickSearch:
    return shared_quick()


@pytest.fixture(scope="module")
def index() -> VectorIndex:
    return VectorIndex.load(ARTEFACTS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_finds_what_the_libraries_find(question: str, quick: QuickSearch, index: VectorIndex) -> None:
    near, classified = quick.look_up(question, 40)
    expected, probabilities = index.look_up(question, 40)
    assert [cosine for _, cosine in near] == pytest.approx([cosine for _, cosine in expected], abs=1e-5)
    assert dict(near) == pytest.approx(dict(expected), abs=1e-5)
    assert classified == pytest.approx(probabilities, abs=1e-5)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, index: VectorIndex) -> pathlib.Path:
    """The folder of an index in cells whose classifier is divided into groups, as that of a large knowledge base is."""
    folder = tmp_path_factory.mktemp("large")
    for name in ("encoder.json", "encoder.ort", "tokenizer.json"):
        (folder / name).symlink_to(pathlib.Path(ARTEFACTS, name))
    rows = compiled.load(compiled.PATH).phrases[:1_500]
    of_texts = index.stored()[: len(rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "_MANY", 1_000)
        vectors.write_index(vectors.index_of(of_texts), str(folder))
    texts, labels = [row[2] for row in rows], [row[0] for row in rows]
    stored_classifier.save(stored_classifier.trained(of_texts, texts, labels, most=8), str(folder))
    vectors.write_manifest(str(folder), {**index.manifest, "phrases": len(rows)})
    assert quick_search.build(len(rows), (index.manifest["knowledge"], "large"), str(folder))
    return folder


@pytest.mark.parametrize("question", QUESTIONS)
def test_in_cells_and_groups_it_finds_what_the_libraries_find(question: str, large: pathlib.Path) -> None:
    quick, index = quick_search.load(str(large)), VectorIndex.load(str(large))
    assert quick is not None
    near, classified = quick.look_up(question, 40)
    expected, probabilities = index.look_up(question, 40)
    assert len(near) == 40
    assert [cosine for _, cosine in near] == pytest.approx([cosine for _, cosine in expected], abs=1e-5)
    assert dict(near) == pytest.approx(dict(expected), abs=1e-5)
    assert classified == pytest.approx(probabilities, abs=1e-5)


def test_an_index_of_another_kind_or_length_is_left_to_the_library(large: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for path in large.iterdir():
        (tmp_path / path.name).symlink_to(path)
    stored = tmp_path / "vectors.faiss"
    for content in (b"IxFI", b"IwFl", pathlib.Path(ARTEFACTS, "vectors.faiss").read_bytes()):
        stored.unlink()
        stored.write_bytes(content)
        assert quick_search.load(str(tmp_path)) is None


def test_a_damaged_classifier_is_named(large: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for path in large.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "classifier.bin").unlink()
    (tmp_path / "classifier.bin").write_bytes(b'{"format": 0}\n')
    quick = quick_search.load(str(tmp_path))
    assert quick is not None
    with pytest.raises(ArtefactError, match=r"classifier\.bin: damaged"):
        quick.look_up(QUESTIONS[0], 3)


def test_every_phrase_has_the_tokens_of_the_library(quick: QuickSearch) -> None:
    tokenizer = library()
    texts = [text for _, _, text in compiled.load(compiled.PATH).phrases]
    told = [(text, ids) for text in texts if (ids := quick.pieces.ids(text)) is not None]
    assert len(told) > 0.9 * len(texts)
    for text, ids in told:
        assert ids == tokenizer.encode(text).ids, text


@settings(max_examples=300, deadline=None)
@given(ASCII)
def test_any_ascii_text_has_the_tokens_of_the_library(text: str) -> None:
    found = shared_quick().pieces.ids(text)
    assert found is None or found == library().encode(text).ids


@pytest.mark.parametrize("text", ["größer", *(f"a {mark} b" for mark in MARKS)])
def test_what_has_other_rules_is_left_to_the_library(text: str, quick: QuickSearch, index: VectorIndex) -> None:
    assert quick.pieces.ids(text) is None
    assert dict(quick.look_up(text, 3)[0]) == pytest.approx(dict(index.look_up(text, 3)[0]), abs=1e-5)


def test_the_libraries_are_loaded_once_for_many_such_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []
    load = VectorIndex.load
    monkeypatch.setattr(VectorIndex, "load", lambda *arguments: loads.append(arguments) or load(*arguments))
    quick = quick_search.load()
    assert quick is not None
    first, second = quick.look_up("größer", 3), quick.look_up("größer", 3)
    assert first == second
    assert len(loads) == 1


def test_a_blank_text_has_no_neighbours(quick: QuickSearch) -> None:
    assert quick.look_up(" \n", 3) == ([], {})


def test_no_library_is_imported_for_it() -> None:
    program = (
        "import sys\n"
        "from tfhelp.index import quick_search\n"
        f"found = quick_search.load().look_up({QUESTIONS[0]!r}, 3)[0]\n"
        "assert len(found) == 3\n"
        "print(sorted({'numpy', 'faiss', 'tokenizers', 'onnxruntime'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_many_texts_in_one_process_take_no_more_memory() -> None:
    """A Python program or a notebook may ask often. Loading the encoder for each text would take 2 MB for each."""
    program = (
        "import pathlib\nfrom tfhelp.service.diagnosis.diagnoser import Diagnoser\ndiagnoser = Diagnoser.load()\n"
        "def ask(numbers):\n    for n in numbers:\n        diagnoser.diagnose(f'my model number {n} has a strange loss since tuesday')\n"
        "    return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * 4 // 1024\n"
        "before = ask(range(20))\nprint(ask(range(20, 60)) - before)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 20  # MiB


def test_another_version_of_the_phrases_is_left_to_the_index(tmp_path: pathlib.Path) -> None:
    assert quick_search.load(ARTEFACTS, "another") is None
    assert quick_search.load(str(tmp_path)) is None
    assert made_for(str(tmp_path / quick_search.QUICK_FILE)) == ("", "")


def test_a_library_without_the_interface_is_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfhelp.index import onnx_c

    monkeypatch.setattr(onnx_c, "_LIBRARIES", ("no-such-library.so",))
    assert quick_search.load(ARTEFACTS) is None


def test_the_file_is_beside_the_index() -> None:
    assert pathlib.Path(ARTEFACTS, QUICK_FILE).is_file()
