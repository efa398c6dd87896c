"""Consecutive releases, as text, and what is true for all, some or none of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb import release_range, versions


@pytest.mark.parametrize(
    ("text", "specifier", "outcome"),
    [
        ("2.4 to 2.8", "<2.16", True),
        ("2.4 to 2.8", ">=2.16", False),
        ("2.4 to 2.8", ">=2.6", None),
        ("2.4 to 2.8", "~=2.4", True),
        ("2.4 to 2.8", "!=2.6.0", None),
        ("2.16", "==2.16.*", True),
        ("2.15 to 2.18", "==2.16.*", None),
        ("2.16 to 2.17", "~=2.16.1", None),
        # A patch inside a minor release, which is neither its first nor its last version.
        ("2.4", "==2.4.1", None),
        ("2.4", ">=2.4.1,<2.4.3", None),
        ("2.11 to 2.15", ">=2.11,<2.16", True),
        ("2.9 to 2.10", ">=2.10,<2.11", None),
        # Open ends: a release newer than the newest known one, and one older than the oldest.
        ("2.16 or later", ">=2.16", True),
        ("2.16 or later", "<2.22", None),
        ("1.15 or older", "<2.0", True),
        ("1.15 or older", ">=1.0", None),
        ("3.0 to 3.5", ">=3.8", False),
        ("2", ">=2.0", None),
        ("", ">=2.0", None),
        (None, ">=2.0", None),
    ],
)
def test_what_is_true_of_releases(text: object, specifier: str, outcome: bool | None) -> None:
    assert release_range.satisfies(text, specifier) is outcome


def test_a_range_with_two_open_ends_says_nothing() -> None:
    assert release_range.say("1.0", "2.21", oldest=True, newest=True) == ""


MINORS = st.tuples(st.integers(0, 3), st.integers(0, 30))


@given(
    first=MINORS,
    more=st.integers(0, 9),
    patch=st.integers(0, 9),
    limit=MINORS,
    operator=st.sampled_from(["<", "<=", ">", ">=", "=="]),
)
def test_what_is_true_of_all_is_true_of_each(
    first: tuple[int, int], more: int, patch: int, limit: tuple[int, int], operator: str
) -> None:
    major, minor = first
    text = release_range.say(f"{major}.{minor}", f"{major}.{minor + more}")
    specifier = f"{operator}{limit[0]}.{limit[1]}"
    outcome = release_range.satisfies(text, specifier)
    each = [versions.satisfies(f"{major}.{minor + step}.{patch}", specifier) for step in range(more + 1)]
    if outcome is not None:
        assert set(each) == {outcome}


@given(first=MINORS, more=st.integers(0, 9), oldest=st.booleans(), newest=st.booleans())
def test_what_is_said_is_read_again(first: tuple[int, int], more: int, oldest: bool, newest: bool) -> None:
    major, minor = first
    text = release_range.say(f"{major}.{minor}", f"{major}.{minor + more}", oldest=oldest, newest=newest)
    if oldest and newest:
        assert release_range.ends(text) is None
        return
    ends = release_range.ends(text)
    assert ends is not None
    assert versions.satisfies(ends[0], f"<={major}.{minor}")
    assert versions.satisfies(ends[1], f">={major}.{minor + more}")


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert release_range.satisfies(text, ">=2.0") in (True, False, None)
