"""Slack: the slash command ``/tfhelp <error>``, answered in the acknowledgement itself.

Slack's own library checks the signature and its age. Answering needs no call to Slack, so a command is answered even
while Slack's API cannot be reached from here.
"""

import logging
import threading
import typing

from fastapi import APIRouter, Request, Response
from slack_bolt import App
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from starlette.concurrency import run_in_threadpool

from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.diagnosis.given import Piece, with_notes
from tfhelp.service.doors.http.body import MEBIBYTE, BodyError, TooLargeError, read_bounded
from tfhelp.service.doors.http.faults import log_fault
from tfhelp.service.doors.http.interface import Interface
from tfhelp.service.doors.slack.blocks import answer_blocks, problem_blocks, unescape, usage_blocks
from tfhelp.service.errors import InputError

API_URL_VARIABLE = "TFHELP_SLACK_API_URL"
_SLACK_API = "https://slack.com/api/"
_TOKEN_CHECK_SECONDS = 5
_LARGEST_COMMAND = MEBIBYTE
_HELP_WORDS = ("", "help", "-h", "--help")

_logger = logging.getLogger("tfhelp.slack")


class SlackSettings:
    """The secrets of a Slack app.

    Attributes:
        signing_secret: checks that a request is from Slack.
        bot_token: token of the installed app.
        api_url: base of Slack's Web API.
    """

    __slots__ = ("api_url", "bot_token", "signing_secret")

    def __init__(self, signing_secret: str, bot_token: str, api_url: str = _SLACK_API) -> None:
        self.signing_secret = signing_secret
        self.bot_token = bot_token
        self.api_url = api_url


def slack_settings(environment: typing.Mapping[str, str]) -> SlackSettings | None:
    """The settings in ``SLACK_SIGNING_SECRET`` and ``SLACK_BOT_TOKEN``; ``None`` unless both are set."""
    secret = environment.get("SLACK_SIGNING_SECRET", "").strip()
    token = environment.get("SLACK_BOT_TOKEN", "").strip()
    if not secret or not token:
        if secret or token:
            missing = "SLACK_BOT_TOKEN" if secret else "SLACK_SIGNING_SECRET"
            _logger.warning("Slack stays off: %s is not set", missing)
        return None
    url = environment.get(API_URL_VARIABLE, "").strip() or _SLACK_API
    return SlackSettings(secret, token, url if url.endswith("/") else url + "/")


class SlackState:
    """Whether Slack accepts the token: asked once at start, in the background, for the operator and ``/healthz``."""

    __slots__ = ("_settings", "_words")

    def __init__(self, settings: SlackSettings | None) -> None:
        self._settings = settings
        self._words = "off" if settings is None else "token not checked yet"

    def words(self) -> str:
        """``off``, ``on``, or what keeps the token from being known good."""
        return self._words

    def check_token_in_background(self) -> None:
        """Start the check; nobody waits for it."""
        if self._settings is not None:
            threading.Thread(target=self._check_token, args=(self._settings,), name="slack-token", daemon=True).start()

    def _check_token(self, settings: SlackSettings) -> None:
        client = WebClient(settings.bot_token, base_url=settings.api_url, timeout=_TOKEN_CHECK_SECONDS)
        try:
            client.auth_test()
        except SlackApiError as error:
            self._words = f"token refused by Slack: {str(error.response.get('error', 'no reason given'))[:80]}"
        except (SlackClientError, OSError, ValueError):
            self._words = "Slack cannot be reached from here; slash commands are answered all the same"
        else:
            self._words = "on"
        if self._words != "on":
            _logger.warning("%s", self._words)


def slack_router(interface: Interface, settings: SlackSettings) -> APIRouter:
    """``POST /slack/events``: the request URL of the slash command."""
    bolt = _bolt_app(interface, settings)
    router = APIRouter(include_in_schema=False)

    @router.post("/slack/events")
    async def events(request: Request) -> Response:
        try:
            body = await read_bounded(request, _LARGEST_COMMAND)
            bolt_request = to_bolt_request(request, body)
        except TooLargeError:
            return Response("too large", 413)
        except (BodyError, UnicodeDecodeError):
            return Response("not readable", 400)
        # Bolt's dispatch waits for the listener, so it has to leave the event loop alone.
        return to_starlette_response(await run_in_threadpool(bolt.dispatch, bolt_request))

    return router


def _bolt_app(interface: Interface, settings: SlackSettings) -> App:
    # Bolt warns about an environment variable that it would like to read itself, and quotes requests that it does not
    # know; neither belongs in the log.
    quiet = logging.getLogger("tfhelp.slack.bolt")
    quiet.setLevel(logging.CRITICAL)

    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=settings.bot_token)

    bolt = App(
        name="tfhelp",
        logger=quiet,
        signing_secret=settings.signing_secret,
        authorize=authorize,
    )

    @bolt.command("/tfhelp")
    def tfhelp(ack: typing.Callable[..., object], command: dict[str, typing.Any]) -> None:
        text, blocks = _answer(interface, str(command.get("text") or ""))
        ack(text=text, blocks=blocks, response_type="ephemeral")

    return bolt


def _answer(interface: Interface, sent: str) -> tuple[str, list[dict[str, typing.Any]]]:
    text = unescape(sent).strip()
    if text.lower() in _HELP_WORDS:
        return usage_blocks()
    try:
        given = interface.receive_here([Piece(text)], {})
        if given.nothing:
            return problem_blocks(given.nothing)
        return answer_blocks(with_notes(interface.diagnose_in_thread(given.text, given.facts or None), given.notes))
    except (FactError, InputError) as error:
        return problem_blocks(str(error))
    except Exception as error:  # noqa: BLE001 - the user gets a sentence, the log the class, nobody a traceback
        log_fault("/tfhelp in Slack", error)
        return problem_blocks("tfhelp failed on this text. The fault is logged on the server, without your text.")
