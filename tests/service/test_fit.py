"""How the confidence is learned: its cases, that a sign never changes direction, and what the figures show."""

import pathlib
import subprocess
import sys

import numpy
import pytest

from tfhelp.kb import compiled
from tfhelp.kb.load import load_entry
from tfhelp.service.curation import fit, fit_record, training_cases
from tfhelp.service.curation.folds import FOLDS, fold_of
from tfhelp.service.curation.training_cases import TrainingCase
from tfhelp.service.diagnosis.candidates import BEHIND, RULED_OUT, Candidate, hold_back
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.features import FEATURES

NAMES = list(FEATURES)
TEXT = "cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:AddV2]"


def row(kind: str, right: bool, owner: str, **values: float) -> fit.Row:
    """A case with one candidate."""
    features = numpy.zeros((1, len(FEATURES)))
    for name, value in values.items():
        features[0, NAMES.index(name)] = value
    case = TrainingCase(kind, owner, {}, owner, "a" if right else None)
    return fit.Row(case, ["a"], features, numpy.array([right]), numpy.zeros((1, 1), bool), not right)


def rows(count: int = 40) -> fit.Rows:
    """A signature is right in nine of ten cases; similarity alone in one of ten; facts point the wrong way."""
    made = []
    for number in range(count):
        owner = f"entry-{number}"
        made += [row("text", number % 10 != 0, owner, decisive=1, facts=float(number % 10 == 0))]
        made += [row("withheld text", number % 10 == 0, owner, lexical=0.5)]
    return fit.Rows(made)


def test_the_fit_learns_how_often_a_sign_is_right() -> None:
    table = rows()
    learned = fit.learn(table, numpy.ones(len(table.rows), bool))
    shares = table.shares(learned)
    assert shares.sum(axis=1) == pytest.approx(1)
    named = [share[1] for share, item in zip(shares, table.rows, strict=True) if item.case.kind == "text"]
    alike = [share[1] for share, item in zip(shares, table.rows, strict=True) if item.case.kind == "withheld text"]
    assert numpy.mean(named) == pytest.approx(0.9, abs=0.03)
    assert numpy.mean(alike) == pytest.approx(0.1, abs=0.03)


def test_no_weight_is_of_the_other_sign() -> None:
    table = rows()
    learned = fit.learn(table, numpy.ones(len(table.rows), bool))
    assert learned[1 + NAMES.index("facts")] == 0  # it points the wrong way in these cases
    assert all(learned[1 + place] * sign >= 0 for place, sign in enumerate(FEATURES.values()))


def test_a_case_is_judged_by_what_was_learned_without_its_entry() -> None:
    table = rows()
    assert set(table.fold) == set(range(FOLDS))
    shares = fit.out_of_fold(table)
    for fold in range(FOLDS):
        inside = table.fold == fold
        without = fit.learn(table, ~inside)
        assert shares[inside] == pytest.approx(table.shares(without)[inside])


def test_an_entry_that_yields_to_another_stays_behind_it() -> None:
    features = numpy.zeros((2, len(FEATURES)))
    features[:, NAMES.index("decisive")] = (1, 1)
    features[1, NAMES.index("more_signs")] = 2  # the consequence has more signs
    case = TrainingCase("text", "cause", {}, "cause", "cause")
    behind = numpy.array([[False, False], [True, False]])
    learned = numpy.zeros(1 + len(FEATURES))
    learned[1 + NAMES.index("decisive")] = 5
    learned[1 + NAMES.index("more_signs")] = 5
    table = fit.Rows([fit.Row(case, ["cause", "crash"], features, numpy.array([True, False]), behind, False)])
    nothing, cause, crash = table.shares(learned)[0][:3]
    assert cause > 0.8 > 0.2 > crash > nothing


def test_figures_count_answers_by_kind() -> None:
    table = fit.Rows(
        [
            row("text", True, "a", decisive=1),
            row("withheld text", False, "b", lexical=1),
            row("withheld text", False, "c"),
            row("withheld text", False, "d"),
            row("withheld text", False, "e"),
        ]
    )
    shares = numpy.zeros((5, 1 + table.there.shape[1]))
    shares[:, 1] = [0.8, 0.7, 0.1, 0.39, 0.2]
    shares[:, 0] = 1 - shares[:, 1]
    found = fit.figures(table, shares)
    assert found["by kind"]["text"] == {"cases": 1, "answered": 1.0, "answered wrongly": 0.0}
    assert found["by kind"]["withheld text"] == {"cases": 4, "answered": 0.25, "answered wrongly": 0.25}
    assert found["answered though withheld"] == 0.25
    text, withheld = training_cases.KINDS["text"], training_cases.KINDS["withheld text"]
    assert found["calibration error"] == pytest.approx((text * 0.2 + withheld * 0.7) / (text + withheld), abs=1e-4)


def test_the_parts_are_the_same_in_every_process() -> None:
    assert [fold_of(name) for name in ("dtype-mismatch", "nan-loss", "a", "b")] == [2, 3, 3, 1]


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser(compiled.load(), None, warm=True)


