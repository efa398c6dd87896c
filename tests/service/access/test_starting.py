"""A server is open on this machine alone, unless its owner configures it otherwise; and its messages at the start."""

import pathlib
import subprocess
import sys
import typing

import httpx
import pytest

from tests.service.access.doors import ELSEWHERE, FULL, HERE
from tests.service.serving import ROOT, Server
from tfhelp.service.access.addresses import SettingError
from tfhelp.service.access.policy import Options, Policy, secret_of
from tfhelp.service.access.token_file import FileTokens
from tfhelp.service.access.tokens import DatabaseTokens
from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import open_engine


def made(
    place: typing.Any, environment: dict[str, str] | None = None, engine: typing.Any = None, **options: typing.Any
) -> Policy:
    return Policy.of(Options(**options), place, environment or {}, engine)


def test_this_machine_may_do_everything_unasked_and_uncounted() -> None:
    policy = made(HERE)
    assert policy.is_open and policy.rates is None and policy.notices() == []
    assert "evil.example" not in policy.hosts


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "10.1.2.3", "gpu-box.lan"])
def test_a_server_without_access_control_refuses_to_listen_for_other_machines(host: str) -> None:
    with pytest.raises(SettingError) as refused:
        made(ELSEWHERE._replace(host=host))
    for way in ("tfhelp token create", "--oidc-issuer", "--trust-proxy", "--open-to-all"):
        assert way in str(refused.value)


def test_an_owner_may_open_it_to_all_and_it_says_so() -> None:
    policy = made(ELSEWHERE, open_to_all=True)
    assert policy.is_open and policy.rates is not None
    assert ["everybody who reaches 0.0.0.0" in sentence for sentence in policy.notices()] == [True]
    assert made(ELSEWHERE, open_to_all=True, rate="off").rates is None
    with pytest.raises(SettingError, match="--open-to-all asks nobody"):
        made(ELSEWHERE, open_to_all=True, trust_proxy=["10.0.0.0/8"], user_header="X-User")


def test_a_public_address_before_an_open_server_is_worth_a_sentence() -> None:
    assert (
        "everybody who reaches https://help.example.org"
        in made(HERE._replace(public_url="https://help.example.org")).notices()[0]
    )
    assert made(HERE._replace(public_url="http://localhost:8000")).notices() == []


def test_tokens_close_a_server_wherever_it_is(tmp_path: pathlib.Path) -> None:
    engine = open_engine(str(tmp_path / "team.db"))
    tokens = DatabaseTokens(engine)
    assert made(HERE, engine=engine).is_open
    tokens.create("ci", ["diagnose"], None)
    for place in (HERE, ELSEWHERE):
        policy = made(place, engine=engine)
        assert not policy.is_open and policy.rates is not None and not policy.proxies_only
    tokens.revoke("ci")
    with pytest.raises(SettingError):
        made(ELSEWHERE, engine=engine)
    engine.dispose()
    path = str(tmp_path / "tokens.txt")
    for named in ({"tokens_file": path}, {"environment": {"TFHELP_TOKENS_FILE": path}}):
        assert not made(ELSEWHERE, **named).is_open  # a file that is named but empty lets nobody in


def test_a_proxy_that_tells_no_names_is_the_only_way_in() -> None:
    policy = made(ELSEWHERE, trust_proxy=["10.0.0.0/8", "192.0.2.1"])
    assert policy.proxies_only and not policy.is_open and "192.0.2.1" in policy.proxies and "192.0.2.2" not in policy.proxies
    named = made(ELSEWHERE, trust_proxy=["10.0.0.0/8"], user_header="X-Forwarded-User", admins=["Ana, ops"])
    assert not named.proxies_only and named.user_header == "x-forwarded-user"
    assert named.person("k", "ana", ["ANA"]).may("admin") and not named.person("k", "ben", ["ben"]).may("admin")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"trust_proxy": ["10.0.0.1/8"]}, "--trust-proxy names '10.0.0.1/8'"),
        ({"user_header": "X-User"}, "--user-header needs --trust-proxy"),
        ({"user_header": "X User", "trust_proxy": ["10.0.0.1"]}, "--user-header is 'X User'"),
        ({"open_to_all": True, "rate": "many"}, "--rate is 'many'"),
        ({"open_to_all": True, "allowed_hosts": ["a/b"]}, "--allowed-hosts names 'a/b'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(options: typing.Any, says: str) -> None:
    with pytest.raises(SettingError, match=says):
        made(ELSEWHERE, **options)


def test_a_secret_may_stand_in_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "secret"
    path.write_text(" hush \n")
    assert secret_of({"X": "loud", "X_FILE": str(path)}, "X") == "hush" and secret_of({"X": " loud "}, "X") == "loud"
    with pytest.raises(InputError, match="X_FILE: /no/such"):
        secret_of({"X_FILE": "/no/such"}, "X")


def test_the_program_refuses_to_be_open_by_oversight() -> None:
    command = [sys.executable, "-m", "tfhelp.service", "serve", "--port", "0", "--host", "0.0.0.0"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.returncode == 2 and found.stdout == ""
    assert (
        found.stderr.startswith("tfhelp serve: other machines reach 0.0.0.0, and nobody would be asked")
        and found.stderr.count("\n") == 1
    )


@pytest.mark.slow
def test_a_revoked_token_is_refused_at_once(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "tokens.txt")
    tokens = FileTokens(path)
    token = tokens.create("ci", ["diagnose"], 1)
    with Server.real("--workers", "1", "--tokens-file", path, "--rate", "30/minute") as server:

        def ask(sent: str) -> httpx.Response:
            headers = {"Authorization": f"Bearer {sent}"} if sent else {}
            return httpx.post(f"{server.url}/api/v1/diagnose", json={"text": FULL}, headers=headers, timeout=60)

        assert ask("").status_code == 401
        answered = ask(token)
        assert answered.status_code == 200 and answered.headers["ratelimit-limit"] == "30"
        tokens.revoke("ci")
        assert ask(token).status_code == 401
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert token not in server.output()
