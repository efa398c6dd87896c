"""Routes for the server's operators: ``/healthz``, ``/readyz``, ``/metrics`` and ``/api/v1/status``."""

import platform
import typing

from fastapi import APIRouter, Request, Response

from tfhelp.service.doors.http.documentation import answer_of, error_documentation
from tfhelp.service.doors.http.errors import ApiError, json_response
from tfhelp.service.doors.http.interface import Interface, Json
from tfhelp.service.doors.http.versions import API_VERSION
from tfhelp.service.telemetry.metrics import Metrics
from tfhelp.service.telemetry.readiness import Readiness
from tfhelp.service.telemetry.status import Watching
from tfhelp.service.version import VERSION

_LOADED = ("ready", "off")
_METRICS: dict[int | str, Json] = {
    200: {"description": "the metrics", "content": {"text/plain": {"schema": {"type": "string"}}}},
}


def operations_router(
    interface: Interface, extra_health: typing.Callable[[], Json], readiness: Readiness, watching: Watching, metrics: Metrics
) -> APIRouter:
    """The routes.

    Args:
        interface: what answers.
        extra_health: more keys for ``/healthz``.
        readiness: runs a test question.
        watching: makes the status.
        metrics: the counters.
    """
    router = APIRouter()

    @router.get("/healthz", summary="State of the service", responses={200: answer_of("Health", "it runs")})
    async def health() -> Response:
        """Versions of the service, the API, the knowledge base and Python, and whether the search index is loaded."""
        knowledge = interface.knowledge
        versions = {"version": VERSION, "api_version": API_VERSION, "python": platform.python_version()}
        counted = {"kb_version": knowledge.version, "entries": len(knowledge.entries())}
        return json_response({"status": "ok", **versions, **counted, **extra_health()})

    @router.get(
        "/readyz",
        summary="Whether it is ready",
        responses={200: answer_of("Ready", "it answers questions"), 503: error_documentation("it does not, and why")},
    )
    async def ready() -> Response:
        """200 if a test text was diagnosed the way every question is. The result is reused for five seconds.

        If the memory does not answer, this says so, but the service stays ready, since answers come without the memory too.
        """
        loaded = str(extra_health().get("index", {}).get("state", "off"))
        if loaded not in _LOADED:
            raise ApiError(503, "", f"the search index: {loaded}", "not-ready")
        state = await readiness.state()
        if state["diagnosis"] != "ok":
            raise ApiError(503, "", f"the diagnosis: {state['diagnosis']}", "not-ready")
        return json_response({"status": "ready", "kb_version": interface.knowledge.version, **state})

    @router.get("/metrics", summary="Metrics for Prometheus", responses=_METRICS)
    async def read_metrics(request: Request) -> Response:
        """Requests by route and status, diagnoses by verdict, seconds by stage, and the figures of the team's memory."""
        accept = request.headers.get("accept", "")
        content, content_type = await interface.run(metrics.exposition, accept)
        return Response(content, headers={"Content-Type": content_type})

    @router.get("/api/v1/status", summary="How the service does", responses={200: answer_of("Status", "the status")})
    async def status() -> Response:
        """What the team asked about in the last seven days, what helped, what is new; and the state of this server."""
        return json_response(await watching.status(interface.run))

    return router
