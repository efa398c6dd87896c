"""Twenty cases get the same verdict, entry and cause through every door."""

import typing

import pytest

from tests.faults.knowledge import diagnoser
from tests.service.doors.cases import cases
from tests.service.doors.doors import DOORS, Slack, Surroundings, directly
from tests.service.doors.reading import NAMING, Said
from tests.service.serving import Server
from tfhelp.service.vocabulary import VERDICTS


@pytest.fixture(scope="module")
def around() -> typing.Iterator[Surroundings]:
    slack = Slack()
    with Server.real("--workers", "1", environment=slack.environment()) as server:
        yield Surroundings(server, slack)
    slack.close()


@pytest.fixture(scope="module")
def expected(around: Surroundings) -> dict[str, Said]:
    """The answer of the function itself."""
    with directly(around) as ask:
        return {name: ask(text) for name, text in cases().items()}


def test_the_cases_are_of_every_kind(expected: dict[str, Said]) -> None:
    assert len(expected) == 20
    assert {said.verdict for said in expected.values()} == set(VERDICTS)
    summaries = diagnoser().knowledge.summaries
    families = {summary["family"] for summary in summaries.values()}
    assert {summaries[said.entry]["family"] for said in expected.values() if said.entry} == families
    assert all(bool(said.cause) == (said.verdict in NAMING) for said in expected.values())


@pytest.mark.parametrize("door", DOORS)
def test_the_answer_is_the_same_at_every_door(door: str, around: Surroundings, expected: dict[str, Said]) -> None:
    with DOORS[door](around) as ask:
        assert {name: ask(text) for name, text in cases().items()} == expected
