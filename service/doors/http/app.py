"""The web application: it puts the doors together, and handles what fails."""

import asyncio
import contextlib
import typing

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from tfhelp.service.access.identity import SLACK
from tfhelp.service.access.owned import Owned, ledger_of
from tfhelp.service.access.policy import Policy
from tfhelp.service.doors.http.access import add_access
from tfhelp.service.doors.http.admission import Admission
from tfhelp.service.doors.http.answers import Keeping
from tfhelp.service.doors.http.api import api_router
from tfhelp.service.doors.http.body import BodyError
from tfhelp.service.doors.http.errors import ApiError, error_response
from tfhelp.service.doors.http.index_state import IndexState
from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES, DiagnoserLike, Interface, Json
from tfhelp.service.doors.http.openapi import complete_openapi
from tfhelp.service.doors.http.operations import operations_router
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.doors.http.reached import API_PATHS, ApiForOrigins, BelowPath, Reached
from tfhelp.service.doors.http.request_ids import RequestIds, request_id
from tfhelp.service.doors.http.security import SecurityHeaders
from tfhelp.service.doors.http.versions import API_VERSION
from tfhelp.service.doors.http.watched import Routed, Watched, route_of
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.slack.events import SlackSettings, SlackState, slack_router
from tfhelp.service.doors.web.links import link_router
from tfhelp.service.doors.web.pages import STATIC, Pages, page_router
from tfhelp.service.doors.web.sender import sender_key
from tfhelp.service.doors.web.status import status_router
from tfhelp.service.faults import SENTENCE, log_fault
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.memory import Memory
from tfhelp.service.telemetry.metrics import Metrics
from tfhelp.service.telemetry.pool_metrics import PoolMetrics
from tfhelp.service.telemetry.readiness import Readiness
from tfhelp.service.telemetry.status import Watching
from tfhelp.service.telemetry.watch import Watch
from tfhelp.service.telemetry.week_metrics import WeekMetrics
from tfhelp.service.version import VERSION
from tfhelp.service.workers.limits import UnavailableError

_TITLES = {403: "Not allowed", 404: "Not found", 405: "Not possible here", 503: "Not now"}
_DROPS_TEXTS_EVERY_S = 60.0


def create_app(
    diagnoser: DiagnoserLike | DiagnosisProcesses,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    local_facts: typing.Callable[[], Json] | None = None,
    slack: SlackSettings | None = None,
    index: IndexState | None = None,
    memory: Memory | None = None,
    reached: Reached | None = None,
    watch: Watch | None = None,
    policy: Policy | None = None,
) -> FastAPI:
    """The ASGI application.

    Args:
        diagnoser: answers at every door.
        max_bytes: most bytes of a text.
        local_facts: collects this machine's facts if the box in the form is ticked; ``None`` leaves the box out.
        slack: secrets of the Slack app; ``None`` leaves ``/slack/events`` out.
        index: the search index, loaded in the background when the server starts; ``None`` for a diagnoser without one.
        memory: keeps the answers, so that a link opens them again; ``None`` keeps them for a day in this process.
        reached: the path, the name and the origins through which the server is reached.
        watch: receives reports on requests and diagnoses; ``None`` counts them and sends no traces.
        policy: who may use the server, and under which host names; ``None`` for everybody, under any name.
    """
    kept = memory or ForADay()
    ledger = ledger_of(kept)
    memory = Owned(kept, ledger)
    reached = reached or Reached()
    policy = policy or Policy.open_to_all(reached.public_url, reached.origins)
    watch = watch or Watch(Metrics(VERSION, diagnoser.knowledge.version))
    interface = Interface(diagnoser, max_bytes, local_facts, reached.public_url, watch)
    slack_state = SlackState(slack)
    texts = RecentTexts()

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> typing.AsyncIterator[None]:
        slack_state.check_token_in_background()
        if index is not None:
            index.load_in_background()
            interface.warm_search_in_background()
        dropping = asyncio.create_task(_drop_old_texts(texts))
        try:
            yield
        finally:
            dropping.cancel()

    app = FastAPI(
        title="tfhelp",
        summary="From a pasted TensorFlow training error to the fix that fits the machine.",
        version=API_VERSION,
        servers=[{"url": reached.public_url or reached.root_path or "/"}],
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a redirect would send people to any host that the request names
        lifespan=lifespan,
    )
    app.state.sender_key = key = sender_key(kept)
    # Looked up only when needed: the document is completed below.
    pages = Pages(interface, lambda: app.openapi(), memory, texts, key, reached.root_path)

    def extra_health() -> Json:
        return {"index": index.document() if index else {"state": "off"}, "slack": slack_state.words()}

    keeping = Keeping(memory, reached.public_url or reached.root_path, key, texts.drop)
    app.include_router(api_router(interface, keeping))
    _add_operations(app, pages, kept, extra_health)
    app.include_router(page_router(pages))
    app.include_router(link_router(pages))
    if slack is not None:
        app.include_router(slack_router(interface, slack, Owned(kept, ledger, SLACK), texts))
    app.mount("/static", _StaticFiles(directory=STATIC))
    _handle_errors(app, pages)
    app.add_middleware(Routed)
    app.add_middleware(
        Admission,
        max_bytes=max_bytes,
        check_room=interface.check_room,
        refuse=lambda scope, *said: _unavailable(pages, scope, *said),
    )
    app.add_middleware(_Failures, pages=pages)
    add_access(app, policy, pages)
    app.add_middleware(SecurityHeaders)
    if reached.origins:
        app.add_middleware(ApiForOrigins, origins=reached.origins)
    if reached.root_path:
        app.add_middleware(BelowPath, root_path=reached.root_path)
    app.add_middleware(Watched, watch=watch)
    app.add_middleware(RequestIds)
    complete_openapi(app, policy)
    return app


