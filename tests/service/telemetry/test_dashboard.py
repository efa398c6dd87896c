"""The dashboard and the alerts use metrics and labels that a server really has."""

import json
import pathlib
import re
import typing

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.telemetry.pool_metrics import PoolMetrics
from tfhelp.service.workers.pool import State

DEPLOY = pathlib.Path(__file__).resolve().parents[3] / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana" / "tfhelp.json").read_text())
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())
_VARIABLES = {"$__rate_interval": "5m", "$job": "tfhelp"}
_OF_PROMETHEUS = {"job", "instance", "le"}


def queries() -> dict[str, str]:
    """Every query, by its place."""
    panels = {
        f"panel {panel['title']} {target['refId']}": target["expr"]
        for panel in DASHBOARD["panels"]
        for target in panel.get("targets", [])
    }
    rules = {f"alert {rule['alert']}": rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]}
    return panels | rules


QUERIES = queries()


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Every sample's name with its label names, from a server that has a memory and was used."""
    memory = TeamMemory.open(str(tmp_path_factory.mktemp("memory") / "team.db"))
    client = TestClient(create_app(small_diagnoser(), memory=memory))
    link = client.post("/api/v1/diagnose", json={"text": "CardFullError: no room for tensor 8,8"}).json()["link"]
    client.post("/api/v1/feedback", json={"token": link.rpartition("/")[2], "said": "helped"})
    found: dict[str, set[str]] = {"up": set()}  # Prometheus' own
    pool = CollectorRegistry()
    pool.register(PoolMetrics(lambda: State(0, 0, 1, 0, 0, 0, 0)))
    for text in (client.get("/metrics").text, generate_latest(pool).decode()):
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found.setdefault(sample.name, set()).update(sample.labels)
    memory.close()
    return found


def selectors(query: str) -> list[tuple[str, set[str]]]:
    """Metric and labels of every selector, once the whole query has been parsed as PromQL."""
    promql_parser.parse(query)
    found = re.findall(r"\b(up|(?:tfhelp|process)_\w+)\b(?:\{([^}]*)\})?", query)
    return [(name, set(re.findall(r"(\w+)\s*[=!]~?", inside))) for name, inside in found]


@pytest.mark.parametrize("place", QUERIES, ids=str)
def test_a_query_is_promql_and_asks_for_what_there_is(place: str, labels: dict[str, set[str]]) -> None:
    query = QUERIES[place]
    for name, value in _VARIABLES.items():
        query = query.replace(name, value)
    assert "$" not in query
    asked = selectors(query)
    assert asked
    for metric, of in asked:
        assert metric in labels, f"no server has {metric}"
        assert of <= labels[metric] | _OF_PROMETHEUS, f"{metric} has no label {of - labels[metric]}"
    for name in re.findall(r"by \(([^)]*)\)", query):
        grouped = {word.strip() for word in name.split(",")}
        assert grouped <= set().union(*(labels[metric] for metric, _ in asked)) | _OF_PROMETHEUS


def test_shares_of_requests_leave_out_probes() -> None:
    """A small service gets more probes than questions: with them, half of all questions may fail before a share is 5 %."""
    shares = {place: query for place, query in QUERIES.items() if "tfhelp_requests_total" in query and "/" in query}
    assert len(shares) == 4
    for place, query in shares.items():
        assert query.count("tfhelp_requests_total") == query.count('door!="operations"') == 2, place


def test_prometheus_reads_each_replica_by_its_address() -> None:
    [job] = yaml.safe_load((DEPLOY / "prometheus" / "scrape.yaml").read_text())
    assert job["dns_sd_configs"] == [{"names": ["tfhelp"], "type": "A", "port": 8000}] and "static_configs" not in job


def test_every_alert_says_how_grave_it_is_and_what_to_do() -> None:
    rules: list[dict[str, typing.Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in ("info", "warning", "critical")
        assert rule["annotations"]["summary"] and rule["annotations"]["description"]


def test_panels_do_not_overlap_and_have_numbers_of_their_own() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) < 24
