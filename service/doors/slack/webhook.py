"""Posts a diagnosis to a channel through an incoming webhook, as a CI job does."""

import re
import typing
import urllib.parse

from slack_sdk.errors import SlackClientError
from slack_sdk.webhook import WebhookClient

from tfhelp.collectors.redaction import redact
from tfhelp.service.diagnosis.sharing import redacted
from tfhelp.service.doors.slack.buttons import answer_message
from tfhelp.service.doors.slack.mrkdwn import context, cut, escape
from tfhelp.service.doors.slack.web_api import Message, quiet, retry_handlers
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

WEBHOOK_VARIABLE = "SLACK_WEBHOOK_URL"
_TIMEOUT = 20
_REASONS = {
    "no_service": "the webhook is gone; make a new one under 'Incoming Webhooks' of the app",
    "no_service_id": "the address is cut short",
    "no_team": "the address names a workspace that does not exist",
    "no_active_hooks": "the webhook is turned off",
    "invalid_token": "the last part of the address is wrong",
    "channel_not_found": "its channel is gone",
    "channel_is_archived": "its channel is archived",
    "action_prohibited": "an administrator of the workspace forbids it",
    "posting_to_general_channel_denied": "an administrator of the workspace forbids posts to that channel",
    "invalid_payload": "Slack did not understand the message, which is a fault of tfhelp",
    "invalid_blocks": "Slack did not accept the message, which is a fault of tfhelp",
}


class Job(typing.NamedTuple):
    """The CI job that failed: its name, and the address of its log; either may be empty."""

    name: str
    url: str


def job_from_environment(environment: typing.Mapping[str, str]) -> Job:
    """The job that runs here, from the variables of GitHub, GitLab, Jenkins, Buildkite and CircleCI."""
    if environment.get("GITHUB_ACTIONS"):
        base = f"{environment.get('GITHUB_SERVER_URL', '')}/{environment.get('GITHUB_REPOSITORY', '')}"
        name = " / ".join(filter(None, (environment.get(key, "") for key in ("GITHUB_WORKFLOW", "GITHUB_JOB"))))
        return Job(name, f"{base}/actions/runs/{environment.get('GITHUB_RUN_ID', '')}")
    for name, url in (
        ("CI_JOB_NAME", "CI_JOB_URL"),
        ("JOB_NAME", "BUILD_URL"),
        ("BUILDKITE_LABEL", "BUILDKITE_BUILD_URL"),
        ("CIRCLE_JOB", "CIRCLE_BUILD_URL"),
    ):
        if environment.get(url):
            return Job(environment.get(name, ""), environment[url])
    return Job("", "")


def webhook_message(answer: "Answer", job: Job) -> Message:
    """The answer for a channel: redacted, without buttons, with the job above it."""
    text, blocks = answer_message(redacted(answer), "")
    if job.name or job.url:
        name = escape(cut(redact(job.name), 200)) or "The job"
        # The address is the only link; it comes from the CI system, not from the log.
        shown = f"<{job.url}|{name.replace('|', '/')}>" if _is_address(job.url) else name
        blocks = [context(f"{shown} failed"), *blocks]
        text = f"{name} failed: {text}"
    return Message(text, blocks)


def post(answer: "Answer", url: str, job: Job) -> None:
    """Post an answer to a channel.

    Args:
        answer: from ``Diagnoser.diagnose``.
        url: the incoming webhook; it is a secret, so no error quotes it.
        job: the job that failed.

    Raises:
        InputError: the address is wrong, Slack refuses it, or Slack cannot be reached. The message says what to do.
    """
    parts = urllib.parse.urlsplit(url.strip())
    if parts.scheme not in ("https", "http") or not parts.netloc or (parts.scheme == "http" and not _is_here(parts)):
        raise InputError(
            "the Slack webhook is not an https address; it looks like https://hooks.slack.com/services/T.../B.../..."
        )
    message = webhook_message(answer, job)
    client = WebhookClient(url.strip(), timeout=_TIMEOUT, logger=quiet, retry_handlers=retry_handlers())
    try:
        response = client.send_dict({"text": message.text, "blocks": message.blocks})
    except (SlackClientError, OSError, ValueError) as error:
        raise InputError(f"Slack cannot be reached at {parts.hostname}: {type(error).__name__}; nothing was posted") from None
    if response.status_code != 200:
        raise InputError(_refusal(response.status_code, response.body or ""))


def _refusal(status: int, body: str) -> str:
    word = re.sub(r"[^a-z_]", "", body[:60].lower())
    if status == 429:
        return (
            "Slack accepts no more messages through this webhook at the moment (429); nothing was posted, try again in a minute"
        )
    reason = _REASONS.get(word, f"{word or 'no reason given'}")
    return f"Slack refused the webhook ({status}): {reason}; nothing was posted"


def _is_address(url: str) -> bool:
    return re.fullmatch(r"https?://[^\s<>|\"]{3,2000}", url) is not None


def _is_here(parts: urllib.parse.SplitResult) -> bool:
    return parts.hostname in ("127.0.0.1", "localhost", "::1")
