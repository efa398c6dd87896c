"""``POST /slack/events``, to which Slack sends commands, shortcuts, buttons and events; Socket Mode is the alternative."""

import contextlib
import typing
import urllib.parse

from fastapi import APIRouter, FastAPI, Request, Response
from slack_bolt import BoltRequest
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from slack_sdk.signature import SignatureVerifier
from starlette.concurrency import run_in_threadpool

from tfhelp.service.doors.http.body import MEBIBYTE, BodyError, TooLargeError, read_bounded
from tfhelp.service.doors.http.interface import Interface
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.slack.door import JUNK, SlackDoor
from tfhelp.service.doors.slack.settings import API_URL_VARIABLE, SlackSettings, slack_settings
from tfhelp.service.doors.slack.socket_mode import SocketMode
from tfhelp.service.doors.slack.state import SlackState
from tfhelp.service.faults import log_fault
from tfhelp.service.memory.memory import Memory

__all__ = ["API_URL_VARIABLE", "SlackSettings", "SlackState", "slack_router", "slack_settings"]

_LARGEST_BODY = MEBIBYTE


def slack_router(interface: Interface, settings: SlackSettings, memory: Memory, texts: RecentTexts) -> APIRouter:
    """The request URL of the app. If Socket Mode is on, it starts and ends with this router.

    Args:
        interface: gives the answers.
        settings: settings of the app.
        memory: keeps the answers that buttons refer to.
        texts: keeps the texts of questions that wait for a reply.
    """
    door = SlackDoor(interface, settings, memory, texts)
    socket = SocketMode(door.bolt, settings) if settings.app_token else None

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> typing.AsyncIterator[None]:
        if socket is not None:
            socket.start()
        try:
            yield
        finally:
            if socket is not None:
                socket.close()
            door.close()

    router = APIRouter(include_in_schema=False, lifespan=lifespan)
    if settings.signing_secret:
        _add_events(router, door, settings.signing_secret)
    return router


def _add_events(router: APIRouter, door: SlackDoor, secret: str) -> None:
    verifier = SignatureVerifier(secret)

    @router.post("/slack/events")
    async def events(request: Request) -> Response:
        try:
            body = await read_bounded(request, _LARGEST_BODY)
            body.decode()
        except TooLargeError:
            return Response("too large", 413)
        except (BodyError, UnicodeDecodeError):
            return Response("not readable", 400)
        if _is_certificate_check(body):
            return Response("")
        if not _is_signed(verifier, request, body):
            return Response('{"error": "invalid request"}', 401, media_type="application/json")
        bolt_request = _parsed(request, body)
        if bolt_request is None:
            return Response("not readable", 400)
        try:
            # Bolt's dispatch waits for the listener, so it must not run on the event loop.
            return to_starlette_response(await run_in_threadpool(door.bolt.dispatch, bolt_request))
        except JUNK as error:
            log_fault("Slack, a signed request of a form that is not known", error)
            return Response("not readable", 400)


def _is_certificate_check(body: bytes) -> bool:
    """Return whether Slack only checks the certificate of the request URL, for which it sends a form with ``ssl_check=1``."""
    return len(body) < 1000 and urllib.parse.parse_qs(body.decode(), max_num_fields=50).get("ssl_check") == ["1"]


def _is_signed(verifier: SignatureVerifier, request: Request, body: bytes) -> bool:
    """Return whether the request is from Slack and at most five minutes old. Slack's library fails on malformed headers."""
    stamp = request.headers.get("x-slack-request-timestamp", "")
    signature = request.headers.get("x-slack-signature", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12 and signature.isascii()):
        return False
    return verifier.is_valid(body, stamp, signature)


def _parsed(request: Request, body: bytes) -> BoltRequest | None:
    """The request as Bolt reads it; ``None`` if it is signed but has a form that Slack never sends."""
    try:
        parsed = to_bolt_request(request, body)
    except JUNK:
        return None
    return parsed if isinstance(parsed.body, dict) else None
