"""The web application: the doors put together, and what happens when something fails."""

import contextlib
import json
import typing

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from tfhelp.service.access.identity import SLACK
from tfhelp.service.access.owned import Owned, ledger_of
from tfhelp.service.access.policy import Policy
from tfhelp.service.doors.http.access import add_access
from tfhelp.service.doors.http.answers import Keeping
from tfhelp.service.doors.http.api import api_router
from tfhelp.service.doors.http.body import BodyError
from tfhelp.service.doors.http.documentation import api_schemas
from tfhelp.service.doors.http.errors import ApiError, error_response
from tfhelp.service.doors.http.index_state import IndexState
from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES, DiagnoserLike, Interface, Json
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.doors.http.reached import API_PATHS, ApiForOrigins, BelowPath, Reached
from tfhelp.service.doors.http.request_ids import RequestIds, request_id
from tfhelp.service.doors.http.security import SecurityHeaders
from tfhelp.service.doors.http.versions import API_VERSION
from tfhelp.service.doors.slack.events import SlackSettings, SlackState, slack_router
from tfhelp.service.doors.web.links import link_router
from tfhelp.service.doors.web.pages import STATIC, Pages, page_router
from tfhelp.service.faults import SENTENCE, log_fault
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.memory import Memory

_TITLES = {404: "Not found", 405: "Not possible here"}


def create_app(
    diagnoser: DiagnoserLike | DiagnosisProcesses,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    local_facts: typing.Callable[[], Json] | None = None,
    slack: SlackSettings | None = None,
    index: IndexState | None = None,
    memory: Memory | None = None,
    reached: Reached | None = None,
    policy: Policy | None = None,
) -> FastAPI:
    """The ASGI application.

    Args:
        diagnoser: answers every face.
        max_bytes: most bytes of a text.
        local_facts: collects this machine's facts for the form's ticked box; ``None`` leaves the box out.
        slack: secrets of the Slack app; ``None`` leaves ``/slack/events`` out.
        index: the search index, loaded in the background when the server starts; ``None`` for a diagnoser without one.
        memory: keeps the answers that a link opens again; ``None`` keeps them for a day in this process.
        reached: below which path, under which name and from which origins it is reached.
        policy: who may use it, and under which host names; ``None`` for everybody, under any.
    """
    kept = memory or ForADay()
    ledger = ledger_of(kept)
    memory = Owned(kept, ledger)
    reached = reached or Reached()
    policy = policy or Policy.open_to_all(reached.public_url, reached.origins)
    interface = Interface(diagnoser, max_bytes, local_facts, reached.public_url)
    slack_state = SlackState(slack)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> typing.AsyncIterator[None]:
        slack_state.check_token_in_background()
        if index is not None:
            index.load_in_background()
            interface.warm_search_in_background()
        yield

    app = FastAPI(
        title="tfhelp",
        summary="From a pasted TensorFlow training error to the fix that fits the machine.",
        version=API_VERSION,
        servers=[{"url": reached.public_url or reached.root_path or "/"}],
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    # Looked up when it is asked for: the document is completed below.
    pages = Pages(interface, lambda: app.openapi(), memory, reached.root_path)

    def extra_health() -> Json:
        return {"index": index.document() if index else {"state": "off"}, "slack": slack_state.words()}

    keeping = Keeping(memory, reached.public_url or reached.root_path, pages.desk.drop)
    app.include_router(api_router(interface, extra_health, keeping))
    app.include_router(page_router(pages))
    app.include_router(link_router(pages))
    if slack is not None:
        app.include_router(slack_router(interface, slack, Owned(kept, ledger, SLACK)))
    app.mount("/static", _StaticFiles(directory=STATIC))
    _handle_errors(app, pages)
    app.add_middleware(_Failures, pages=pages)
    add_access(app, policy, pages)
    app.add_middleware(SecurityHeaders)
    if reached.origins:
        app.add_middleware(ApiForOrigins, origins=reached.origins)
    if reached.root_path:
        app.add_middleware(BelowPath, root_path=reached.root_path)
    app.add_middleware(RequestIds)
    _add_schemas_to_openapi(app)
    return app


def _handle_errors(app: FastAPI, pages: Pages) -> None:
    @app.exception_handler(ApiError)
    async def api_error(_: Request, error: ApiError) -> Response:
        return error_response(error.status, error.path, error.reason, error.code)

    @app.exception_handler(BodyError)
    async def body_error(_: Request, error: BodyError) -> Response:
        return error_response(400, "", str(error))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        title = _TITLES.get(error.status_code, "Not possible")
        if request.url.path.startswith(API_PATHS):
            response = error_response(error.status_code, "", f"{title.lower()}: {request.method} {request.url.path[:200]}")
        else:
            message = "There is no such page." if error.status_code == 404 else f"{request.method} does not work on this page."
            response = pages.error(error.status_code, title, message)
        response.headers.update(error.headers or {})
        return response


class _Failures:
    """ASGI middleware: a fault of ours becomes a plain 500, and a log line without any of the pasted text."""

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
        except Exception as error:  # noqa: BLE001 - the last net: whatever it is becomes a 500
            log_fault(f"{scope.get('method', '')} {json.dumps(scope.get('path', ''))[:100]} {request_id(scope)}", error)
            if started or scope["type"] != "http":
                return
            if scope["path"].startswith(API_PATHS):
                response = error_response(500, "", SENTENCE)
            else:
                response = self._pages.error(500, "Something went wrong", SENTENCE + ".")
            await response(scope, receive, send)


class _StaticFiles(StaticFiles):
    """Static files are named with their hash, so a browser may keep them for good."""

    def file_response(self, *arguments: typing.Any, **named: typing.Any) -> Response:
        response = super().file_response(*arguments, **named)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def _drop_validation_errors(document: Json) -> None:
    """FastAPI announces a validation error of its own for every path parameter; ours are text and cannot fail."""
    for operations in document["paths"].values():
        for operation in operations.values():
            if operation["responses"].get("422", {}).get("description") == "Validation Error":
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


def _add_schemas_to_openapi(app: FastAPI) -> None:
    make = app.openapi

    def openapi() -> Json:
        document = make()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        if "Facts" not in schemas:
            schemas.update(api_schemas())
            _drop_validation_errors(document)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
