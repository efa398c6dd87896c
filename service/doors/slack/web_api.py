"""The calls to Slack, with Slack's rules for retries, and the download of files with the token."""

import logging
import typing
import urllib.error
import urllib.parse
import urllib.request

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_handlers import (
    ConnectionErrorRetryHandler,
    RateLimitErrorRetryHandler,
    ServerErrorRetryHandler,
)
from slack_sdk.http_retry.handler import RetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.webhook import WebhookClient

from tfhelp.service.doors.slack.settings import SlackSettings

Json = dict[str, typing.Any]

LONGEST_WAIT = 60  # seconds: the longest Retry-After that is obeyed
_TIMEOUT = 20
_ATTEMPTS = 4
_PAGE = 100
_MOST_PAGES = 3
_FILE_HOSTS = (".slack.com", ".slack-gov.com", ".slack-files.com")
_MISSING = ("not_in_channel", "channel_not_found", "user_not_in_channel", "is_archived", "not_allowed_token_type")

# Slack's library quotes what it sends, which does not belong in the log.
quiet = logging.getLogger("tfhelp.slack.bolt")
quiet.setLevel(logging.CRITICAL)


class SlackError(Exception):
    """Slack refused a call. The message says which and why, and holds no pasted text."""


class FileError(Exception):
    """A file cannot be read. The message is a sentence for the user without the file's name."""


class Message(typing.NamedTuple):
    """What is posted: the text for notifications, and the blocks."""

    text: str
    blocks: list[Json]


class Place(typing.NamedTuple):
    """Where an answer goes.

    Attributes:
        channel: id of the channel; empty if unknown, as in the App Home.
        user: the user who asked.
        response_url: accepts five messages within half an hour; empty without one.
        thread: timestamp of the thread's first message; empty outside threads.
        public: whether everybody in the channel sees it.
    """

    channel: str
    user: str
    response_url: str = ""
    thread: str = ""
    public: bool = False


class _RateLimit(RateLimitErrorRetryHandler):
    """Waits as long as ``Retry-After`` says, if that is a sensible number of seconds."""

    def _can_retry(
        self, *, state: RetryState, request: HttpRequest, response: HttpResponse | None = None, error: Exception | None = None
    ) -> bool:
        return response is not None and response.status_code == 429 and _wait(response) is not None


def _wait(response: HttpResponse) -> int | None:
    value = next((value for name, value in response.headers.items() if name.lower() == "retry-after"), None)
    written = value[0] if isinstance(value, (list, tuple)) and value else value
    if not isinstance(written, str) or not (written.isascii() and written.isdigit() and len(written) < 6):
        return None
    return int(written) if int(written) <= LONGEST_WAIT else None


def retry_handlers() -> list[RetryHandler]:
    """The handlers for retries: a call over the rate limit, a broken connection, and Slack's own 500 and 503."""
    return [
        _RateLimit(max_retry_count=_ATTEMPTS - 1),
        ConnectionErrorRetryHandler(max_retry_count=2),
        ServerErrorRetryHandler(max_retry_count=2),
    ]