def entries(diagnoser: Diagnoser, **without: str) -> dict[str, float]:
    found = diagnoser.read(TEXT)
    diagnoser.find(found, **without)
    return {item.entry: item.decisive for item in found.candidates}


def test_an_entry_can_be_withheld_and_its_signatures_silenced(diagnoser: Diagnoser) -> None:
    assert entries(diagnoser)["dtype-mismatch"] > 0
    assert not entries(diagnoser, withheld="dtype-mismatch").get("dtype-mismatch")
    assert not entries(diagnoser, silent="dtype-mismatch").get("dtype-mismatch")


def test_cases_are_texts_near_misses_and_phrases(repository: pathlib.Path) -> None:
    item, faults = load_entry(repository / "kb/entries/training/dtype-mismatch")
    assert item is not None, faults
    cases = list(training_cases.of_entries([item]))
    misses = [case for case in cases if case.kind == "near miss"]
    assert len(misses) == len(item.examples.near_misses)
    assert all(case.wrong == "dtype-mismatch" and case.right != "dtype-mismatch" for case in misses)
    texts = [case for case in cases if case.kind == "text"]
    assert {case.text for case in texts} >= {example.text for example in item.examples.must_match}
    accounts = [case for case in cases if case.kind == "account"]
    assert [case.text for case in accounts] == [account.text for account in item.examples.accounts]
    assert accounts and all(
        case.right == "dtype-mismatch" and f"withheld {case.kind}" in training_cases.KINDS for case in accounts
    )
    phrases = [("a", "", "Title"), ("a", "", "it is broken"), ("a", "why", "Title: cause"), ("a", "why", "it broke by itself")]
    assert [(case.text, case.phrase) for case in training_cases.of_phrases(phrases)] == [
        ("it is broken", 1),
        ("it broke by itself", 3),
    ]


def test_every_healthy_output_is_a_case_with_and_without_its_exit_code(repository: pathlib.Path) -> None:
    cases = list(training_cases.healthy(repository / "tests" / "healthy"))
    assert len(cases) == 2 * len(list((repository / "tests" / "healthy").glob("*.json")))
    assert all(case.right is None and case.text for case in cases)


def test_a_consequence_and_a_refuted_entry_are_held_back() -> None:
    cause, crash, refuted = Candidate("cause"), Candidate("crash"), Candidate("refuted")
    cause.score, crash.score, refuted.score = 3.0, 5.0, 4.0
    crash.roots, refuted.refuted = [cause], True
    hold_back([cause, crash, refuted])
    assert (cause.score, crash.score, refuted.score) == (3.0, 3.0 - BEHIND, RULED_OUT)


def test_an_entry_whose_cause_is_refuted_is_not_held_back() -> None:
    cause, crash = Candidate("cause"), Candidate("crash")
    cause.score, crash.score = 3.0, 5.0
    crash.roots, cause.refuted = [cause], True
    hold_back([cause, crash])
    assert crash.score == 5.0 > 0 > cause.score


def test_the_record_holds_as_long_as_nothing_has_changed(tmp_path: pathlib.Path) -> None:
    healthy = tmp_path / "healthy"
    for folder in ("kb/entries/training/nan-loss", "collectors", "index", "service/diagnosis", "service/curation", "healthy"):
        (tmp_path / folder).mkdir(parents=True)
    (healthy / "plain.json").write_text("{}")
    (tmp_path / "collectors/reader.py").write_text("LIMIT = 1\n")
    (tmp_path / "kb/entries/training/nan-loss/program.py").write_text("print(1)\n")
    path = tmp_path / "learned.json"

    def digest(knowledge: str = "a1") -> str:
        return fit_record.digest_of(knowledge, healthy, tmp_path)

    first = digest()
    assert fit_record.recorded(first, path) is None
    fit_record.record(first, {"bias": -7.0}, path)
    assert fit_record.recorded(digest(), path) == {"bias": -7.0}
    assert fit_record.recorded(digest("a2"), path) is None
    (tmp_path / "kb/entries/training/nan-loss/program.py").write_text("print(2)\n")  # the knowledge's version speaks for it
    assert digest() == first
    (tmp_path / "collectors/reader.py").write_text("LIMIT = 2\n")
    assert fit_record.recorded(digest(), path) is None
    (tmp_path / "collectors/reader.py").write_text("LIMIT = 1\n")
    (healthy / "plain.json").write_text("[]")
    assert fit_record.recorded(digest(), path) is None


def test_the_record_depends_on_every_module_that_the_weights_are_learned_with() -> None:
    code = "import sys, tfhelp.service.curation.fit; print(*[name for name in sys.modules if '.curation.' in name])"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {name.rpartition(".")[2] for name in imported} - {"fit_record"} == set(fit_record.LEARNING)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"inputs": "b"}', '{"inputs": "b", "confidence": 3}'])
def test_a_damaged_record_is_as_good_as_none(tmp_path: pathlib.Path, text: str) -> None:
    path = tmp_path / "learned.json"
    path.write_text(text)
    assert fit_record.recorded("b", path) is None
