"""Socket Mode: the server connects to Slack, which sends its requests over that connection."""

import json
import os
import subprocess
import sys
import typing

import httpx
import pytest

from tests.service.serving import Server
from tests.service.slack.block_limits import buttons, texts
from tests.service.slack.sender import APP, Sender
from tests.service.slack.stand_in import APP_TOKEN, Slack

Json = dict[str, typing.Any]

FULL = "CardFullError: no room for tensor 3,4"


def envelope(kind: str, payload: Json, identifier: str) -> Json:
    """A request as Slack sends it over a socket."""
    return {"envelope_id": identifier, "type": kind, "payload": payload, "accepts_response_payload": kind != "events_api"}


def test_commands_events_and_buttons_come_over_the_socket(slack: Slack, tmp_path: typing.Any) -> None:
    environment = slack.environment(
        TFHELP_PUBLIC_URL="https://help.example/", SLACK_APP_TOKEN=APP_TOKEN, LISTED_MEMORY=str(tmp_path / "said.json")
    )
    del environment["SLACK_SIGNING_SECRET"]
    before = slack.mark()
    with Server("tests.service.slack.slack_server", environment=environment) as server:
        # Without a signing secret no request could be checked, so none is accepted.
        assert httpx.post(f"{server.url}/slack/events", content=b"x").status_code == 404
        socket = slack.connected(1)
        assert slack.wait("apps.connections.open", after=before).token == APP_TOKEN
        command = {"command": "/tfhelp", "text": FULL, "channel_id": "C1", "user_id": "U2", "team_id": "T1"}
        socket.send(envelope("slash_commands", {**command, "response_url": slack.response_url(), "trigger_id": "t"}, "e-1"))
        slack.acknowledged(socket, "e-1")
        shown = slack.wait("respond", after=before).body
        assert "A neighbour holds the card" in "\n".join(texts(shown["blocks"]))

        link = buttons(shown["blocks"])["Open in the browser"]
        assert link["url"] == f"https://help.example/a/{json.loads(link['value'])['t']}"

        # Slack renews connections from time to time; the next request comes over the new one.
        socket.send({"type": "disconnect", "reason": "refresh_requested"})
        old, socket = socket, slack.connected(2)
        old.close()
        slack.threads["C1", "31.0"] = [{"text": f"<@U1> {FULL}", "user": "U2", "ts": "31.0"}]
        event = {"type": "app_mention", "user": "U2", "text": "x", "channel": "C1", "ts": "31.0"}
        body = Sender(slack, server.url).event_body(event, "Ev-socket")
        socket.send(envelope("events_api", body, "e-2"))
        slack.acknowledged(socket, "e-2")
        assert slack.wait("chat.postMessage", after=before).body["thread_ts"] == "31.0"

        button = buttons(shown["blocks"])["Other causes (2)"]
        press = {
            "type": "block_actions",
            "team": {"id": "T1"},
            "user": {"id": "U2"},
            "api_app_id": APP,
            "channel": {"id": "C1"},
            "response_url": slack.response_url(),
            "actions": [{"type": "button", "block_id": "b", **{name: button[name] for name in ("action_id", "value")}}],
        }
        later = slack.mark()
        socket.send(envelope("interactive", press, "e-3"))
        slack.acknowledged(socket, "e-3")
        assert "Halve the batch." in "\n".join(texts(slack.wait("respond", after=later).body["blocks"]))


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({}, "SLACK_APP_TOKEN is not set"),
        ({"SLACK_APP_TOKEN": APP_TOKEN}, "SLACK_BOT_TOKEN is not set"),
        ({"SLACK_APP_TOKEN": "xoxb-1", "SLACK_BOT_TOKEN": "xoxb-1"}, "begin with xapp-"),
    ],
)
def test_serve_says_which_token_socket_mode_lacks(environment: dict[str, str], reason: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SLACK_")}
    done = subprocess.run(
        [sys.executable, "-m", "tfhelp.service", "serve", "--port", "0", "--slack-socket"],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and reason in done.stderr


def test_a_refused_app_token_is_reported_and_the_server_keeps_running(slack: Slack) -> None:
    with Server("tests.service.slack.slack_server", environment=slack.environment(SLACK_APP_TOKEN="xapp-wrong")) as server:
        before = slack.mark()
        Sender(slack, server.url).command(FULL)
        slack.wait("respond", after=before)
        server.wait_for("Socket Mode: Slack rejects SLACK_APP_TOKEN: invalid_auth")
        assert server.stop() == 0