class SlackApi:
    """Slack's Web API as the door uses it."""

    def __init__(self, settings: SlackSettings) -> None:
        self.client = WebClient(
            settings.bot_token, base_url=settings.api_url, timeout=_TIMEOUT, logger=quiet, retry_handlers=retry_handlers()
        )
        self._token = settings.bot_token
        self._host = urllib.parse.urlsplit(settings.api_url)[:2]
        # A redirect leads to Slack's login page, which is not a log, or elsewhere, where the token must not go.
        self._opener = urllib.request.build_opener(_NoRedirect)

    def deliver(self, place: Place, message: Message, *, replace: bool = False) -> None:
        """Post an answer: through the response URL, else in the channel, else as a direct message.

        Args:
            place: where it goes.
            message: what is posted.
            replace: whether it replaces the message whose button was pressed.

        Raises:
            SlackError: none of the ways worked.
        """
        if place.public and not replace:
            self._call("chat.postMessage", channel=place.channel, thread=place.thread, message=message)
        elif place.response_url and self._respond(place, message, replace):
            pass
        elif not self._in_channel(place, message):
            self._call("chat.postMessage", channel=place.user, thread="", message=message)

    def share(self, place: Place, message: Message) -> None:
        """Post for everybody in the channel of the message whose button was pressed."""
        if not self._respond(place, message, replace=False, public=True):
            self._call("chat.postMessage", channel=place.channel, thread=place.thread, message=message)

    def open_view(self, trigger: str, view: Json) -> None:
        """Open a modal; the trigger is valid for three seconds."""
        self._api("views.open", {"trigger_id": trigger, "view": view})

    def publish_home(self, user: str, view: Json) -> None:
        """Show a user's App Home."""
        self._api("views.publish", {"user_id": user, "view": view})

    def thread(self, channel: str, first: str) -> list[Json]:
        """The messages of a thread, the oldest first, at most three hundred."""
        messages: list[Json] = []
        asked: Json = {"channel": channel, "ts": first, "limit": _PAGE}
        for _ in range(_MOST_PAGES):
            page = self._api("conversations.replies", asked, get=True)
            messages += [item for item in page.get("messages") or [] if isinstance(item, dict)]
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
            asked["cursor"] = cursor
        return messages

    def file(self, identifier: str) -> Json:
        """What Slack knows about a file."""
        found: Json = self._api("files.info", {"file": identifier}, get=True).get("file") or {}
        return found

    def download(self, url: str, most: int) -> bytes:
        """A file's content.

        Raises:
            FileError: it is larger than ``most`` bytes, is not stored in Slack, or Slack does not release it.
        """
        parts = urllib.parse.urlsplit(url)
        if parts[:2] != self._host and not (parts.scheme == "https" and (parts.hostname or "").endswith(_FILE_HOSTS)):
            raise FileError("is not stored in Slack, so I cannot read it")
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self._token}"})
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as response:
                content: bytes = response.read(most + 1)
                login = response.headers.get_content_type() == "text/html" and not parts.path.lower().endswith((".html", ".htm"))
        except urllib.error.HTTPError as error:
            raise FileError(_refused(error.code)) from None
        except (OSError, ValueError):
            raise FileError("could not be loaded from Slack; try again") from None
        if login:
            raise FileError(_refused(302))
        if len(content) > most:
            raise FileError("is too large")
        return content

    def _respond(self, place: Place, message: Message, replace: bool, public: bool = False) -> bool:
        """Return whether the response URL accepted the message; such a URL expires."""
        if not place.response_url:
            return False
        body: Json = {"text": message.text, "blocks": message.blocks, "replace_original": replace}
        if not replace:
            body["response_type"] = "in_channel" if public else "ephemeral"
            if place.thread:
                body["thread_ts"] = place.thread
        client = WebhookClient(place.response_url, timeout=_TIMEOUT, logger=quiet, retry_handlers=retry_handlers())
        try:
            return client.send_dict(body).status_code == 200
        except (SlackClientError, OSError, ValueError):
            return False

    def _in_channel(self, place: Place, message: Message) -> bool:
        if not place.channel:
            return False
        try:
            self._call("chat.postEphemeral", channel=place.channel, thread=place.thread, message=message, user=place.user)
        except SlackError as error:
            if not str(error).endswith(_MISSING):
                raise
            return False
        return True

    def _call(self, method: str, *, channel: str, thread: str, message: Message, user: str = "") -> None:
        body: Json = {"channel": channel, "text": message.text, "blocks": message.blocks}
        body |= {"unfurl_links": False, "unfurl_media": False} if not user else {"user": user}
        self._api(method, body | ({"thread_ts": thread} if thread else {}))

    def _api(self, method: str, body: Json, *, get: bool = False) -> Json:
        try:
            response = self.client.api_call(method, params=body) if get else self.client.api_call(method, json=body)
        except SlackApiError as error:
            raise SlackError(f"{method}: {str(error.response.get('error', 'refused'))[:80]}") from None
        except (SlackClientError, OSError, ValueError) as error:
            raise SlackError(f"{method}: {type(error).__name__}") from None
        return response.data if isinstance(response.data, dict) else {}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: typing.Any, **named: typing.Any) -> None:
        """Follow no redirect."""


def _refused(status: int) -> str:
    if status in (301, 302, 303, 307, 308, 401, 403, 404):
        return "could not be read. Invite me to its channel (`/invite @tfhelp`), or paste its text"
    return f"could not be loaded: Slack answered {status}"
