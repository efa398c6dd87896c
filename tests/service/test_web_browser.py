"""The pages in a real browser, with JavaScript and without."""

import itertools
import pathlib
import typing

import playwright.sync_api
import pytest
from playwright.sync_api import Page, expect

from tests.service.browsing import chromium, watched
from tests.service.serving import Server

pytestmark = pytest.mark.slow

FULL = "CardFullError: no room for tensor 3,4"
ATTACK = f"<script>alert(1)</script></textarea><img src=x onerror=alert(2)>\n{FULL} <b>bold</b>"


@pytest.fixture(scope="module")
def browser() -> typing.Iterator[playwright.sync_api.Browser]:
    """One browser for all tests of this file."""
    with chromium() as running:
        yield running


@pytest.fixture(params=[True, False], ids=["with-script", "without-script"])
def page(request: pytest.FixtureRequest, browser: playwright.sync_api.Browser) -> typing.Iterator[Page]:
    """A page with JavaScript and one without; nothing may go wrong on it or leave for elsewhere."""
    context = browser.new_context(java_script_enabled=request.param)
    context.set_default_timeout(20_000)
    opened = context.new_page()
    problems = watched(opened)
    yield opened
    context.close()
    assert not problems


@pytest.fixture
def scripted(browser: playwright.sync_api.Browser) -> typing.Iterator[Page]:
    """A page with JavaScript that may use the clipboard."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def ask(page: Page, server: Server, text: str) -> None:
    """Paste and submit."""
    page.goto(server.url)
    page.get_by_label("Error, log, traceback").fill(text)
    page.get_by_role("button", name="Find the cause").click()


def test_paste_and_answer(page: Page, server: Server) -> None:
    ask(page, server, f"IdleNotice: the machine is ready\n\n{FULL}")
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    expect(page.get_by_role("heading", name="A neighbour holds the card")).to_be_visible()
    expect(page.get_by_text("kill PID")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(f"IdleNotice: the machine is ready\n\n{FULL}")
    answer, form = page.locator("#answer").bounding_box(), page.locator("form#ask").bounding_box()
    assert answer and form and answer["y"] < form["y"]


def test_another_cause_unfolds(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    hidden = page.get_by_text("Set a smaller batch.")
    expect(hidden).to_be_hidden()
    page.get_by_text("The batch is too large").click()
    expect(hidden).to_be_visible()


def test_the_deciding_fact_ranks_again(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    page.get_by_label("Does it run in a container?").select_option("no")
    page.get_by_role("button", name="Rank again with this").click()
    expect(page.locator(".cause.leading h3")).to_contain_text("The batch is too large")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(FULL)


def test_pasted_html_is_inert(page: Page, server: Server) -> None:
    ask(page, server, ATTACK)
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(ATTACK)
    expect(page.locator(".said").first).to_contain_text("<b>bold</b>")
    assert page.locator("#answer img, #answer b:has-text('bold'), main script").count() == 0


def test_a_text_over_the_limit_is_kept(page: Page, narrow_server: Server) -> None:
    page.goto(narrow_server.url)
    path = pathlib.Path(__file__).parent / "never-written.log"
    content = (FULL + "\n").encode() * 80_000
    page.get_by_label("Or a log file").set_input_files({"name": path.name, "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("alert")).to_contain_text("2 MiB")
    assert len(page.get_by_role("textbox", name="Your text").input_value()) == 1 << 20


def test_a_bad_fact_is_named_and_the_text_kept(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_label("Error, log, traceback").fill(FULL)
    page.get_by_text("Facts about the machine that trains").click()
    page.get_by_label("All of them").fill('{"gpus": [{"name": 7}]}')
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("alert")).to_contain_text("gpus[0].name: expected text")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(FULL)
    expect(page.get_by_label("All of them")).to_have_value('{"gpus": [{"name": 7}]}')


def test_entries_are_found_and_read(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_role("link", name="Known problems").click()
    page.get_by_label("Words that").fill("misspelt")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="A wrong letter").click()
    expect(page.get_by_role("heading", name="Typed in haste")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/entries", "/entries/card-full", "/docs", "/nope"])
def test_nothing_is_wider_than_a_phone(browser: playwright.sync_api.Browser, server: Server, path: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(server.url + path)
    if path == "/":
        ask(page, server, f"{FULL} {'x' * 600}\n" + "y" * 600)
        expect(page.locator("#answer")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_snippet_is_copied_as_it_is(scripted: Page, server: Server) -> None:
    ask(scripted, server, FULL)
    snippet = scripted.locator(".snippet", has_text="import tensorflow").first
    snippet.get_by_role("button", name="Copy").click()
    expect(snippet.get_by_role("button")).to_have_text("Copied")
    copied = scripted.evaluate("navigator.clipboard.readText()")
    assert copied == 'import tensorflow as tf\n\nif 1 < 2 & 3:\n    print("<grown>", tf.__version__)'


def test_control_enter_submits(scripted: Page, server: Server) -> None:
    scripted.goto(server.url)
    scripted.get_by_label("Error, log, traceback").fill(FULL)
    scripted.keyboard.press("Control+Enter")
    expect(scripted.locator("#answer")).to_be_visible()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_dropped_file_stands_in_the_text_area(scripted: Page, server: Server, encoding: str) -> None:
    scripted.goto(server.url)
    drop(scripted, list(f"caf\u00e9\n{FULL}".encode(encoding)), 1)
    expect(scripted.get_by_label("Error, log, traceback")).to_have_value(f"caf\u00e9\n{FULL}")
    expect(scripted.get_by_role("status")).to_contain_text("train.log is in the text field")


def test_a_dropped_file_that_is_too_large_is_refused(scripted: Page, narrow_server: Server) -> None:
    scripted.goto(narrow_server.url)
    drop(scripted, [120], (2 << 20) + 1)
    expect(scripted.get_by_role("status")).to_contain_text("larger than 2 MiB")
    expect(scripted.get_by_label("Error, log, traceback")).to_have_value("")


def drop(page: Page, content: list[int], times: int) -> None:
    """Drop a file with these bytes, so many times over, on the text area."""
    transfer = page.evaluate_handle(
        """([bytes, times]) => {
          const data = new DataTransfer();
          data.items.add(new File(Array(times).fill(new Uint8Array(bytes)), 'train.log'));
          return data;
        }""",
        [content, times],
    )
    page.dispatch_event("#text", "drop", {"dataTransfer": transfer})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(browser: playwright.sync_api.Browser, server: Server, scheme: typing.Any) -> None:
    """Contrast of 4.5 to 1 at least (WCAG 2.2, level AA) for every element that holds words of its own."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    ask(page, server, FULL)
    expect(page.locator("#answer")).to_be_visible()
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    faint = page.evaluate(CONTRAST)
    context.close()
    assert faint == []


CONTRAST = """() => {
  const parse = (colour) => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data);
  };
  const light = ([r, g, b]) => {
    const part = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return parse(colour);
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || ['SCRIPT', 'OPTION'].includes(element.tagName)) continue;
    const [one, other] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) faint.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return faint;
}"""


def test_every_field_has_a_label_and_headings_do_not_skip(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    expect(page.locator("#answer")).to_be_visible()
    for field in page.locator("input:not([type=hidden]), select, textarea").all():
        name = field.get_attribute("id")
        assert page.locator(f'label[for="{name}"]').count() == 1, name
    levels = [int(heading.evaluate("element => element.tagName")[1]) for heading in page.locator("h1, h2, h3, h4").all()]
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))
    assert levels[0] <= 2
