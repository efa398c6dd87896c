"""Buttons, modals and the App Home."""

import html
import json
import time
import typing

import httpx
import pytest

from tests.service.serving import Server
from tests.service.slack.block_limits import buttons, texts
from tests.service.slack.sender import Sender, text_value
from tests.service.slack.stand_in import Slack

Json = dict[str, typing.Any]

FULL = "CardFullError: no room for tensor 3,4"


def said_in(blocks: list[Json]) -> str:
    """All text of blocks."""
    return html.unescape("\n".join(texts(blocks)))


@pytest.fixture
def answer(slack: Slack, sender: Sender) -> dict[str, Json]:
    """The buttons of an answer."""
    before = slack.mark()
    sender.command(f"{FULL} /home/alice/run")
    return buttons(slack.wait("respond", after=before).body["blocks"])


def pressed(slack: Slack, sender: Sender, button: Json, *methods: str, **named: typing.Any) -> Json:
    """The result of a press."""
    before = slack.mark()
    assert sender.press(button, **named).status_code == 200
    return slack.wait(*(methods or ("respond",)), after=before).body


def test_a_button_carries_the_token_and_not_the_answer(answer: dict[str, Json]) -> None:
    values = [json.loads(button["value"]) for button in answer.values()]
    assert len({value["t"] for value in values}) == 1
    assert all(set(value) <= {"t", "f", "r", "s"} for value in values)
    assert "alice" not in json.dumps(values)


