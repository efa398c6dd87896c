"""The team's week as metrics. They hold no failure messages, since a message may hold people's own words."""

import typing

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

if typing.TYPE_CHECKING:
    from prometheus_client.core import Metric

    from tfhelp.service.telemetry.status import Watching


class WeekMetrics(Collector):
    """Reads the figures whenever the metrics are read; the figures are at most a minute old.

    Args:
        watching: gives the figures of a team's memory.
    """

    def __init__(self, watching: "Watching") -> None:
        self._watching = watching

    def describe(self) -> "typing.Iterable[Metric]":
        """The names alone, so that registering sends no query to the database."""
        return list(_families().values())

    def collect(self) -> "typing.Iterable[Metric]":
        """The figures; only ``tfhelp_memory_up`` if the memory does not answer."""
        families = _families()
        week = self._watching.week()
        families["up"].add_metric([], 0 if week is None else 1)
        if week is None:
            return [families["up"]]
        families["new"].add_metric([], week["new"])
        for label, counted in (("diagnoses", week["verdicts"]), ("feedback", week["said"])):
            for name, count in counted.items():
                families[label].add_metric([name], count)
        for one in week["entries"]:
            families["failures"].add_metric([one["entry"]], one["times"])
        return list(families.values())


def _families() -> dict[str, GaugeMetricFamily]:
    return {
        "up": GaugeMetricFamily("tfhelp_memory_up", "Whether the team's memory answers"),
        "new": GaugeMetricFamily("tfhelp_week_new_failures", "Failures of the last seven days that were not seen before"),
        "diagnoses": GaugeMetricFamily("tfhelp_week_diagnoses", "Kept diagnoses of the last seven days", labels=["verdict"]),
        "feedback": GaugeMetricFamily("tfhelp_week_feedback", "Feedback of the last seven days", labels=["said"]),
        "failures": GaugeMetricFamily(
            "tfhelp_week_failures", "Entries that were named most in the last seven days", labels=["entry"]
        ),
    }
