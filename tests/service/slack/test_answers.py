"""What is read from a message, its thread and its files, and the content of the answer."""

import gzip
import html
import json
import pathlib
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.serving import Server
from tests.service.slack.block_limits import buttons, faults_of_message, texts
from tests.service.slack.sender import APP, Sender, files_value, text_value
from tests.service.slack.stand_in import Slack
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.slack.blocks import answer_blocks
from tfhelp.service.doors.slack.incoming import message_text, read_messages
from tfhelp.service.doors.slack.mrkdwn import code_block, escape, typed, unescape
from tfhelp.service.doors.slack.settings import SlackSettings
from tfhelp.service.doors.slack.web_api import SlackApi

Json = dict[str, typing.Any]

FULL = "CardFullError: no room for tensor 3,4"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100


def answer_to(slack: Slack, act: typing.Callable[[], typing.Any], *methods: str) -> Json:
    """The message that follows."""
    before = slack.mark()
    assert act().status_code == 200
    return slack.wait(*(methods or ("respond",)), after=before).body


def said_in(message: Json) -> str:
    """All text of a message."""
    return html.unescape("\n".join(texts(message["blocks"])))


def test_the_line_of_the_users_own_code_is_shown_as_it_stands(slack: Slack, sender: Sender) -> None:
    trace = f'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    fit(a < b)  # <!here> `now`\n{FULL}'
    said = said_in(answer_to(slack, lambda: sender.command(trace)))
    assert "Your line: `train.py:9: fit(a < b)  # <!here> \u2019now\u2019`" in said


def test_the_answer_begins_with_verdict_cause_fix_and_snippet(slack: Slack, sender: Sender) -> None:
    message = answer_to(slack, lambda: sender.command(FULL))
    kinds = [block["type"] for block in message["blocks"]]
    assert kinds[:2] == ["header", "context"]
    said = said_in(message)
    order = ["The card <is> full", "Found", "stops the run", "A neighbour holds the card", "Make room", "```\nnvidia-smi", FULL]
    places = [said.index(words) for words in order]
    assert places == sorted(places)
    assert "it runs in a container?" in said
    assert "Keep the shape" not in said  # the later steps are behind a button
    assert list(buttons(message["blocks"])) == [
        "Yes",
        "No",
        "All 4 steps",
        "Other causes (2)",
        "Share in the channel",
        "It helped",
        "It did not",
        "It was something else",
    ]


def test_a_failure_that_was_met_before_says_so(slack: Slack, sender: Sender) -> None:
    answer_to(slack, lambda: sender.command(FULL))
    assert "Seen " in said_in(answer_to(slack, lambda: sender.command(FULL)))


def test_slacks_escapes_are_undone_before_the_diagnosis(slack: Slack, sender: Sender) -> None:
    message = answer_to(slack, lambda: sender.command(escape(f"{FULL} <a & b>")))
    assert "no room for tensor 3,4 &lt;a &amp; b&gt;" in "\n".join(texts(message["blocks"]))


@pytest.mark.parametrize("text", ["help", "--help"])
def test_help_gets_the_usage(sender: Sender, text: str) -> None:
    payload = sender.command(text).json()
    assert faults_of_message(payload) == []
    assert "Usage" in texts(payload["blocks"])[0]


def test_an_unknown_error_gets_an_honest_answer(slack: Slack, sender: Sender) -> None:
    message = answer_to(slack, lambda: sender.command("the coffee machine on the second floor is broken again"))
    assert "I do not know this one" in said_in(message)


@pytest.mark.parametrize(
    "attack",
    ["<!channel> <@U1> <https://evil.example|click>", "``` *bold* ```", "&lt;!here&gt;", "x" * 7000, "&" * 4000, "`" * 500],
)
def test_pasted_text_cannot_mention_link_or_break_out(slack: Slack, sender: Sender, attack: str) -> None:
    message = answer_to(slack, lambda: sender.command(f"{FULL} {attack}"))
    shown = next(text for text in texts(message["blocks"]) if "CardFullError" in text)
    assert shown.startswith("```\n") and shown.endswith("\n```") and "```" not in shown[3:-3]


