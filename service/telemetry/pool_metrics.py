"""The queue and the workers as metrics."""

import typing

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

if typing.TYPE_CHECKING:
    from prometheus_client.core import Metric

    from tfhelp.service.workers.pool import State


class PoolMetrics(Collector):
    """Asks the pool whenever the metrics are read.

    Args:
        state: returns the pool's current state and its counters.
    """

    def __init__(self, state: "typing.Callable[[], State]") -> None:
        self._state = state

    def collect(self) -> "typing.Iterable[Metric]":
        """The current figures."""
        state = self._state()
        yield GaugeMetricFamily("tfhelp_queue_length", "Questions that wait for a worker", state.waiting)
        workers = GaugeMetricFamily("tfhelp_workers", "Workers, by what they do", labels=["state"])
        workers.add_metric(["busy"], state.running)
        workers.add_metric(["idle"], max(0, state.workers - state.running))
        yield workers
        yield CounterMetricFamily("tfhelp_queue_refused", "Questions that were refused because the queue was full", state.refused)
        yield CounterMetricFamily("tfhelp_overdue", "Questions that reached the deadline", state.overdue)
        yield CounterMetricFamily("tfhelp_workers_replaced", "Workers that were replaced, for any reason", state.replaced)
