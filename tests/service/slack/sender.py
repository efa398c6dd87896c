"""Slack's side of the requests to the server under test."""

import hashlib
import hmac
import json
import time
import typing
import urllib.parse

import httpx

from tests.service.slack.stand_in import SECRET, Slack

Json = dict[str, typing.Any]

APP = "A1TFHELP"
_ACKNOWLEDGE_SECONDS = 30.0


class Sender:
    """Slack's side of the requests to the server under test, signed.

    Slack waits three seconds. Here a timeout only ends a test that fails.
    """

    def __init__(self, slack: Slack, url: str) -> None:
        self.slack = slack
        self.url = url

    def signed(
        self, body: str, kind: str, *, secret: str = SECRET, age: int = 0, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Send a body as Slack does."""
        stamp = str(int(time.time()) - age)
        signature = "v0=" + hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
        sent = {"content-type": kind, "x-slack-request-timestamp": stamp, "x-slack-signature": signature, **(headers or {})}
        return httpx.post(f"{self.url}/slack/events", content=body, headers=sent, timeout=_ACKNOWLEDGE_SECONDS)

    def command(
        self, text: str, *, name: str = "/tfhelp", channel: str = "C1", user: str = "U2", **named: typing.Any
    ) -> httpx.Response:
        """Type a slash command."""
        fields = {
            "token": "deprecated",
            "team_id": "T1",
            "channel_id": channel,
            "user_id": user,
            "user_name": "ada",
            "command": name,
            "text": text,
            "api_app_id": APP,
            "response_url": named.pop("response_url", None) or self.slack.response_url(),
            "trigger_id": self.slack.trigger(),
        }
        return self.signed(urllib.parse.urlencode(fields), "application/x-www-form-urlencoded", **named)

    def event(self, event: Json, *, identifier: str = "", retry: int = 0) -> httpx.Response:
        """Deliver an event, or deliver it again."""
        headers = {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"} if retry else {}
        return self.signed(json.dumps(self.event_body(event, identifier)), "application/json", headers=headers)

    def event_body(self, event: Json, identifier: str = "") -> Json:
        """An event with Slack's envelope."""
        return {
            "type": "event_callback",
            "token": "deprecated",
            "team_id": "T1",
            "api_app_id": APP,
            "event_id": identifier or self.slack.new("Ev"),
            "event_time": int(time.time()),
            "authorizations": [{"team_id": "T1", "user_id": "U1", "is_bot": True}],
            "event": event,
        }

    def interact(self, payload: Json) -> httpx.Response:
        """Send a shortcut, a button press, or a submitted modal."""
        whole = {"token": "deprecated", "team": {"id": "T1"}, "user": {"id": "U2"}, "api_app_id": APP, **payload}
        return self.signed(urllib.parse.urlencode({"payload": json.dumps(whole)}), "application/x-www-form-urlencoded")

    def shortcut(self, message: Json, *, channel: str = "C1", response_url: str = "") -> httpx.Response:
        """Use "Explain this error" in a message's menu."""
        return self.interact(
            {
                "type": "message_action",
                "callback_id": "explain_error",
                "trigger_id": self.slack.trigger(),
                "response_url": response_url or self.slack.response_url(),
                "channel": {"id": channel, "name": "training"},
                "message": {"type": "message", "user": "U3", "ts": "1.1", **message},
            }
        )

    def press(
        self, button: Json, *, ephemeral: bool = True, user: str = "U2", thread: str = "", home: bool = False
    ) -> httpx.Response:
        """Press a button of a message, or of the App Home."""
        payload: Json = {
            "type": "block_actions",
            "user": {"id": user},
            "trigger_id": self.slack.trigger(),
            "actions": [{"type": "button", "block_id": "b", **{name: button[name] for name in ("action_id", "value")}}],
        }
        if home:
            payload["container"] = {"type": "view", "view_id": "V1"}
            payload["view"] = {"type": "home", "id": "V1"}
        else:
            payload["container"] = {"type": "message", "is_ephemeral": ephemeral, "channel_id": "C1"}
            payload["container"] |= {"thread_ts": thread} if thread else {}
            payload["channel"] = {"id": "C1", "name": "training"}
            payload["response_url"] = self.slack.response_url()
        return self.interact(payload)

    def submit(self, view: Json, values: dict[str, Json], *, user: str = "U2") -> httpx.Response:
        """Submit a modal that the app opened."""
        sent = {name: view[name] for name in ("type", "callback_id", "private_metadata", "title", "blocks")}
        state = {"values": {block: {"value": value} for block, value in values.items()}}
        return self.interact({"type": "view_submission", "user": {"id": user}, "view": {**sent, "id": "V1", "state": state}})


def text_value(text: str) -> Json:
    """The data that a text field of a modal sends."""
    return {"type": "plain_text_input", "value": text}


def files_value(*files: Json) -> Json:
    """The data that a file field of a modal sends."""
    return {"type": "file_input", "files": list(files)}