async def _drop_old_texts(texts: RecentTexts) -> None:
    while True:
        await asyncio.sleep(_DROPS_TEXTS_EVERY_S)
        texts.drop_old()


def _add_operations(app: FastAPI, pages: Pages, memory: Memory, extra_health: typing.Callable[[], Json]) -> None:
    """The routes for operators, with the metrics of the server's parts."""
    interface = pages.interface
    watch = interface.watch
    readiness = Readiness(lambda text: interface.diagnose(text, None, 1), memory)
    watching = Watching(watch, readiness, memory, interface.knowledge.version)
    if isinstance(interface.diagnoser, DiagnosisProcesses):
        watch.metrics.add(PoolMetrics(interface.diagnoser.state))
    if watching.has_memory:
        watch.metrics.add(WeekMetrics(watching))
    app.include_router(operations_router(interface, extra_health, readiness, watching, watch.metrics))
    app.include_router(status_router(pages, watching))


def _handle_errors(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(ApiError)
    async def api_error(_: Request, error: ApiError) -> Response:
        return error_response(error.status, error.path, error.reason, error.code)

    @app.exception_handler(BodyError)
    async def body_error(_: Request, error: BodyError) -> Response:
        return error_response(400, "", str(error))

    @app.exception_handler(UnavailableError)
    async def unavailable(request: Request, error: UnavailableError) -> Response:
        return _unavailable(pages, request.scope, 503, error.code, str(error), error.retry_after_s)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        without_slash = "/" + request.url.path.strip("/")
        if error.status_code == 404 and request.method == "GET" and without_slash != request.url.path:
            return RedirectResponse(without_slash, 307)
        title = _TITLES.get(error.status_code, "Not possible")
        if request.url.path.startswith(API_PATHS):
            response = error_response(error.status_code, "", f"{title.lower()}: {request.method} {request.url.path[:200]}")
        else:
            message = "There is no such page." if error.status_code == 404 else f"{request.method} does not work on this page."
            response = pages.error(error.status_code, title, message)
        response.headers.update(error.headers or {})
        return response


def _unavailable(pages: Pages, scope: Scope, status: int, code: str, reason: str, retry_after_s: int) -> Response:
    """The answer when the service cannot take a request that may be valid."""
    number = request_id(scope)
    if scope["path"].startswith(API_PATHS):
        return error_response(status, "", reason, code, retry_after_s, number)
    response = pages.error(status, _TITLES.get(status, "Not possible"), f"{reason} (Request {number})" if number else reason)
    if retry_after_s:
        response.headers["Retry-After"] = str(retry_after_s)
    return response


class _Failures:
    """ASGI middleware: a fault in tfhelp becomes a plain 500, and a log line without any of the pasted text."""

    def __init__(self, app: ASGIApp, pages: Pages) -> None:
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watch(message: typing.Any) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:  # noqa: BLE001 - the last resort: any error becomes a 500
            # Never the path: it may hold the token of an answer.
            log_fault(f"{scope.get('method', '')} {route_of(scope)} {request_id(scope)}", error)
            if started or scope["type"] != "http":
                return
            if scope["path"].startswith(API_PATHS):
                response = error_response(500, "", SENTENCE)
            else:
                response = self._pages.error(500, "Something went wrong", SENTENCE + ".")
            await response(scope, receive, send)


class _StaticFiles(StaticFiles):
    """Static files have their hash in the name, so a browser may cache them forever."""

    def file_response(self, *arguments: typing.Any, **named: typing.Any) -> Response:
        response = super().file_response(*arguments, **named)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
