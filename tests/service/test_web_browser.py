"""The pages in a real browser, with and without JavaScript."""

import itertools
import typing

import playwright.sync_api
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.service import pictures
from tests.service.browsing import chromium, new_context, watched
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
    """A page with JavaScript and one without; nothing may fail on it or leave for another server."""
    context = new_context(browser, java_script_enabled=request.param)
    opened = context.new_page()
    problems = watched(opened)
    yield opened
    context.close()
    assert not problems


@pytest.fixture
def scripted(browser: playwright.sync_api.Browser) -> typing.Iterator[Page]:
    """A page with JavaScript that may use the clipboard."""
    context = new_context(browser, permissions=["clipboard-read", "clipboard-write"])
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
    expect(page.locator(".lead .cause-line")).to_contain_text("A neighbour holds the card")
    expect(page.locator(".lead").get_by_text("kill PID")).to_be_visible()
    expect(page.locator(".why-card mark")).to_have_text(FULL)


def test_back_reload_and_a_link_work(page: Page, server: Server, browser: playwright.sync_api.Browser) -> None:
    ask(page, server, FULL)
    expect(page.locator("#answer")).to_be_visible()
    url = page.url
    page.reload()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Error, log, traceback")).to_have_value(FULL)
    page.go_forward()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    page.get_by_role("link", name="All about this problem").or_(page.get_by_role("link", name="Known problems")).first.click()
    page.go_back()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    other = new_context(browser).new_page()
    other.goto(url)
    expect(other.get_by_role("heading", name="The card <is> full")).to_be_visible()
    other.close()


