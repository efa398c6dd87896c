"""The login of people: a real provider, the real application, two HTTP servers and a client with cookies between them."""

import contextlib
import re
import socket
import typing

import httpx
import pytest
from fastapi import Request
from starlette.testclient import TestClient

from tests.service.access.doors import FULL, HERE, Held, running
from tests.service.access.provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.service.small_server import small_diagnoser
from tfhelp.service.access.addresses import SettingError
from tfhelp.service.access.identity import OF_A_PERSON, Who
from tfhelp.service.access.policy import Options, Policy
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.doors.http.reached import Reached
from tfhelp.service.doors.http.server import listening_socket
from tfhelp.service.doors.http.sessions import safe_target

SECRETS = {"TFHELP_OIDC_CLIENT_ID": CLIENT_ID, "TFHELP_OIDC_CLIENT_SECRET": CLIENT_SECRET}
SITE = {"Sec-Fetch-Site": "same-origin"}  # as a browser sends it with a form


class Site(typing.NamedTuple):
    """A running server, and the provider that logs people in."""

    url: str
    provider: Provider


@contextlib.contextmanager
def site(provided_at: str = "127.0.0.1", **options: typing.Any) -> typing.Iterator[Site]:
    """A provider under a host name of this machine, and a server whose people log in there."""
    provider = Provider()
    with running(provider.app) as address, listening_socket("127.0.0.1", 0) as listener:
        issuer = address.replace("127.0.0.1", provided_at)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        provider.issuer, provider.back = issuer, f"{url}/login/callback"
        place = HERE._replace(public_url=url)
        policy = Policy.of(Options(oidc_issuer=issuer, **options), place, SECRETS, None)
        policy = policy._replace(tokens=(Held(ci=Who("token:1", "token ci", OF_A_PERSON)),))
        app = create_app(small_diagnoser(), reached=Reached.of("", url, []), policy=policy)
        with running(app, listener):
            yield Site(url, provider)


@pytest.fixture(scope="module")
def shared() -> typing.Iterator[Site]:
    with site(oidc_domains=["example.org"], oidc_groups=["ml-team"], admins=["root@example.org", "ops"]) as made:
        yield made


@pytest.fixture
def here(shared: Site) -> Site:
    """The shared site, with an honest provider that knows Ana."""
    fresh = Provider()
    for name in ("person", "changed", "signed_by", "only_userinfo", "told_issuer"):
        setattr(shared.provider, name, getattr(fresh, name))
    shared.provider.asked.clear()
    return shared


def browser(here: Site) -> httpx.Client:
    return httpx.Client(base_url=here.url, follow_redirects=True, timeout=60)


@contextlib.contextmanager
def logged_in(here: Site, **person: typing.Any) -> typing.Iterator[httpx.Client]:
    here.provider.person = {"sub": "u-1", "email": "ana@example.org", "email_verified": True, **person}
    with browser(here) as client:
        page = client.get("/")
        assert page.status_code == 200, page.text
        yield client


def kept(client: httpx.Client) -> httpx.Response:
    return client.post("/", files={"text": (None, FULL)}, headers=SITE)


def test_a_person_is_sent_to_log_in_and_comes_back_to_where_they_wanted(here: Site) -> None:
    with browser(here) as client:
        page = client.get("/entries?q=card")
        assert page.status_code == 200 and page.url.path == "/entries" and page.url.params["q"] == "card"
        assert "<span>ana@example.org</span>" in page.text and 'action="/logout"' in page.text
        assert [step.url.path for step in page.history] == ["/entries", "/login", "/authorize", "/login/callback"]
        asked = here.provider.asked[0]
        assert asked["code_challenge_method"] == "S256" and len(asked["state"]) >= 20 and len(asked["nonce"]) >= 20
        assert kept(client).status_code == 200


def test_the_cookie_is_signed_and_no_script_and_no_other_site_gets_it(here: Site) -> None:
    with browser(here) as client:
        page = client.get("/")
        cookies = [step.headers["set-cookie"] for step in (*page.history, page) if "set-cookie" in step.headers]
        assert cookies and all(re.search(r"httponly; samesite=lax", cookie, re.IGNORECASE) for cookie in cookies)
        assert all("Max-Age=28800" in cookie for cookie in cookies)
        assert "set-cookie" not in client.get("/static/style.css").headers
        name, value = next(iter(client.cookies.items()))
    flipped = value[:10] + ("A" if value[10] != "A" else "B") + value[11:]
    answer = httpx.get(here.url, cookies={name: flipped})
    assert answer.status_code == 303 and answer.headers["location"].startswith("/login?next=")


