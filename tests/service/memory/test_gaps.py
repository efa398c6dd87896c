"""Unanswered failures are grouped for a curator, and become the draft of an entry."""

import pathlib

import pytest
import yaml

from tests.service.memory.answers import Clock, answer, card_full, given, unknown
from tfhelp.kb.load import ENTRIES
from tfhelp.service.errors import InputError
from tfhelp.service.memory import gaps
from tfhelp.service.memory.store import TeamMemory

LOOM = "RuntimeError: the spindle of the loom has come loose in the {} shuttle"


def with_gaps(memory: TeamMemory, clock: Clock) -> None:
    """Five failures of one loom, one of an oven, one that was diagnosed wrongly, and one that was answered."""
    for number, side in enumerate(("left", "right", "left", "left", "upper")):
        token = memory.keep(answer(LOOM.format(side)), given(number), f"s{number}")
        clock.sleep(days=1)
    memory.feedback(token, "something-else", "s4", "the belt was too old", "Ana")
    memory.keep(answer('OvenError: door: "open" (#7)'), given(7))
    wrong = memory.keep(card_full(), given(8))
    memory.feedback(wrong, "something-else", "x", "it was the fan")
    memory.keep(card_full(), given(9), "somebody")


def test_gaps_are_grouped_by_fingerprint_and_likeness_the_largest_first(memory: TeamMemory, clock: Clock) -> None:
    with_gaps(memory, clock)
    loom, *others = gaps.find(memory)
    assert (loom.met, loom.unanswered, loom.something_else, loom.senders) == (5, 5, 1, 5)
    assert loom.message == LOOM.format("left")
    assert loom.words == ["the belt was too old"]
    assert set(loom.examples) == {LOOM.format(side) for side in ("left", "right", "upper")}
    assert loom.last - loom.first == 4 * 86_400
    assert {(gap.met, gap.unanswered, tuple(gap.given_as), tuple(gap.words)) for gap in others} == {
        (1, 1, (), ()),
        (1, 0, ("card-full",), ("it was the fan",)),
    }


def test_a_memory_without_gaps_has_none(memory: TeamMemory) -> None:
    memory.keep(card_full(), given())
    assert gaps.find(memory) == []


def test_a_gap_becomes_the_draft_of_an_entry_in_a_private_folder(
    memory: TeamMemory, clock: Clock, tmp_path: pathlib.Path
) -> None:
    with_gaps(memory, clock)
    loom = gaps.find(memory)[0]
    entry, examples = gaps.draft(gaps.one(memory, loom.id[:5]), tmp_path / "ours", "training")
    assert entry.parent == tmp_path / "ours" / "training" / "runtime-spindle-loom-has"
    drafted = yaml.safe_load(entry.read_text(encoding="utf-8"))
    assert drafted["title"].startswith("RuntimeError: the spindle")
    assert drafted["causes"][0]["proof"]["kind"] == "reviewed"  # a private entry has no program to run
    assert drafted["matches"]["decisive"] == [LOOM.format("left")]
    assert drafted["matches"]["phrases"] == ["the belt was too old"]
    texts = yaml.safe_load(examples.read_text(encoding="utf-8"))["must_match"]
    assert {row["text"] for row in texts} == set(loom.examples)
    with pytest.raises(InputError, match="exists"):
        gaps.draft(loom, tmp_path / "ours", "training")


def test_any_message_becomes_a_draft_that_is_yaml(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    memory.keep(answer("OvenError: door: \"open\" \\ 'x: {y' [#7] 80% done | \u2028 *a"), given())
    entry, _ = gaps.draft(gaps.find(memory)[0], tmp_path, "training", "oven-door")
    pattern = yaml.safe_load(entry.read_text(encoding="utf-8"))["matches"]["decisive"][0]
    import re2

    assert re2.search(pattern, "OvenError: door: \"open\" \\ 'other text' [#9] 99% done | \u2028 *a") or re2.compile(pattern)


def test_a_draft_never_goes_into_an_installation(memory: TeamMemory, tmp_path: pathlib.Path) -> None:
    memory.keep(unknown(), given())
    gap = gaps.find(memory)[0]
    for folder in (ENTRIES, ENTRIES / "training", tmp_path / "lib" / "site-packages" / "tfhelp"):
        with pytest.raises(InputError, match="belongs to an installation"):
            gaps.draft(gap, folder, "training", "a-draft-of-a-test")
    assert not list(ENTRIES.rglob("a-draft-of-a-test"))


@pytest.mark.parametrize("identifier", ["", "zzzz", "0000000000"])
def test_a_gap_that_is_not_there_is_named(memory: TeamMemory, identifier: str) -> None:
    memory.keep(unknown(), given())
    with pytest.raises(InputError, match="no gap begins with"):
        gaps.one(memory, identifier)
