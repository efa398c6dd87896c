"""The API's promises to programs: schemas, codes, formats, replies, and how it is reached. The real application, in process."""

import json
import re
import typing

import jsonschema
import pytest
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tests.service.vague import question_with
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.documentation import sent_schemas
from tfhelp.service.doors.http.errors import CODES
from tfhelp.service.doors.http.reached import Reached, ReachedError
from tfhelp.service.vocabulary import VERDICTS

Json = dict[str, typing.Any]
URL = "/api/v1/diagnose"
OOM = (
    "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float on "
    "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:Conv2D]"
)
TEXTS = {
    "diagnosed": OOM,
    "explained": "ValueError: `subset` must be either 'training' or 'validation', received: both",
    "nothing-failed": "Epoch 1/1\n782/782 - 4s - 5ms/step - loss: 0.3512\n",
    "unknown": "django.db.utils.OperationalError: no such table",
}


@pytest.fixture(scope="module")
def client() -> typing.Iterator[TestClient]:
    with TestClient(create_app(Diagnoser.load(warm=True))) as made:
        yield made


def small(**named: typing.Any) -> TestClient:
    return TestClient(create_app(small_diagnoser(), **named))


def ask(client: TestClient, **question: typing.Any) -> Json:
    response = client.post(URL, json=question)
    assert response.status_code == 200, response.text
    document: Json = response.json()
    return document


def error(response: typing.Any) -> Json:
    document: Json = response.json()["error"]
    assert set(document) == {"status", "code", "path", "reason"}
    assert document["status"] == response.status_code and document["code"] in CODES
    return document


def validator(name: str, closed: bool = False) -> jsonschema.Draft202012Validator:
    schemas = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": sent_schemas(closed)}}
    return jsonschema.Draft202012Validator(schemas)


def test_every_verdicts_answer_fits_the_published_schema_and_has_no_key_beside_it(client: TestClient) -> None:
    vague = {
        verdict: question_with(verdict, lambda question: str(ask(client, text=question)["verdict"]))
        for verdict in ("likely", "undecided")
    }
    found = {}
    for wanted, text in {**TEXTS, **vague}.items():
        answer = ask(client, text=text)
        validator("Answer", closed=True).validate(answer)
        found[wanted] = answer["verdict"]
    assert found == {verdict: verdict for verdict in VERDICTS}


def test_the_schema_refuses_what_is_no_answer(client: TestClient) -> None:
    answer = ask(client, text=OOM)
    for wrong in ({**answer, "verdict": "perhaps"}, {**answer, "matches": [{"entry": 1}]}, {"verdict": "diagnosed"}):
        assert not validator("Answer").is_valid(wrong)


def test_the_other_answers_fit_their_schemas_too(client: TestClient) -> None:
    for path, name in (
        ("/api/v1/entries", "Entries"),
        ("/api/v1/entries/gpu-out-of-memory", "Entry"),
        ("/api/v1/search?q=Adam+lr", "Found"),
        ("/healthz", "Health"),
        ("/readyz", "Ready"),
    ):
        response = client.get(path)
        assert response.status_code == 200
        validator(name).validate(response.json())


def test_the_description_is_whole_and_valid() -> None:
    document = small().get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named <= set(schemas) and {"Answer", "Error", "Facts", "Question", "Entry", "Found"} <= set(schemas)
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    answered = document["paths"][URL]["post"]["responses"]["200"]["content"]
    assert answered["application/json"]["schema"] == {"$ref": "#/components/schemas/Answer"}
    assert "Validation Error" not in json.dumps(document)


