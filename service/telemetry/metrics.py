"""What a server counts, as Prometheus metrics.

Each application has its own registry, so two of them in one process do not share their figures. Every label has few values:
routes as they are declared, never paths, since the last part of a path may open somebody's answer.
"""

import typing

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from tfhelp.service.diagnosis.stages import STAGES
from tfhelp.service.telemetry.diagnosed import WAITING

disable_created_metrics()  # type: ignore[no-untyped-call]  # they would add a series per metric that only says when it began

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper bounds in seconds. A typical answer takes a few milliseconds, a long log takes a second."""


class Metrics:
    """The counters of one server.

    Attributes:
        registry: holds all of them; you can register more.
    """

    def __init__(self, version: str, kb_version: str) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("tfhelp_build", "Versions of tfhelp and of its knowledge base", registry=self.registry).info(
            {"version": version, "kb_version": kb_version}
        )
        self._requests = Counter(
            "tfhelp_requests",
            "HTTP requests that were answered, by door, declared route, method and status",
            ("door", "route", "method", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "tfhelp_request_duration_seconds",
            "Seconds from a request's first byte to the end of its answer",
            ("door",),
            buckets=_FAST,
            registry=self.registry,
        )
        self._under_way = Gauge(
            "tfhelp_requests_in_progress", "HTTP requests that are being answered", ("door",), registry=self.registry
        )
        self._answers = Counter("tfhelp_answers", "Diagnoses, by door and verdict", ("door", "verdict"), registry=self.registry)
        self._stages = Histogram(
            "tfhelp_stage_duration_seconds",
            "Seconds that the stages of a diagnosis took",
            ("stage",),
            buckets=_FAST,
            registry=self.registry,
        )
        self._faults = Counter("tfhelp_faults", "Errors in tfhelp itself, each with a line in the log", registry=self.registry)
        for stage in (WAITING, *STAGES):
            self._stages.labels(stage)  # so that a stage that has not run yet is 0, not missing

    def began(self, door: str) -> None:
        """Record that a request has arrived."""
        self._under_way.labels(door).inc()

    def answered(self, door: str, route: str, method: str, status: int, seconds: float, trace_id: str = "") -> None:
        """Record that a request that ``began`` has its answer.

        Args:
            door: api, web, slack, mcp, static or operations.
            route: as it is declared, such as ``/a/{token}``.
            method: the HTTP method.
            status: the HTTP status.
            seconds: from the first byte to the last.
            trace_id: of the trace, so that you can find it from the metric; empty if there is none.
        """
        self._under_way.labels(door).dec()
        self._requests.labels(door, route, method, str(status)).inc()
        self._seconds.labels(door).observe(seconds, {"trace_id": trace_id} if trace_id else None)

    def diagnosed(self, door: str, verdict: str, stages: typing.Mapping[str, float]) -> None:
        """Record that a diagnosis has ended: its verdict, and the seconds of its stages."""
        self._answers.labels(door, verdict).inc()
        for stage, seconds in stages.items():
            self._stages.labels(stage).observe(seconds)

    def fault(self) -> None:
        """Record that tfhelp itself has failed."""
        self._faults.inc()

    def add(self, collector: Collector) -> None:
        """Add a collector that is asked whenever the metrics are read."""
        self.registry.register(collector)

    def verdicts(self) -> dict[str, int]:
        """Diagnoses since the start, by verdict."""
        counted: dict[str, int] = {}
        for metric in self._answers.collect():
            for sample in metric.samples:
                if sample.name.endswith("_total"):
                    verdict = sample.labels["verdict"]
                    counted[verdict] = counted.get(verdict, 0) + int(sample.value)
        return counted

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """All metrics as text.

        Args:
            accept: the reader's Accept header, which decides between OpenMetrics and Prometheus' own format.

        Returns:
            The text and its content type.
        """
        encoder, content_type = choose_encoder(accept)
        content: bytes = encoder(self.registry)
        return content, content_type
