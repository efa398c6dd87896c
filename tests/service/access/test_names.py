"""The names of people: they come from a proxy or an issuer, where people may choose them."""

import pytest

from tests.service.access.doors import HERE
from tfhelp.service.access.owned import mark_of
from tfhelp.service.access.policy import Options, Policy

ISSUER = "oidc:https://login.example.org:"


def _policy(*admins: str) -> Policy:
    return Policy.of(Options(trust_proxy=["10.0.0.0/24"], user_header="X-Forwarded-User", admins=admins), HERE, {}, None)


@pytest.mark.parametrize("name", ["kim@example.org", "Kim@Example.org", "KIM@EXAMPLE.ORG"])
def test_an_administrator_is_known_in_any_case(name: str) -> None:
    assert _policy("Kim@example.org").person(f"user:{name}", name, [name]).may("admin")


@pytest.mark.parametrize("name", ["\u212aim@example.org", "k\u0131m@example.org", "kim@example.org ", "kim@example.org\u200b"])
def test_a_name_similar_to_an_administrators_gives_no_rights(name: str) -> None:
    """Python makes an ordinary k of the Kelvin sign."""
    assert not _policy("kim@example.org").person(f"user:{name}", name, [name]).may("admin")


def test_a_name_in_another_script_may_be_an_administrators() -> None:
    policy = _policy("J\u00fcrgen")
    assert policy.person("user:1", "J\u00fcrgen", ["J\u00fcrgen"]).may("admin")
    assert not policy.person("user:2", "J\u00dcRGEN", ["J\u00dcRGEN"]).may("admin")


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\u2028", "\x85", "\u00a0", "\u2066"])
def test_the_audit_log_shows_what_a_name_hides(hidden: str) -> None:
    person = _policy().person(f"user:ana{hidden}", f"ana{hidden}", [])
    assert person.shown == "ana\ufffd"
    assert mark_of(person) != mark_of(_policy().person("user:ana", "ana", []))


def test_people_whose_long_names_begin_alike_stay_apart() -> None:
    ana, bob = (_policy().person(f"{ISSUER}{'x' * 200}{name}", name, []) for name in ("ana", "bob"))
    assert mark_of(ana) != mark_of(bob)
    assert max(len(ana.key), len(bob.key)) <= 200  # the cookie of a session holds it
    assert ana == _policy().person(f"{ISSUER}{'x' * 200}ana", "ana", [])