def test_the_shortcut_reads_text_and_logs(slack: Slack, sender: Sender) -> None:
    log = slack.file("train.log", ("step 1\n" * 400 + FULL).encode())
    packed = slack.file("old.log.gz", gzip.compress(b"epoch 1\nepoch 2\n"), "application/gzip")
    message = answer_to(slack, lambda: sender.shortcut({"text": "it <!here> stopped", "files": [log, packed]}))
    said = said_in(message)
    assert "The card <is> full" in said
    assert "Read: the message, train.log (2.771 KiB), old.log.gz (" in said
    assert message["response_type"] == "ephemeral"


def test_a_snippet_alone_is_read(slack: Slack, sender: Sender) -> None:
    snippet = slack.file("-.txt", FULL.encode(), mode="snippet")
    assert "The card" in said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": [snippet]})))


def test_a_file_that_slack_describes_only_in_part_is_asked_for(slack: Slack, sender: Sender) -> None:
    known = slack.file("shared.log", FULL.encode())
    part = {"id": known["id"], "name": "shared.log", "file_access": "check_file_info"}
    assert "The card" in said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": [part]})))


def test_pictures_and_binaries_are_refused_by_name(slack: Slack, sender: Sender) -> None:
    picture = slack.file("screen.png", PNG, "image/png")
    hidden = slack.file("weights.bin", PNG)
    before = slack.mark()
    said = said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": [picture, hidden]})))
    assert "screen.png is a picture. I read text only" in said
    assert "weights.bin is" in said and "PNG" in said
    assert picture["id"] not in [call.body["id"] for call in slack.calls[before:] if call.method == "file"]


def test_a_picture_next_to_a_log_is_only_noted(slack: Slack, sender: Sender) -> None:
    files = [slack.file("screen.png", PNG, "image/png"), slack.file("odd.log", PNG), slack.file("train.log", FULL.encode())]
    said = said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": files})))
    assert "The card <is> full" in said and "screen.png is a picture" in said and "odd.log is" in said


def test_files_over_the_limit_are_refused_by_name(slack: Slack, sender: Sender) -> None:
    large = slack.file("huge.log", b"x\n" * (600 << 10))
    lying = slack.file("lying.log", b"x\n" * (600 << 10), size=10)
    said = said_in(answer_to(slack, lambda: sender.shortcut({"text": FULL, "files": [large, lying]})))
    assert "The card" in said
    assert "huge.log is too large (1.172 MiB)" in said and "lying.log is too large" in said and "1 MiB" in said


def test_a_file_that_the_app_may_not_read_is_reported(slack: Slack, sender: Sender) -> None:
    foreign = slack.file("private.log", b"")
    del slack.files[foreign["id"]]
    said = said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": [foreign]})))
    assert "private.log could not be read. Invite me" in said


def test_the_token_goes_to_no_other_host(slack: Slack, sender: Sender) -> None:
    elsewhere = slack.file("remote.log", b"x", url_private_download="http://127.0.0.2:9/remote.log")
    external = slack.file("drive.log", b"x", mode="external", is_external=True)
    said = said_in(answer_to(slack, lambda: sender.shortcut({"text": "", "files": [elsewhere, external]})))
    assert "remote.log is not stored in Slack" in said and "drive.log is not stored in Slack" in said


def test_an_empty_message_is_reported(slack: Slack, sender: Sender) -> None:
    assert "There is no text in it" in said_in(answer_to(slack, lambda: sender.shortcut({"text": ""})))


def test_a_mention_reads_its_thread_and_answers_there(slack: Slack, sender: Sender) -> None:
    log = slack.file("train.log", FULL.encode())
    slack.threads["C1", "5.0"] = [
        {"text": "my training stops", "user": "U3", "ts": "5.0", "files": [log]},
        {"text": "IdleNoticeError of an old answer", "app_id": APP, "bot_id": "B1", "ts": "5.1"},
        {"text": "anyone?", "user": "U4", "ts": "5.2"},
        {"text": "<@U1> please", "user": "U2", "ts": "5.3"},
    ]
    event = {"type": "app_mention", "user": "U2", "text": "<@U1> please", "channel": "C1", "ts": "5.3", "thread_ts": "5.0"}
    message = answer_to(slack, lambda: sender.event(event), "chat.postMessage")
    assert message["channel"] == "C1" and message["thread_ts"] == "5.0"
    assert "Read: 3 messages, train.log" in said_in(message) and "The card" in said_in(message)
    assert message["unfurl_links"] is False
    assert "Share in the channel" not in buttons(message["blocks"])  # all see it already


