"""Many callers at once: no reply is lost, none is doubled, and no caller gets an error."""

import concurrent.futures

import sqlalchemy as sa

from tests.service.memory.answers import card_full, given
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.store import TeamMemory
from tfhelp.service.memory.tables import FEEDBACK, INCIDENTS


def test_threads_keep_read_and_comment_at_once(memory: TeamMemory) -> None:
    shared = memory.keep(card_full(), given(1000))

    def work(number: int) -> bool:
        token = memory.keep(card_full(), given(number), f"s{number}")
        memory.feedback(shared, "helped", f"s{number % 3}", f"word {number}")
        mine = memory.read(token)
        return mine is not None and (number % 2 == 0 or memory.forget(token))

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(18)))
    with reading(memory.engine) as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS)) == 10
        senders = connection.scalars(sa.select(FEEDBACK.c.sender)).all()
    assert len(senders) == len(set(senders)) == 3


def test_a_request_sent_many_times_at_once_is_kept_once(memory: TeamMemory) -> None:
    token = "a-token-that-is-made-from-the-request"
    failed = card_full()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        tokens = set(pool.map(lambda number: memory.keep(failed, given(1), f"s{number}", token), range(12)))
    assert tokens == {token} and memory.read(token) is not None
    with reading(memory.engine) as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS)) == 1