def test_the_page_about_the_api_knows_of_no_validation_error_before_the_document_was_asked_for() -> None:
    fresh = small()
    assert "422 Validation Error" not in fresh.get("/docs").text
    assert fresh.get("/docs").text == fresh.get("/docs").text


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [
        (b"{", 422, "invalid-json", ""),
        (b"[]", 422, "invalid-json", ""),
        (b"{}", 422, "empty", "text"),
        (b'{"text": 1}', 422, "invalid-value", "text"),
        (b'{"text": "a", "top": 0}', 422, "invalid-value", "top"),
        (b'{"txt": "a"}', 422, "unknown-key", "txt"),
        (b'{"text": "a", "facts": {"os": {"nme": "linux"}}}', 422, "invalid-fact", "facts.os.nme"),
        (b'{"text": "a", "replies": {"driver.version": "no"}}', 422, "invalid-reply", "replies.driver.version"),
        (b'{"text": "a", "replies": {"nonsense": "1"}}', 422, "invalid-reply", "replies.nonsense"),
        (b'{"text": "a", "replies": {"os.wsl": 1}}', 422, "invalid-value", "replies.os.wsl"),
        (b'{"text": "a", "code": 3}', 422, "invalid-value", "code"),
    ],
)
def test_an_error_has_a_code_for_programs_and_a_sentence_for_people(body: bytes, status: int, code: str, path: str) -> None:
    found = error(small().post(URL, content=body, headers={"content-type": "application/json"}))
    assert (found["status"], found["code"], found["path"]) == (status, code, path) and found["reason"]


def test_errors_that_are_no_fields_have_codes_too() -> None:
    client = small(max_bytes=2048)
    assert error(client.post(URL, content=b"x" * 3000, headers={"content-type": "text/plain"}))["code"] == "too-large"
    assert (
        error(client.post(URL, content=b"\x89PNG\r\n\x1a\n" + bytes(90), headers={"content-type": "image/png"}))["code"]
        == "no-text"
    )
    assert error(client.post(URL, files={"file": b"x"}))["code"] == "unsupported-type"
    assert error(client.get("/api/v1/nowhere"))["code"] == "not-found"
    assert error(client.get("/api/v1/entries/none"))["code"] == "not-found"
    assert error(client.get(URL))["code"] == "method-not-allowed"
    assert error(client.get("/api/v1/search"))["code"] == "empty"
    assert error(client.get("/api/v1/search?q=a&top=900"))["code"] == "invalid-value"
    broken = TestClient(client.app, raise_server_exceptions=False).post(URL, json={"text": "FAIL-ON-PURPOSE"})
    assert error(broken)["code"] == "fault" and "FAIL-ON-PURPOSE" not in broken.text


def test_a_log_is_taken_as_it_is(client: TestClient) -> None:
    answer = ask(client, text=OOM)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/octet-stream"):
        raw = client.post(f"{URL}?top=1", content=OOM.encode(), headers={"content-type": kind}).json()
        assert raw["matches"][0]["causes"] == answer["matches"][0]["causes"]


def test_an_answer_for_people_is_markdown_or_text(client: TestClient) -> None:
    as_markdown = client.post(URL, json={"text": OOM}, headers={"accept": "text/markdown"})
    assert as_markdown.headers["content-type"].startswith("text/markdown") and "The GPU runs out of memory" in as_markdown.text
    assert client.post(f"{URL}?format=markdown", json={"text": OOM}).text.splitlines()[0] == as_markdown.text.splitlines()[0]
    plain = client.post(URL, json={"text": OOM}, headers={"accept": "text/html;q=0.1, text/plain"})
    assert plain.headers["content-type"].startswith("text/plain") and "gpu-out-of-memory" in plain.text
    for accept in ("*/*", "application/json, text/plain;q=0.5", "image/png", "text/plain;q=0, */*;q=0.1", "q;;=,"):
        assert client.post(URL, json={"text": OOM}, headers={"accept": accept}).json()["verdict"] == "diagnosed", accept
    assert error(client.post(f"{URL}?format=pdf", json={"text": OOM}))["path"] == "format"


def test_a_reply_to_a_question_is_sent_back_as_it_was_offered_or_as_it_was_pasted(client: TestClient) -> None:
    text = "tf.config.list_physical_devices('GPU') returns [] on Linux, the card is an RTX 3060"
    first = ask(client, text=text)
    question = first["ask_for"][0]
    assert question["question"] and question["type"] == "output"
    pasted = {"reply": "Package         Version\n--------------- -------\ntensorflow-cpu  2.16.1", "command": question["command"]}
    second = ask(client, text=text, replies={question["fact"]: pasted})
    assert second["facts"]["packages"]["tensorflow-cpu"] == "2.16.1"
    offered = {one["fact"]: one["options"][0]["reply"] for one in first["ask_for"] if one["options"]}
    assert offered and not {one["fact"] for one in ask(client, text=text, replies=offered)["ask_for"]} & set(offered)