def test_without_a_link_back_works_as_well(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_label("Error, log, traceback").fill(FULL)
    page.get_by_label("Do not keep the answer").check()
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(FULL)
    page.get_by_role("link", name="Known problems").click()
    page.go_back()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()


def test_an_answer_is_judged_and_deleted(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    page.get_by_role("button", name="It helped").click()
    expect(page.get_by_role("status")).to_contain_text("it helped")
    page.get_by_role("button", name="Delete this answer").click()
    expect(page.get_by_role("status")).to_contain_text("The answer is deleted")
    page.go_back()
    expect(page.get_by_role("heading", name="This answer is not here")).to_be_visible()


def test_more_of_the_text_is_added(page: Page, server: Server) -> None:
    ask(page, server, "something broke")
    page.get_by_role("link", name="Add to the text").click()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("something broke")
    page.get_by_role("textbox", name="Your text").fill(f"something broke\n{FULL}")
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()


def test_another_cause_unfolds(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    hidden = page.locator(".cause-body").get_by_text("Set a smaller batch.").first
    expect(hidden).to_be_hidden()
    page.locator(".cause-title", has_text="The batch is too large").click()
    expect(hidden).to_be_visible()


def test_the_deciding_fact_ranks_again(page: Page, server: Server) -> None:
    ask(page, server, FULL)
    group = page.get_by_role("group").filter(has=page.locator("legend"))
    expect(group.get_by_label("I do not know")).to_be_checked()
    group.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Rank again with this").click()
    expect(page.locator(".lead .cause-line")).to_contain_text("The batch is too large")


def test_pasted_html_is_inert(page: Page, server: Server) -> None:
    ask(page, server, ATTACK)
    expect(page.locator(".why-card mark")).to_contain_text("<b>bold</b>")
    assert page.locator("#answer img, #answer b:has-text('bold'), main script").count() == 0


def test_the_end_of_a_file_over_the_limit_is_read(page: Page, narrow_server: Server) -> None:
    page.goto(narrow_server.url)
    content = b"a step passed\n" * 300_000 + FULL.encode()
    page.get_by_label("Or a file").set_input_files({"name": "train.log", "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Find the cause").click()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    expect(page.get_by_text("train.log, 4.2 MB, 300,001 lines")).to_be_visible()
    assert len(page.content()) < 100_000


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
    page.get_by_label("Words, a message, or a name").fill("misspelt")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="A wrong letter").click()
    expect(page.get_by_role("heading", name="Typed in haste")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/entries", "/entries/card-full", "/docs", "/nope"])
def test_nothing_is_wider_than_a_phone(browser: playwright.sync_api.Browser, server: Server, path: str) -> None:
    context = new_context(browser, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(server.url + path)
    if path == "/":
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        ask(page, server, f"{FULL} {'x' * 600}\n" + "y" * 600)
        expect(page.locator("#answer")).to_be_visible()
        source = '<span class="source">derived from log.out_of_range_value, log.valid_range_end</span>'
        row = f'<ul class="evidence"><li><span class="outcome">Holds</span> <span>it is so {source}</span></li></ul>'
        page.locator(".why-card").evaluate("(card, row) => card.insertAdjacentHTML('beforeend', row)", row)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_snippet_is_copied_as_it_is(scripted: Page, server: Server) -> None:
    ask(scripted, server, FULL)
    snippet = scripted.locator(".snippet", has_text="import tensorflow").first
    says_copied(scripted, snippet.get_by_role("button"))
    copied = scripted.evaluate("navigator.clipboard.readText()")
    assert copied == 'import tensorflow as tf\n\nif 1 < 2 & 3:\n    print("<grown>", tf.__version__)'


def test_control_enter_submits(scripted: Page, server: Server) -> None:
    scripted.goto(server.url)
    scripted.get_by_label("Error, log, traceback").fill(FULL)
    scripted.keyboard.press("Control+Enter")
    expect(scripted.locator("#answer")).to_be_visible()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("place", ["#text", "header.site"])
def test_a_file_is_dropped_anywhere(scripted: Page, server: Server, encoding: str, place: str) -> None:
    scripted.goto(server.url)
    assert drop(scripted, list(f"caf\u00e9\n{FULL}".encode(encoding)), 1, place)
    expect(scripted.get_by_role("status")).to_contain_text("train.log, ")
    scripted.get_by_role("button", name="Find the cause").click()
    expect(scripted.get_by_role("heading", name="The card <is> full")).to_be_visible()


def test_a_dropped_file_that_is_too_long_is_said_to_be_cut(scripted: Page, narrow_server: Server) -> None:
    scripted.goto(narrow_server.url)
    drop(scripted, [120], (2 << 20) + 1, "#text")
    expect(scripted.get_by_role("status")).to_contain_text("its start and its end will be read")
    expect(scripted.get_by_label("Error, log, traceback")).to_have_value("")


def says_copied(page: Page, button: Locator) -> None:
    """Press a button that says "Copied" for a moment. The page notes what it says, since a look from here may come too late."""
    noted = """(button) => {
      button.said = [];
      new MutationObserver(() => button.said.push(button.textContent)).observe(button, {childList: true});
      return button;
    }"""
    element = button.evaluate_handle(noted)
    button.click()
    page.wait_for_function("(button) => button.said.includes('Copied')", arg=element)


def drop(page: Page, content: list[int], times: int, place: str) -> bool:
    """Drop a file with these bytes, repeated this often; return whether the page prevents the browser from opening it."""
    transfer = page.evaluate_handle(
        """([bytes, times]) => {
          const data = new DataTransfer();
          data.items.add(new File(Array(times).fill(new Uint8Array(bytes)), 'train.log'));
          return data;
        }""",
        [content, times],
    )
    handled = """(element, data) => !element.dispatchEvent(
      new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))"""
    return bool(page.locator(place).evaluate(handled, transfer))


def test_the_link_and_the_markdown_are_copied(scripted: Page, server: Server) -> None:
    ask(scripted, server, FULL)
    scripted.locator("#answer").wait_for()
    scripted.wait_for_load_state()  # the script listens from then on
    says_copied(scripted, scripted.get_by_role("button", name="Copy the link"))
    assert scripted.evaluate("navigator.clipboard.readText()") == scripted.url.partition("?")[0]
    says_copied(scripted, scripted.get_by_role("button", name="Copy as Markdown"))
    assert scripted.evaluate("navigator.clipboard.readText()").startswith("### ")


def test_the_whole_answer_is_reached_and_given_by_the_keyboard(scripted: Page, server: Server) -> None:
    scripted.goto(server.url)
    expect(scripted.get_by_label("Error, log, traceback")).to_be_focused()  # keys that come earlier are lost
    scripted.keyboard.type(FULL)
    scripted.keyboard.press("Control+Enter")
    scripted.locator("#answer").wait_for()
    scripted.wait_for_load_state()
    expect(scripted.get_by_role("heading", name="The card <is> full")).to_be_visible()
    reached = set()
    for _ in range(90):
        scripted.keyboard.press("Tab")
        reached.add(scripted.evaluate("(document.activeElement.textContent || document.activeElement.value).trim().slice(0, 40)"))
    assert {
        "Skip to the content",
        "Share, ask again, delete",
        "Rank again with this",
        "It helped",
        "Delete this answer",
    } <= reached


def test_all_is_printed(browser: playwright.sync_api.Browser, server: Server) -> None:
    page = new_context(browser).new_page()
    ask(page, server, FULL)
    page.locator("#answer").wait_for()
    page.wait_for_load_state()  # the script listens from then on
    folded = page.locator(".cause-body").get_by_text("Set a smaller batch.").first
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(folded).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(folded).to_be_hidden()
    page.emulate_media(media="print")
    expect(folded).to_be_visible()
    expect(page.get_by_role("button", name="It helped")).to_be_hidden()
    expect(page.get_by_role("heading", name="The card <is> full")).to_be_visible()
    page.close()


PAGES = [
    "/",
    "/status",
    "/entries",
    "/entries/card-full",
    "/docs",
    "/nope",
    "answer",
    "private",
    "benign",
    "unknown",
    "long",
    "problem",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: playwright.sync_api.Browser, server: Server, scheme: typing.Any) -> None:
    found = {}
    for name in PAGES:
        context = new_context(browser, color_scheme=scheme, viewport={"width": 1280 if scheme == "light" else 390, "height": 844})
        page = context.new_page()
        show(page, server, name)
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        found[name] = [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in violations]
        context.close()
    assert found == {name: [] for name in PAGES}


def show(page: Page, server: Server, name: str) -> None:
    """Open a page of ours by its path, or request an answer of a kind."""
    texts = {
        "answer": FULL,
        "benign": "IdleNotice: the machine is ready",
        "unknown": "the coffee machine is broken",
    }
    if name in texts:
        ask(page, server, texts[name])
    else:
        page.goto(server.url + (name if name.startswith("/") else "/"))
    if name == "private":
        page.get_by_label("Error, log, traceback").fill(FULL)
        page.get_by_label("Do not keep the answer").check()
        page.get_by_role("button", name="Find the cause").click()
    if name == "problem":
        page.get_by_role("button", name="Find the cause").click()
        page.get_by_role("alert").wait_for()
    if name == "long":
        log = "\n".join(["step"] * 3000 + [FULL]).encode()
        page.get_by_label("Or a file").set_input_files({"name": "train.log", "mimeType": "text/plain", "buffer": log})
        page.get_by_role("button", name="Find the cause").click()
    if name in texts or name in ("private", "long"):
        page.locator("#answer").wait_for()  # the form has a heading too, and may still be there
    page.wait_for_load_state()
    page.locator("h1, .intro").first.wait_for()


@pytest.mark.parametrize(("width", "height", "fold"), [(1280, 900, 400), (390, 844, 844)], ids=["desktop", "phone"])
def test_the_fix_stands_first(browser: playwright.sync_api.Browser, width: int, height: int, fold: int) -> None:
    """Verdict, title, cause and fix in one line, and the first snippet, above the fold, with the real knowledge base."""
    context = new_context(browser, viewport={"width": width, "height": height})
    page = context.new_page()
    with Server.real("--workers", "1") as real:
        for text in (pictures.LOG, pictures.VAGUE, "Could not load dynamic library 'libcudnn.so.8'; dlerror: no such file"):
            pictures.ask(page, real, text)
            for part in (".verdict-line", "h1", ".cause-line", ".fix-summary", ".steps .snippet"):
                box = page.locator(f".lead {part}").first.bounding_box()
                assert box and box["y"] + box["height"] <= fold, (text[:40], part, box)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(browser: playwright.sync_api.Browser, server: Server, scheme: typing.Any) -> None:
    """Contrast of at least 4.5 to 1 (WCAG 2.2, level AA) for every element that directly contains words."""
    context = new_context(browser, color_scheme=scheme)
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
    assert page.locator("h1").count() == 1
    levels = [int(heading.evaluate("element => element.tagName")[1]) for heading in page.locator("h1, h2, h3, h4").all()]
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))
    assert levels[0] == 1