def test_what_a_channel_sees_is_redacted(slack: Slack, sender: Sender) -> None:
    slack.threads["C1", "6.0"] = [{"text": f"<@U1> {FULL} /home/alice/run", "user": "U2", "ts": "6.0"}]
    event = {"type": "app_mention", "user": "U2", "text": "x", "channel": "C1", "ts": "6.0"}
    message = answer_to(slack, lambda: sender.event(event), "chat.postMessage")
    assert "alice" not in json.dumps(message) and "/home/USER-1/run" in said_in(message)
    # A private answer shows the line as it was pasted.
    assert "/home/alice/run" in said_in(answer_to(slack, lambda: sender.command(f"{FULL} /home/alice/run")))


def test_an_event_that_comes_again_is_answered_once(slack: Slack, sender: Sender) -> None:
    slack.threads["C1", "7.0"] = [{"text": f"<@U1> {FULL}", "user": "U2", "ts": "7.0"}]
    event = {"type": "app_mention", "user": "U2", "text": "x", "channel": "C1", "ts": "7.0"}
    before = slack.mark()
    sender.event(event, identifier="Ev-same")
    assert sender.event(event, identifier="Ev-same", retry=1).status_code == 200
    slack.wait("chat.postMessage", after=before)
    assert sender.event(event, identifier="Ev-same", retry=2).status_code == 200
    # An answer to a duplicate would have begun before the one to this event.
    answer_to(slack, lambda: sender.event(event, identifier="Ev-next"), "chat.postMessage")
    assert [call.method for call in slack.calls[before:]].count("conversations.replies") == 2


def test_a_direct_message_is_answered_and_our_own_are_not(slack: Slack, sender: Sender) -> None:
    log = slack.file("train.log", FULL.encode())
    before = slack.mark()
    own = {"type": "message", "channel_type": "im", "channel": "D1", "bot_id": "B1", "text": FULL, "ts": "8.0"}
    edited = {"type": "message", "channel_type": "im", "channel": "D1", "subtype": "message_changed", "ts": "8.1"}
    assert sender.event(own).status_code == sender.event(edited).status_code == 200
    event = {
        "type": "message",
        "subtype": "file_share",
        "channel_type": "im",
        "channel": "D1",
        "user": "U2",
        "text": "",
        "ts": "8.2",
    }
    message = answer_to(slack, lambda: sender.event({**event, "files": [log]}), "chat.postMessage")
    assert message["channel"] == "D1" and "The card" in said_in(message)
    assert len([call for call in slack.calls[before:] if call.method == "chat.postMessage"]) == 1


def test_the_command_without_a_text_opens_a_form(slack: Slack, sender: Sender) -> None:
    view = answer_to(slack, lambda: sender.command(""), "views.open")["view"]
    facts = json.dumps({"os": {"name": "linux", "container": True}, "_about": {}})
    log = slack.file("train.log", FULL.encode())
    values = {"text": text_value("it stopped"), "files": files_value(log), "facts": text_value(facts)}
    message = answer_to(slack, lambda: sender.submit(view, values))
    said = said_in(message)
    assert "The card <is> full" in said and "the container shares the card" in said
    assert "Read: your text, train.log" in said


def test_an_empty_form_says_what_is_missing(slack: Slack, sender: Sender) -> None:
    view = answer_to(slack, lambda: sender.command(""), "views.open")["view"]
    reply = sender.submit(view, {"text": {"value": None}, "files": files_value(), "facts": {"value": None}}).json()
    assert reply == {"response_action": "errors", "errors": {"text": "Paste the error, or attach the log."}}