def test_a_script_beside_the_text_tells_facts(client: TestClient) -> None:
    source = "import tensorflow as tf\nfor n in range(9):\n    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n    model.fit(x, y)\n"
    for code in (source, {"source": source, "name": "folder/mine.py"}):
        answer = ask(client, text=OOM, code=code)
        assert answer["facts"]["code"]["model_built_in_loop"] is True
    assert any("mine.py" in note for note in answer["notes"])


def test_health_names_all_versions_and_readiness_waits_for_the_index() -> None:
    class Index:
        state = "loading"

        def document(self) -> Json:
            return {"state": self.state, "model": "m", "phrases": 1}

    index = Index()
    client = small(index=typing.cast(typing.Any, index))
    health = client.get("/healthz").json()
    assert {"version", "api_version", "kb_version", "python", "entries"} <= set(health)
    waiting = client.get("/readyz")
    assert waiting.status_code == 503 and error(waiting)["code"] == "not-ready"
    index.state = "ready"
    assert client.get("/readyz").json()["status"] == "ready"


def test_a_request_keeps_its_number_and_gets_one_otherwise() -> None:
    client = small()
    assert client.get("/healthz", headers={"X-Request-Id": "build-7/3"}).headers["x-request-id"] == "build-7/3"
    assert re.fullmatch("[0-9a-f]{32}", client.get("/healthz").headers["x-request-id"])
    assert client.get("/nowhere", headers={"X-Request-Id": "a b\x01"}).headers["x-request-id"] != "a b\x01"


def test_a_fault_is_logged_with_the_requests_number(capsys: pytest.CaptureFixture[str]) -> None:
    TestClient(small().app, raise_server_exceptions=False).post(
        URL, json={"text": "FAIL-ON-PURPOSE"}, headers={"X-Request-Id": "one-1"}
    )
    logged = capsys.readouterr().err
    assert "one-1" in logged and "FAIL-ON-PURPOSE" not in logged


def test_pages_of_the_origins_that_are_named_may_ask_the_api_and_no_other() -> None:
    client = small(reached=Reached.of("", "", ["https://ide.example.org, http://localhost:3000"]))
    asked = {
        "Origin": "https://ide.example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    preflight = client.options(URL, headers=asked)
    assert preflight.status_code == 200 and preflight.headers["access-control-allow-origin"] == "https://ide.example.org"
    answer = client.post(URL, json={"text": "x"}, headers={"Origin": "https://ide.example.org"})
    assert answer.headers["access-control-allow-origin"] == "https://ide.example.org"
    assert "access-control-allow-origin" not in client.get("/", headers={"Origin": "https://ide.example.org"}).headers
    assert "access-control-allow-origin" not in client.get("/healthz", headers={"Origin": "https://evil.example"}).headers
    assert "access-control-allow-origin" not in small().get("/healthz", headers={"Origin": "https://ide.example.org"}).headers


def test_below_a_path_every_address_begins_with_it() -> None:
    client = small(reached=Reached.of("/tools/tfhelp/", "https://example.org/tools/tfhelp", []))
    for path in ("/tools/tfhelp/entries", "/entries"):  # a proxy may take the path off, or leave it
        html = client.get(path).text
        found = re.findall(r'(?:href|src|action)="(/[^"]*)"', html)
        assert found and all(one.startswith("/tools/tfhelp/") for one in found)
    assert client.get("/tools/tfhelp").status_code == 200
    static = re.findall(r'href="(/[^"]*\.css[^"]*)"', client.get("/").text)
    assert static and all(client.get(one).status_code == 200 for one in static)
    sent_on = client.post("/tools/tfhelp/", data={"text": "CardFullError"}, follow_redirects=False)
    assert sent_on.status_code == 303 and sent_on.headers["location"].startswith("/tools/tfhelp/a/")
    assert client.get("/openapi.json").json()["servers"] == [{"url": "https://example.org/tools/tfhelp"}]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("tools", "", []), "--root-path is 'tools'"),
        (("", "example.org", []), "--public-url is 'example.org'"),
        (("", "", ["ide.example.org"]), "--cors names 'ide.example.org'"),
        (("/a b", "", []), "--root-path"),
        (("", 'https://x/"><script>', []), "--public-url"),
    ],
)
def test_an_impossible_setting_is_named(settings: tuple[str, str, list[str]], said: str) -> None:
    with pytest.raises(ReachedError, match=re.escape(said)):
        Reached.of(*settings)