def test_the_other_causes(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    message = pressed(slack, sender, answer["Other causes (1)"])
    said = said_in(message["blocks"])
    assert "The batch is too large" in said and "Halve the batch." in said and "smaller batches train differently" in said
    assert message["response_type"] == "ephemeral" and message["replace_original"] is False


def test_all_steps(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    said = said_in(pressed(slack, sender, answer["All 4 steps"])["blocks"])
    for expected in (
        "End the neighbour.",
        "its unsaved work is lost",
        'print("<grown>"',
        "Start the neighbour again.",
        "fills up late",
    ):
        assert expected in said


def test_sharing_posts_for_the_channel_without_secrets(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    message = pressed(slack, sender, answer["Share in the channel"])
    assert message["response_type"] == "in_channel"
    said = said_in(message["blocks"])
    assert "<@U2> shares a diagnosis." in said and "/home/USER-1/run" in said and "alice" not in said
    assert "Share in the channel" not in buttons(message["blocks"])


def test_a_reply_by_button_replaces_the_answer(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    message = pressed(slack, sender, answer["Yes"])
    assert message["replace_original"] is True
    said = said_in(message["blocks"])
    assert "the container shares the card" in said and "/home/alice/run" in said
    # The next question is about another fact, which only the output of a command shows.
    assert "Who uses the card?" in said
    view = pressed(slack, sender, buttons(message["blocks"])["Paste its output"], "views.open")["view"]
    assert "nvidia-smi --query-compute-apps" in said_in(view["blocks"])
    before = slack.mark()
    assert sender.submit(view, {"reply": text_value("no")}).json()["errors"]["reply"]
    output = "pid, process_name, used_gpu_memory [MiB]\n77, python, 9000 MiB\n"
    assert sender.submit(view, {"reply": text_value(output)}).status_code == 200
    again = slack.wait("respond", after=before).body
    assert again["replace_original"] is True and "The card <is> full" in said_in(again["blocks"])


def test_deleting_an_answer_through_the_api_takes_its_text_along(
    slack: Slack, sender: Sender, door: Server, answer: dict[str, Json]
) -> None:
    token = json.loads(answer["Yes"]["value"])["t"]
    assert httpx.delete(f"{door.url}/api/v1/answers/{token}").status_code == 204
    assert "I no longer have the text" in said_in(pressed(slack, sender, answer["Yes"])["blocks"])


def test_a_reply_in_public_stays_redacted(slack: Slack, sender: Sender) -> None:
    slack.threads["C1", "21.0"] = [{"text": f"<@U1> {FULL} /home/alice/run", "user": "U2", "ts": "21.0"}]
    before = slack.mark()
    sender.event({"type": "app_mention", "user": "U2", "text": "x", "channel": "C1", "ts": "21.0"})
    shown = buttons(slack.wait("chat.postMessage", after=before).body["blocks"])
    message = pressed(slack, sender, shown["No"], ephemeral=False, thread="21.0")
    assert message["replace_original"] is True and "The batch is too large" in said_in(message["blocks"])
    assert "alice" not in json.dumps(message)
    steps = pressed(slack, sender, shown["All 4 steps"], ephemeral=False, thread="21.0")
    assert steps["response_type"] == "ephemeral" and steps["thread_ts"] == "21.0"


@pytest.mark.parametrize(
    ("words", "word"), [("It helped", "helped"), ("It did not", "did-not-help"), ("It was something else", "something-else")]
)
def test_a_word_on_an_answer_goes_into_the_memory(
    slack: Slack, sender: Sender, answer: dict[str, Json], said: typing.Callable[[], list[Json]], words: str, word: str
) -> None:
    message = pressed(slack, sender, answer[words])
    assert "Noted" in said_in(message["blocks"]) and message["response_type"] == "ephemeral"
    noted = said()[-1]
    assert noted["said"] == word and noted["token"] == json.loads(answer[words]["value"])["t"]
    assert noted["sender"].startswith("slack-") and "U2" not in noted["sender"]
    view = pressed(slack, sender, buttons(message["blocks"])["Say more"], "views.open")["view"]
    assert sender.submit(view, {"words": text_value("killed /home/bob/old.py"), "by": text_value("Ada")}).status_code == 200
    end = time.monotonic() + 60
    while not said()[-1]["words"] and time.monotonic() < end:
        time.sleep(0.05)
    assert said()[-1] | {"token": "", "sender": ""} == {
        "token": "",
        "said": word,
        "sender": "",
        "words": "killed /home/USER-1/old.py",
        "by": "Ada",
        "cause": "",
    }


def test_what_helped_before_is_told_to_the_next(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    message = pressed(slack, sender, answer["It helped"])
    view = pressed(slack, sender, buttons(message["blocks"])["Say more"], "views.open")["view"]
    sender.submit(view, {"words": text_value("closed <!here> the notebook"), "by": text_value("Ada")})
    said, end = "", time.monotonic() + 60
    while "notebook" not in said and time.monotonic() < end:
        before = slack.mark()
        sender.command(FULL)
        said = said_in(slack.wait("respond", after=before).body["blocks"])
    assert "what helped last: A neighbour holds the card, says Ada: closed <!here> the notebook" in said


def test_one_user_is_one_sender(
    slack: Slack, sender: Sender, answer: dict[str, Json], said: typing.Callable[[], list[Json]]
) -> None:
    for user in ("U2", "U2", "U9"):
        pressed(slack, sender, answer["It helped"], user=user)
    first, second, other = (item["sender"] for item in said()[-3:])
    assert first == second != other


def test_the_home_shows_and_deletes_recent_answers(slack: Slack, sender: Sender) -> None:
    before = slack.mark()
    sender.command(FULL, user="U7")
    slack.wait("respond", after=before)
    before = slack.mark()
    assert sender.event({"type": "app_home_opened", "user": "U7", "tab": "home", "channel": "D7"}).status_code == 200
    home = slack.wait("views.publish", after=before).body
    assert home["user_id"] == "U7" and "The card <is> full" in said_in(home["view"]["blocks"])
    assert "24 hours" in said_in(home["view"]["blocks"])
    shown = pressed(slack, sender, buttons(home["view"]["blocks"])["Show"], "views.open", user="U7", home=True)["view"]
    assert "Make room before you start." in said_in(shown["blocks"])
    delete = buttons(home["view"]["blocks"])["Delete"]
    left = pressed(slack, sender, delete, "views.publish", user="U7", home=True)
    assert "You have asked nothing yet" in said_in(left["view"]["blocks"])
    gone = pressed(slack, sender, buttons(home["view"]["blocks"])["Show"], "chat.postMessage", user="U7", home=True)
    assert gone["channel"] == "U7" and "no longer kept" in said_in(gone["blocks"])


def test_nobody_can_delete_another_users_answer(slack: Slack, sender: Sender, answer: dict[str, Json]) -> None:
    forged = {"action_id": "tfhelp:forget", "value": answer["It helped"]["value"]}
    pressed(slack, sender, forged, "views.publish", user="U8", home=True)
    assert "Noted" in said_in(pressed(slack, sender, answer["It helped"])["blocks"])


def test_the_home_opens_the_form_and_the_answer_comes_as_a_direct_message(slack: Slack, sender: Sender) -> None:
    before = slack.mark()
    sender.event({"type": "app_home_opened", "user": "U6", "tab": "home", "channel": "D6"})
    home = slack.wait("views.publish", after=before).body["view"]
    view = pressed(slack, sender, buttons(home["blocks"])["Explain an error"], "views.open", user="U6", home=True)["view"]
    before = slack.mark()
    sender.submit(view, {"text": text_value(FULL)}, user="U6")
    assert slack.wait("chat.postMessage", after=before).body["channel"] == "U6"


@pytest.mark.parametrize(
    ("action", "value"),
    [
        ("causes", "no json"),
        ("steps", "[]"),
        ("share", '{"t": 1}'),
        ("reply:yes", '{"t": "gone", "f": "os.container", "r": "yes"}'),
        ("ask", '{"t": "gone"}'),
        ("said:helped", '{"t": "gone", "s": "helped"}'),
        ("said:loved", '{"t": "gone", "s": "loved"}'),
        ("show", '{"t": "gone"}'),
    ],
)
def test_a_button_of_an_answer_that_is_gone_says_so(slack: Slack, sender: Sender, action: str, value: str) -> None:
    message = pressed(slack, sender, {"action_id": f"tfhelp:{action}", "value": value})
    said = said_in(message["blocks"])
    assert "no longer" in said or "do not know this button" in said


def test_a_button_that_nobody_knows_is_acknowledged(sender: Sender) -> None:
    assert sender.press({"action_id": "tfhelp:unheard", "value": "{}"}).status_code == 200
