"""The one place to which the doors report requests and diagnoses; it passes them on to metrics, log and traces."""

import contextlib
import contextvars
import time
import typing

from tfhelp.service.telemetry import logs
from tfhelp.service.telemetry.diagnosed import Diagnosed
from tfhelp.service.telemetry.metrics import Metrics
from tfhelp.service.telemetry.tracing import Tracing

OPERATIONS = "operations"
"""The door for the server's operators."""

DOOR: contextvars.ContextVar[str] = contextvars.ContextVar("door", default="unknown")
"""The door of the request that is being answered, also in the tasks and threads that serve it."""


class Watch:
    """Passes reports on to the metrics, and to the traces if they are set up.

    Attributes:
        metrics: the counters.
        tracing: sends spans; None without traces.
    """

    __slots__ = ("metrics", "tracing")

    def __init__(self, metrics: Metrics, tracing: Tracing | None = None) -> None:
        self.metrics = metrics
        self.tracing = tracing

    def diagnosed(self, summary: Diagnosed) -> None:
        """Record that a diagnosis has ended. The server's own readiness questions do not count."""
        door = DOOR.get()
        if door == OPERATIONS:
            return
        self.metrics.diagnosed(door, summary.verdict, summary.stages)
        logs.diagnosed(door, summary.verdict, summary.entry, summary.cause, summary.stages)
        if self.tracing is not None:
            self.tracing.diagnosis(summary.verdict, summary.entry, summary.stages)

    @contextlib.contextmanager
    def request(self, door: str, method: str, number: str, headers: typing.Mapping[str, str]) -> "typing.Iterator[Request]":
        """Watch the request that is answered inside the ``with`` block.

        Args:
            door: api, web, slack, mcp, static or operations.
            method: the HTTP method.
            number: the request's id.
            headers: the request's headers, their names in lower case.

        Yields:
            an object that takes the route and the status, once they are known.
        """
        request = Request()
        tokens = (DOOR.set(door), logs.REQUEST.set(number))
        self.metrics.began(door)
        began = time.perf_counter()
        try:
            with self._span(method, number, headers, request):
                yield request
        finally:
            DOOR.reset(tokens[0])
            seconds = time.perf_counter() - began
            seen = (door, request.route, method, request.status, seconds, request.trace_id)
            self.metrics.answered(*seen)
            logs.request_answered(*seen)
            logs.REQUEST.reset(tokens[1])

    @contextlib.contextmanager
    def _span(self, method: str, number: str, headers: typing.Mapping[str, str], request: "Request") -> typing.Iterator[None]:
        if self.tracing is None:
            yield
            return
        from opentelemetry import trace

        span = self.tracing.request(method, headers)
        request.trace_id = trace.format_trace_id(span.get_span_context().trace_id)
        try:
            with trace.use_span(span, record_exception=False, set_status_on_exception=False):
                yield
        finally:
            span.update_name(f"{method} {request.route}")
            span.set_attributes(
                {
                    "http.request.method": method,
                    "http.route": request.route,
                    "http.response.status_code": request.status,
                    "tfhelp.request_id": number,
                }
            )
            if request.status >= 500:
                span.set_status(trace.StatusCode.ERROR)
            span.end()


class Request:
    """What becomes known about a request while it is answered.

    Attributes:
        route: the route as it is declared; ``none`` if no route takes the path.
        status: the HTTP status; 499 if the client disconnected before an answer.
        trace_id: id of its trace; empty if there is none.
    """

    __slots__ = ("route", "status", "trace_id")

    def __init__(self) -> None:
        self.route = "none"
        self.status = 499
        self.trace_id = ""
