"""Tokens in SQLite, in PostgreSQL and in a file: made once, stored as hashes, revoked at once; and their command."""

import json
import os
import pathlib
import re
import stat
import typing

import pytest
import sqlalchemy as sa

from tests.service.memory.answers import Clock
from tfhelp.service.access.tables import TOKENS
from tfhelp.service.access.token_file import FileTokens
from tfhelp.service.access.tokens import DatabaseTokens, Tokens, hash_of, is_token, new_token
from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import open_engine, reading

Make = typing.Callable[[], Tokens]


@pytest.fixture(params=["database", "file"])
def make(request: pytest.FixtureRequest, tmp_path: pathlib.Path, clock: Clock) -> typing.Iterator[Make]:
    """Opens the same token store repeatedly, as several servers do."""
    if request.param == "file":
        yield lambda: FileTokens(str(tmp_path / "tokens.txt"), clock)
        return
    engines: list[sa.Engine] = []

    def opened() -> Tokens:
        engines.append(open_engine(str(tmp_path / "team.db")))
        return DatabaseTokens(engines[-1], clock)

    yield opened
    for engine in engines:
        engine.dispose()


def test_a_token_is_known_everywhere_until_it_is_revoked_and_then_nowhere(make: Make) -> None:
    one, other = make(), make()
    assert not one.any_live()
    token = one.create("ci", ["diagnose", "memory-read"], 30)
    for place in (one, other):
        who = place.find(token)
        assert who is not None and who.shown == "token ci" and who.scopes == {"diagnose", "memory-read"} and place.any_live()
    one.revoke("ci")
    assert one.find(token) is None and other.find(token) is None and not other.any_live()
    with pytest.raises(InputError, match="ci"):
        one.revoke("ci")


def test_a_token_ends_with_its_days_and_another_may_have_its_name(make: Make, clock: Clock) -> None:
    place = make()
    old, lasting = place.create("ci", ["diagnose"], 1), place.create("robot", ["diagnose"], None)
    with pytest.raises(InputError, match="there is already a token named ci"):
        place.create("ci", ["diagnose"], 1)
    clock.sleep(days=0.9)
    assert place.find(old)
    clock.sleep(days=0.2)
    assert place.find(old) is None and place.find(lasting)
    before, after = place.listed()[0], place.create("ci", ["admin"], 1)
    assert before.state(clock()) == "expired"
    who = place.find(after)
    assert who is not None and who.key != f"token:{before.id}" and who.may("memory-write")


@pytest.mark.parametrize("wrong", ["", "tfhelp_", "x" * 58, "tfhelp_" + "a" * 51, "\ud800", "tfhelp_é"])
def test_a_malformed_token_is_unknown(make: Make, wrong: str) -> None:
    place = make()
    token = place.create("ci", ["diagnose"], None)
    assert place.find(wrong) is None and place.find(token[:-1]) is None and place.find(token + "0") is None
    assert place.find(new_token()) is None


