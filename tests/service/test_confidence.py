"""How signs become a confidence, and that the confidence is calibrated."""

import json
import math
import pathlib
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.index.signatures import Hit
from tfhelp.kb import compiled
from tfhelp.kb.signature_table import SignatureRow
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import confidence
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.features import FEATURES, Surroundings, of_candidate

SCORES = st.lists(st.floats(-60, 60), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def stored() -> dict[str, typing.Any]:
    return dict(json.loads(pathlib.Path(confidence.PATH).read_text(encoding="utf-8")))


@given(SCORES)
def test_the_shares_and_that_of_none_add_up_to_one(scores: list[float]) -> None:
    shares = confidence.shares(scores)
    none = 1 / (1 + sum(math.exp(score) for score in scores))
    assert sum(shares) + none == pytest.approx(1)
    in_order_of_scores = [share for _, share in sorted(zip(scores, shares, strict=True))]
    assert in_order_of_scores == sorted(in_order_of_scores)


@given(SCORES, st.floats(-60, 60))
def test_a_rival_takes_its_share(scores: list[float], rival: float) -> None:
    assert confidence.shares([*scores, rival])[0] <= confidence.shares(scores)[0] + 1e-12


def test_nothing_is_certain() -> None:
    item = Candidate("a")
    item.score = 100.0
    assert confidence.of_failures([item]) == [0.99]
    assert confidence.of_failures([]) == []


def test_each_weight_has_its_sign(stored: dict[str, typing.Any]) -> None:
    assert list(stored["weights"]) == list(FEATURES)
    assert all(stored["weights"][name] * sign >= 0 for name, sign in FEATURES.items())
    assert stored["bias"] < 0  # an entry without any evidence is not the answer


def test_the_weights_are_of_this_knowledge_base(stored: dict[str, typing.Any]) -> None:
    assert stored["knowledge"] == compiled.load().version


def test_the_confidence_is_worth_what_it_says_on_what_it_has_not_seen(stored: dict[str, typing.Any]) -> None:
    figures = stored["figures"]
    assert figures["cases"] > 5_000
    assert figures["calibration error"] <= 0.05


def test_most_texts_without_an_entry_are_not_answered(stored: dict[str, typing.Any]) -> None:
    figures = stored["figures"]
    assert figures["by kind"]["withheld text"]["cases"] > 1_000
    assert figures["answered though withheld"] <= 0.10
    assert figures["by kind"]["withheld account"]["cases"] > 400
    assert figures["by kind"]["withheld account"]["answered"] <= 0.25
    assert figures["by kind"]["out of scope"]["answered"] <= 0.10
    assert figures["by kind"]["healthy"]["answered"] == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "missing; run 'make index'"),
        ("", "damaged"),
        ('{"weights": 3}', "damaged"),
        ('{"bias": 1, "weights": {"decisive": 1}}', "learned for features that differ"),
        (json.dumps({"bias": "x", "weights": dict.fromkeys(FEATURES, 1)}), "damaged"),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_named(tmp_path: pathlib.Path, content: str | None, says: str) -> None:
    path = tmp_path / "confidence.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(confidence.ConfidenceError, match=says) as raised:
        confidence.weights(str(path))
    assert str(path) in str(raised.value)


OURS = Surroundings(signs_of_ours=1)


def features(item: Candidate, around: Surroundings = OURS) -> dict[str, float]:
    return dict(zip(FEATURES, of_candidate(item, around), strict=True))


def hit(strength: str, origin: str = "unknown", raised_by: typing.Sequence[str] = ()) -> Hit:
    record = Record("exception", "ValueError: x", 1, 1)
    record.exception = "ValueError"
    record.origin = origin
    return Hit(SignatureRow("a", strength, "x", [], {}, False, raised_by), record, {}, 1)


def test_the_classifier_counts_for_more_in_a_longer_account() -> None:
    item = Candidate("a")
    item.classified = 1.2
    assert features(item, Surroundings(length=0.5))["account"] == pytest.approx(0.6)
    item.decisive = 0.75
    assert features(item, Surroundings(length=0.5))["account"] == 0


def test_an_entry_without_any_sign_has_no_feature() -> None:
    assert set(features(Candidate("a")).values()) == {0}


def test_what_another_library_raised_counts_against_the_entry_unless_it_says_so() -> None:
    item = Candidate("a")
    item.decisive, item.hits = 0.97, [hit("decisive", "library:torch")]
    assert features(item)["raised_elsewhere"]
    item.hits = [hit("decisive", "library:torch"), hit("decisive", "keras")]
    assert not features(item)["raised_elsewhere"]
    item.hits = [hit("decisive", "library:h5py", ["library"])]
    assert not features(item)["raised_elsewhere"]


def test_a_second_sign_of_the_same_kind_is_told_from_the_first() -> None:
    item = Candidate("a")
    item.decisive, item.hits = 0.97, [hit("decisive")]
    one = features(item)
    item.hits = [hit("decisive"), hit("supporting")]
    two = features(item)
    assert (one["more_signs"], two["more_signs"]) == (0, 0)
    assert (one["supporting"], two["supporting"]) == (0, 0.97)
    item.hits = [hit("decisive")] * 9
    assert features(item)["more_signs"] == 2.0


@pytest.mark.parametrize("name", ["unexplained", "completed", "harmless"])
def test_what_speaks_against_likeness_says_nothing_against_a_signature(name: str) -> None:
    around = Surroundings(unexplained=True, signs_of_ours=1, completed=True, harmless=1)
    alike, named = Candidate("a"), Candidate("b")
    named.decisive, named.hits = 0.97, [hit("decisive")]
    assert features(alike, around)[name]
    assert not features(named, around)[name]
