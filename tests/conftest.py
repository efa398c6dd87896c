"""Fixtures used by the tests of more than one room."""

import os
import pathlib
import signal
import typing

import httpx
import hypothesis
import pytest

# The same examples each time, so that a failure does not depend on luck and everybody sees the same one. 'make fuzz' asks for
# fresh ones, with --hypothesis-profile=fresh.
# Nor does a busy machine cause a failure: the time that examples take is not checked.
_UNTIMED: dict[str, typing.Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("fixed", derandomize=True, **_UNTIMED)
hypothesis.settings.register_profile("fresh", derandomize=False, database=None, print_blob=True, **_UNTIMED)
hypothesis.settings.load_profile("fixed")

# Settings of a person or a build server must not change what our programs do in the tests.
_OF_THE_TESTS = ("TFHELP_EVERY_PROGRAM", "TFHELP_SCHEMA_EXAMPLES")
for name in list(os.environ):
    ours = name.startswith(("TFHELP_", "SLACK_")) and name not in _OF_THE_TESTS
    if ours or name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PAGER"):
        del os.environ[name]

# httpx gives up after five seconds, for which a busy machine may stop a server. This timeout only ends a test that fails.
for function in (httpx.get, httpx.post, httpx.put, httpx.patch, httpx.delete, httpx.head, httpx.options, httpx.request):
    function.__kwdefaults__["timeout"] = httpx.Timeout(60.0)

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A shell that starts the tests in the background makes them ignore Ctrl-C, and every program that they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> pathlib.Path:
    """The repository's root."""
    return ROOT
