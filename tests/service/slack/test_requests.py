"""Requests from Slack over real HTTP: signatures, junk, the acknowledgement, and the state of the token."""

import gzip
import json
import time
import typing

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.serving import Server
from tests.service.slack.block_limits import buttons, texts
from tests.service.slack.sender import Sender
from tests.service.slack.stand_in import SECRET, TOKEN, Slack
from tfhelp.service.doors.slack.settings import missing_settings, slack_settings

FULL = "CardFullError: no room for tensor 3,4"


def test_a_command_is_acknowledged_and_answered_later(slack: Slack, sender: Sender) -> None:
    before = slack.mark()
    response = sender.command(FULL)
    assert response.status_code == 200 and response.text == ""
    answer = slack.wait("respond", after=before).body
    assert answer["response_type"] == "ephemeral" and not answer["replace_original"]
    assert "`card-full`" in "\n".join(texts(answer["blocks"]))


def test_a_request_of_slack_leaves_the_servers_log_as_it_is(slack: Slack) -> None:
    with Server.real("--log", "json", environment=slack.environment()) as server:
        before = slack.mark()
        Sender(slack, server.url).command(FULL)
        slack.wait("respond", after=before)
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        server.wait_for('"route": "/readyz"')


def test_a_wrong_signature_is_refused(sender: Sender) -> None:
    assert sender.command(FULL, secret="another").status_code == 401


def test_a_changed_body_is_refused(sender: Sender) -> None:
    stamp = str(int(time.time()))
    headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": "v0=" + "0" * 64}
    assert httpx.post(f"{sender.url}/slack/events", content=b"text=x", headers=headers).status_code == 401


def test_a_replayed_request_is_refused(sender: Sender) -> None:
    assert sender.command("help", age=60).status_code == 200
    assert sender.command("help", age=6 * 60).status_code == 401
    assert sender.command("help", age=-6 * 60).status_code == 401


def test_a_request_without_a_signature_is_refused(sender: Sender) -> None:
    assert httpx.post(f"{sender.url}/slack/events", data={"command": "/tfhelp", "text": FULL}).status_code == 401


@pytest.mark.parametrize("stamp", ["abc", "", "1e9", "-5", "9" * 400, "12.5", "\u0661\u0662", "0x10"])
def test_a_junk_time_stamp_is_refused(sender: Sender, stamp: str) -> None:
    headers = {"x-slack-request-timestamp": stamp.encode(), "x-slack-signature": b"v0=00"}
    assert httpx.post(f"{sender.url}/slack/events", content=b"text=x", headers=headers).status_code == 401


def test_a_signature_that_is_not_ascii_is_refused(sender: Sender) -> None:
    headers = {"x-slack-request-timestamp": str(int(time.time())).encode(), "x-slack-signature": "v0=\xe9".encode()}
    assert httpx.post(f"{sender.url}/slack/events", content=b"text=x", headers=headers).status_code == 401


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(stamp=st.binary(max_size=30), signature=st.binary(max_size=80), body=st.binary(max_size=200))
def test_malformed_requests_cause_no_fault(sender: Sender, stamp: bytes, signature: bytes, body: bytes) -> None:
    def sendable(value: bytes) -> bytes:
        return bytes(byte for byte in value if byte >= 32 and byte != 127).strip()

    headers = {"x-slack-request-timestamp": sendable(stamp), "x-slack-signature": sendable(signature)}
    response = httpx.post(f"{sender.url}/slack/events", content=body, headers=headers)
    assert response.status_code in (400, 401)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "event", "payload", "view", "actions", "user", "team", "channel"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(value=_JSON, kind=st.sampled_from(["event_callback", "block_actions", "view_submission", "message_action", "x"]))
def test_malformed_signed_requests_cause_no_fault(sender: Sender, value: typing.Any, kind: str) -> None:
    body = {"type": kind, **value} if isinstance(value, dict) and "type" not in value else value
    assert sender.signed(json.dumps(body), "application/json").status_code in (200, 400, 404)


@pytest.mark.parametrize("body", ["{", "[" * 5000, "payload=%7B", "null", "[]", '"text"', "payload=[]"])
def test_signed_bodies_that_are_no_requests_are_refused(sender: Sender, body: str) -> None:
    kind = "application/x-www-form-urlencoded" if body.startswith("payload") else "application/json"
    assert sender.signed(body, kind).status_code in (400, 404)


def test_slacks_url_verification_is_answered(sender: Sender) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-1", "token": "t"})
    response = sender.signed(body, "application/json")
    assert response.status_code == 200 and response.json() == {"challenge": "c-1"}


def test_slacks_look_at_the_certificate_is_answered(sender: Sender) -> None:
    assert httpx.post(f"{sender.url}/slack/events", data={"ssl_check": "1", "token": "t"}).status_code == 200


def test_another_command_is_not_ours(sender: Sender) -> None:
    assert sender.command(FULL, name="/other").status_code == 404


def test_bytes_that_are_not_text_and_large_bodies_are_refused(sender: Sender) -> None:
    assert httpx.post(f"{sender.url}/slack/events", content=b"\xff\xfe").status_code == 400
    assert httpx.post(f"{sender.url}/slack/events", content=b"x" * (2 << 20)).status_code == 413


