"""The rules of ``tfhelp lint``: their codes, their pages, and their selection."""

import json
import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors import code
from tfhelp.kb import compiled
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.errors import InputError
from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.comments import Suppressed
from tfhelp.service.lint.edits import _FIXES
from tfhelp.service.lint.formats.document import entry_of
from tfhelp.service.lint.linting import Script, entries_by_fact
from tfhelp.service.lint.pages import page
from tfhelp.service.lint.rules import FAMILIES, RETIRED, RULES, SAFE_FIXES, Rule, Selection, named

RECORD = pathlib.Path(__file__).with_name("rule_codes.txt")
EVERYTHING = Settings(Selection(), notes=True)


def problems(source: str, settings: Settings = EVERYTHING) -> list[Problem]:
    checked = Checked("train.py", Script(source, "utf-8"), settings)
    assert checked.fault == ""
    return checked.problems


def test_every_fact_has_exactly_one_code() -> None:
    facts = [f"code.{rule.fact}" for rule in RULES]
    missing = sorted(set(code.FACTS) - {"code.notes", "code.written_for"} - set(facts))
    assert missing == [], f"give these facts a code, a line each in service/lint/rules.py: {missing}"
    assert sorted(set(facts) - set(code.FACTS)) == []
    assert len(set(facts)) == len(facts)


def test_codes_are_unique_in_order_and_of_a_family() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"TFH[1-9]\d\d", one) and one[3] in FAMILIES for one in codes)
    assert RETIRED.isdisjoint(codes)


def test_a_code_keeps_its_fact_for_good() -> None:
    record = dict(line.split() for line in RECORD.read_text().splitlines() if line and not line.startswith("#"))
    now = {rule.code: rule.fact for rule in RULES}
    assert {one: fact for one, fact in now.items() if one in record} == {
        one: fact for one, fact in record.items() if one not in RETIRED
    }
    new = [f"{one} {fact}" for one, fact in now.items() if one not in record]
    assert new == [], f"add to {RECORD.name}: {new}"


def test_every_rule_has_a_page() -> None:
    missing = [rule.code for rule in RULES if page(rule.code) is None]
    assert missing == [], f"write a page in service/lint/pages for {missing}"


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_the_examples_of_a_page_are_true(rule: Rule) -> None:
    written = page(rule.code)
    if written is None:
        pytest.skip("named by test_every_rule_has_a_page")
    found = [problem for problem in problems(written.found) if problem.rule == rule]
    assert found
    assert all(problem.severity == "note" for problem in found) is rule.only_note
    assert {problem.finding.fix for problem in found} == {rule.fix}
    clean = problems(written.clean)
    assert [problem for problem in clean if problem.rule == rule or problem.severity != "note"] == []


def test_every_rule_leads_to_an_entry() -> None:
    knowledge = compiled.load()
    entries = entries_by_fact(knowledge)
    for rule in RULES:
        assert entry_of(rule, entries) in knowledge.entries(), rule.code


def test_every_cure_is_a_rule_s() -> None:
    assert {rule.fix for rule in RULES} - {""} == set(_FIXES)
    assert set(_FIXES) >= SAFE_FIXES


@pytest.mark.parametrize(
    ("select", "ignore", "taken"),
    [
        ([], [], {"TFH101", "TFH505", "TFH506"}),
        (["TFH5"], [], {"TFH505", "TFH506"}),
        (["TFH5"], ["TFH505"], {"TFH506"}),
        (["TFH505"], ["TFH5"], {"TFH505"}),
        (["ALL"], ["tfh5"], {"TFH101"}),
        ([], ["TFH1", "TFH506"], {"TFH505"}),
        (["TFH505"], ["TFH505"], {"TFH505"}),
    ],
)
def test_selection(select: list[str], ignore: list[str], taken: set[str]) -> None:
    selection = Selection(select, ignore)
    assert {one for one in ("TFH101", "TFH505", "TFH506") if selection.takes(one)} == taken


@pytest.mark.parametrize("word", ["TFHX", "E501", "", "TFH1010"])
def test_a_selector_of_no_rule_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="ignore: no rule's code begins with"):
        Selection((), [word])


def test_a_rule_is_named_by_code_or_fact() -> None:
    assert named("tfh505") == named("lr_argument") == named("code.lr-argument")
    with pytest.raises(InputError, match="no rule 'TFH55'; did you mean TFH"):
        named("TFH55")


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# noqa", False),
        ("#NOQA", False),
        ("# noqa: TFH505", False),
        ("# noqa:E501,tfh505", False),
        ("# noqa: E501 TFH5", False),
        ("# a word  # noqa: TFH505 because the release is old", False),
        ("# tfhelp: ignore", False),
        ("# noqa: E501", True),
        ("# noqa: TFH101", True),
        ("# nothing", True),
    ],
)
def test_a_comment_leaves_out_what_it_names(comment: str, left: bool) -> None:
    source = f"import keras\no = keras.optimizers.Adam(lr=0.1)  {comment}\n"
    assert bool(problems(source)) is left


def test_a_text_that_looks_like_a_comment_leaves_out_nothing() -> None:
    assert problems('import keras\no = keras.optimizers.Adam(lr=0.1, name="# noqa")\n')


def test_a_comment_on_the_first_line_of_a_call_over_several_lines() -> None:
    source = "import keras\nkeras.optimizers.Adam(  # noqa: TFH505\n    lr=0.1,\n)\n"
    assert problems(source) == []
    assert problems(source.replace("TFH505", "TFH1"))


def test_a_file_can_be_left_out() -> None:
    assert problems("# tfhelp: ignore-file\nimport keras\no = keras.optimizers.Adam(lr=0.1)\n") == []


@given(st.text(alphabet="# noqa:TFH15,\n\"'()\t\\é\r\x0c", max_size=60))
def test_no_comment_disturbs(source: str) -> None:
    Suppressed(source).leaves_out("TFH505", {1, 2})


def test_a_program_that_never_mentions_tensorflow_is_only_parsed() -> None:
    source = "import multiprocessing\npool = multiprocessing.Pool(4)\n"
    assert problems(source) == []
    assert "TFH801" in {problem.rule.code for problem in problems("import tensorflow\n" + source)}
    checked = Checked("old.py", Script("print 'x'\n", "utf-8"), EVERYTHING)
    assert checked.fault.startswith("old.py:1: not Python 3: ")


def test_places_count_characters() -> None:
    (problem,) = problems('import keras\nx = "größe"; o = keras.optimizers.Adam(lr=0.1)\n')
    assert (problem.place.line, problem.place.column, problem.place.last_line, problem.place.last_column) == (2, 18, 2, 47)


def test_explain_shows_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--explain", "TFH505"]) == 0
    shown = capsys.readouterr().out
    for part in ("TFH505  an optimizer", "Adam(lr=1e-3)", "Adam(learning_rate=1e-3)", "Mechanical fix: safe", "tfhelp explain "):
        assert part in shown


def test_explain_of_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--explain", "TFH5050"]) == 2
    assert "there is no rule 'TFH5050'; did you mean TFH505" in capsys.readouterr().err


def test_the_list_names_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--rules"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {rule.code} " in shown for rule in RULES)
    assert main(["lint", "--rules", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [rule["code"] for rule in document["rules"]] == [rule.code for rule in RULES]
    assert {rule["fix"] for rule in document["rules"]} == {None, "safe", "unsafe"}
