"""Access control: tokens and their scopes, trusted proxies, rates, hosts and other sites. The real application, in process."""

import json
import typing

import pytest
from starlette.testclient import TestClient

from tests.service.access.doors import FULL, PROXY, Held, client, policy
from tests.service.small_server import small_diagnoser
from tfhelp.service.access.addresses import Hosts, Networks, SettingError, client_address, network_of
from tfhelp.service.access.identity import OF_A_PERSON, Who
from tfhelp.service.access.policy import Place
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.errors import CODES
from tfhelp.service.doors.http.reached import Reached
from tfhelp.service.memory.for_a_day import ForADay

CI = Who("token:1", "token ci", frozenset(["diagnose"]))
ANA = Who("token:2", "token ana", OF_A_PERSON)
BEN = Who("token:3", "token ben", OF_A_PERSON)
ROOT = Who("token:4", "token root", frozenset(["admin"]))
TOKENS = Held(ci=CI, ana=ANA, ben=BEN, root=ROOT)
ASK = "/api/v1/diagnose"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def refused(response: typing.Any, status: int, code: str) -> str:
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["code"] == code and code in CODES
    return str(error["reason"])


# --- tokens and scopes -------------------------------------------------------------------------------------------------


def test_a_missing_or_wrong_token_gets_instructions() -> None:
    asked = client(policy(tokens=(TOKENS,)))
    none = asked.post(ASK, json={"text": FULL})
    refused(none, 401, "no-token")
    assert none.headers["www-authenticate"] == 'Bearer realm="tfhelp"' and none.headers["x-content-type-options"] == "nosniff"
    wrong = asked.post(ASK, json={"text": FULL}, headers=bearer("nobody"))
    refused(wrong, 401, "bad-token")
    assert 'error="invalid_token"' in wrong.headers["www-authenticate"] and "nobody" not in wrong.text
    assert asked.post(ASK, json={"text": FULL}, headers={"Authorization": "bearer  ci"}).status_code == 200
    page = asked.get("/")
    assert page.status_code == 401 and "Who are you?" in page.text and "text/html" in page.headers["content-type"]


def test_the_description_names_the_token_and_every_refusal() -> None:
    asked = client(policy(tokens=(TOKENS,), rate="10000/hour"))
    document = asked.get("/openapi.json", headers=bearer("ci")).json()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    operations = [
        (path, method, described) for path, methods in document["paths"].items() for method, described in methods.items()
    ]
    assert len(operations) > 8
    for path, method, described in operations:
        if path in ("/healthz", "/readyz"):
            assert "security" not in described and "401" not in described["responses"]
            continue
        assert described["security"] == [{"token": []}] and {"401", "403", "429"} <= described["responses"].keys()
        assert asked.request(method, path.replace("{", "").replace("}", "")).status_code == 401
    assert "`memory-write`" in document["paths"]["/api/v1/answers/{token}"]["delete"]["responses"]["403"]["description"]


def test_the_description_of_a_server_for_everybody_asks_for_no_token() -> None:
    document = open_client().get("/openapi.json").json()
    assert "securitySchemes" not in document["components"]
    assert not any(
        "security" in described or "401" in described["responses"]
        for methods in document["paths"].values()
        for described in methods.values()
    )


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/static/style.css"])
def test_probes_and_styles_ask_nobody(path: str) -> None:
    made = policy(tokens=(TOKENS,), hosts=Hosts(["help.example.org"]), rate="1/hour")
    asked = client(made)
    expected = 400 if path.startswith("/static") else 200
    assert {asked.get(path, headers={"host": "10.1.2.3:8000"}).status_code for _ in range(3)} == {expected}
    assert asked.get(path, headers={"host": "help.example.org"}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/entries", "/docs", "/openapi.json", "/api/v1/entries", "/whatever", "/healthz2/../", "//static/x", "/a/x"]
)
def test_everything_else_does(path: str) -> None:
    assert client(policy(tokens=(TOKENS,))).get(path).status_code in (401, 307)


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/api/v1/answers/AAAAAAAAAAAAAAAAAAAA", "memory-read"),
        ("GET", "/a/AAAAAAAAAAAAAAAAAAAA", "memory-read"),
        ("HEAD", "/a/AAAAAAAAAAAAAAAAAAAA.md", "memory-read"),
        ("DELETE", "/api/v1/answers/AAAAAAAAAAAAAAAAAAAA", "memory-write"),
        ("POST", "/api/v1/feedback", "memory-write"),
        ("POST", "/a/AAAAAAAAAAAAAAAAAAAA/delete", "memory-write"),
        ("POST", "/a/AAAAAAAAAAAAAAAAAAAA/feedback", "memory-write"),
        ("GET", "/metrics", "metrics"),
        ("GET", "/status", "metrics"),
        ("GET", "/api/v1/status", "metrics"),
    ],
)
def test_a_token_allows_what_its_scopes_say(method: str, path: str, scope: str) -> None:
    asked = client(policy(tokens=(Held(ci=CI, can=Who("token:9", "can", frozenset([scope]))),)))
    lacking = asked.request(method, path, headers=bearer("ci"))
    assert lacking.status_code == 403
    assert lacking.headers["www-authenticate"] == f'Bearer realm="tfhelp", error="insufficient_scope", scope="{scope}"'
    # Nothing is kept under this token, so a caller with the right scope gets that answer (404).
    assert asked.request(method, path, headers=bearer("can")).status_code in ((200,) if scope == "metrics" else (404, 405, 422))
    assert asked.post(ASK, json={"text": FULL}, headers=bearer("can")).status_code == 403


