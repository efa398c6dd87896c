"""A running server under observation: its metrics, its log and its traces, and that none of them contains pasted text."""

import gzip
import http.server
import json
import threading
import typing

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

from tests.service.serving import Server

SECRET = "purple-walrus-4711"
TEXT = f"CardFullError: no room for tensor 3,4 {SECRET}"


def metrics_of(server: Server) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every sample: name and labels -> value."""
    text = httpx.get(f"{server.url}/metrics", timeout=60).text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def total(samples: dict[tuple[str, frozenset[tuple[str, str]]], float], name: str, **labels: str) -> float:
    """The sum of a metric's samples that have these labels."""
    return sum(value for (found, of), value in samples.items() if found == name and set(labels.items()) <= of)


@pytest.fixture(scope="module")
def watched() -> typing.Iterator[Server]:
    with Server.small("--log", "json") as server:
        yield server


def test_requests_are_counted_by_declared_route(watched: Server) -> None:
    before = metrics_of(watched)
    httpx.get(f"{watched.url}/a/{SECRET}{SECRET}")
    httpx.get(f"{watched.url}/entries", params={"q": SECRET})
    httpx.get(f"{watched.url}/{SECRET}")
    after = metrics_of(watched)
    for route, status in (("/a/{token}", "404"), ("/entries", "200"), ("none", "404")):
        labels = {"door": "web", "route": route, "method": "GET", "status": status}
        assert total(after, "tfhelp_requests_total", **labels) == total(before, "tfhelp_requests_total", **labels) + 1
    assert SECRET not in httpx.get(f"{watched.url}/metrics").text
    assert total(after, "tfhelp_requests_in_progress") == 1  # the request that reads the metrics


def test_a_head_request_is_counted_under_its_route(watched: Server) -> None:
    before = total(metrics_of(watched), "tfhelp_requests_total", route="/healthz", method="HEAD")
    httpx.head(f"{watched.url}/healthz")
    assert total(metrics_of(watched), "tfhelp_requests_total", route="/healthz", method="HEAD") == before + 1


def test_an_unusual_method_makes_no_counter_of_its_own(watched: Server) -> None:
    httpx.request("PROPFIND", f"{watched.url}/healthz")
    samples = metrics_of(watched)
    assert total(samples, "tfhelp_requests_total", method="other") >= 1
    assert total(samples, "tfhelp_requests_total", method="PROPFIND") == 0


@pytest.mark.parametrize(("door", "send"), [("api", "json"), ("web", "form")])
def test_diagnoses_are_counted_by_door_verdict_and_stage(watched: Server, door: str, send: str) -> None:
    before = metrics_of(watched)
    if send == "json":
        answer = httpx.post(f"{watched.url}/api/v1/diagnose", json={"text": TEXT})
    else:
        answer = httpx.post(f"{watched.url}/", data={"text": TEXT}, headers={"Origin": watched.url}, follow_redirects=False)
    assert answer.status_code in (200, 303)
    after = metrics_of(watched)
    assert total(after, "tfhelp_answers_total", door=door) == total(before, "tfhelp_answers_total", door=door) + 1
    for stage in ("reading", "signs", "likeness", "scoring", "causes", "document"):
        name = "tfhelp_stage_duration_seconds_count"
        assert total(after, name, stage=stage) == total(before, name, stage=stage) + 1


def test_readiness_is_nobodys_question(watched: Server) -> None:
    before = total(metrics_of(watched), "tfhelp_answers_total")
    assert httpx.get(f"{watched.url}/readyz").json()["diagnosis"] == "ok"
    after = metrics_of(watched)
    assert total(after, "tfhelp_answers_total") == before and not any(name.endswith("_created") for name, _ in after)


def test_readers_of_openmetrics_get_it(watched: Server) -> None:
    answer = httpx.get(f"{watched.url}/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text") and answer.text.endswith("# EOF\n")


