"""An answer on terminals of all sizes and kinds; interactive ones are real pseudo-terminals."""

import io
import json
import os
import pathlib
import re
import sys
import typing

import hypothesis
import hypothesis.strategies as st
import pytest

from tests.service.terminals import Terminal
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.fixes import fill_fix
from tfhelp.service.doors.cli import page as pages
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.doors.cli.page import Page
from tfhelp.service.doors.cli.pager import bare
from tfhelp.service.doors.cli.terminal import show_answer

Json = dict[str, typing.Any]
DTYPE = "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:AddV2]"
QUIET = (
    "NO_COLOR",
    "FORCE_COLOR",
    "FORCE_HYPERLINK",
    "TERM_PROGRAM",
    "VTE_VERSION",
    "WT_SESSION",
    "KONSOLE_VERSION",
    "CI",
    "PAGER",
)


class Screen(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load()


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in QUIET:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def screen(monkeypatch: pytest.MonkeyPatch, columns: int, rows: int) -> Screen:
    made = Screen()
    monkeypatch.setattr(made, "fileno", lambda: 99, raising=False)
    monkeypatch.setattr(pages.os, "get_terminal_size", lambda _: os.terminal_size((columns, rows)))
    return made


def shown(answer: Json, stream: Screen, full: bool = False) -> list[str]:
    show_answer(typing.cast(typing.Any, answer), stream, full)
    return bare(stream.getvalue()).splitlines()


def answers_of_all_causes(diagnoser: Diagnoser) -> typing.Iterator[Json]:
    """An answer with each cause of the knowledge base first, and its other causes after it."""
    some = typing.cast(Json, diagnoser.diagnose(DTYPE, {}))
    (match, *_) = some["matches"]
    rows = [{"outcome": "holds", "check": "", "because": "the words of a reason " * 6, "source": "log line 12"}] * 6
    for name in diagnoser.knowledge.entries():
        entry = diagnoser.knowledge.entry(name)
        causes = [
            {
                **match["causes"][0],
                **{key: cause[key] for key in ("title", "means")},
                "evidence": rows,
                "confidence": 0.3,
                "verdict": "possible",
                "fix": fill_fix(cause, FactSheet()),
            }
            for cause in entry["causes"]
        ]
        for place, cause in enumerate(causes):
            ordered = [cause, *causes[:place], *causes[place + 1 :]]
            yield {**some, "matches": [{**match, "entry": name, "title": entry["title"], "causes": ordered}]}


def test_every_short_answer_fits_on_a_screen(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = list(answers_of_all_causes(diagnoser))
    assert len(answers) > 300
    taller = 0
    for answer in answers:
        lines = shown(answer, screen(monkeypatch, 100, 40))
        cause = answer["matches"][0]["causes"][0]
        assert len(lines) < 40, (answer["matches"][0]["entry"], cause["cause"], len(lines))
        # A low terminal shows less, but always the fix; the longest snippets do not fit there.
        low = shown(answer, screen(monkeypatch, 100, 24))
        taller += len(low) >= 24
        assert low[0].startswith("Found: ")
        assert any(line.startswith("  Fix: ") for line in low)
        assert low[-1].strip().startswith(("More: --full", "tfhelp explain", answer["matches"][0]["entry"]))
    assert taller < len(answers) / 10


def test_steps_are_left_out_from_the_end(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in answers_of_all_causes(diagnoser):
        lines = shown(answer, screen(monkeypatch, 80, 24))
        numbers = [int(found[1]) for line in lines if (found := re.match(r"    (\d+)\. ", line))]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("columns", [40, 60])
def test_a_narrow_terminal_breaks_all_but_code(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    texts = [
        DTYPE,
        "django.db.utils.OperationalError: no such table",
        "ValueError: `subset` must be either 'training' or 'validation', received: both",
    ]
    for text in texts:
        answer = typing.cast(Json, diagnoser.diagnose(text, {}))
        for full in (False, True):
            code = [row["command"] for row in answer["ask_for"]] + [
                line.strip()
                for match in answer["matches"]
                for cause in match["causes"]
                for step in cause["fix"]["steps"]
                for action in (step, *step.get("one_of", ()))
                for line in action.get("snippet", {}).get("code", "").splitlines()
            ]
            lines = shown(answer, screen(monkeypatch, columns, 40), full)
            assert [line for line in lines if len(line) > columns and line.strip() not in code] == []


def test_a_terminal_without_a_width_is_taken_to_be_a_plain_one(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = screen(monkeypatch, 0, 0)
    assert (Page(stream).width, Page(stream).rows) == (80, 24)
    assert shown(typing.cast(Json, diagnoser.diagnose(DTYPE, {})), stream)


@hypothesis.given(
    text=st.text(alphabet="ab \n\t-\u00e9", max_size=200),
    width=st.integers(20, 60),
    lead=st.sampled_from(["", "  - ", "    how to tell: "]),
)
def test_a_paragraph_keeps_its_words_within_the_width(text: str, width: int, lead: str) -> None:
    page = Page(io.StringIO())
    page.width = width
    lines = page.wrapped(text, "    ", lead)
    assert all(len(line) <= width for line in lines)
    assert lines[0].startswith(lead.rstrip())
    assert all(line.startswith("    ") for line in lines[1:])
    assert "".join((lines[0][len(lead) :] + "".join(lines[1:])).split()) == "".join(text.split())
    if all(len(word) <= width - len(lead) - 4 for word in text.split()):
        assert [word for line in [lines[0][len(lead) :], *lines[1:]] for word in line.split()] == text.split()


def test_columns_of_a_list_stay_where_they_are() -> None:
    page = Page(io.StringIO())
    assert page.wrapped(f"{'id':<10} words", " " * 13, "  ") == ["  id         words"]
    page.width = 80
    first, *rest = page.wrapped(f"{'id':<34} {'words ' * 20}", " " * 37, "  ")
    assert first.startswith(f"  {'id':<34} words")
    assert rest and all(line.startswith(" " * 37 + "words") for line in rest)


def test_a_line_of_the_log_shows_what_the_op_says(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    node = "__wrapped__IteratorGetNext_output_types_1_device_/job:localhost/replica:0/task:0/device:CPU:0"
    says = "Cannot batch tensors with different shapes in component 0. First element had shape [2] and element 1 had shape [3]."
    text = (
        f"tensorflow.python.framework.errors_impl.InvalidArgumentError: {{{{function_node {node}}}}} {says} [Op:IteratorGetNext]"
    )
    lines = shown(typing.cast(Json, diagnoser.diagnose(text, {})), screen(monkeypatch, 100, 60))
    place = next(number for number, line in enumerate(lines) if "InvalidArgumentError" in line)
    assert "{{function_node \u2026}} Cannot batch" in " ".join("".join(lines[place : place + 2]).split())
    assert lines[place + 1].endswith(" \u2026") and len(lines[place + 1]) <= 100


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colours_are_for_terminals(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, coloured: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = screen(monkeypatch, 80, 24) if terminal else io.StringIO()
    Page(stream).paragraph("words", style="good")
    assert ("\x1b[" in stream.getvalue()) == coloured


@pytest.mark.parametrize(
    ("environment", "linked"),
    [
        ({}, False),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"VTE_VERSION": "7600"}, True),
        ({"VTE_VERSION": "4000"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "tmux-256color", "VTE_VERSION": "7600"}, False),
        ({"TERM_PROGRAM": "vscode", "CI": "true"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({"FORCE_HYPERLINK": "0", "TERM_PROGRAM": "vscode"}, False),
    ],
)
def test_links_are_for_terminals_that_take_them(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], linked: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    page = Page(screen(monkeypatch, 80, 24))
    assert page.link("a page", "https://example.org/x") == (
        "\x1b]8;;https://example.org/x\x1b\\a page\x1b]8;;\x1b\\" if linked else "a page"
    )
    assert page.link("words", "https://example.org/\x1b\\evil") == "words"
    assert Page(io.StringIO()).link("a page", "https://example.org/x") == "a page"


def test_a_pasted_text_cannot_steer_a_coloured_terminal(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    text = f"{DTYPE} \x1b[2J\x1b]0;title\x07\x9b31m end"
    stream = screen(monkeypatch, 80, 40)
    show_answer(diagnoser.diagnose(text, {}), stream, verbose=True)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", bare(stream.getvalue()))


def test_links_lead_to_the_pages_of_the_server_that_answered(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    stream = screen(monkeypatch, 100, 40)
    show_answer(diagnoser.diagnose(DTYPE, {}), stream, server="http://127.0.0.1:8000/")
    assert "\x1b]8;;http://127.0.0.1:8000/entries/dtype-mismatch\x1b\\dtype-mismatch\x1b]8;;\x1b\\" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "markdown", "github", "sarif"])
def test_each_format_is_written(
    form: str, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "train.log").write_text(DTYPE)
    assert main(["ask", "--no-collect", "--format", form, "-f", str(tmp_path / "train.log")]) == 0
    out = capsys.readouterr().out
    if form in ("json", "sarif"):
        document = json.loads(out)
        assert document["verdict" if form == "json" else "version"] == ("diagnosed" if form == "json" else "2.1.0")
    else:
        assert out.startswith({"markdown": "### Found: ", "github": "::error title=tfhelp%3A Found%3A "}[form])
    assert (tmp_path / "summary.md").exists() == (form == "github")
    assert main(["ask", "--no-collect", "--json", DTYPE]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "diagnosed"


def test_a_summary_that_cannot_be_written_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/no/such/folder/summary.md")
    assert main(["ask", "--no-collect", "--format", "github", DTYPE]) == 2
    assert "cannot write the step's summary" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
class TestOnATerminal:
    """What a user at a terminal sees."""

    def test_a_short_answer_is_coloured_and_needs_no_pager(self) -> None:
        with Terminal(["ask", "--no-collect", "--no-input", DTYPE], rows=40, PAGER="sh -c 'echo PAGED; cat'") as terminal:
            said = terminal.rest()
        assert terminal.status == 0
        assert "\x1b[1m" in said
        assert "PAGED" not in said

    @pytest.mark.parametrize("command", [["ask", "--no-collect", "--no-input", "--full", DTYPE], ["explain", "dtype-mismatch"]])
    def test_output_longer_than_the_screen_goes_through_the_pager(self, command: list[str]) -> None:
        with Terminal(command, rows=24, TFHELP_PAGER="sh -c 'echo PAGED; cat'", PAGER="false") as terminal:
            said = terminal.rest()
        assert terminal.status == 0
        assert said.startswith("PAGED")
        assert "numpy" in said

    @pytest.mark.parametrize(
        ("environment", "paged"),
        [
            ({"PAGER": "sh -c 'echo PAGED; cat'"}, True),
            ({"PAGER": "sh -c 'echo PAGED; cat'", "NO_PAGER": "1"}, False),
            ({"PAGER": "/no/such/pager"}, False),
            ({"PAGER": ""}, False),
            ({"PAGER": "'"}, False),
        ],
    )
    def test_the_pager_is_the_readers_choice(self, environment: dict[str, str], paged: bool) -> None:
        with Terminal(["explain", "dtype-mismatch"], rows=24, **environment) as terminal:
            said = terminal.rest()
        assert terminal.status == 0
        assert ("PAGED" in said) == paged
        assert "numpy-float64-input" in said

    def test_leaving_the_pager_early_is_not_an_error(self) -> None:
        with Terminal(["explain"], rows=10, PAGER="head -1") as terminal:
            said = terminal.rest()
        assert (terminal.status, "Traceback" in said) == (0, False)

    def test_a_terminal_of_no_size(self) -> None:
        with Terminal(["ask", "--no-collect", "--no-input", DTYPE], rows=0, columns=0) as terminal:
            said = terminal.rest()
        assert terminal.status == 0
        assert "dtype-mismatch" in said
