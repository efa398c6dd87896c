"""Bodies that are expensive to parse, and requests of other sites."""

import concurrent.futures
import contextlib
import json
import os
import typing
import urllib.parse

import httpx
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.limits.asking import PLAIN, ask, connected, poisoned
from tests.service.limits.poison import SLEEP
from tests.service.serving import Server
from tests.waiting import until
from tfhelp.service.doors.http.body import Form, _pairs
from tfhelp.service.doors.http.facts_size import facts_fault
from tfhelp.service.doors.http.strict_json import MOST_OBJECTS, JsonError, parse
from tfhelp.service.doors.web.form import FormError, question_of


@pytest.fixture(scope="module")
def processes() -> typing.Iterator[Server]:
    with poisoned("--workers", "2", "--deadline", "60", environment={"TFHELP_MAX_BYTES": str(4 << 20)}) as running:
        yield running


def nested(depth: int) -> dict[str, typing.Any]:
    facts: dict[str, typing.Any] = {}
    for _ in range(depth):
        facts = {"os": facts}
    return facts


def post(server: Server, body: bytes | str, kind: str = "application/json", **headers: str) -> httpx.Response:
    return httpx.post(f"{server.url}/api/v1/diagnose", content=body, headers={"content-type": kind, **headers}, timeout=120)


def test_a_body_with_too_many_objects_is_refused() -> None:
    with pytest.raises(JsonError, match="more than 100,000 objects"):
        parse('{"gpus": [' + "{}," * MOST_OBJECTS + "{}]}")
    assert len(parse('{"gpus": [' + "{}," * (MOST_OBJECTS - 2) + "{}]}")["gpus"]) == MOST_OBJECTS - 1


@given(
    st.lists(st.tuples(st.text("ab%+=4 \n\u20ac", max_size=12), st.text("ab%+=4& \n\u20ac", max_size=12)), max_size=5),
    st.booleans(),
)
def test_forms_are_taken_apart_as_the_standard_library_does(fields: list[tuple[str, str]], raw: bool) -> None:
    body = "&".join(f"{name}={value}" for name, value in fields) if raw else urllib.parse.urlencode(fields)
    taken = [(name.decode(errors="replace"), value.decode(errors="replace")) for name, value in _pairs(body.encode())]
    assert taken == urllib.parse.parse_qsl(body, keep_blank_values=True)


@pytest.mark.parametrize("before", range(4))
def test_an_escape_is_never_cut(before: int) -> None:
    value = "x" * before + "\u20ac" * 60_000
    assert _pairs(urllib.parse.urlencode({"text": value}).encode()) == [(b"text", value.encode())]


def test_facts_have_a_size_and_a_depth() -> None:
    assert facts_fault({"packages": {f"name-{number}": "1.0" for number in range(5_000)}}) == ""
    assert "levels" in facts_fault(nested(900))
    assert "larger" in facts_fault({"a": ["x"] * 30_000})
    assert "larger" in facts_fault({"a": "x" * 300_000})
    assert "larger" in facts_fault({"x" * 300_000: 1})
    form = Form()
    form.fields["facts"] = json.dumps(nested(100))
    with pytest.raises(FormError, match="levels"):
        question_of(form, {})


@pytest.mark.parametrize("depth", [20, 500, 900, 5_000])
def test_deeply_nested_facts_are_reported(server: Server, depth: int) -> None:
    answer = post(server, '{"facts":' + '{"os":' * depth + "1" + "}" * depth + "}")
    assert answer.status_code == 422
    assert "nested" in answer.json()["error"]["reason"]


def test_invalid_facts_are_reported(server: Server) -> None:
    assert post(server, '{"facts":{"gpus[]":{"processes":[]}}}').status_code == 422


def test_a_slash_at_the_end_leads_to_no_other_host(server: Server) -> None:
    for path in ("/docs/", "//evil.example/", "/entries//"):
        answer = httpx.get(server.url + path, headers={"host": "evil.example"})
        location = answer.headers.get("location", "/")
        assert location.startswith("/") and not location.startswith("//")
    assert httpx.get(f"{server.url}/docs/").headers["location"] == "/docs"


