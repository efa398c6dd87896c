"""The short form of answers: within the limit for every recorded failure, with the fix, and nothing pasted outside a fence."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.faults.knowledge import causes, diagnose_recording, diagnoser
from tfhelp.service.doors.mcp import programs
from tfhelp.service.doors.mcp.budget import MOST_TOKENS, cost, cut, packed, tokens
from tfhelp.service.doors.mcp.short import diagnosis
from tfhelp.service.doors.mcp.tools import Tools
from tfhelp.service.doors.mcp.wording import fenced
from tfhelp.service.errors import InputError

RECORDINGS = causes(".recorded.json")


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2, 3))])
def test_recorded_failures_fit_the_limit_and_keep_the_fix(part: int) -> None:
    for name, path in RECORDINGS[part::4]:
        answer = diagnose_recording(path)
        document, markdown = diagnosis(answer)
        assert cost(document, markdown) <= MOST_TOKENS, name
        assert document.verdict == answer["verdict"]
        if answer["verdict"] in ("diagnosed", "likely"):
            match = answer["matches"][0]
            assert document.cause is not None
            assert (document.entry, document.cause.id) == (match["entry"], match["causes"][0]["cause"])
            assert document.cause.fix.summary in markdown and document.lines
            assert document.cause.fix.steps[0].say in markdown


@pytest.mark.slow
def test_most_recorded_failures_keep_every_step() -> None:
    documents = [diagnosis(diagnose_recording(path))[0] for _, path in RECORDINGS]
    shortened = [one for one in documents if one.cause is not None and one.cause.fix.steps_left_out]
    assert len(shortened) <= len(documents) // 10  # measured: 13 of 275


def test_the_limit_counts_both_parts() -> None:
    document, markdown = diagnosis(diagnoser().diagnose("ValueError: Shapes (None, 1) and (None, 10) are incompatible"))
    assert cost(document, markdown) == tokens(json.dumps(packed(document), ensure_ascii=False)) + tokens(markdown)


@given(st.text("`a \n", max_size=40))
def test_no_text_ends_its_fence(text: str) -> None:
    lines = fenced(text).split("\n")
    fence = lines[-1]
    assert re.fullmatch("`{3,}", fence)
    assert not any(re.match(f" {{0,3}}{fence}", line) for line in lines[1:-1])


@given(st.text(max_size=60), st.integers(2, 20))
def test_cut_lines_are_one_short_line(text: str, most: int) -> None:
    line = cut(text, most)
    assert len(line) <= most and (line == "" or line.isprintable())


def test_the_line_of_the_users_own_code_is_quoted() -> None:
    text = (
        'Traceback (most recent call last):\n  File "/srv/train.py", line 7, in <module>\n    model.compile(loss="mse") # ``` now\n'
        "ValueError: Shapes (None, 1) and (None, 10) are incompatible\n"
    )
    document, markdown = diagnosis(diagnoser().diagnose(text))
    assert document.your_line == '/srv/train.py:7: model.compile(loss="mse") # ``` now'
    assert f"your line: {document.your_line}\n" in markdown
    assert "\n````" in markdown, "the fence is longer than what the line holds"


def test_undecided_and_unknown_answers_say_what_would_help() -> None:
    tools = Tools(is_local=False)
    for text in ("my model does not learn", "django.db.utils.OperationalError: no such table: auth_user"):
        document, markdown = tools.diagnose(text, "", None, full=False)
        assert packed(document)["more"] in markdown
        assert cost(document, markdown) <= MOST_TOKENS


def test_the_other_tools_keep_the_limit() -> None:
    tools = Tools(is_local=True)
    many = "import tensorflow as tf\n" + "".join(f"o{number} = tf.train.AdamOptimizer(lr=0.5)\n" for number in range(60))
    bad = "import keras\n" + "".join(f"o{number} = keras.optimizers.Adam(lr=0.5)\n" for number in range(60))
    names = (*tools.knowledge.entries(), "tf.keras.Model.fit", "MatMul", "FusedBatchNormV3", "ValueError: Unknown layer: X")
    replies = {name: tools.explain(name) for name in names}
    replies["lint"] = programs.lint_source(bad, "train.py", with_fix=False)
    replies["upgrade"] = programs.upgrade(many, "", "3", with_diff=False)
    replies["doctor"] = tools.doctor()
    for gpu, system in (("RTX 5090", "linux"), ("GTX 1080", "windows"), ("none", "macos")):
        described = {"python": "3.9", "gpu": gpu, "driver": "450", "os": system, "architecture": ""}
        replies[f"{gpu} {system}"] = programs.plan(tools, described)
    assert {name for name, reply in replies.items() if cost(*reply) > MOST_TOKENS} == set()
    linted, upgraded = packed(replies["lint"][0]), packed(replies["upgrade"][0])
    assert len(linted["problems"]) + linted["problems_left_out"] == 120
    assert len(upgraded["changes"]) + upgraded["changes_left_out"] >= 60


def test_a_diff_is_whole_or_refused() -> None:
    bad = "import keras\n" + "".join(f"o{number} = keras.optimizers.Adam(lr=0.5)\n" for number in range(60))
    document, markdown = programs.lint_source(bad, "train.py", with_fix=True)
    assert packed(document)["diff"].count("+o") == 60 and packed(document)["diff"] in markdown
    with pytest.raises(InputError, match="more than an agent can take"):
        programs.lint_source(
            bad + "x = 1\n" + "".join(f"{chr(113) * 900}{number} = keras.optimizers.Adam(lr=0.5)\n" for number in range(60)),
            "train.py",
            with_fix=True,
        )
