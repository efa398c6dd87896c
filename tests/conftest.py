"""Fixtures that more than one room's tests use."""

import os
import pathlib
import signal
import typing

import hypothesis
import pytest

# The same examples each time: what fails for one stranger fails for all, and nobody fails by luck. 'make fuzz' asks for
# fresh ones, with --hypothesis-profile=fresh.
# Nor does a busy machine fail one: how long examples take is not asked.
_UNTIMED: dict[str, typing.Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("fixed", derandomize=True, **_UNTIMED)
hypothesis.settings.register_profile("fresh", derandomize=False, database=None, print_blob=True, **_UNTIMED)
hypothesis.settings.load_profile("fixed")

# What a person or a build server has set must not change what our programs do in the tests.
_OF_THE_TESTS = ("TFHELP_EVERY_PROGRAM", "TFHELP_SCHEMA_EXAMPLES")
for name in list(os.environ):
    ours = name.startswith(("TFHELP_", "SLACK_")) and name not in _OF_THE_TESTS
    if ours or name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PAGER"):
        del os.environ[name]

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A shell that starts the tests in the background has them ignore Ctrl-C, and every program that they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> pathlib.Path:
    """The repository's root."""
    return ROOT
