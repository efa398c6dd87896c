"""A real browser: it logs in and out, submits our own forms, and is sent here by pages of other sites."""

import typing
import urllib.parse

import playwright.sync_api
import pytest
from playwright.sync_api import Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tests.service.access.doors import FULL, policy, running
from tests.service.access.test_login import Site, site
from tests.service.browsing import chromium, new_context
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.memory.for_a_day import ForADay

pytestmark = pytest.mark.slow

# A host name other than the machine's own: over http, a browser does not tell such a server which site a request comes from.
PLAIN = "help.test"


@pytest.fixture(scope="module")
def browser() -> typing.Iterator[playwright.sync_api.Browser]:
    """A browser that resolves two names to this machine."""
    with chromium(f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1, MAP evil.test 127.0.0.1") as running_browser:
        yield running_browser


@pytest.fixture
def page(browser: playwright.sync_api.Browser) -> typing.Iterator[Page]:
    context = new_context(browser)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def here() -> typing.Iterator[Site]:
    with site(provided_at="localhost") as made:  # for a browser, another site than 127.0.0.1
        yield made


@pytest.fixture(scope="module")
def memory() -> ForADay:
    return ForADay()


@pytest.fixture(scope="module")
def port(memory: ForADay) -> typing.Iterator[str]:
    """The port of a server that requires no login."""
    with running(create_app(small_diagnoser(), memory=memory, policy=policy(is_open=True))) as url:
        yield url.rpartition(":")[2]


@pytest.fixture(scope="module")
def evil() -> typing.Iterator[str]:
    """The port of another site, whose page submits a form given by its query automatically."""

    def attack(request: Request) -> Response:
        asked = request.query_params
        return HTMLResponse(
            f'<form id="f" method="post" action="{asked["to"]}" enctype="{asked["kind"]}"><input name="{asked["name"]}" value="x\'">'
            "</form><script>document.getElementById('f').submit()</script>",
            headers={"Referrer-Policy": asked["policy"]},
        )

    with running(Starlette(routes=[Route("/", attack)])) as url:
        yield url.rpartition(":")[2]


def ask(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_label("Error, log, traceback").fill(FULL)
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("heading", name="This answer", exact=True)).to_be_visible()


def test_a_person_logs_in_asks_deletes_and_logs_out(page: Page, here: Site) -> None:
    ask(page, here.url)
    expect(page.locator(".who")).to_contain_text("ana@example.org")
    page.get_by_role("button", name="It helped").click()
    expect(page.get_by_role("status")).to_contain_text("it helped")
    page.get_by_role("button", name="Delete this answer").click()
    expect(page.get_by_role("status")).to_contain_text("The answer is deleted")
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="You are logged out")).to_be_visible()
    page.get_by_role("link", name="Log in again").click()
    expect(page.locator(".who")).to_contain_text("ana@example.org")


def test_a_link_in_a_chat_leads_through_the_login_and_then_past_it(page: Page, here: Site) -> None:
    chat = HTMLResponse(f'<a href="{here.url}/entries">the known problems</a>')
    with running(Starlette(routes=[Route("/", lambda _: chat)])) as url:
        for logins in (1, 0):
            here.provider.asked.clear()
            page.goto(url.replace("127.0.0.1", "evil.test"))
            page.get_by_role("link").click()
            expect(page.locator(".who")).to_contain_text("ana@example.org")
            assert page.url == f"{here.url}/entries" and len(here.provider.asked) == logins


@pytest.mark.parametrize("host", ["127.0.0.1", PLAIN])
def test_our_own_forms_are_taken_whatever_the_browser_tells(page: Page, port: str, host: str) -> None:
    ask(page, f"http://{host}:{port}")
    page.get_by_role("button", name="Delete this answer").click()
    expect(page.get_by_role("status")).to_contain_text("The answer is deleted")


@pytest.mark.parametrize("host", ["127.0.0.1", PLAIN])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("hidden", ["no-referrer", "unsafe-url"])
def test_a_page_of_another_site_can_neither_ask_nor_delete(
    page: Page, port: str, evil: str, memory: ForADay, host: str, kind: str, hidden: str
) -> None:
    token = memory.keep({"verdict": "unknown"}, {})
    for path, name in ((f"/a/{token}/delete", "x"), ("/api/v1/diagnose", '{"text": "a", "y": "'), ("/", "text")):
        query = {"to": f"http://{host}:{port}{path}", "kind": kind, "name": name.replace('"', "&quot;"), "policy": hidden}
        with page.expect_response(lambda response: response.request.method == "POST") as sent:
            page.goto(f"http://evil.test:{evil}/?{urllib.parse.urlencode(query)}")
        assert sent.value.status == 403, path
    assert memory.read(token) is not None
