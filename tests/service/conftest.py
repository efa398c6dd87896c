"""Servers that the tests of the HTTP doors share."""

import typing

import pytest

from tests.service.serving import Server


@pytest.fixture(scope="session")
def server() -> typing.Iterator[Server]:
    """The doors over the small knowledge base, with the usual limit."""
    with Server.small() as running:
        yield running


@pytest.fixture(scope="session")
def narrow_server() -> typing.Iterator[Server]:
    """The same with a limit of 2 MiB."""
    with Server.small(environment={"TFHELP_MAX_BYTES": str(2 << 20)}) as running:
        yield running
