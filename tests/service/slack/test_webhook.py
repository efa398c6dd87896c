"""The manifest of the app, and messages of CI jobs through an incoming webhook."""

import html
import os
import pathlib
import re
import subprocess
import sys
import typing

import pytest
import yaml

from tests.service.slack.block_limits import texts
from tests.service.slack.stand_in import Slack
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.slack import blocks
from tfhelp.service.doors.slack.door import SHORTCUT
from tfhelp.service.doors.slack.manifest import manifest
from tfhelp.service.doors.slack.webhook import Job, job_from_environment, post
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]

FULL = "CardFullError: no room for tensor 3,4"
NO_JOB = Job("", "")


def tfhelp(*arguments: str, environment: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run the command line outside of any CI."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLACK_", "GITHUB_", "CI", "BUILD"))}
    command = [sys.executable, "-m", "tfhelp.service", "slack", *arguments]
    return subprocess.run(
        command, env={**kept, **(environment or {})}, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )


def test_the_manifest_is_what_the_app_listens_to() -> None:
    app = yaml.safe_load(manifest("https://tfhelp.example.com/"))
    where = "https://tfhelp.example.com/slack/events"
    [command] = app["features"]["slash_commands"]
    assert command["command"] == "/tfhelp" and command["url"] == where
    [shortcut] = app["features"]["shortcuts"]
    assert (shortcut["callback_id"], shortcut["type"], shortcut["name"]) == (SHORTCUT, "message", "Explain this error")
    settings = app["settings"]
    assert settings["event_subscriptions"]["request_url"] == settings["interactivity"]["request_url"] == where
    assert set(settings["event_subscriptions"]["bot_events"]) == {"app_mention", "message.im", "app_home_opened"}
    assert {"commands", "chat:write", "files:read", "app_mentions:read", "channels:history"} <= set(
        app["oauth_config"]["scopes"]["bot"]
    )
    assert not settings["socket_mode_enabled"]
    # Slack's bounds: github.com/slackapi/manifest-schema.
    assert len(app["display_information"]["name"]) <= 35 and len(shortcut["name"]) <= 24
    assert len(app["display_information"]["description"]) <= 140 and len(app["display_information"]["long_description"]) >= 175


def test_the_manifest_for_socket_mode_names_no_address() -> None:
    written = manifest("")
    app = yaml.safe_load(written)
    assert app["settings"]["socket_mode_enabled"] is True
    assert "http" not in written.replace("https://HOST", "") and "${" not in written


@pytest.mark.parametrize(
    "url",
    [
        "http://x.example",
        "https://localhost:8000",
        "tfhelp.example.com",
        "https://",
        "https://a\nb: c",
        "https://x/?q=1",
        "https://[x",
    ],
)
def test_an_address_that_slack_cannot_reach_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="--url"):
        manifest(url)


def test_the_command_prints_the_manifest() -> None:
    printed = tfhelp("manifest", "--url", "https://tfhelp.example.com")
    assert printed.returncode == 0 and printed.stdout == manifest("https://tfhelp.example.com")
    wrong = tfhelp("manifest", "--url", "http://10.0.0.1")
    assert wrong.returncode == 2 and "--url" in wrong.stderr and "Traceback" not in wrong.stderr


def test_a_post_names_the_job_and_holds_no_secret(slack: Slack) -> None:
    before = slack.mark()
    link = "https://ci.example.com/jobs/7"
    slack.links.add(link)
    post(small_diagnoser().diagnose(f"{FULL} /home/alice/x <!channel>"), f"{slack.host}/services/T/B/x", Job("train <it>", link))
    message = slack.wait("webhook", after=before).body
    said = html.unescape("\n".join(texts(message["blocks"])))
    assert said.startswith(f"<{link}|train <it>> failed")
    assert "The card <is> full" in said and "/home/USER-1/x" in said and "alice" not in said
    assert "`tfhelp explain card-full`" in said and all(block["type"] != "actions" for block in message["blocks"])