def test_a_token_that_cannot_be_looked_up_is_not_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    class Away(Held):
        def find(self, token: str) -> typing.Any:
            raise OSError(f"the database is away, and {token}")

    response = client(policy(tokens=(Away(),))).post(ASK, json={"text": FULL}, headers=bearer("secret-word"))
    refused(response, 503, "not-ready")
    assert response.headers["retry-after"] == "5"
    said = capsys.readouterr().err
    assert "looking up a token: OSError" in said and "secret-word" not in said


@pytest.mark.parametrize(
    "headers",
    [
        [("authorization", "Bearer ci"), ("authorization", "Bearer root")],
        [("host", "testserver"), ("host", "evil.example"), ("authorization", "Bearer ci")],
    ],
)
def test_headers_that_contradict_each_other_are_refused(headers: list[tuple[str, str]]) -> None:
    response = client(policy(tokens=(TOKENS,))).get("/api/v1/entries", headers=headers)
    assert "came twice" in refused(response, 400, "bad-header")


@pytest.mark.parametrize("value", ["Basic Y2k6Y2k=", "ci", "Bearer", "Bearer ci root", "Bearer\tci", "Bearer " + "a" * 600])
def test_a_header_without_a_bearer_token_identifies_no_one(value: str) -> None:
    refused(client(policy(tokens=(TOKENS,))).get("/api/v1/entries", headers={"Authorization": value}), 401, "no-token")


# --- kept answers ------------------------------------------------------------------------------------------------------


def kept(asked: typing.Any, **how: typing.Any) -> str:
    """Ask in the form; the token of the kept answer."""
    response = asked.post("/", files={"text": (None, FULL)}, **how)
    assert response.status_code == 303, response.text
    return str(response.headers["location"]).rpartition("/")[2]


def test_only_its_owner_and_an_administrator_may_delete_an_answer() -> None:
    asked = client(policy(tokens=(TOKENS,)))
    first, second = (kept(asked, headers=bearer("ana")) for _ in range(2))
    page = asked.get(f"/a/{first}", headers=bearer("ben"))
    assert page.status_code == 200 and "/delete" not in page.text and "Only the person who asked" in page.text
    assert asked.post(f"/a/{first}/delete", headers=bearer("ben")).status_code == 403
    refused(asked.delete(f"/api/v1/answers/{first}", headers=bearer("ben")), 403, "not-allowed")
    assert f"/a/{first}/delete" in asked.get(f"/a/{first}", headers=bearer("ana")).text
    assert asked.delete(f"/api/v1/answers/{first}", headers=bearer("ana")).status_code == 204
    assert asked.post(f"/a/{second}/delete", headers=bearer("root")).status_code == 303
    assert asked.delete(f"/api/v1/answers/{second}", headers=bearer("ben")).status_code == 404


def test_without_its_scope_a_caller_keeps_nothing_and_learns_nothing() -> None:
    response = client(policy(tokens=(TOKENS,))).post("/", files={"text": (None, FULL)}, headers=bearer("ci"))
    assert response.status_code == 200 and "/a/" not in response.text


