import concurrent.futures
import json
import pathlib
import shutil

import numpy
import pytest

from tests.index.sentences import SENTENCES
from tfhelp.index import build as build_module
from tfhelp.index import vectors
from tfhelp.index.vectors import INDEX_FILE, MANIFEST_FILE, VectorIndex, check, digest, shared
from tfhelp.kb.build_products import ArtefactError


@pytest.fixture
def index_folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the index that `make index` built, to be damaged."""
    folder = tmp_path / "artefacts"
    shutil.copytree(vectors.ARTEFACTS, folder)
    return folder


class TestRealIndex:
    """The index of the knowledge base as `make index` built it."""

    def test_it_belongs_to_the_compiled_knowledge_base(self) -> None:
        from tfhelp.kb import compiled

        knowledge = compiled.load()
        manifest = check(knowledge=knowledge.phrases_version)
        labels, phrases = [row[0] for row in knowledge.phrases], [row[2] for row in knowledge.phrases]
        assert manifest["phrases_sha256"] == digest(phrases, labels, knowledge.training_examples)

    def test_a_phrase_is_its_own_nearest(self) -> None:
        from tfhelp.kb import compiled

        phrases = [text for _, _, text in compiled.load().phrases]
        index = shared()
        for number in range(0, len(phrases), max(1, len(phrases) // 40)):
            best, cosine = index.search(phrases[number], 1)[0]
            assert phrases[best] == phrases[number]
            assert cosine > 0.97

    def test_neighbours_come_nearest_first_and_once_each(self) -> None:
        index = shared()
        found = index.search("the memory of my graphics card is full", 10)
        cosines = [cosine for _, cosine in found]
        assert cosines == sorted(cosines, reverse=True)
        assert len({number for number, _ in found}) == len(found) == min(10, index.manifest["phrases"])
        assert all(-1.001 <= cosine <= 1.001 for cosine in cosines)

    def test_more_than_there_is_gives_what_there_is(self) -> None:
        index = shared()
        assert len(index.search("out of memory", 10**6)) == index.manifest["phrases"]

    @pytest.mark.parametrize("blank", ["", " \n\t "])
    def test_a_blank_text_has_no_neighbours(self, blank: str) -> None:
        assert shared().search(blank, 3) == []

    def test_a_senseless_count_is_refused(self) -> None:
        with pytest.raises(ValueError, match="k: expected one or more, got 0"):
            shared().search("out of memory", 0)

    def test_threads_get_one_index_and_the_same_answers(self) -> None:
        expected = [shared().search(text, 3) for text in SENTENCES]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            indexes = set(pool.map(lambda _: id(shared()), range(16)))
            answers = list(pool.map(lambda text: shared().search(text, 3), SENTENCES))
        assert indexes == {id(shared())}
        assert answers == expected


class TestSpoiledIndex:
    """Anything missing, stale or damaged is named, with the command that repairs it."""

    def test_none_at_all(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(ArtefactError, match="manifest.json: missing; run 'make index'"):
            VectorIndex.load(str(tmp_path))

    def test_an_index_of_another_knowledge_base(self, index_folder: pathlib.Path) -> None:
        with pytest.raises(ArtefactError, match="not made from the phrases of this knowledge base; run 'make index'"):
            VectorIndex.load(str(index_folder), "some-other-version")

    def test_without_vectors(self, index_folder: pathlib.Path) -> None:
        (index_folder / INDEX_FILE).unlink()
        with pytest.raises(ArtefactError, match="vectors.faiss: missing"):
            check(str(index_folder))

    def test_cut_vectors(self, index_folder: pathlib.Path) -> None:
        path = index_folder / INDEX_FILE
        path.write_bytes(path.read_bytes()[:-100])
        with pytest.raises(ArtefactError, match="vectors.faiss: damaged"):
            VectorIndex.load(str(index_folder))

    @pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"model": "x"}'])
    def test_damaged_manifest(self, index_folder: pathlib.Path, content: str) -> None:
        (index_folder / MANIFEST_FILE).write_text(content, encoding="utf-8")
        with pytest.raises(ArtefactError, match="manifest.json: damaged"):
            VectorIndex.load(str(index_folder))

    def test_manifest_of_another_number_of_phrases(self, index_folder: pathlib.Path) -> None:
        path = index_folder / MANIFEST_FILE
        manifest = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**manifest, "phrases": manifest["phrases"] + 1}), encoding="utf-8")
        with pytest.raises(ArtefactError, match="but the manifest says"):
            VectorIndex.load(str(index_folder))


@pytest.mark.slow
@pytest.mark.xdist_group("index_build")  # one folder, built once, serves them all
class TestBuild:
    """Building from the packaged weights, with sentence-transformers."""

    def test_stored_vectors_are_the_references(self, built_folder: pathlib.Path) -> None:
        import faiss

        from tfhelp.index.sentence_encoder import SentenceEncoder

        stored = faiss.read_index(str(built_folder / INDEX_FILE)).reconstruct_n(0, len(SENTENCES))
        assert numpy.allclose(stored, SentenceEncoder().encode(SENTENCES), atol=1e-5)

    def test_up_to_date_files_are_kept(self, built_folder: pathlib.Path) -> None:
        before = {path.name: path.stat().st_mtime_ns for path in built_folder.iterdir()}
        build_module.bring_up_to_date(SENTENCES, "knowledge-1", str(built_folder))
        assert {path.name: path.stat().st_mtime_ns for path in built_folder.iterdir()} == before

    def test_new_knowledge_with_the_same_phrases_only_renames(self, built_folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
        folder = tmp_path / "artefacts"
        shutil.copytree(built_folder, folder)
        before = (folder / INDEX_FILE).stat().st_ino
        build_module.bring_up_to_date(SENTENCES, "knowledge-2", str(folder))
        assert VectorIndex.load(str(folder), "knowledge-2").search(SENTENCES[3], 1)[0][0] == 3
        assert (folder / INDEX_FILE).stat().st_ino == before

    def test_new_phrases_are_found_and_the_encoder_is_kept(self, built_folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
        folder = tmp_path / "artefacts"
        shutil.copytree(built_folder, folder)
        encoder = (folder / "encoder.ort").stat().st_ino
        build_module.bring_up_to_date([*SENTENCES, "the tokenizer is unhappy with my emoji"], "knowledge-3", str(folder))
        found = VectorIndex.load(str(folder), "knowledge-3").search("emoji break the tokenizer", 1)
        assert found[0][0] == len(SENTENCES)
        assert (folder / "encoder.ort").stat().st_ino == encoder

    def test_parity_is_only_measured_again_on_other_phrases(
        self, built_folder: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = str(tmp_path / "artefacts")
        shutil.copytree(built_folder, folder)
        labels = ["one" if number % 2 else "two" for number in range(len(SENTENCES))]
        build_module.bring_up_to_date(
            SENTENCES, "k", folder, labels=labels, training_examples=[("one", "emoji in the tokenizer")]
        )
        assert "encoder's parity" not in capsys.readouterr().err
        build_module.bring_up_to_date([*SENTENCES, "the tokenizer is unhappy with my emoji"], "k", folder)
        assert "encoder's parity" in capsys.readouterr().err

    def test_an_example_that_goes_to_another_entry_is_learned_again(
        self, built_folder: pathlib.Path, tmp_path: pathlib.Path
    ) -> None:
        folder = str(tmp_path / "artefacts")
        shutil.copytree(built_folder, folder)
        labels = ["one" if number % 2 else "two" for number in range(len(SENTENCES))]
        for label in ("one", "two"):
            build_module.bring_up_to_date(
                SENTENCES, label, folder, labels=labels, training_examples=[(label, "emoji in the tokenizer")]
            )
            found = VectorIndex.load(folder, label).look_up("emoji in the tokenizer", 1)[1]
            assert max(found, key=lambda name: found[name]) == label

    def test_another_model_answers_with_itself(self, tmp_path: pathlib.Path) -> None:
        from tfhelp.index.sentence_encoder import default_model_folder

        vectors.build(SENTENCES, str(tmp_path), model=default_model_folder(), knowledge="k")
        found = VectorIndex.load(str(tmp_path)).search(SENTENCES[5], 2)
        assert found[0] == (5, pytest.approx(1.0, abs=1e-4))
        assert not (tmp_path / "encoder.ort").exists()

    def test_a_model_that_does_not_exist_is_named(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(ArtefactError, match="no-such-folder: no such model"):
            vectors.build(SENTENCES, str(tmp_path), model=str(tmp_path / "no-such-folder"))

    def test_nothing_to_index_is_an_error(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(ValueError, match="no phrases"):
            vectors.build([], str(tmp_path))
