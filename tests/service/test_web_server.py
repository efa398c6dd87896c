"""``tfhelp serve`` as a program: how it starts, what it refuses, what it logs, how it ends."""

import concurrent.futures
import os
import pathlib
import signal
import socket
import subprocess
import sys

import httpx
import psutil
import pytest

from tests.service.serving import ROOT, Server
from tfhelp.service.doors.http.server import ServeError, address, is_loopback, listening_socket, max_bytes_from_environment


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A start that is expected to fail."""
    return subprocess.run(
        args=[sys.executable, "-m", "tfhelp.service", "serve", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_the_real_service_starts_answers_and_ends() -> None:
    with Server.real("--workers", "1") as server:
        health = httpx.get(f"{server.url}/healthz").json()
        assert health["status"] == "ok" and health["entries"] > 0
        assert health["index"]["state"] in ("loading", "ready") and health["index"]["phrases"] > 0
        answer = httpx.post(
            f"{server.url}/api/v1/diagnose", json={"text": "training is slow and my cat is bored"}, timeout=60
        ).json()
        assert answer["kb_version"] == health["kb_version"]
        assert httpx.get(f"{server.url}/healthz").json()["index"]["state"] == "ready"
        pages = [
            httpx.get(f"{server.url}/entries/{entry['id']}")
            for entry in httpx.get(f"{server.url}/api/v1/entries").json()["entries"]
        ]
        assert all(page.status_code == 200 and "{log." not in page.text for page in pages)
        assert server.stop() == 0
        assert "tfhelp has stopped" in server.output()


TEXT = {"text": "Cannot dlopen some GPU libraries."}


def workers_of(server: Server) -> list[psutil.Process]:
    """The processes that diagnose: the forks of the template."""
    return [worker for template in psutil.Process(server.process.pid).children() for worker in template.children()]


def ask(server: Server) -> dict[str, object]:
    answer = httpx.post(f"{server.url}/api/v1/diagnose", json=TEXT, timeout=60)
    assert answer.status_code == 200
    return {**answer.json(), "took_ms": 0}


@pytest.mark.slow
def test_several_processes_answer_alike_and_end_with_the_server() -> None:
    with Server.real("--workers", "2") as server:
        with concurrent.futures.ThreadPoolExecutor(4) as clients:
            answers = list(clients.map(lambda _: ask(server), range(8)))
        assert answers[0]["matches"] and all(answer == answers[0] for answer in answers)
        workers = workers_of(server)
        assert len(workers) == 2
        assert server.stop() == 0
        assert psutil.wait_procs(workers, timeout=60)[1] == []
        assert "tfhelp has stopped" in server.output() and "Traceback" not in server.output()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
def test_a_killed_worker_is_replaced_and_a_killed_server_leaves_no_process() -> None:
    with Server.real("--workers", "2") as server:
        expected = ask(server)
        for worker in workers_of(server):
            worker.kill()
        assert ask(server) == expected
        workers = workers_of(server)
        server.process.kill()
        assert psutil.wait_procs(workers, timeout=60)[1] == []


@pytest.mark.slow
def test_invalid_facts_are_reported_through_the_processes() -> None:
    with Server.real("--workers", "2") as server:
        answer = httpx.post(f"{server.url}/api/v1/diagnose", json={**TEXT, "facts": {"os": {"nome": "x"}}}, timeout=60)
        assert answer.status_code == 422
        assert answer.json()["error"]["path"] == "facts.os.nome"
        page = httpx.post(server.url, data=TEXT, timeout=60, follow_redirects=True)
        assert page.status_code == 200 and "gpu-libraries-not-loaded" in page.text


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)])
def test_it_ends_cleanly_on_a_signal(number: int, status: int) -> None:
    with Server.small() as server:
        assert httpx.get(server.url).status_code == 200
        assert server.stop(number) == status
        assert "Traceback" not in server.output()


def test_pasted_text_is_not_logged() -> None:
    with Server.small() as server:
        for request in ("/?q=my-secret-a", "/entries?q=my-secret-b", "/my-secret-c"):
            httpx.get(server.url + request)
        httpx.post(f"{server.url}/api/v1/diagnose", json={"text": "my-secret-d", "facts": {"my-secret-e": 1}})
        httpx.post(server.url, data={"text": "my-secret-f", "facts": "{my-secret-g"})
        server.stop()
        assert "my-secret" not in server.output()


def test_a_port_in_use_is_reported_with_another_one_to_try() -> None:
    with listening_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        result = serve("--port", str(port))
    assert result.returncode == 2
    assert f"port {port} on 127.0.0.1 is taken" in result.stderr and "--port" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "70000 is not a port"),
        (("--host", "192.0.2.1"), "192.0.2.1"),
        (("--host", "no such host"), "no such host"),
    ],
)
def test_an_invalid_address_is_reported(arguments: tuple[str, ...], said: str) -> None:
    result = serve(*arguments)
    assert result.returncode == 2
    assert said in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("value", ["sixteen", "-1", "1e6", "12", "9" * 20])
def test_a_wrong_limit_is_said(value: str) -> None:
    result = serve("--port", "0", TFHELP_MAX_BYTES=value)
    assert result.returncode == 2
    assert "TFHELP_MAX_BYTES" in result.stderr and "Traceback" not in result.stderr


def test_the_limit_is_16_mib_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TFHELP_MAX_BYTES", raising=False)
    assert max_bytes_from_environment() == 16 * 1024 * 1024
    monkeypatch.setenv("TFHELP_MAX_BYTES", " 4096 ")
    assert max_bytes_from_environment() == 4096


def test_the_address_is_one_that_a_person_can_open() -> None:
    with listening_socket("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        assert address(listener, "0.0.0.0") == f"http://127.0.0.1:{port}"
        assert address(listener, "::1") == f"http://[::1]:{port}"
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass


def test_only_addresses_of_this_machine_are_loopback() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("localhost") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("example.org") and not is_loopback("10.0.0.1")


def test_a_host_that_cannot_be_found_is_an_error_with_its_name() -> None:
    with pytest.raises(ServeError, match="no.such.host.invalid"):
        listening_socket("no.such.host.invalid", 0)


@pytest.mark.slow
def test_with_local_facts_only_this_machines_names_are_answered() -> None:
    with Server.real("--local-facts") as server:
        page = httpx.get(server.url)
        assert page.status_code == 200 and 'id="local_facts"' in page.text
        port = server.url.rpartition(":")[2]
        assert httpx.get(server.url, headers={"host": f"localhost:{port}"}).status_code == 200
        assert httpx.get(server.url, headers={"host": f"evil.example:{port}"}).status_code == 400
        answer = httpx.post(
            server.url, data={"text": "no module named tensorflow", "local_facts": "yes"}, timeout=60, follow_redirects=True
        )
        assert answer.status_code == 200 and "python.version" in answer.text


def test_every_template_and_static_file_is_small_and_loads_nothing_from_elsewhere() -> None:
    folder = pathlib.Path(ROOT) / "service" / "doors" / "web"
    files = [path for name in ("templates", "static") for path in (folder / name).iterdir()]
    assert {path.name for path in files} >= {"base.html", "ask.html", "style.css", "app.js"}
    for path in files:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "").replace("startswith('http", "")
        assert "http://" not in text and "https://" not in text and "//cdn" not in text, path.name
        assert "<script>" not in text and "onclick" not in text and "style=" not in text, path.name
        assert len(text) < 32 * 1024, path.name
