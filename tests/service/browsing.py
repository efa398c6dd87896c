"""Chromium for the tests of the pages: the system's own browser, driven by Playwright."""

import contextlib
import shutil
import typing

import playwright.sync_api

# An expectation is given as long as a navigation, because a busy machine may need more than Playwright's five seconds.
playwright.sync_api.expect.set_options(timeout=30_000)

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