def test_calls_over_the_rate_limit_wait_as_slack_says(slack: Slack, sender: Sender) -> None:
    slack.limit("chat.postMessage", 1)
    slack.fail("conversations.replies")
    slack.threads["C1", "9.0"] = [{"text": f"<@U1> {FULL}", "user": "U2", "ts": "9.0"}]
    event = {"type": "app_mention", "user": "U2", "text": "x", "channel": "C1", "ts": "9.0"}
    assert answer_to(slack, lambda: sender.event(event), "chat.postMessage")["thread_ts"] == "9.0"
    slack.limit("respond", 1)
    answer_to(slack, lambda: sender.command(FULL))


def test_an_expired_response_url_is_followed_by_a_message_to_the_user_alone(slack: Slack, sender: Sender) -> None:
    message = answer_to(slack, lambda: sender.command(FULL, response_url=slack.response_url(dead=True)), "chat.postEphemeral")
    assert message["channel"] == "C1" and message["user"] == "U2"
    gone = slack.response_url(dead=True)
    message = answer_to(slack, lambda: sender.command(FULL, channel="C9", response_url=gone), "chat.postMessage")
    assert message["channel"] == "U2"


def test_a_program_that_posts_without_text_is_read_from_its_attachments() -> None:
    assert message_text({"text": "", "attachments": [{"title": "CI", "text": "a &lt; b"}]}) == "CI\na < b"
    block = {"type": "section", "text": {"type": "mrkdwn", "text": "```OOM```"}}
    assert message_text({"text": "", "blocks": [block]}) == "OOM"
    words = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "rich"}]}]}
    assert message_text({"text": "", "blocks": [words]}) == "rich"


def test_both_ends_of_a_long_thread_are_read(slack: Slack) -> None:
    messages = [{"text": f"line {number} " + "x" * 90} for number in range(100)]
    [piece] = read_messages(SlackApi(SlackSettings("", "xoxb-1", slack.url)), messages, 2000).pieces
    assert isinstance(piece.content, str) and len(piece.content) == 2001
    assert piece.content.startswith("line 0 ") and "line 99 " in piece.content and "line 50 " not in piece.content


@given(st.text(st.sampled_from("&<>;ltgamp `*_|"), max_size=40))
def test_escaping_is_undone_by_unescaping(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "<" not in escape(text) and ">" not in escape(text)
    assert typed(escape(text)) == text.replace("```", "\n")


@given(st.text(st.sampled_from("`\n ab<&"), max_size=3500))
def test_no_code_breaks_out_of_its_block(code: str) -> None:
    block = code_block(code)
    assert len(block) <= 3000
    assert block.startswith("```\n") and block.endswith("\n```") and "```" not in block[3:-3]


def test_without_buttons_the_answer_says_the_rest_in_words() -> None:
    _, blocks = answer_blocks(small_diagnoser().diagnose(FULL))
    said = "\n".join(texts(blocks))
    for expected in ("1 more step: `tfhelp explain card-full`", "it runs in a container?", "Other causes of the same error"):
        assert expected in said


def test_background_work_beyond_the_limit_is_refused(door: Server, said_path: pathlib.Path) -> None:
    from tfhelp.service.doors.slack.work import Background

    background = Background()
    import threading

    gate = threading.Event()
    taken = 0
    while background.start("test", gate.wait) and taken < 1000:
        taken += 1
    gate.set()
    background.close()
    assert 8 <= taken < 1000


SECTION = [{"type": "section", "text": {"type": "mrkdwn", "text": "```ValueError: Shapes (None, 10) and (None, 1)```"}}]


@pytest.mark.parametrize(
    "message",
    [
        {"bot_id": "B1", "text": "Training job resnet failed", "blocks": SECTION},
        {"text": "", "attachments": [{"fallback": "[no preview available]", "blocks": SECTION}]},
        {
            "text": "job failed",
            "attachments": [{"title": "train #12", "fields": [{"title": "Error", "value": "ValueError: Shapes"}]}],
        },
    ],
)
def test_the_error_in_a_programs_post_is_read(message: Json) -> None:
    assert "ValueError: Shapes" in message_text(message)


def test_a_users_message_is_read_once() -> None:
    block = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "it fails"}]}]}
    assert message_text({"text": "it fails", "blocks": [block]}) == "it fails"