def test_a_caller_who_may_not_read_answers_gets_no_pasted_text() -> None:
    asked = client(policy(tokens=(TOKENS,)))
    token = asked.post("/", files={"text": (None, FULL)}, headers=bearer("ana")).headers["location"].rpartition("/")[2]
    assert FULL in asked.get("/", params={"again": token}, headers=bearer("ana")).text
    for response in (
        asked.get("/", params={"again": token}, headers=bearer("ci")),
        asked.post("/", files={"again": (None, token), "private": (None, "yes")}, headers=bearer("ci")),
    ):
        assert response.status_code == 403 and FULL not in response.text


def test_an_answer_without_an_owner_belongs_to_the_administrators() -> None:
    memory = ForADay()
    token = kept(client(policy(is_open=True), memory))
    asked = client(policy(tokens=(TOKENS,)), memory)
    assert asked.post(f"/a/{token}/delete", headers=bearer("ana")).status_code == 403
    assert asked.post(f"/a/{token}/delete", headers=bearer("root")).status_code == 303


# --- proxies -----------------------------------------------------------------------------------------------------------

USERS = {"proxies": "10.0.0.0/24", "user_header": "x-forwarded-user"}


def test_a_trusted_proxy_names_the_person() -> None:
    asked = client(policy(**USERS, admins=frozenset(["ana"])), peer=PROXY)
    token = kept(asked, headers={"X-Forwarded-User": "Björn".encode()})
    page = asked.get(f"/a/{token}", headers={"X-Forwarded-User": "Björn".encode()}).text
    assert '<div class="who"><span>Björn</span></div>' in page and "/delete" in page
    assert asked.post(f"/a/{token}/delete", headers={"X-Forwarded-User": "carl"}).status_code == 403
    assert asked.post(f"/a/{token}/delete", headers={"X-Forwarded-User": "ana"}).status_code == 303
    assert asked.get("/").status_code == 401 and asked.get("/", headers={"X-Forwarded-User": " "}).status_code == 401


def test_only_a_trusted_proxy_may_name_a_user() -> None:
    asked = client(policy(**USERS), peer="192.0.2.7")
    for name in ("X-Forwarded-User", "x_forwarded_user", "X-FORWARDED_USER"):
        assert asked.get("/", headers={name: "ana", "X-Forwarded-For": PROXY}).status_code == 401
    behind = client(policy(**USERS), peer=PROXY)
    assert behind.get("/", headers={"x_forwarded_user": "ana"}).status_code == 401
    both = [("x-forwarded-user", "ana"), ("x-forwarded-user", "root")]
    assert behind.get("/", headers=both).status_code == 400
    for bad in (b"an\x01a", b"a" * 300):
        assert behind.get("/", headers={"X-Forwarded-User": bad}).status_code == 400


