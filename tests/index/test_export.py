import json
import pathlib
import subprocess
import sys

import pytest

from tests.index.sentences import SENTENCES
from tests.turns import skip_unless_due
from tfhelp.index import parity
from tfhelp.index.embedding_cache import CachingEncoder
from tfhelp.index.encoder import Encoder
from tfhelp.index.export import export
from tfhelp.index.parity import measure
from tfhelp.index.sentence_encoder import DEFAULT_MODEL
from tfhelp.kb.build_products import ArtefactError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> CachingEncoder:
    return CachingEncoder(DEFAULT_MODEL, str(tmp_path_factory.mktemp("cache")))


def test_eight_bits_are_kept_where_they_agree(reference: CachingEncoder, tmp_path: pathlib.Path) -> None:
    description = export(SENTENCES, str(tmp_path), reference)
    assert description["precision"] == "int8"
    assert json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8")) == description
    again = measure(reference.encode(SENTENCES), Encoder.load(str(tmp_path)).encode(SENTENCES))
    assert description["parity"] == pytest.approx(again._asdict())
    assert (tmp_path / "encoder.ort").stat().st_size < 30e6
    assert {path.name for path in tmp_path.iterdir()} == {"encoder.ort", "encoder.json", "tokenizer.json"}


def test_where_they_do_not_agree_the_weights_stay_as_trained(
    reference: CachingEncoder, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parity, "LEAST_COSINE", 0.9999)
    description = export(SENTENCES, str(tmp_path), reference)
    assert description["precision"] == "fp32"
    assert description["parity"]["same_neighbour"] == 1.0
    said = capsys.readouterr().err.splitlines()
    verdicts = [(line.split(": ")[1], line.endswith("not enough")) for line in said if "cosine" in line]
    assert verdicts == [("int8", True), ("int8-mixed", True), ("fp32", False)]


def test_no_agreement_at_all_is_an_error_and_leaves_nothing(
    reference: CachingEncoder, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parity, "LEAST_COSINE", 1.1)
    with pytest.raises(ArtefactError, match="does not agree with sentence-transformers even in fp32"):
        export(SENTENCES, str(tmp_path), reference)
    assert list(tmp_path.iterdir()) == []


def test_one_phrase_is_too_few_to_measure_on(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ArtefactError, match="fewer than two phrases"):
        export(["out of memory"], str(tmp_path))


def test_the_command_says_what_it_does_on_standard_error_only(tmp_path: pathlib.Path) -> None:
    skip_unless_due("export")
    command = [sys.executable, "-m", "tfhelp.index.export", "--folder", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    assert [line for line in ran.stderr.splitlines() if not line.startswith("encoder: ")] == []
    assert Encoder.load(str(tmp_path)).encode(["out of memory"]).shape == (1, 384)
