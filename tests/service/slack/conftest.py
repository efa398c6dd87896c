"""A stand-in for Slack, and a server that talks to it."""

import json
import pathlib
import typing

import pytest

from tests.service.serving import Server
from tests.service.slack.sender import Sender
from tests.service.slack.stand_in import Slack

Json = dict[str, typing.Any]


@pytest.fixture(scope="session")
def running_slack() -> typing.Iterator[Slack]:
    """One stand-in for all tests."""
    slack = Slack()
    yield slack
    slack.close()


@pytest.fixture
def slack(running_slack: Slack) -> typing.Iterator[Slack]:
    """The stand-in; it must have no complaint at the end of a test."""
    running_slack.faults.clear()
    yield running_slack
    assert running_slack.faults == []


@pytest.fixture(scope="session")
def said_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The file to which the memory writes replies to answers."""
    return tmp_path_factory.mktemp("memory") / "said.json"


@pytest.fixture(scope="session")
def door(running_slack: Slack, said_path: pathlib.Path) -> typing.Iterator[Server]:
    """The doors with Slack on, its API reachable and a memory."""
    environment = running_slack.environment(LISTED_MEMORY=str(said_path), TFHELP_MAX_BYTES=str(1 << 20))
    with Server("tests.service.slack.slack_server", environment=environment) as running:
        yield running


@pytest.fixture
def sender(slack: Slack, door: Server) -> Sender:
    """Slack's side of the requests."""
    return Sender(slack, door.url)


@pytest.fixture
def said(said_path: pathlib.Path) -> typing.Callable[[], list[Json]]:
    """The replies to answers so far."""
    return lambda: json.loads(said_path.read_text()) if said_path.exists() else []
