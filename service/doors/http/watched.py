"""Reports every request to the watch: by its declared route, never by its path."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tfhelp.service.doors.http.request_ids import request_id
from tfhelp.service.telemetry.watch import OPERATIONS, Watch

_DOORS = {"api": "api", "openapi.json": "api", "slack": "slack", "static": "static", "mcp": "mcp"}
_OPERATIONS = ("healthz", "readyz", "metrics", "status")
_ROUTE = "declared_route"
_METHODS = ("GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS")


def door_of(path: str) -> str:
    """The door that a path belongs to: api, web, slack, mcp, static or operations."""
    first = path.strip("/").partition("/")[0]
    return OPERATIONS if first in _OPERATIONS else _DOORS.get(first, "web")


class Watched:
    """ASGI middleware: reports each request to a watch."""

    def __init__(self, app: ASGIApp, watch: Watch) -> None:
        self._app = app
        self._watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Without this, any word sent as a method would make a new counter.
        method = scope["method"] if scope["method"] in _METHODS else "other"
        with self._watch.request(door_of(scope["path"]), method, request_id(scope), Headers(scope=scope)) as request:

            async def watch(message: Message) -> None:
                if message["type"] == "http.response.start":
                    request.status = message["status"]
                    request.route = route_of(scope)
                await send(message)

            await self._app(scope, receive, watch)


class Routed:
    """ASGI middleware, the innermost one: notes the declared route of a request, also of one that fails.

    The router writes the route into its own scope, which may be a copy of the one that ``Watched`` holds.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                _note_route(scope)
            await send(message)

        try:
            await self._app(scope, receive, note)
        except BaseException:
            _note_route(scope)
            raise


def route_of(scope: Scope) -> str:
    """The declared route of a request, such as ``/a/{token}``; ``none`` before it is known, and if no route takes the path."""
    return str(scope.get("state", {}).get(_ROUTE, "none"))


def _note_route(scope: Scope) -> None:
    if "state" in scope:
        scope["state"][_ROUTE] = _declared(scope)


def _declared(scope: Scope) -> str:
    route = scope.get("route")
    if route is not None:
        return str(route.path)
    return "/static" if scope["path"].startswith("/static/") else "none"
