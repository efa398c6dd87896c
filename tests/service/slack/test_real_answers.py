"""Answers of the real knowledge base fit into Slack's limits, whichever button is pressed."""

import pathlib

import pytest
import yaml

from tests.service.slack.block_limits import buttons, faults_of_message, faults_of_view
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.slack.buttons import answer_message, causes_message, reply_view, steps_message
from tfhelp.service.doors.slack.web_api import Place
from tfhelp.service.memory.memory import Seen

ENTRIES = pathlib.Path(__file__).resolve().parents[3] / "kb" / "entries"
TEXTS = [
    "",
    "it does not work",
    "Training is slow and the loss is nan",
    "ValueError: Shapes (None, 1) and (None, 10) are incompatible",
    'ValueError: `subset` must be either "training" or "validation", received: <b>both</b>',
]


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    """The real one."""
    return Diagnoser.load()


def first_examples() -> list[str]:
    """The first example of every entry."""
    texts = []
    for path in sorted(ENTRIES.glob("*/*/examples.yaml")):
        examples = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        texts += [item["text"] for item in (examples.get("must_match") or [])[:1] if isinstance(item, dict) and "text" in item]
    return texts


def test_every_answer_fits_into_slacks_limits(diagnoser: Diagnoser) -> None:
    examples = first_examples()
    assert len(examples) > 50
    seen = Seen(3, 1.7e9, 1.7e9, "x/" + "y" * 200, "w" * 5000, "n" * 500)
    verdicts = set()
    for text in TEXTS + examples:
        answer = diagnoser.diagnose(text)
        verdicts.add(answer["verdict"])
        messages = [
            answer_message(answer, ""),
            answer_message(answer, "t" * 64, seen),
            answer_message(answer, "t", shared_by="U2"),
        ]
        if "Other" in "".join(buttons(messages[1].blocks)):
            messages.append(causes_message(answer))
        if answer["verdict"] in ("diagnosed", "likely"):
            messages.append(steps_message(answer))
        for question in answer["ask_for"]:
            view = reply_view(question, "t", Place("C1", "U2", "https://hooks.slack.com/" + "x" * 200))
            assert faults_of_view(view) == []
        for message in messages:
            assert faults_of_message({"text": message.text, "blocks": message.blocks}) == [], text
    assert {"diagnosed", "unknown"} <= verdicts
