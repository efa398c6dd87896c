"""Copies of the entries are valid, use different words, and are the same every time."""

import pathlib
import re

import pytest
import re2

from tests.benchmarks import many_entries
from tfhelp.kb.load import load_entries

pytestmark = pytest.mark.slow


def files_of(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*-1/*")) if not path.is_symlink()}


def test_copies_are_valid_and_speak_of_other_things(tmp_path: pathlib.Path) -> None:
    for name in ("one", "again"):
        many_entries.write(tmp_path / name, 2)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "again")
    loaded, faults = load_entries(tmp_path / "one")
    assert faults == []
    own = {item.entry.id: item for item in loaded}
    copies = [name for name in own if name.endswith("-1") and name[:-2] in own]
    assert len(copies) * 2 == len(own)
    of_copies = [(name, signature.pattern) for name in copies for signature in own[name].entry.matches.decisive]
    of_originals = {signature.pattern for name in copies for signature in own[name[:-2]].entry.matches.decisive}
    assert sum(pattern in of_originals for _, pattern in of_copies) < 0.05 * len(of_copies)
    phrases = {phrase for name in copies for phrase in own[name[:-2]].entry.matches.phrases}
    copied = [phrase for name in copies for phrase in own[name].entry.matches.phrases]
    # A third of the phrases have only common and short words, which do not change. All other phrases change.
    common = many_entries.common_words()
    unchanged = [phrase for phrase in copied if phrase in phrases]
    assert len(unchanged) < 0.4 * len(copied)
    changing = [word for phrase in unchanged for word in re.findall("[A-Za-z]{3,}", phrase) if word[:5].lower() not in common]
    assert changing == []


def test_a_copied_pattern_matches_the_copied_message() -> None:
    words = many_entries.Words(7, frozenset())
    message, pattern = (
        "ResourceExhaustedError: OOM when allocating tensor",
        r"(?i)\bResource(?:Exhausted)?Errors?: \w+ when (?P<what>a[l-m]+)",
    )
    assert re2.search(pattern, message)
    assert re2.search(words.pattern(pattern), words.message(message)) is None  # a range of letters does not change
    assert re2.search(words.pattern(pattern.replace("a[l-m]+", "[a-z]+")), words.message(message))
    assert words.message(message) != message
