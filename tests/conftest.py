"""Fixtures that more than one room's tests use."""

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

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A shell that starts the tests in the background has them ignore Ctrl-C, and every program that they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> pathlib.Path:
    """The repository's root."""
    return ROOT
