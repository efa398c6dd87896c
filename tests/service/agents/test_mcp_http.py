"""``tfhelp mcp --http`` on a real port, called by the client of the SDK, and what it refuses."""

import json
import pathlib
import typing

import anyio
import httpx
import pytest
from mcp import Client
from mcp_types import Tool

from tests.service.agents.session import Session, connected
from tests.service.serving import Server
from tfhelp.service.access.token_file import FileTokens
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.doors.mcp.server import make_server
from tfhelp.service.doors.mcp.tools import Tools
from tfhelp.service.doors.mcp.transports import security

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def url() -> typing.Iterator[str]:
    with Server("tfhelp.service", "mcp", "--http", "0") as running:
        yield f"{running.url}/mcp"


@pytest.fixture(scope="module")
def session(url: str) -> typing.Iterator[Session]:
    with connected(url) as running:
        yield running


def test_a_diagnosis_over_http(session: Session) -> None:
    document = session.document("diagnose", text="ValueError: Shapes (None, 1) and (None, 10) are incompatible")
    assert (document["entry"], document["cause"]["id"]) == ("labels-logits-mismatch", "sparse-versus-categorical")


def test_older_clients_are_served(url: str) -> None:
    with connected(url, mode="legacy") as old:
        assert "tf.keras.Model.fit" in old.document("explain", words="tf.keras.Model.fit")["says"][0]


def test_over_http_no_tool_takes_a_path(session: Session) -> None:
    assert set(session.tools()["lint"].input_schema["properties"]) == {"source", "with_fix"}
    assert "path" not in session.tools()["diagnose"].input_schema["properties"]
    refused = session.call("lint", path="/etc/passwd")
    assert refused.is_error
    assert session.resource("tfhelp://entries").startswith("# Entries")


def test_hosts_and_origins_of_others_are_refused(url: str) -> None:
    def status(**headers: str) -> int:
        return httpx.post(url, json=INITIALIZE, headers={**ACCEPT, **headers}).status_code

    assert status() == 200
    assert status(origin="http://localhost:3000") == 200
    assert status(host="evil.example") == 421
    assert status(origin="https://evil.example") == 403


def test_a_large_body_is_refused(url: str) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (9 << 20) + b'"}'
    assert httpx.post(url, content=body, headers={**ACCEPT, "content-type": "application/json"}).status_code == 413


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        (json.dumps({"packages": {f"p{number}": "1.0" for number in range(25_000)}}), "larger than the limit of"),
        ('{"host": {"memory_total_mib": 1e999}}', "no finite number"),
        ('{"host": {"memory_total_mib": NaN}}', "no finite number"),
    ],
)
def test_facts_have_the_limits_of_the_other_doors(url: str, facts: str, says: str) -> None:
    call = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "diagnose", "arguments": {"text": "x", "facts": %s}}}'
    answer = httpx.post(url, content=call % facts, headers={**ACCEPT, "content-type": "application/json"}, timeout=60)
    assert answer.json()["result"]["isError"]
    assert answer.json()["result"]["content"][0]["text"].startswith("facts: ")
    assert says in answer.text


def test_a_named_host_is_one_that_is_taken() -> None:
    taken = security(("tools.example.org",))
    assert taken.enable_dns_rebinding_protection
    assert taken.allowed_hosts == ["tools.example.org", "tools.example.org:*"]
    assert "https://tools.example.org" in taken.allowed_origins


def test_others_send_a_token(tmp_path: pathlib.Path) -> None:
    tokens = FileTokens(str(tmp_path / "tokens.txt"))
    token, other = tokens.create("ana", ["diagnose"], 1), tokens.create("prometheus", ["metrics"], 1)
    arguments = ("--http", "0", "--host", "tools.example.org", "--tokens-file", str(tmp_path / "tokens.txt"))
    with Server("tfhelp.service", "mcp", *arguments) as running:

        def status(**headers: str) -> int:
            return httpx.post(f"{running.url}/mcp", json=INITIALIZE, headers={**ACCEPT, **headers}, timeout=60).status_code

        assert [status(), status(authorization=f"Bearer {other}"), status(authorization="Bearer x")] == [401, 403, 401]
        assert status(authorization=f"Bearer {token}") == 200
        tokens.revoke("ana")
        assert status(authorization=f"Bearer {token}") == 401


def test_clients_on_other_machines_learn_nothing_about_this_one() -> None:
    async def ask() -> tuple[dict[str, Tool], bool | None]:
        async with Client(make_server(Tools(is_local=False), with_files=False)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            return tools, (await client.call_tool("plan", {})).is_error

    tools, refused = anyio.run(ask)
    assert set(tools) == {"diagnose", "explain", "lint", "plan", "upgrade"} and refused
    assert "this_machine" not in tools["diagnose"].input_schema["properties"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--http", "0.0.0.0:0"], "say under which name with --host NAME"),
        (["--http", "0.0.0.0:0", "--host", "tools.example.org"], "nobody would be asked who they are"),
        (["--open-to-all"], "need --http"),
        (["--http", "here"], "write PORT or HOST:PORT"),
        (["--host", "x"], "--host needs --http"),
    ],
)
def test_wrong_addresses_get_a_sentence(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", *arguments]) == 2
    assert says in capsys.readouterr().err
