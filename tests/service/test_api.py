"""The JSON API over real HTTP: the answers of the one function, and clear refusals."""

import concurrent.futures
import json
import select
import socket
import threading
import time
import typing
import urllib.parse

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.serving import Server
from tests.service.small_server import small_diagnoser

Json = dict[str, typing.Any]

FULL = "CardFullError: no room for tensor 3,4"


def ask(server: Server, question: Json) -> httpx.Response:
    """Send one question to the API."""
    return httpx.post(f"{server.url}/api/v1/diagnose", json=question, timeout=60)


def error_of(response: httpx.Response, status: int) -> Json:
    """The error of a refusal, which is JSON in the one form."""
    assert response.status_code == status, response.text
    error: Json = response.json()["error"]
    assert set(error) == {"status", "code", "path", "reason"} and error["status"] == status
    assert "Traceback" not in response.text
    return error


def same(first: Json, second: Json) -> bool:
    """Whether two answers are equal except for the time they took."""
    return {**first, "took_ms": 0} == {**second, "took_ms": 0}


@pytest.mark.parametrize("facts", [{}, {"os": {"name": "macos", "container": True}}, {"gpus": [], "run": {"exit_code": 137}}])
@pytest.mark.parametrize(
    "text", [FULL, "IdleNotice: the machine is ready", f"first\r\n\x1b[31m{FULL}\x1b[0m\u2028", "the coffee is cold"]
)
def test_the_api_gives_what_the_function_gives(server: Server, text: str, facts: Json) -> None:
    response = ask(server, {"text": text, "facts": facts, "top": 2})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert same(response.json(), json.loads(json.dumps(small_diagnoser().diagnose(text, facts, 2))))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_the_api_gives_what_the_function_gives_for_any_text(server: Server, text: str) -> None:
    response = ask(server, {"text": text})
    assert response.status_code == 200
    assert same(response.json(), json.loads(json.dumps(small_diagnoser().diagnose(text))))


def test_facts_alone_are_a_question(server: Server) -> None:
    answer = ask(server, {"facts": {"run": {"exit_code": 137}}}).json()
    assert answer["facts"]["run"]["exit_code"] == 137