@pytest.mark.parametrize(
    ("name", "scopes", "days", "says"),
    [
        ("a b", ["diagnose"], 1, "not a valid token name"),
        ("x\n", ["diagnose"], 1, "not a valid token name"),
        ("ci", ["root"], 1, "unknown scope; the scopes are diagnose"),
        ("ci", [], 1, "unknown scope"),
        ("ci", ["diagnose"], 0, "--days is 0"),
        ("ci", ["diagnose"], float("nan"), "--days is nan"),
    ],
)
def test_an_invalid_new_token_is_refused(make: Make, name: str, scopes: list[str], days: float, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make().create(name, scopes, days)


def test_every_token_is_new_has_256_bits_and_a_prefix_for_scanners() -> None:
    made = {new_token() for _ in range(200)}
    assert len(made) == 200 and all(re.fullmatch(r"tfhelp_[A-Za-z0-9_-]{43}[0-9a-f]{8}", one) and is_token(one) for one in made)


def test_the_database_holds_the_hash_and_the_minute_of_the_last_use(where: str, clock: Clock) -> None:
    engine = open_engine(where)
    place = DatabaseTokens(engine, clock)
    token = place.create("ci", ["diagnose"], None)
    assert place.listed()[0].last_used is None
    written = []
    for seconds in (0, 30, 31):
        clock.sleep(seconds=seconds)
        assert place.find(token)
        written.append(place.listed()[0].last_used)
    assert written[0] == written[1] == clock() - 61 and written[2] == clock()
    with reading(engine) as connection:
        row = connection.execute(sa.select(TOKENS)).one()
    assert row.hash == hash_of(token) and token not in str(row) and token[7:20] not in str(row)
    engine.dispose()


def test_tokens_and_their_revocation_work_with_a_read_only_database(
    tmp_path: pathlib.Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = open_engine(str(tmp_path / "memory.db"))
    tokens = DatabaseTokens(engine, clock)
    live, revoked = tokens.create("ci", ["diagnose"], None), tokens.create("old", ["diagnose"], None)
    tokens.revoke("old")
    with engine.begin() as connection:
        full = "CREATE TRIGGER full BEFORE UPDATE ON tokens BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        connection.exec_driver_sql(full)
    assert [tokens.find(live) is not None for _ in range(3)] == [True] * 3 and tokens.find(revoked) is None
    assert capsys.readouterr().err.count("noting the use of a token") == 1
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER full")
    clock.sleep(seconds=61)
    assert tokens.find(live) is not None and tokens.listed()[0].last_used == clock()
    engine.dispose()


def test_a_file_is_for_its_owner_and_holds_no_token(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.txt"
    token = FileTokens(str(path)).create("ci", ["diagnose"], 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in path.read_text() and hash_of(token) in path.read_text()
    path.chmod(0o640)
    FileTokens(str(path)).create("robot", ["metrics"], None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 and [file.name for file in tmp_path.iterdir()] == ["tokens.txt"]


def test_a_file_that_breaks_or_goes_allows_nothing_until_it_is_corrected(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tokens.txt"
    place = FileTokens(str(path))
    token = place.create("ci", ["diagnose"], 1)
    good = path.read_text()
    assert place.find(token)
    path.write_text(good + f"{token} written by hand\n")
    assert place.find(token) is None
    said = capsys.readouterr().err
    assert (
        f"{path}:3: 'tfhelp token create' does not write such a line" in said
        and "no token of it works" in said
        and token not in said
    )
    with pytest.raises(InputError, match="tokens.txt:3"):
        FileTokens(str(path))
    path.write_text(good)
    assert place.find(token)
    path.unlink()
    assert place.find(token) is None


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: pathlib.Path) -> None:
    place = FileTokens(str(tmp_path / "no such folder" / "tokens.txt"))
    with pytest.raises(InputError, match="cannot be written"):
        place.create("ci", ["diagnose"], 1)


# --- the command -------------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    from tfhelp.service.__main__ import main

    status = main(["token", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.parametrize("place", ["--memory", "--tokens-file"])
def test_the_command_shows_a_token_once(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    where = (place, str(tmp_path / "place"))
    status, out, err = run(
        capsys, "create", "ci", "--scope", "diagnose,metrics", "--scope", "diagnose", "--days", "never", *where
    )
    token = out.strip()
    assert status == 0 and is_token(token) and "only time" in err and token not in err
    status, out, _ = run(capsys, "list", *where)
    assert (
        status == 0 and "ci" in out and "live" in out and "diagnose,metrics" in out and "never ends" in out and token not in out
    )
    listed = json.loads(run(capsys, "list", "--json", *where)[1])
    assert [(one["name"], one["state"]) for one in listed] == [("ci", "live")] and "hash" not in listed[0]
    assert run(capsys, "revoke", "ci", *where)[:2] == (0, "revoked: ci\n")
    assert run(capsys, "revoke", "ci", *where)[0] == 2
    status, out, _ = run(capsys, "list", *where)
    assert (status, out) == (1, "") if place == "--tokens-file" else (status == 0 and "revoked" in out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["list"], "no place for tokens is named"),
        (["list", "--memory", "a.db", "--tokens-file", "b"], "not both"),
        (["create", "ci", "--days", "soon", "--tokens-file", "b"], "--days is 'soon'"),
        (["list", "--tokens-file", "/no/such"], "cannot be read"),
    ],
)
def test_a_wrong_call_gets_a_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TFHELP_MEMORY", "TFHELP_TOKENS_FILE"):
        monkeypatch.delenv(name, raising=False)
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "") and says in err


def test_variables_name_the_place_unless_both_do(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFHELP_TOKENS_FILE", str(tmp_path / "tokens.txt"))
    monkeypatch.delenv("TFHELP_MEMORY", raising=False)
    assert run(capsys, "create", "ci")[0] == 0
    assert os.path.exists(tmp_path / "tokens.txt")
    monkeypatch.setenv("TFHELP_MEMORY", str(tmp_path / "team.db"))
    status, _, err = run(capsys, "list")
    assert status == 2 and "both set" in err


def test_revoking_a_name_ends_the_token_that_works(tmp_path: pathlib.Path) -> None:
    now = [1000.0]
    tokens = FileTokens(str(tmp_path / "tokens"), lambda: now[0])
    tokens.create("ci", ["diagnose"], 1)
    now[0] += 2 * 86_400
    live = tokens.create("ci", ["diagnose"], 365)
    tokens.revoke("ci")
    assert tokens.find(live) is None