def test_where_the_proxy_asks_everybody_nobody_comes_past_it() -> None:
    made = policy(proxies="10.0.0.0/24", proxies_only=True)
    assert client(made, peer=PROXY).get("/").status_code == 200
    past = client(made, peer="192.0.2.7")
    assert past.get("/").status_code == 403 and past.get("/", headers={"X-Forwarded-For": PROXY}).status_code == 403
    assert past.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
        (PROXY, [], PROXY),
        (PROXY, ["198.51.100.1"], "198.51.100.1"),
        (PROXY, ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        (PROXY, ["1.1.1.1", "198.51.100.1, 10.0.0.5"], "198.51.100.1"),
        (PROXY, ["198.51.100.1:4711"], "198.51.100.1"),
        (PROXY, ["[2001:db8::7]:443"], "2001:db8::7"),
        (PROXY, ["198.51.100.1, unknown"], PROXY),
        (PROXY, [",".join(["1.2.3.4"] + ["10.0.0.7"] * 5000)], "10.0.0.7"),
        ("::ffff:10.0.0.9", ["198.51.100.1"], "198.51.100.1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_the_client_is_the_last_one_that_no_trusted_proxy_is(peer: str, forwarded: list[str], expected: str) -> None:
    assert client_address(peer, forwarded, Networks(["10.0.0.0/24, ::1"])) == expected


def test_one_client_is_an_address_or_a_network_of_ipv6() -> None:
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:1:ffff::2") != network_of("2001:db8:0:2::1")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") != network_of("192.0.2.8")
    with pytest.raises(SettingError, match="--trust-proxy names 'proxy.local'"):
        Networks(["proxy.local"])


def test_people_behind_a_proxy_are_counted_apart() -> None:
    class Senders(ForADay):
        def keep(self, answer: typing.Any, given: typing.Any, sender: str = "", token: str = "") -> str:
            senders.append(sender)
            return super().keep(answer, given, sender, token)

    senders: list[str] = []
    behind = client(policy(proxies="10.0.0.0/24", proxies_only=True), Senders(), peer=PROXY)
    for address in ("198.51.100.1", "198.51.100.1", "198.51.100.2", "2001:db8::1", "2001:db8::2"):
        kept(behind, headers={"X-Forwarded-For": address})
    named = client(policy(tokens=(TOKENS,)), Senders())
    for token in ("ana", "ben", "ana"):
        kept(named, headers=bearer(token))
    assert senders[0] == senders[1] != senders[2] and senders[3] == senders[4] != senders[2]
    assert senders[5] == senders[7] != senders[6] and not any("ana" in sender for sender in senders)


# --- rates -------------------------------------------------------------------------------------------------------------


def test_a_client_over_its_rate_is_told_when_to_retry() -> None:
    asked = client(policy(tokens=(TOKENS,), rate="2/minute"))
    left = [asked.get("/api/v1/entries", headers=bearer("ci")).headers["ratelimit-remaining"] for _ in range(2)]
    assert left == ["1", "0"]
    over = asked.get("/api/v1/entries", headers=bearer("ci"))
    assert "more than 2 requests" in refused(over, 429, "too-many")
    assert 1 <= int(over.headers["retry-after"]) <= 60 and over.headers["ratelimit-limit"] == "2"
    assert over.headers["ratelimit-remaining"] == "0" and over.headers["ratelimit-reset"] == over.headers["retry-after"]
    assert asked.get("/api/v1/entries", headers=bearer("ana")).status_code == 200
    assert asked.get("/entries", headers=bearer("ci")).status_code == 429
    assert "ratelimit-limit" not in asked.get("/healthz").headers


def test_wrong_tokens_are_counted_by_address() -> None:
    asked = client(policy(tokens=(TOKENS,), rate="3/minute"))
    assert [asked.get("/", headers=bearer(f"guess-{number}")).status_code for number in range(5)] == [401, 401, 401, 429, 429]
    assert asked.get("/", headers=bearer("ana")).status_code == 200


def test_a_client_cannot_change_its_address_with_a_header() -> None:
    asked = client(policy(is_open=True, rate="2/minute"))
    found = [asked.get("/", headers={"X-Forwarded-For": f"198.51.100.{number}"}).status_code for number in range(4)]
    assert found == [200, 200, 429, 429]


# --- hosts and other sites ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("Help.Example.ORG.", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("127.0.0.1.evil.example:80", 400),
        ("10.1.2.3", 400),
        ("localhost:8000@evil.example", 400),
        ("", 400),
    ],
)
def test_an_unknown_host_name_is_refused(host: str, status: int) -> None:
    made = policy(is_open=True, hosts=Hosts.of("127.0.0.1", "help.example.org", []))
    response = client(made).get("/api/v1/entries", headers={"host": host})
    assert response.status_code == status
    if status == 400:
        assert "--allowed-hosts" in refused(response, 400, "wrong-host")


def test_a_server_for_all_addresses_answers_under_numbers_and_its_own_name() -> None:
    import socket

    hosts = Hosts.of("0.0.0.0", "", ["gpu-box.lan, other"])
    for name in ("10.1.2.3:80", "[2001:db8::1]", "localhost", socket.gethostname(), "gpu-box.lan:8000", "OTHER"):
        assert name in hosts, name
    assert "evil.example" not in hosts and "evil.example" in Hosts.any() and "a b" not in Hosts.any()
    with pytest.raises(SettingError, match="--allowed-hosts names 'http://x'"):
        Hosts.of("0.0.0.0", "", ["http://x"])


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver:81"},
    {"Origin": ""},
]
OWN: list[dict[str, str]] = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://testserver"},
    {"Origin": "https://testserver"},
    {"Origin": "https://help.example.org"},
]