def test_logging_out_forgets_the_person(here: Site) -> None:
    with logged_in(here) as client:
        assert client.post("/logout", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        page = client.post("/logout", headers=SITE)
        assert page.url.path == "/logged-out" and "You are logged out" in page.text and not client.cookies
        asked = client.get("/entries", follow_redirects=False)
        assert asked.status_code == 303


def test_a_form_sent_without_a_login_is_not_lost_to_a_redirect(here: Site) -> None:
    with browser(here) as client:
        answer = client.post("/", files={"text": (None, FULL)}, headers=SITE)
        assert answer.status_code == 401 and "You are not logged in" in answer.text
        api = client.post("/api/v1/diagnose", json={"text": FULL})
        assert api.status_code == 401 and api.json()["error"]["code"] == "no-token"


def test_a_token_works_beside_the_login(here: Site) -> None:
    answer = httpx.post(f"{here.url}/api/v1/diagnose", json={"text": FULL}, headers={"Authorization": "Bearer ci"}, timeout=60)
    assert answer.status_code == 200


def test_the_cookie_works_only_for_our_own_pages(here: Site) -> None:
    with logged_in(here) as client:
        assert client.get("/api/v1/entries", headers=SITE).status_code == 200
        for foreign in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
            assert client.get("/api/v1/entries", headers=foreign).status_code == 401
            assert client.post("/api/v1/diagnose", json={"text": FULL}, headers=foreign).status_code == 403


def test_a_person_deletes_their_own_answers_and_an_administrator_all(here: Site) -> None:
    with logged_in(here) as ana, logged_in(here, sub="u-2", email="ben@example.org") as ben:
        first, second = kept(ana).url.path, kept(ana).url.path
        page = ben.get(first)
        assert page.status_code == 200 and "/delete" not in page.text
        assert ben.post(f"{first}/delete", headers=SITE).status_code == 403
        assert ana.post(f"{first}/delete", headers=SITE).status_code == 200
        # If another person is given Ana's address one day, that person is not Ana.
        with logged_in(here, sub="u-9") as namesake:
            assert namesake.post(f"{second}/delete", headers=SITE).status_code == 403
        with logged_in(here, sub="u-3", email="root@example.org") as root:
            assert root.post(f"{second}/delete", headers=SITE).status_code == 200


@pytest.mark.parametrize(
    ("person", "only_userinfo", "status"),
    [
        ({"email": "eve@evil.example"}, {}, 403),
        ({"email": "eve@example.org", "email_verified": False}, {}, 403),
        ({"email": "eve@example.org", "email_verified": "true"}, {}, 403),
        ({"email": "eve@notexample.org"}, {}, 403),
        ({"email": "example.org"}, {}, 403),
        ({"email": "j\u00fcrgen@Example.org"}, {}, 200),
        ({"email": "eve@evil.example", "groups": ["ml-team"]}, {}, 200),
        ({"email": "eve@evil.example", "groups": ["m\u017f-team", "ml-t\u0435am"]}, {}, 403),
        ({"email": "eve@evil.example", "groups": ["ml-team2"]}, {}, 403),
        ({"email": "eve@evil.example"}, {"groups": ["ML-Team"]}, 200),
        ({"email": "eve@evil.example"}, {"groups": ["ml-team"], "sub": "somebody else"}, 403),
    ],
)
def test_only_the_domains_and_groups_that_are_named_come_in(
    here: Site, person: typing.Any, only_userinfo: typing.Any, status: int
) -> None:
    here.provider.person = {"sub": "u-7", "email_verified": True, **person}
    here.provider.only_userinfo = only_userinfo
    with browser(here) as client:
        assert client.get("/").status_code == status
        assert client.get("/entries", follow_redirects=False).status_code == (200 if status == 200 else 303)


@pytest.mark.parametrize(
    "cheat",
    [
        {"changed": {"aud": "another-client"}},
        {"changed": {"aud": ["another-client"], "azp": CLIENT_ID}},
        {"changed": {"iss": "https://another.example"}},
        {"changed": {"nonce": "replayed"}},
        {"changed": {"nonce": None}},
        {"changed": {"exp": 1}},
        {"changed": {"sub": None}},
        {"signed_by": "foreign"},
        {"signed_by": "secret"},
        {"signed_by": "nothing"},
    ],
    ids=str,
)
def test_an_invalid_id_token_is_refused(here: Site, cheat: typing.Any) -> None:
    for name, value in cheat.items():
        setattr(here.provider, name, value)
    with browser(here) as client:
        page = client.get("/")
        assert page.status_code in (403, 503) and "You could not log in" in page.text
        assert client.get("/entries", follow_redirects=False).status_code == 303


def test_a_login_cannot_start_in_one_browser_and_end_in_another(here: Site) -> None:
    with browser(here) as mine, browser(here) as yours:
        step = mine.get("/login", follow_redirects=False)
        back = httpx.get(step.headers["location"]).headers["location"]
        assert yours.get(back).status_code == 403
        assert yours.get("/", follow_redirects=False).status_code == 303
        assert mine.get(back, follow_redirects=False).status_code == 303
        with browser(here) as again:
            again.cookies.update(mine.cookies)
            assert again.get(back).status_code == 403  # a code and a state work once


@pytest.mark.parametrize(
    "query", ["", "?code=x", "?code=x&state=y", "?error=access_denied&error_description=%3Cscript%3E", "?state=%00"]
)
def test_an_unexpected_login_callback_is_refused(here: Site, query: str) -> None:
    answer = httpx.get(f"{here.url}/login/callback{query}")
    assert answer.status_code == 403 and "<script>" not in answer.text.lower().replace('<script src="', "")


@pytest.mark.parametrize(
    "target",
    ["https://evil.example", "//evil.example", "/\\evil.example", "/%5cevil.example/../..//evil.example", "javascript:alert(1)"],
)
def test_the_login_redirects_only_to_this_server(here: Site, target: str) -> None:
    with browser(here) as client:
        step = client.get("/login", params={"next": target}, follow_redirects=False)
        back = httpx.get(step.headers["location"]).headers["location"]
        last = client.get(back, follow_redirects=False).headers["location"]
        assert last.startswith("/") and not last.startswith(("//", "/\\")) and httpx.URL(here.url).join(last).host == "127.0.0.1"


def test_where_a_login_leads() -> None:
    assert safe_target("/a/x?said=helped") == "/a/x?said=helped"
    for bad in ("", "a/x", "/\t/evil.example", "/" + "x" * 600, "/login?next=/", "/logout", "///evil.example", "/é", "http:/x"):
        assert safe_target(bad) == "/", bad


def test_a_session_is_over_after_a_day_of_work(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from tfhelp.service.doors.http import sessions

    with logged_in(here) as client:
        assert client.get("/entries", follow_redirects=False).status_code == 200
        real = sessions.time.time
        monkeypatch.setattr(sessions, "time", type("Later", (), {"time": staticmethod(lambda: real() + sessions.LASTS_S + 1)}))
        assert client.get("/entries", follow_redirects=False).status_code == 303


def test_an_unreachable_or_wrong_issuer_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with site() as made:
        made.provider.told_issuer = "https://another.example"
        with browser(made) as client:
            page = client.get("/")
            assert page.status_code == 403 and "not the one" in page.text
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # it listens to nobody, and no other test gets its port
        issuer = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        policy = Policy.of(Options(oidc_issuer=issuer), HERE._replace(public_url="http://127.0.0.1:1"), SECRETS, None)
        with TestClient(create_app(small_diagnoser(), policy=policy), base_url="http://127.0.0.1") as away:
            page = away.get("/login")
            assert page.status_code == 503 and "cannot be asked at the moment" in page.text
            assert away.get("/healthz").status_code == 200
    assert CLIENT_SECRET not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "public", "environment", "says"),
    [
        ({"oidc_issuer": "https://login.example.org"}, "", SECRETS, "needs --public-url"),
        ({"oidc_issuer": "http://login.example.org"}, "https://help.example.org", SECRETS, "takes https"),
        ({"oidc_issuer": "https://login.example.org"}, "http://help.example.org", SECRETS, "takes https"),
        ({"oidc_issuer": "https://login.example.org"}, "https://help.example.org", {}, "TFHELP_OIDC_CLIENT_ID"),
        (
            {"oidc_issuer": "https://login.example.org"},
            "https://help.example.org",
            {**SECRETS, "TFHELP_OIDC_CLIENT_SECRET": "short"},
            "at least 16",
        ),
        ({"oidc_issuer": "login"}, "https://help.example.org", SECRETS, "--oidc-issuer is 'login'"),
        ({"oidc_domains": ["example.org"]}, "", {}, "need --oidc-issuer"),
    ],
)
def test_a_login_that_cannot_work_or_is_not_safe_is_refused_at_the_start(
    options: typing.Any, public: str, environment: typing.Any, says: str
) -> None:
    with pytest.raises(SettingError, match=says):
        Policy.of(Options(**options), HERE._replace(public_url=public), environment, None)


def test_over_https_the_cookie_is_for_this_host_and_https_alone() -> None:
    place = HERE._replace(public_url="https://help.example.org")
    policy = Policy.of(Options(oidc_issuer="https://login.example.org"), place, SECRETS, None)
    app = create_app(small_diagnoser(), policy=policy)

    async def with_request(request: Request) -> dict[str, str]:
        request.session["x"] = "y"
        return {}

    app.add_api_route("/login/with", with_request)
    with TestClient(app, base_url="https://help.example.org") as client:
        cookie = client.get("/login/with").headers["set-cookie"]
    assert cookie.startswith("__Host-tfhelp=") and "path=/;" in cookie and "httponly; samesite=lax; secure" in cookie
    assert "domain" not in cookie.lower()
