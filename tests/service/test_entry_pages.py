"""The pages of the entries, on the real knowledge base: the list, the search results, and one problem."""

import re
import typing

import httpx
import playwright.sync_api
import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.service.browsing import chromium, new_context, watched
from tests.service.serving import Server
from tfhelp.kb import compiled
from tfhelp.service.doors.mcp.entries import entry_markdown
from tfhelp.service.doors.web import entry_view

KNOWLEDGE = compiled.load()


@pytest.fixture(scope="module")
def real() -> typing.Iterator[Server]:
    with Server.real("--workers", "1", "--public-url", "https://help.example.org/tf/") as server:
        yield server


def page(server: Server, path: str) -> str:
    response = httpx.get(server.url + path)
    assert response.status_code == 200
    return response.text


def test_no_cause_lists_the_same_sign_twice() -> None:
    for name in KNOWLEDGE.entries():
        for cause in entry_markdown(KNOWLEDGE, name).split("\n## ")[1:]:
            signs = [line for line in cause.partition("What supports it:")[2].partition("\n\n")[0].splitlines() if line]
            assert len(signs) == len(set(signs)), (name, signs)
        for sign in entry_view.entry_view(KNOWLEDGE.entry(name), KNOWLEDGE)["signs"]:
            assert len(sign["says"]) == len(set(sign["says"])), (name, sign)


def test_every_entry_has_a_heading_a_description_and_its_causes_with_their_fix() -> None:
    with_messages = 0
    for name in KNOWLEDGE.entries():
        shown = entry_view.entry_view(KNOWLEDGE.entry(name), KNOWLEDGE)
        assert 20 <= len(shown["description"]) <= 160 and "`" not in shown["description"], shown["description"]
        assert len(shown["signs"]) in (0, len(shown["causes"]))
        assert all(message.strip() and "\n" not in message for message in shown["messages"])
        with_messages += bool(shown["messages"])
    assert with_messages > 0.9 * len(KNOWLEDGE.entries())


def test_an_entrys_page_says_what_it_looks_like_and_puts_the_fix_before_the_reason(real: Server) -> None:
    html = page(real, "/entries/gpu-out-of-memory")
    assert html.count("<h1>") == 1 and "<h1>The GPU runs out of memory</h1>" in html
    assert re.search(r'<meta name="description" content="The GPU runs out of memory\. [^"]{20,}">', html)
    assert '<link rel="canonical" href="https://help.example.org/tf/entries/gpu-out-of-memory">' in html
    assert "OOM when allocating tensor with shape" in html
    assert '<a href="#other-process-holds-memory">' in html
    card = html[html.index('<section class="card" id="other-process-holds-memory"') :].partition("</section>")[0]
    order = [card.index(words) for words in ("fix-summary", "<h3>Why</h3>", "<h3>What supports it</h3>", "Where this is from")]
    assert order == sorted(order)


def test_the_list_stands_by_kind_and_a_search_by_rank(real: Server) -> None:
    everything = page(real, "/entries")
    headings = re.findall(r'<h2 id="[\w-]+-title">([^<]+)</h2>', everything)
    assert headings == list(entry_view.FAMILIES.values())
    assert everything.count('<li><a href="/entries/') == len(KNOWLEDGE.entries())
    found = re.findall(r'class="hit-title" href="/entries/([\w-]+)"', page(real, "/entries?q=out+of+memory"))
    assert found[:2] == ["gpu-out-of-memory", "host-out-of-memory"]
    names = page(real, "/entries?q=tf.keras.layers.Den")
    assert names.index("tf.keras.layers.Dense</code>") < names.index('class="hit-title" href=')
    assert "Nothing matches these words" in page(real, "/entries?q=zzzzqqq")
    assert "&lt;b&gt;" in page(real, "/entries?q=%3Cb%3E")


def test_a_misspelt_address_offers_what_was_meant(real: Server) -> None:
    response = httpx.get(f"{real.url}/entries/gpu-out-of-memry")
    assert response.status_code == 404 and 'href="/entries/gpu-out-of-memory"' in response.text


def test_the_pages_fit_a_phone_print_well_and_have_no_fault_of_access(real: Server) -> None:
    with chromium() as browser:
        for path in ("/entries", "/entries?q=oom", "/entries/gpu-out-of-memory", "/entries/benign-onednn"):
            view = new_context(browser, viewport={"width": 390, "height": 844}).new_page()
            problems = watched(view)
            view.goto(real.url + path)
            assert view.evaluate("document.documentElement.scrollWidth") <= 390, path
            found = Axe().run(view)
            assert found.violations_count == 0, (path, found.generate_report())
            assert problems == []
            view.close()
        _check_print(browser, real)


def _check_print(browser: playwright.sync_api.Browser, server: Server) -> None:
    view = new_context(browser).new_page()
    view.goto(f"{server.url}/entries/gpu-out-of-memory")
    view.emulate_media(media="print")
    assert not view.locator(".crumbs").is_visible()
    assert view.locator("#fragmentation .fix-summary").is_visible()