def open_client(**place: typing.Any) -> typing.Any:
    return client(policy(is_open=True, place=Place("127.0.0.1", True, "https://help.example.org")._replace(**place)))


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_cannot_send_requests(headers: dict[str, str]) -> None:
    asked = open_client()
    token = kept(asked)
    simple = {"content-type": "text/plain", **headers}
    refused(asked.post(ASK, content=json.dumps({"text": FULL}), headers=simple), 403, "foreign-origin")
    refused(asked.delete(f"/api/v1/answers/{token}", headers=headers), 403, "foreign-origin")
    for path in ("/", f"/a/{token}/delete", f"/a/{token}/feedback"):
        response = asked.post(path, data={"text": FULL, "said": "helped"}, headers=headers)
        assert response.status_code == 403 and "another site" in response.text
    assert asked.get(f"/a/{token}", headers=headers).status_code == 200  # a link in a chat is followed from there


@pytest.mark.parametrize("headers", OWN)
def test_its_own_pages_and_programs_can(headers: dict[str, str]) -> None:
    asked = open_client()
    token = kept(asked, headers=headers)
    assert asked.post(f"/a/{token}/delete", headers=headers).status_code == 303


def test_a_page_that_cors_lets_in_reaches_the_api_and_no_form() -> None:
    asked = open_client(origins=("https://ide.example.org",))
    headers = {"Origin": "https://ide.example.org", "Sec-Fetch-Site": "cross-site"}
    answered = asked.post(ASK, json={"text": FULL}, headers=headers)
    assert answered.status_code == 200 and answered.headers["access-control-allow-origin"] == "https://ide.example.org"
    assert "ratelimit-limit" in answered.headers["access-control-expose-headers"].lower()
    assert asked.post("/", files={"text": (None, FULL)}, headers=headers).status_code == 403
    asked_for = "authorization, content-type, idempotency-key"
    asking = {**headers, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": asked_for}
    assert asked.options(ASK, headers=asking).status_code == 200


def test_a_page_allowed_by_cors_cannot_act_as_the_visitor() -> None:
    origins = ("https://ide.example.org",)
    made = policy(**USERS, tokens=(TOKENS,), place=Place("0.0.0.0", False, "", origins))
    asked = client(made, peer=PROXY)
    headers = {"Origin": origins[0], "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "X-Forwarded-User": "ana"}
    refused(asked.post(ASK, content=FULL, headers={**headers, "content-type": "text/plain"}), 401, "no-token")
    refused(asked.get("/api/v1/entries", headers=headers), 401, "no-token")
    assert asked.post(ASK, json={"text": FULL}, headers={**headers, **bearer("ci")}).status_code == 200


@pytest.mark.parametrize(
    ("mode", "place", "status"), [("navigate", "document", 200), ("navigate", "iframe", 401), ("cors", "empty", 401)]
)
def test_a_link_on_another_site_leads_a_known_visitor_here(mode: str, place: str, status: int) -> None:
    asked = client(policy(**USERS), peer=PROXY)
    headers = {"X-Forwarded-User": "ana", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": place}
    assert asked.get("/entries", headers=headers).status_code == status
    assert asked.post("/", files={"text": (None, FULL)}, headers=headers).status_code == 403


def test_a_program_with_the_application_in_it_needs_no_policy_for_cors() -> None:
    app = create_app(small_diagnoser(), reached=Reached.of("", "", ["https://ide.example.org"]))
    answered = TestClient(app).post(ASK, json={"text": FULL}, headers={"Origin": "https://ide.example.org"})
    assert answered.status_code == 200


def test_a_refused_page_still_hears_it_where_cors_lets_it_in() -> None:
    made = policy(tokens=(TOKENS,), place=Place("0.0.0.0", False, "", ("https://ide.example.org",)))
    response = client(made).post(ASK, json={"text": FULL}, headers={"Origin": "https://ide.example.org"})
    refused(response, 401, "no-token")
    assert response.headers["access-control-allow-origin"] == "https://ide.example.org"


def test_below_a_path_the_scopes_are_the_same() -> None:
    asked = client(policy(tokens=(TOKENS,)), root_path="/tfhelp")
    for path in ("/tfhelp/a/AAAAAAAAAAAAAAAAAAAA", "/a/AAAAAAAAAAAAAAAAAAAA"):
        assert asked.get(path, headers=bearer("ci")).status_code == 403
    assert asked.get("/tfhelp/healthz").status_code == 200