def lines_of(server: Server) -> list[dict[str, typing.Any]]:
    return [json.loads(line) for line in server.output().splitlines() if line.startswith("{")]


def test_the_log_has_a_line_for_every_request_and_diagnosis_without_the_text() -> None:
    number = "number-of-this-request"
    with Server.small("--log", "json") as server:
        httpx.post(f"{server.url}/api/v1/diagnose", json={"text": TEXT}, headers={"X-Request-Id": number})
        server.stop()  # the line of a request is written after its answer
        lines = [line for line in lines_of(server) if line.get("request_id") == number]
        assert SECRET not in server.output()
    request, diagnosis = (next(line for line in lines if line["message"] == what) for what in ("request", "diagnosis"))
    assert request["route"] == "/api/v1/diagnose" and request["status"] == 200 and request["ms"] > 0
    assert diagnosis["verdict"] in ("diagnosed", "likely", "undecided") and diagnosis["entry"]
    assert {"reading", "document"} <= set(diagnosis["stages_ms"])


def test_the_text_log_has_no_line_for_a_request() -> None:
    with Server.small() as server:
        httpx.post(f"{server.url}/api/v1/diagnose", json={"text": TEXT})
        server.stop()
        assert [line for line in server.output().splitlines() if "request" in line or SECRET in line] == []


class Collector:
    """A real receiver of traces over OTLP/HTTP."""

    def __init__(self) -> None:
        collector = self
        self.bodies: list[bytes] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                collector.bodies.append(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def spans(self) -> list[typing.Any]:
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


def test_traces_have_the_stages_below_the_request_and_no_text() -> None:
    collector = Collector()
    endpoint = f"http://127.0.0.1:{collector.server.server_port}"
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with Server.small(environment={"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}) as server:
        httpx.post(f"{server.url}/api/v1/diagnose?top=1", json={"text": TEXT}, headers={"traceparent": parent})
        httpx.get(f"{server.url}/a/{SECRET}{SECRET}")
        server.stop()  # sends the rest
    spans = {span.name: span for span in collector.spans()}
    request = spans["POST /api/v1/diagnose"]
    assert request.trace_id.hex() == parent.split("-")[1] and request.parent_span_id.hex() == parent.split("-")[2]
    for stage in ("reading", "likeness", "document"):
        assert spans[stage].parent_span_id == request.span_id
        assert request.start_time_unix_nano <= spans[stage].start_time_unix_nano <= spans[stage].end_time_unix_nano
    assert "GET /a/{token}" in spans
    assert not any(SECRET.encode() in body for body in collector.bodies)
    collector.close()


def test_answers_arrive_without_the_trace_collector() -> None:
    with Server.small(
        environment={"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_BSP_EXPORT_TIMEOUT": "500"}
    ) as server:
        assert httpx.post(f"{server.url}/api/v1/diagnose", json={"text": TEXT}).status_code == 200


@pytest.mark.slow
def test_workers_tell_their_stages_and_the_queue_is_counted() -> None:
    with Server.real("--workers", "2", "--log", "json") as server:
        answer = httpx.post(f"{server.url}/api/v1/diagnose", json={"text": f"OOM when allocating tensor {SECRET}"}, timeout=60)
        assert answer.status_code == 200
        samples = metrics_of(server)
        assert total(samples, "tfhelp_answers_total", door="api") == 1
        for stage in ("waiting", "reading", "likeness", "document"):
            assert total(samples, "tfhelp_stage_duration_seconds_count", stage=stage) == 1
        assert total(samples, "tfhelp_workers") == 2 and ("tfhelp_queue_length", frozenset()) in samples
        assert httpx.get(f"{server.url}/readyz", timeout=60).json()["diagnosis"] == "ok"
        server.stop()  # the line of a diagnosis may be written after its answer
        lines = [line for line in lines_of(server) if line["message"] == "diagnosis"]
        assert lines[0]["entry"] == "gpu-out-of-memory" and SECRET not in server.output()
