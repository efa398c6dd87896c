"""OpenTelemetry traces, if OpenTelemetry's own variables say where to send them.

A trace holds a span for the request, and below it one for each stage of the diagnosis. Pasted text, paths and queries stay out
of it.
"""

import os
import time
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.version import VERSION, how_to_install

if typing.TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


class Tracing:
    """Sends spans.

    Args:
        provider: a provider of OpenTelemetry's SDK, with an exporter.
    """

    __slots__ = ("_propagator", "_provider", "_tracer")

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("tfhelp", VERSION)
        self._propagator = TraceContextTextMapPropagator()

    def request(self, method: str, headers: typing.Mapping[str, str]) -> "Span":
        """Begin the span of a request; a ``traceparent`` header makes it part of the caller's trace."""
        from opentelemetry.trace import SpanKind

        # Only the W3C's two headers: baggage could hold anything.
        known = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        return self._tracer.start_span(method, self._propagator.extract(known), kind=SpanKind.SERVER)

    def diagnosis(self, verdict: str, entry: str, stages: typing.Mapping[str, float]) -> None:
        """Record a diagnosis that has just ended in the current span. Its stages end now, one after another."""
        from opentelemetry import trace

        trace.get_current_span().set_attributes({"tfhelp.verdict": verdict, "tfhelp.entry": entry})
        begins = time.time_ns() - int(sum(stages.values()) * 1e9)
        for stage, seconds in stages.items():
            ends = begins + int(seconds * 1e9)
            self._tracer.start_span(stage, start_time=begins).end(ends)
            begins = ends

    def close(self) -> None:
        """Send the remaining spans."""
        self._provider.shutdown()


def tracing_of_environment(environment: typing.Mapping[str, str] = os.environ) -> Tracing | None:
    """What OpenTelemetry's variables ask for; None if none names an endpoint, or ``OTEL_SDK_DISABLED`` is true.

    Raises:
        InputError: traces are asked for, but the SDK is not installed or the variables cannot be used.
    """
    named = next((name for name in _ENDPOINTS if environment.get(name, "").strip()), "")
    if not named or environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise InputError(f"{named} is set, but OpenTelemetry is not installed: {how_to_install('otel')}") from None
    try:
        provider = TracerProvider(resource=Resource.create(_resource(environment)))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    except ValueError as error:
        raise InputError(f"OpenTelemetry cannot be set up: {error}") from None
    return Tracing(provider)


def _resource(environment: typing.Mapping[str, str]) -> dict[str, str]:
    """What traces say about their sender. A service name set in code would override the one from the environment."""
    named = environment.get("OTEL_SERVICE_NAME", "") or "service.name=" in environment.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return {"service.version": VERSION, **({} if named else {"service.name": "tfhelp"})}