@pytest.mark.parametrize("path", ["/", "/api/v1/diagnose", "/a/0123456789abcdef/delete"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_a_page_of_another_site_cannot_ask(server: Server, path: str, origin: str) -> None:
    headers = {"origin": origin, "content-type": "text/plain"}
    answer = httpx.post(server.url + path, content=PLAIN, headers=headers)
    assert answer.status_code == 403
    if path.startswith("/api"):
        assert answer.json()["error"]["code"] == "foreign-origin"


def test_our_own_pages_and_programs_can_ask(server: Server) -> None:
    for headers in ({}, {"origin": server.url}):
        assert post(server, json.dumps({"text": PLAIN}), **headers).status_code == 200
    # Only a trusted proxy may state the name under which people reach the server.
    said = {"origin": "https://help.example", "x-forwarded-host": "help.example"}
    assert post(server, json.dumps({"text": PLAIN}), **said).status_code == 403
    page = httpx.get(server.url)
    assert page.headers["referrer-policy"] == "same-origin"  # so that a browser states where our own form comes from


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the processes are forked")
class TestInProcesses:
    def pages_while(self, server: Server, asked: typing.Callable[[], httpx.Response]) -> tuple[httpx.Response, int]:
        with concurrent.futures.ThreadPoolExecutor(1) as client:
            asking = client.submit(asked)
            pages = 0
            while not asking.done():
                assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200
                pages += 1
            return asking.result(), pages

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ('{"facts":{"gpus":[' + "{}," * 2_000_000 + "{}]}}", 422),
            ('{"text":"a",' + "".join(f'"{number}":1,' for number in range(400_000)) + '"399999":1}', 422),
            ('{"text":"a","facts":[' + "0," * 2_000_000 + "0]}", 422),
            ('{"text":"a","facts":{"a":[' + "0," * 2_000_000 + "0]}}", 413),
            (json.dumps({"text": "\x00" * 1_000_000}), 200),
        ],
        ids=["objects", "keys", "list", "numbers", "zeros"],
    )
    def test_an_expensive_body_delays_no_other_request(self, processes: Server, body: str, status: int) -> None:
        answer, _ = self.pages_while(processes, lambda: post(processes, body))
        assert answer.status_code == status
        assert ask(processes, PLAIN).status_code == 200

    def test_a_large_form_delays_no_other_request(self, processes: Server) -> None:
        body = "text=" + "%41" * 4_000_000
        answer, _ = self.pages_while(
            processes,
            lambda: httpx.post(
                processes.url, content=body, headers={"content-type": "application/x-www-form-urlencoded"}, timeout=120
            ),
        )
        assert answer.status_code in (200, 303)

    def test_bodies_of_many_at_once_are_bounded(self, processes: Server) -> None:
        process = psutil.Process(processes.process.pid)
        before = process.memory_info().rss
        body = json.dumps({"text": f"{SLEEP}\n" + "x" * (3 << 20)})
        with concurrent.futures.ThreadPoolExecutor(20) as clients:
            answers = list(clients.map(lambda _: post(processes, body), range(20)))
        assert {answer.status_code for answer in answers} <= {200, 503}
        assert any(answer.status_code == 200 for answer in answers)
        assert process.memory_info().rss - before < 200 << 20
        assert ask(processes, PLAIN).status_code == 200

    def test_a_code_bomb_delays_no_other_request(self, processes: Server) -> None:
        code = "```python\nimport tensorflow as tf\n" + "a;" * 1_000_000 + "\n```"
        answer, pages = self.pages_while(processes, lambda: ask(processes, code))
        assert answer.status_code in (200, 503) and pages
        assert ask(processes, PLAIN).status_code == 200

    def test_an_unfinished_body_holds_no_room_after_its_client_left(self, processes: Server) -> None:
        place = urllib.parse.urlsplit(processes.url)
        for _ in range(10):
            with connected(processes) as connection:
                head = f"POST /api/v1/diagnose HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {8 << 20}\r\n\r\n"
                connection.sendall(head.encode() + b"x" * (3 << 20))
        # The server learns of each departure from its own socket, in no fixed order with a new request.
        assert until(lambda: post(processes, json.dumps({"text": "y" * (3 << 20)})).status_code == 200)

    def test_the_bodies_of_one_client_leave_room_for_others(self, processes: Server) -> None:
        place = urllib.parse.urlsplit(processes.url)
        head = f"POST /api/v1/diagnose HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {8 << 20}\r\n\r\n".encode()
        body = json.dumps({"text": "y" * (3 << 20)})

        def status_from(address: str) -> int:
            with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
                return client.post(f"{processes.url}/api/v1/diagnose", content=body, timeout=60).status_code

        with contextlib.ExitStack() as held:
            for _ in range(4):
                held.enter_context(connected(processes)).sendall(head + b"x" * (3 << 20))
            assert until(lambda: status_from("127.0.0.1") == 503)
            assert status_from("127.0.0.2") == 200
        assert until(lambda: status_from("127.0.0.1") == 200)