def test_a_bug_in_tfhelp_gives_a_sentence_and_logs_no_text(slack: Slack, sender: Sender, door: Server) -> None:
    before = slack.mark()
    sender.command("FAIL-ON-PURPOSE my-secret-token-789")
    answer = slack.wait("respond", after=before).body
    assert "tfhelp failed on this text" in texts(answer["blocks"])[0]
    door.wait_for("RuntimeError")
    assert "my-secret-token-789" not in json.dumps(answer) + door.output()


def test_a_question_beyond_the_queue_is_not_a_fault(slack: Slack, sender: Sender, door: Server) -> None:
    before, logged = slack.mark(), door.output()
    sender.command("BUSY-ON-PURPOSE")
    answer = slack.wait("respond", after=before).body
    assert "as many questions as it can answer" in texts(answer["blocks"])[0]
    assert "fault" not in texts(answer["blocks"])[0] and "BusyError" not in door.output()[len(logged) :]


def wait_for_slack_state(server: Server, expected: str) -> None:
    """Wait until the health endpoint reports it; the check of the token runs in parallel with the first requests."""
    end = time.monotonic() + 60
    state = ""
    while time.monotonic() < end:
        state = httpx.get(f"{server.url}/healthz").json()["slack"]
        if expected in state:
            return
        time.sleep(0.1)
    raise AssertionError(f"the state of Slack is {state!r}, not {expected!r}")


def test_the_token_is_checked_with_slack(door: Server, slack: Slack) -> None:
    wait_for_slack_state(door, "on")
    assert any(call.method == "auth.test" and call.token == TOKEN for call in slack.calls)


def test_a_refused_token_is_reported_and_commands_are_still_answered(slack: Slack) -> None:
    with Server.small(environment=slack.environment(SLACK_BOT_TOKEN="xoxb-wrong")) as server:
        wait_for_slack_state(server, "token refused by Slack: invalid_auth")
        server.wait_for("invalid_auth")
        before = slack.mark()
        assert Sender(slack, server.url).command(FULL).status_code == 200
        shown = buttons(slack.wait("respond", after=before).body["blocks"])
        before = slack.mark()
        # The service's own memory keeps the answer for the buttons.
        Sender(slack, server.url).press(shown["All 4 steps"])
        assert any("End the neighbour." in text for text in texts(slack.wait("respond", after=before).body["blocks"]))


def test_an_unreachable_slack_is_reported_and_breaks_nothing(slack: Slack) -> None:
    with Server.small(environment=slack.environment(TFHELP_SLACK_API_URL="http://127.0.0.1:9/api/")) as server:
        sender = Sender(slack, server.url)
        assert sender.command("help").json()["response_type"] == "ephemeral"
        wait_for_slack_state(server, "cannot be reached")
        assert sender.command(FULL, secret="another").status_code == 401


@pytest.mark.parametrize("environment", [{}, {"SLACK_SIGNING_SECRET": SECRET}, {"SLACK_BOT_TOKEN": TOKEN}])
def test_slack_is_off_unless_the_secrets_are_set(environment: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    assert slack_settings(environment) is None
    assert ("Slack stays off" in caplog.text) == bool(environment)


def test_without_slack_there_is_no_route(server: Server) -> None:
    assert httpx.post(f"{server.url}/slack/events", content=b"x").status_code == 404
    assert httpx.get(f"{server.url}/healthz").json()["slack"] == "off"


def test_an_invalid_public_address_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    secrets = {"SLACK_SIGNING_SECRET": SECRET, "SLACK_BOT_TOKEN": TOKEN}
    read = [slack_settings({**secrets, "TFHELP_PUBLIC_URL": url}) for url in ("help.example", "https://help.example/")]
    assert [settings.public_url for settings in read if settings] == ["", "https://help.example"]
    assert "TFHELP_PUBLIC_URL is not an address" in caplog.text


def test_a_token_of_the_wrong_kind_is_reported() -> None:
    assert "xapp-" in missing_settings(TOKEN, "", "xoxb-9")
    assert missing_settings(TOKEN, "", "xapp-9") == "" == missing_settings(TOKEN, SECRET, "")


@pytest.mark.slow
def test_the_processes_of_the_real_service_answer_commands_and_files(slack: Slack) -> None:
    with Server.real("--workers", "2", environment=slack.environment()) as server:
        sender = Sender(slack, server.url)
        before = slack.mark()
        sender.command("Cannot dlopen some GPU libraries.")
        assert any("GPU libraries" in text for text in texts(slack.wait("respond", after=before).body["blocks"]))
        log = slack.file("train.log.gz", gzip.compress(b"epoch 1\nCannot dlopen some GPU libraries.\n"), "application/gzip")
        picture = slack.file("odd.log", b"\x89PNG\r\n\x1a\n" + bytes(100))
        before = slack.mark()
        sender.shortcut({"text": "", "files": [log, picture]})
        said = "\n".join(texts(slack.wait("respond", after=before).body["blocks"]))
        assert "GPU libraries" in said and "train.log.gz" in said and "odd.log is" in said
