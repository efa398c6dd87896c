"""Patterns of entries: which are refused, and why."""

import pytest

from tfhelp.kb import patterns


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a", "not RE2 syntax"),
        ("(?=x)ab", "not RE2 syntax"),
        ("a*", "matches the empty text"),
        ("loss (?i)nan", "is in the middle"),
        (r"cuda_dnn\.cc:362\]", "source file's line"),
        ("overflow [[:digit:]]+ times", "does not read it as RE2 does"),
        (r"letter \pL", "does not read it as RE2 does"),
        (r"\x{41} was here", "does not read it as RE2 does"),
        ("(?<name>out of memory)", "does not read it as RE2 does"),
    ],
)
def test_a_pattern_that_would_not_work_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        patterns.check(pattern)


@pytest.mark.parametrize(
    "pattern", [r"OOM when allocating tensor with shape\[[\d,]+\]", r"(?s)a.b\z", r"(?P<name>out of) memory"]
)
def test_a_plain_pattern_is_taken(pattern: str) -> None:
    assert patterns.check(pattern) == pattern