def test_a_post_waits_as_slack_says(slack: Slack) -> None:
    slack.limit("webhook", 1)
    before = slack.mark()
    post(small_diagnoser().diagnose(FULL), f"{slack.host}/services/T/B/x", NO_JOB)
    slack.wait("webhook", after=before)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, "no_service"), "the webhook is gone"),
        ((410, "channel_is_archived"), "its channel is archived"),
        ((403, "invalid_token"), "the last part of the address is wrong"),
        ((429, "rate_limited"), "try again in a minute"),
        ((418, "<b>teapot</b>"), "(418)"),
    ],
)
def test_a_webhook_that_is_refused_says_why_and_not_its_address(slack: Slack, answer: tuple[int, str], reason: str) -> None:
    slack.hooks["T/B/dead-secret"] = answer
    with pytest.raises(InputError, match=re.escape(reason)) as raised:
        post(small_diagnoser().diagnose(FULL), f"{slack.host}/services/T/B/dead-secret", NO_JOB)
    assert "dead-secret" not in str(raised.value) and "nothing was posted" in str(raised.value)


@pytest.mark.parametrize("url", ["", "hooks.slack.com/services/x", "http://hooks.slack.com/services/T", "ftp://x"])
def test_an_address_that_is_not_a_webhook_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="not an https address"):
        post(small_diagnoser().diagnose(FULL), url, NO_JOB)


def test_an_unreachable_slack_is_reported() -> None:
    with pytest.raises(InputError, match="cannot be reached at 127.0.0.1"):
        post(small_diagnoser().diagnose(FULL), "http://127.0.0.1:9/services/T/B/secret", NO_JOB)


def test_the_job_is_read_from_what_the_ci_tells() -> None:
    github = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_RUN_ID": "9",
        "GITHUB_WORKFLOW": "nightly",
        "GITHUB_JOB": "train",
    }
    assert job_from_environment(github) == Job("nightly / train", "https://github.com/a/b/actions/runs/9")
    assert job_from_environment({"CI_JOB_NAME": "train", "CI_JOB_URL": "https://g/1"}) == Job("train", "https://g/1")
    assert job_from_environment({}) == NO_JOB


def test_the_command_posts_a_log(slack: Slack, tmp_path: pathlib.Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("2026-01-01 W tensorflow: Cannot dlopen some GPU libraries. Skipping registering GPU devices...\n")
    before = slack.mark()
    hook = {"SLACK_WEBHOOK_URL": f"{slack.host}/services/T/B/x", "CI_JOB_NAME": "nightly", "CI_JOB_URL": "javascript:x"}
    posted = tfhelp("post", "-f", str(log), "--no-collect", environment=hook)
    assert posted.returncode == 0 and "posted to Slack" in posted.stderr and "/services/" not in posted.stderr
    message = slack.wait("webhook", after=before).body
    said = "\n".join(texts(message["blocks"]))
    assert said.startswith("nightly failed") and "GPU libraries" in said


def test_the_command_says_where_a_webhook_comes_from() -> None:
    missing = tfhelp("post", "OOM", "--no-collect")
    assert missing.returncode == 2 and "SLACK_WEBHOOK_URL" in missing.stderr


def test_what_the_page_on_slack_names_is_there() -> None:
    page = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "slack.md").read_text(encoding="utf-8")
    app = yaml.safe_load(manifest("https://tfhelp.example.com"))
    assert app["features"]["shortcuts"][0]["name"] in page
    sources = "\n".join(path.read_text() for path in pathlib.Path(blocks.__file__).parent.glob("*.py"))
    assert all(name in sources for name in set(re.findall(r"SLACK_[A-Z_]+", page)))
    for words in (
        "Slack stays off",
        "Socket Mode: Slack rejects SLACK_APP_TOKEN",
        "could not be read",
        "Share in the channel",
    ):
        assert words in page and words in sources
    options = tfhelp("post", "--help").stdout + tfhelp("manifest", "--help").stdout
    named = re.findall(r"tfhelp slack (?:post|manifest)[^`\n]*", page)
    assert named and all(option in options for line in named for option in re.findall(r"--[a-z]+", line))