@pytest.mark.parametrize(
    ("question", "path", "reason"),
    [
        ({}, "text", "give a text"),
        ({"text": " \n"}, "text", "give a text"),
        ({"text": 3}, "text", "expected a string"),
        ({"text": None}, "text", "expected a string"),
        ({"text": "x", "fact": {}}, "fact", "unknown key"),
        ({"text": "x", "top": 0}, "top", "from 1 to"),
        ({"text": "x", "top": True}, "top", "integer"),
        ({"text": "x", "top": "3"}, "top", "integer"),
        ({"text": "x", "facts": []}, "facts", "expected an object"),
        ({"text": "x", "facts": {"os": {"name": "beos"}}}, "facts.os.name", "one of linux"),
        ({"text": "x", "facts": {"gpus": [{"name": 5}]}}, "facts.gpus[0].name", "expected text"),
        ({"text": "x", "facts": {"derived": {"a": 1}}}, "facts.derived.*", "cannot be given"),
        ({"text": "x", "facts": {"nonsense": 1}}, "facts.nonsense", "no such fact"),
        ({"text": "x", "facts": {"run": {"exit_code": True}}}, "facts.run.exit_code", "expected integer"),
    ],
)
def test_a_question_that_cannot_be_used_is_refused_with_path_and_reason(
    server: Server, question: Json, path: str, reason: str
) -> None:
    error = error_of(ask(server, question), 422)
    assert error["path"] == path
    assert reason in error["reason"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"plain text", "not JSON"),
        (b'{"text": "a', "line 1"),
        (b'["text"]', "not a JSON object"),
        (b'{"text": "\xff\xfe"}', "not UTF-8: byte 10"),
        (b"\x00\x01\x02", "not JSON"),
        (b'{"text": "a", "text": "b"}', "'text' occurs twice"),
        (b'{"text": "a", "facts": {"host": {"memory_total_mib": NaN}}}', "NaN"),
        (b'{"text": "a", "facts": {"host": {"memory_total_mib": 1e999}}}', "too large"),
        (b'{"text": "a", "top": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"text": "\\ud800"}', "half of a character"),
        (b'{"text": "a", "facts": {"os": {"release": "\\udfff"}}}', "half of a character"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_a_body_that_is_not_strict_json_is_refused(server: Server, body: bytes, reason: str) -> None:
    error = error_of(httpx.post(f"{server.url}/api/v1/diagnose", content=body), 422)
    assert reason in error["reason"]


def test_nul_and_control_characters_are_read_as_text(server: Server) -> None:
    response = ask(server, {"text": f"\x00\x01binary\x7f\n{FULL}\x00"})
    assert response.status_code == 200
    assert response.json()["matches"][0]["entry"] == "card-full"


def test_a_text_just_under_the_limit_is_answered_and_one_over_it_is_refused(narrow_server: Server) -> None:
    fits = FULL + "\n" + "x\n" * ((1 << 20) - 200)
    assert ask(narrow_server, {"text": fits}).json()["matches"][0]["entry"] == "card-full"
    error = error_of(ask(narrow_server, {"text": fits + "y" * 4000}), 413)
    assert "2 MiB" in error["reason"] and "tfhelp ask -f" in error["reason"]


def test_a_body_announced_as_too_large_is_refused_before_it_is_sent(narrow_server: Server) -> None:
    place = urllib.parse.urlsplit(narrow_server.url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as connection:
        head = f"POST /api/v1/diagnose HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {10 << 40}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


def test_an_endless_body_is_refused_and_not_kept_in_memory(narrow_server: Server) -> None:
    import psutil

    place = urllib.parse.urlsplit(narrow_server.url)
    process = psutil.Process(narrow_server.process.pid)
    before = process.memory_info().rss
    answer = b""
    with socket.create_connection((place.hostname, place.port), timeout=20) as connection:
        connection.sendall(
            f"POST /api/v1/diagnose HTTP/1.1\r\nHost: {place.netloc}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        piece = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        for _ in range(200):
            if select.select([connection], [], [], 0)[0]:
                break
            connection.sendall(piece)
        answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 413")
    assert process.memory_info().rss - before < 100 << 20


def test_health_names_the_knowledge_and_stays_quick_while_a_long_text_is_read(server: Server) -> None:
    text = "\n".join(f"line {number} of nothing much: {FULL}" for number in range(150_000))

    def answered_meanwhile() -> int:
        done: list[httpx.Response] = []
        slow = threading.Thread(target=lambda: done.append(ask(server, {"text": text})))
        slow.start()
        count = 0
        while slow.is_alive():
            health = httpx.get(f"{server.url}/healthz", timeout=30).json()
            assert health["status"] == "ok" and health["kb_version"] == small_diagnoser().knowledge.version
            count += not done
            time.sleep(0.02)
        slow.join()
        assert done[0].status_code == 200
        return count

    # If one thread blocked the event loop, the health check would always pass at best once before and once after. A busy machine
    # only sometimes stops this process for as long as the text takes.
    assert any(answered_meanwhile() >= 3 for _ in range(5))


def test_entries_are_listed_and_read(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/v1/entries").json()
    assert [entry["id"] for entry in listed["entries"]] == small_diagnoser().knowledge.entries()
    card = next(entry for entry in listed["entries"] if entry["id"] == "card-full")
    assert card["causes"][0] == {"id": "neighbour", "title": "A neighbour holds the card"}
    entry = httpx.get(f"{server.url}/api/v1/entries/card-full").json()
    assert entry["causes"][0]["fix"]["steps"][0]["snippet"]["language"] == "shell"
    assert entry["kb_version"] == listed["kb_version"]


@pytest.mark.parametrize("name", ["no-such-entry", "..%2f..%2fetc%2fpasswd", "<script>", "%00"])
def test_an_unknown_entry_is_not_found(server: Server, name: str) -> None:
    error = error_of(httpx.get(f"{server.url}/api/v1/entries/{name}"), 404)
    assert error["reason"]


def test_wrong_method_and_wrong_path_are_json(server: Server) -> None:
    response = httpx.get(f"{server.url}/api/v1/diagnose")
    error_of(response, 405)
    assert response.headers["allow"] == "POST"
    error_of(httpx.get(f"{server.url}/api/v2/diagnose"), 404)


def test_a_bug_in_tfhelp_neither_shows_nor_logs_the_text(server: Server) -> None:
    error = error_of(ask(server, {"text": "FAIL-ON-PURPOSE my-secret-token-123"}), 500)
    assert "secret" not in error["reason"] and "RuntimeError" not in error["reason"]
    server.wait_for("RuntimeError at small_server.py")
    assert "my-secret-token-123" not in server.output()
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_the_openapi_document_describes_the_api_and_needs_no_network(server: Server) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    paths = {
        "/api/v1/diagnose",
        "/api/v1/search",
        "/api/v1/entries",
        "/api/v1/entries/{entry_id}",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    paths |= {"/api/v1/answers/{token}", "/api/v1/feedback", "/api/v1/status"}
    assert set(document["paths"]) == paths
    assert "gpus" in document["components"]["schemas"]["Facts"]["properties"]
    question = document["paths"]["/api/v1/diagnose"]["post"]["requestBody"]["content"]["application/json"]
    assert ask(server, question["example"]).status_code == 200
    page = httpx.get(f"{server.url}/docs").text
    assert "/api/v1/diagnose" in page and "driver.cuda_version" in page
    assert "http://" not in page and "https://" not in page


@pytest.mark.parametrize("path", ["/", "/api/v1/entries", "/entries", "/nope", "/static/style.css", "/healthz"])
def test_every_answer_carries_security_headers_and_no_cookie(server: Server, path: str) -> None:
    response = httpx.get(server.url + path)
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "same-origin"
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "set-cookie" not in response.headers
    assert ("immutable" in response.headers["cache-control"]) == path.startswith("/static/")


@pytest.mark.parametrize("path", ["/", "/api/v1/entries", "/static/app.js", "/healthz", "/nope"])
def test_head_is_get_without_a_body(server: Server, path: str) -> None:
    head, get = httpx.head(server.url + path), httpx.get(server.url + path)
    assert head.status_code == get.status_code
    assert head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


def test_many_at_once_get_the_same_answers_as_one_at_a_time(server: Server) -> None:
    texts = [FULL, "IdleNotice: the machine is ready", "LetterError: 'x' is misspelt", "the coffee is cold"] * 6
    alone = {text: json.loads(json.dumps(small_diagnoser().diagnose(text))) for text in set(texts)}
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda text: (text, ask(server, {"text": text}).json()), texts))
    assert all(same(answer, alone[text]) for text, answer in answers)


@pytest.mark.parametrize("weight", ["\u00b2", "1\u00b9", "9" * 5_000, ".", "1.1.1"])
def test_an_invalid_weight_in_accept_is_ignored(server: Server, weight: str) -> None:
    headers = {"accept": f"text/markdown;q={weight}, application/json;q=0.5".encode("latin-1")}
    assert httpx.post(f"{server.url}/api/v1/diagnose", json={"text": "x"}, headers=headers, timeout=60).status_code == 200


def test_top_in_the_query_is_checked_and_counts_beside_a_json_body_too(server: Server) -> None:
    url = f"{server.url}/api/v1/diagnose"
    assert error_of(httpx.post(url, params={"top": "21"}, json={"text": "x"}, timeout=60), 422)["path"] == "top"
    text = "CardFullError: no room for tensor 8,8\n\nFrobError: it was not turned"
    by_query, by_key = (
        httpx.post(url, params={"top": "1"}, json={"text": text}, timeout=60),
        ask(server, {"text": text, "top": 1}),
    )
    assert same(by_query.json(), by_key.json())
