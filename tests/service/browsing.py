"""Chromium for the tests of the pages: the system's own browser, driven by Playwright."""

import contextlib
import shutil
import typing

import playwright.sync_api

# Playwright gives up after five seconds (an expectation) or thirty (a navigation), for which a busy machine may stop a browser.
# These timeouts only end a test that fails.
_PATIENCE_MS = 120_000
playwright.sync_api.expect.set_options(timeout=_PATIENCE_MS)

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@contextlib.contextmanager
def chromium(*more: str) -> typing.Iterator[playwright.sync_api.Browser]:
    """A headless browser, with more arguments if there are some.

    Raises:
        AssertionError: Chromium is not installed; ``make test`` installs it.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "Chromium is not installed; 'make test' installs it"
    with playwright.sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *more])
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: playwright.sync_api.Browser, **options: typing.Any) -> playwright.sync_api.BrowserContext:
    """A context of its own, with Playwright's options, that is patient with a busy machine."""
    context = browser.new_context(**options)
    context.set_default_timeout(_PATIENCE_MS)
    return context


def _is_a_problem(message: playwright.sync_api.ConsoleMessage) -> bool:
    # Chromium reports a page returned with 413 or 422 as a resource that did not load; the tests request such pages.
    return message.type == "error" and "responded with a status of 4" not in message.text


def watched(page: playwright.sync_api.Page) -> list[str]:
    """Everything that goes wrong on a page or leaves for another server, as it happens."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("console", lambda message: problems.append(f"console: {message.text}") if _is_a_problem(message) else None)
    page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: None if "://127.0.0.1" in request.url else problems.append(f"request: {request.url}"))
    return problems
