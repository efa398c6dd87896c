"""Three replicas behind nginx, with one PostgreSQL: any of them answers for the others, and if one dies, no answer is lost."""

import concurrent.futures
import contextlib
import http.client
import pathlib
import shutil
import signal
import threading
import typing
import uuid

import httpx
import psycopg
import pytest

from tests.deploy.behind_nginx import Nginx, free_port
from tests.service.memory.conftest import postgres as postgres
from tests.service.serving import Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("replicas"),
    pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx on this machine"),
]
DIAGNOSE = "/api/v1/diagnose"
_PATIENCE_S = 90.0  # timeout of a client; longer than nginx's, so that nginx's timeout decides


def failure(number: int) -> str:
    return f"ResourceExhaustedError: OOM when allocating tensor with shape[{number},1024] and type float on GPU:0 by allocator GPU_0_bfc"


@pytest.fixture(scope="module")
def database(postgres: str) -> str:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS replicas CASCADE")
        connection.execute("CREATE SCHEMA replicas")
    return f"{postgres}{'&' if '?' in postgres else '?'}options=-csearch_path%3Dreplicas"


@pytest.fixture(scope="module")
def replicas(database: str) -> typing.Iterator[list[Server]]:
    def start(_: int) -> Server:
        return Server.real("--workers", "1", environment={"TFHELP_MEMORY": database})

    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        started = list(threads.map(start, range(3)))
    with contextlib.ExitStack() as stack:
        for server in started:
            stack.enter_context(server)
        yield started


@pytest.fixture(scope="module")
def nginx(replicas: list[Server], tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Nginx]:
    folder: pathlib.Path = tmp_path_factory.mktemp("nginx")
    with Nginx(folder, [server.url.removeprefix("http://") for server in replicas]) as running:
        yield running


def kept(database: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT count(*) FROM incidents").fetchone()
    return int(row[0]) if row else 0


def test_a_kept_answer_and_what_was_said_of_it_are_known_to_every_replica(nginx: Nginx, replicas: list[Server]) -> None:
    first = httpx.post(nginx.url + DIAGNOSE, json={"text": failure(1)}, timeout=_PATIENCE_S).json()
    token = first["link"].rpartition("/")[2]
    said = {"token": token, "said": "helped", "words": "half the batch"}
    assert httpx.post(f"{replicas[1].url}/api/v1/feedback", json=said, timeout=_PATIENCE_S).status_code == 200
    for server in replicas:
        page = httpx.get(f"{server.url}{first['link']}", timeout=_PATIENCE_S)
        assert page.status_code == 200 and "OOM when allocating tensor" in page.text
        asked = {"text": failure(2), "keep": False}
        answer = httpx.post(server.url + DIAGNOSE, json=asked, timeout=_PATIENCE_S).json()
        assert answer["memory"]["times"] == 1 and "half the batch" in " ".join(answer["memory"]["says"])
    assert httpx.delete(f"{replicas[2].url}/api/v1/answers/{token}", timeout=_PATIENCE_S).status_code == 204
    assert {httpx.get(f"{one.url}{first['link']}", timeout=_PATIENCE_S).status_code for one in replicas} == {404}


def test_the_form_works_across_replicas_and_its_replies_find_their_text(nginx: Nginx) -> None:
    with httpx.Client(base_url=nginx.url, timeout=_PATIENCE_S) as browser:
        for number in range(3):
            answered = browser.post("/", data={"text": failure(10 + number)})
            assert answered.status_code == 303
            token = answered.headers["location"].rpartition("/")[2]
            assert browser.get(answered.headers["location"]).status_code == 200
            again = browser.get("/", params={"again": token})
            assert failure(10 + number) in again.text.replace("&#39;", "'")


def test_the_access_log_holds_no_text_and_no_token(nginx: Nginx) -> None:
    answer = httpx.post(nginx.url + DIAGNOSE, json={"text": failure(5)}, timeout=_PATIENCE_S).json()
    httpx.get(nginx.url + answer["link"], timeout=_PATIENCE_S)
    httpx.get(nginx.url + "/entries", params={"q": "what people search for"}, timeout=_PATIENCE_S)
    assert nginx.logged("GET /a/... 200") and nginx.logged("GET /entries 200")
    log = "\n".join(nginx.requests())
    assert answer["link"].rpartition("/")[2] not in log and "OOM" not in log and "people" not in log


def test_the_error_log_holds_no_text_and_no_token(tmp_path: pathlib.Path) -> None:
    """When no replica answers, nginx would write the whole request line, and the page that it came from."""
    with Nginx(tmp_path, [f"127.0.0.1:{free_port()}"]) as alone:
        link = "/a/" + "k" * 43
        with httpx.Client(base_url=alone.url, headers={"Referer": f"{alone.url}{link}"}) as client:
            assert client.get(link).status_code == 502
            assert client.get("/entries", params={"q": "what people search for"}).status_code == 502
        assert alone.logged("GET /a/... 502") and alone.logged("GET /entries 502")
        # Where a process may open fewer files than the configuration asks for, nginx says so.
        assert [line for line in alone.errors().splitlines() if "setrlimit(RLIMIT_NOFILE" not in line] == []


def test_nginx_refuses_a_body_that_is_too_large(nginx: Nginx) -> None:
    with contextlib.closing(http.client.HTTPConnection(nginx.url.removeprefix("http://"), timeout=_PATIENCE_S)) as connection:
        connection.putrequest("POST", DIAGNOSE)
        connection.putheader("Content-Length", str(64 << 20))
        connection.endheaders()
        assert connection.getresponse().status == 413
    assert " - - - -" in nginx.logged(f"POST {DIAGNOSE} 413")


def test_every_request_is_answered_when_a_replica_dies(nginx: Nginx, replicas: list[Server], database: str) -> None:
    """One replica is stopped, so that requests wait in it, and then killed; a second one is killed while it works."""
    before, count, done = kept(database), 60, threading.Semaphore(0)

    def ask(number: int) -> tuple[int, str]:
        key, question = {"Idempotency-Key": uuid.uuid4().hex}, {"text": failure(100 + number)}
        for _ in range(3):
            try:
                answer = httpx.post(nginx.url + DIAGNOSE, json=question, headers=key, timeout=_PATIENCE_S)
                break
            except httpx.RemoteProtocolError:  # the replica died during its answer, which nginx had begun to forward
                continue
        done.release()
        return answer.status_code, answer.json().get("link", "")

    def wait_for(answers: int) -> None:
        for _ in range(answers):
            assert done.acquire(timeout=_PATIENCE_S)

    replicas[0].process.send_signal(signal.SIGSTOP)
    with concurrent.futures.ThreadPoolExecutor(6) as clients:
        answers = [clients.submit(ask, number) for number in range(count)]
        wait_for(12)
        replicas[0].process.kill()
        wait_for(18)
        replicas[1].process.kill()
    results = [answer.result() for answer in answers]
    assert {status for status, _ in results} == {200}
    assert len({link for _, link in results}) == count
    assert kept(database) - before == count  # including what a dead replica stored before it could report it
    dead = replicas[0].url.removeprefix("http://")
    moved = [line for line in nginx.requests() if f" {dead}, 127.0.0.1:" in line]
    assert moved != [] and all(" 200 " in line for line in moved)
    assert {httpx.get(replicas[2].url + link, timeout=_PATIENCE_S).status_code for _, link in results[:5]} == {200}
    assert [server.process.poll() is None for server in replicas] == [False, False, True]
