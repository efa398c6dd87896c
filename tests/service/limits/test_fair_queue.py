"""Clients take turns in the queue, and the client with the most questions is the first that has to give one up."""

import collections
import concurrent.futures
import contextlib
import threading
import typing

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.limits.asking import PLAIN, poisoned
from tests.service.limits.poison import SLEEP
from tests.service.limits.thread_workers import ThreadWorkers
from tests.service.serving import Server
from tests.waiting import until
from tfhelp.service.workers.fair_queue import FairQueue
from tfhelp.service.workers.limits import BusyError, Limits
from tfhelp.service.workers.pool import Job, Pool

_ORDER: list[str] = []
_BEGUN, _GO_ON = threading.Event(), threading.Event()


def _hold() -> None:
    _BEGUN.set()
    _GO_ON.wait(60)


def _note(name: str) -> None:
    _ORDER.append(name)


@contextlib.contextmanager
def _held(queue: int) -> typing.Iterator[Pool]:
    """A pool of one worker, which is busy until ``_GO_ON`` is set."""
    _ORDER.clear()
    _BEGUN.clear()
    _GO_ON.clear()
    pool = Pool(ThreadWorkers(), 1, Limits(deadline_s=60, queue=queue))
    try:
        pool.submit("holder", _hold)
        assert _BEGUN.wait(60)
        yield pool
    finally:
        _GO_ON.set()
        pool.close()


def _finish(jobs: typing.Iterable[Job]) -> None:
    _GO_ON.set()
    concurrent.futures.wait(jobs, 60)


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_every_client_is_served_in_its_own_order_and_no_client_twice_while_another_waits(arrivals: list[str]) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue()
    for number, client in enumerate(arrivals):
        queue.put(client, (client, number))
    assert len(queue) == len(arrivals)
    left = collections.Counter(arrivals)
    served: list[tuple[str, int]] = []
    turn: set[str] = set()
    while queue:
        client, number = queue.take()
        if client in turn:
            assert not {one for one in left if left[one]} - turn, "another client has waited longer"
            turn.clear()
        turn.add(client)
        left[client] -= 1
        served.append((client, number))
    for one in "abc":
        assert [number for client, number in served if client == one] == [n for n, client in enumerate(arrivals) if client == one]
    with pytest.raises(IndexError):
        queue.take()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=20), st.lists(st.integers(0, 25), max_size=20))
def test_what_is_removed_is_gone_and_the_rest_is_counted(arrivals: list[tuple[str, int]], removed: list[int]) -> None:
    queue: FairQueue[int] = FairQueue()
    kept = {}
    for number, (client, _) in enumerate(arrivals):
        queue.put(client, number)
        kept[number] = client
    for number in removed:
        queue.remove(kept.pop(number, "nobody"), number)
        assert len(queue) == len(kept)
        for client in "abc":
            assert queue.waiting(client) == sum(owner == client for owner in kept.values())
    assert sorted(queue.clear()) == sorted(kept)
    assert len(queue) == 0 and queue.longest() == ""


def test_a_client_with_one_question_waits_for_one_of_a_client_with_many() -> None:
    with _held(10) as pool:
        jobs = [pool.submit("many", _note, f"many {number}") for number in range(5)]
        jobs.append(pool.submit("one", _note, "one"))
        _finish(jobs)
    assert _ORDER == ["many 0", "one", "many 1", "many 2", "many 3", "many 4"]


def test_in_a_full_queue_the_client_with_most_gives_up_its_newest_question() -> None:
    with _held(3) as pool:
        jobs = [pool.submit("many", _note, f"many {number}") for number in range(3)]
        with pytest.raises(BusyError):
            pool.submit("many", _note, "many 3")
        jobs.append(pool.submit("one", _note, "one"))
        with pytest.raises(BusyError, match="Ask again"):
            jobs[2].result(60)
        with pytest.raises(BusyError):  # it would not have fewer than the other afterwards
            pool.submit("one", _note, "one more")
        assert pool.state().refused == 3 and pool.state().waiting == 3
        _finish(jobs)
    assert _ORDER == ["many 0", "one", "many 1"]


def _ask_from(address: str, server: Server, text: str) -> httpx.Response:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
        return client.post(f"{server.url}/api/v1/diagnose", json={"text": text}, timeout=60)


@pytest.mark.slow
def test_one_address_cannot_fill_the_queue() -> None:
    with poisoned("--workers", "1", "--queue", "4") as server, concurrent.futures.ThreadPoolExecutor(5) as clients:
        many = [clients.submit(_ask_from, "127.0.0.1", server, SLEEP * 3) for _ in range(5)]
        assert until(lambda: "tfhelp_queue_length 4.0" in httpx.get(f"{server.url}/metrics", timeout=60).text)
        assert _ask_from("127.0.0.2", server, PLAIN).status_code == 200
        assert not all(one.done() for one in many)
        statuses = [one.result().status_code for one in many]
        refused = next(one.result() for one in many if one.result().status_code == 503)
    assert sorted(statuses) == [200, 200, 200, 200, 503]
    assert refused.json()["error"]["code"] == "busy" and refused.headers["retry-after"].isdigit()
