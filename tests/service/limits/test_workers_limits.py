"""Processes that are slow, die, use too much memory or are killed: each costs only its own question."""

import concurrent.futures
import contextlib
import errno
import os
import signal
import typing

import httpx
import psutil
import pytest

from tests.service.limits.asking import PLAIN, ask, ask_at_once, busy_since_now, connected, poisoned, workers_of
from tests.service.limits.poison import DIE, EAT, HANG, SLEEP
from tests.service.limits.thread_workers import ThreadWorkers
from tests.service.serving import Server
from tests.waiting import until
from tfhelp.service.workers.limits import Limits
from tfhelp.service.workers.pool import Pool
from tfhelp.service.workers.starting import Worker

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="the processes are forked")]


_BODY = f'{{"text": "{HANG}"}}'.encode()
HANGING = b"POST /api/v1/diagnose HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (len(_BODY), _BODY)


@pytest.fixture(scope="module")
def server() -> typing.Iterator[Server]:
    with poisoned("--deadline", "6") as running:
        yield running


def test_a_text_that_takes_too_long_is_abandoned_and_delays_no_other(server: Server) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as client:
        hanging = client.submit(ask, server, HANG)
        while not hanging.done():
            assert ask(server, PLAIN).status_code == 200
            assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200
    refused = hanging.result()
    assert refused.status_code == 503
    assert refused.headers["retry-after"].isdigit()
    error = refused.json()["error"]
    assert error["code"] == "deadline" and error["request_id"] == refused.headers["x-request-id"]
    assert until(lambda: len(workers_of(server)) == 2)
    assert ask(server, PLAIN).status_code == 200


def test_with_one_worker_a_text_without_end_stops_no_page() -> None:
    with poisoned("--workers", "1", "--deadline", "6") as server, concurrent.futures.ThreadPoolExecutor(1) as client:
        hanging = client.submit(ask, server, HANG)
        pages = 0
        while not hanging.done():
            assert httpx.get(f"{server.url}/entries", timeout=60).status_code == 200
            pages += 1
        assert pages > 3
        assert hanging.result().status_code == 503


@pytest.mark.parametrize(("text", "code"), [(DIE, "worker-lost"), (EAT, "too-much-memory")])
def test_a_text_that_kills_its_workers_is_refused(server: Server, text: str, code: str) -> None:
    refused = ask(server, text)
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == code
    page = httpx.post(server.url, data={"text": text}, timeout=60)
    assert page.status_code == 503 and page.headers["retry-after"].isdigit() and text in page.text
    assert ask(server, PLAIN).status_code == 200


def test_a_question_beyond_the_queue_is_refused_at_once() -> None:
    with poisoned("--workers", "1", "--queue", "2") as server:
        answers = ask_at_once(server, [SLEEP] * 8)
        refused = [answer for answer in answers if answer.status_code == 503]
        assert sum(answer.status_code == 200 for answer in answers) >= 3
        assert refused and {answer.json()["error"]["code"] for answer in refused} == {"busy"}
        assert all(answer.headers["retry-after"].isdigit() for answer in refused)
        assert ask(server, PLAIN).status_code == 200


def test_every_question_is_answered_when_a_worker_is_killed(server: Server) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as clients:
        asked = [clients.submit(ask, server, SLEEP) for _ in range(2)]
        assert until(lambda: len(workers_of(server)) == 2)
        for worker in workers_of(server)[:1]:
            worker.kill()
        assert [one.result().status_code for one in asked] == [200, 200]


def test_a_killed_template_is_replaced_with_its_workers(server: Server) -> None:
    before = {worker.pid for worker in workers_of(server)}
    psutil.Process(server.process.pid).children()[0].kill()
    assert until(lambda: ask(server, PLAIN).status_code == 200)  # the next one has to load first

    def all_are_new() -> bool:
        """The next question for a worker that is gone discovers it; two at once need both workers, unless one comes late."""
        assert {answer.status_code for answer in ask_at_once(server, [SLEEP, SLEEP])} == {200}
        found = {worker.pid for worker in workers_of(server)}
        return len(found) == 2 and not before & found

    assert until(all_are_new)


def test_a_killed_server_leaves_nothing_even_where_a_worker_holds_the_interpreter() -> None:
    with poisoned("--deadline", "600") as server, connected(server) as connection:
        busy = busy_since_now(server)
        connection.sendall(HANGING)
        assert until(lambda: busy() == 1)
        processes = psutil.Process(server.process.pid).children(recursive=True)
        assert len(processes) == 3
        server.process.kill()
        assert psutil.wait_procs(processes, timeout=30)[1] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_although_a_worker_hangs(number: int) -> None:
    with poisoned("--deadline", "600") as server, concurrent.futures.ThreadPoolExecutor(1) as client:
        busy = busy_since_now(server)
        hanging = client.submit(ask, server, HANG)
        assert until(lambda: busy() == 1)
        processes = psutil.Process(server.process.pid).children(recursive=True)
        server.stop(number)
        assert psutil.wait_procs(processes, timeout=30)[1] == []
        assert hanging.result().status_code == 503
        assert "Traceback" not in server.output() and "Warning" not in server.output()


def test_questions_of_clients_that_left_are_not_answered() -> None:
    """Twelve leave while two of their questions hang and ten wait: the two are ended before the deadline, and the ten never start."""
    with poisoned("--deadline", "600", "--queue", "10") as server:
        before = {worker.pid for worker in workers_of(server)}
        busy = busy_since_now(server)
        with contextlib.ExitStack() as clients:
            for connection in [clients.enter_context(connected(server)) for _ in range(12)]:
                connection.sendall(HANGING)
            assert until(lambda: busy() == 2)
        answers: list[httpx.Response] = []

        def answered() -> bool:
            """There is no room until the server hears that they left."""
            answers.append(ask(server, PLAIN))
            return answers[-1].status_code == 200

        assert until(answered), (answers[-1].text, server.output())
        assert all(ask(server, PLAIN).status_code == 200 for _ in range(4))
        assert until(lambda: len(workers_of(server)) == 2 and not before & {worker.pid for worker in workers_of(server)})


class Failing(ThreadWorkers):
    """Its second start finds no room for a process."""

    def __init__(self) -> None:
        self.starts = 0

    def start(self) -> Worker:
        self.starts += 1
        if self.starts == 2:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return super().start()


def test_a_failed_start_of_a_worker_takes_no_place(capfd: pytest.CaptureFixture[str]) -> None:
    pool = Pool(Failing(), 1, Limits(deadline_s=20.0, queue=4, most_jobs=1))
    try:
        assert [pool.submit("", len, word).result(30) for word in ("abc", "abcd", "abcde")] == [3, 4, 5]
    finally:
        pool.close()
    assert "starting a worker: BlockingIOError" in capfd.readouterr().err
