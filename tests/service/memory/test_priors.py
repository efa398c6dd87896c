"""People's replies move a cause within bounds, and a single sender cannot do it alone."""

import math
import typing

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.service.memory.answers import BATCH, NEIGHBOUR, answer, card_full, given, unknown
from tfhelp.service.diagnosis.experience import SOURCE, Shift, weigh
from tfhelp.service.memory.fingerprint import fingerprint
from tfhelp.service.memory.priors import MOST, MOST_OF_A_SENDER, Vote, log_odds, shifts
from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]

SENDERS, CAUSES = ("ana", "bo", "cem", "di"), (NEIGHBOUR, BATCH)
VOTES = st.lists(
    st.builds(Vote, st.sampled_from(SENDERS), st.sampled_from("fgh"), st.sampled_from(CAUSES), st.booleans()), max_size=40
)
MOST_ALONE = math.log(1 + MOST_OF_A_SENDER / 4)  # from no reply to the maximum of one sender


def moved(votes: list[Vote], cause: str = NEIGHBOUR) -> float:
    shift = shifts(votes).get(cause)
    return shift.log_odds if shift else 0.0


@hypothesis.given(VOTES)
def test_no_crowd_moves_a_cause_further_than_the_bound(votes: list[Vote]) -> None:
    assert all(abs(shift.log_odds) <= MOST for shift in shifts(votes).values())


@hypothesis.given(VOTES, VOTES)
def test_one_sender_moves_a_cause_no_further_than_one_can(others: list[Vote], own: list[Vote]) -> None:
    theirs = [vote for vote in others if vote.sender != "ana"]
    mine = [vote._replace(sender="ana", fingerprint=f"{vote.fingerprint}{place}") for place, vote in enumerate(own)]
    assert abs(moved([*theirs, *mine]) - moved(theirs)) <= MOST_ALONE + 1e-9


@hypothesis.given(st.integers(1, 60), st.booleans())
def test_saying_it_again_and_again_of_one_failure_counts_once(count: int, was_it: bool) -> None:
    vote = Vote("ana", "f", NEIGHBOUR, was_it)
    assert shifts([vote] * count) == shifts([vote])


@hypothesis.given(VOTES)
def test_the_order_of_senders_does_not_matter_but_each_ones_last_word_counts(votes: list[Vote]) -> None:
    by_sender = sorted(votes, key=lambda vote: vote.sender)
    assert {cause: shift.log_odds for cause, shift in shifts(votes).items()} == pytest.approx(
        {cause: shift.log_odds for cause, shift in shifts(by_sender).items()}
    )


def test_more_senders_move_it_further() -> None:
    each = [moved([Vote(f"s{number}", "f", NEIGHBOUR, True) for number in range(count)]) for count in (1, 2, 5, 50)]
    assert each == sorted(each)
    assert len(set(each)) == 4
    assert log_odds([[True], [False]]) == 0.0


def shares(document: Json) -> dict[str, float]:
    return {row["cause"]: row["confidence"] for row in document["matches"][0]["causes"]}


def test_the_evidence_says_what_was_said_and_by_how_much_it_moved() -> None:
    before = card_full()
    after: Json = dict(
        weigh(typing.cast(typing.Any, before), {BATCH: Shift(1.0, "your team said 6 times that this cause was it")})
    )
    row = next(row for row in after["matches"][0]["causes"] if row["cause"] == "batch-too-large")
    change = shares(after)["batch-too-large"] - shares(before)["batch-too-large"]
    assert change > 0.05
    assert row["evidence"][-1] == {
        "check": "what your team said about this cause",
        "outcome": "holds",
        "because": f"your team said 6 times that this cause was it: {change:+.0%}",
        "source": SOURCE,
    }
    assert before == card_full() | {"took_ms": before["took_ms"]}  # the answer that was given is unchanged


@hypothesis.settings(max_examples=40)
@hypothesis.given(
    st.dictionaries(st.sampled_from([NEIGHBOUR, BATCH, "card-full/wrong-system", "other/cause"]), st.floats(-MOST, MOST)),
    st.sampled_from([None, {"os": {"container": True}}, {"os": {"container": False, "name": "linux"}}]),
)
def test_weighing_keeps_verdict_entries_and_shares_sound(moves: dict[str, float], facts: Json | None) -> None:
    before = answer("CardFullError: no room for tensor 3,4", facts)
    after = weigh(typing.cast(typing.Any, before), {cause: Shift(value, "said") for cause, value in moves.items()})
    assert {key: before[key] for key in before if key != "matches"} == {
        key: value for key, value in after.items() if key != "matches"
    }
    one, other = before["matches"][0], after["matches"][0]
    assert (one["entry"], one["confidence"]) == (other["entry"], other["confidence"])
    assert sorted(row["cause"] for row in one["causes"]) == sorted(row["cause"] for row in other["causes"])
    assert 0 <= sum(row["confidence"] for row in other["causes"]) <= 1.001
    ruled_out = {row["cause"] for row in one["causes"] if row["verdict"] == "ruled-out"}
    assert {row["cause"] for row in other["causes"] if row["verdict"] == "ruled-out"} == ruled_out
    standing = [row["confidence"] for row in other["causes"] if row["verdict"] not in ("ruled-out", "confirmed")]
    assert standing == sorted(standing, reverse=True)


def test_a_confirmed_cause_stays_first() -> None:
    document = card_full()
    rows = document["matches"][0]["causes"]
    rows[0]["verdict"], rows[0]["confidence"], rows[1]["confidence"] = "confirmed", 0.4, 0.39
    after = weigh(typing.cast(typing.Any, document), {f"card-full/{rows[1]['cause']}": Shift(1.0, "said")})
    assert after["matches"][0]["causes"][0]["cause"] == rows[0]["cause"]


@pytest.mark.parametrize("text", ["FrobError: quux was not turned", "Epoch 1/1\nall is done"])
def test_no_abstention_becomes_an_answer(text: str) -> None:
    document = answer(text)
    assert weigh(typing.cast(typing.Any, document), {NEIGHBOUR: Shift(1.0, "said")}) == document


def test_a_team_that_found_another_cause_gets_it_first(memory: TeamMemory) -> None:
    assert card_full()["matches"][0]["causes"][0]["cause"] == "neighbour"
    for number in range(8):
        token = memory.keep(card_full(shape=f"{number},9"), given(number), f"sender {number}")
        memory.feedback(token, "something-else", f"sender {number}", "a smaller batch", cause=BATCH)
    told = memory.recall(card_full(), given(99))
    first = told["matches"][0]["causes"][0]
    assert (told["verdict"], first["cause"]) == ("diagnosed", "batch-too-large")
    assert first["evidence"][-1]["because"].startswith("your team said 8 times that this cause was it: +")
    memory.weighs = False
    assert memory.recall(card_full(), given(99))["matches"][0]["causes"][0]["cause"] == "neighbour"


def test_experience_changes_no_fingerprint(memory: TeamMemory) -> None:
    def silent() -> Json:
        document = card_full(shape="1,2")
        document["failure"] = {"exception": "", "message": "", "own": "", "library": ""}
        document["matches"][0]["causes"][0]["verdict"] = "likely"
        return document

    for number in range(8):
        token = memory.keep(silent(), given(number), f"sender {number}")
        memory.feedback(token, "something-else", f"sender {number}", cause=BATCH)
    told = memory.recall(silent(), given(9))
    assert told["matches"][0]["causes"][0]["cause"] == "batch-too-large"
    assert fingerprint(told) == fingerprint(silent())
    memory.keep(told, given(10))
    seen = memory.seen(silent())
    assert seen is not None
    assert seen.times == 9


def test_one_sender_with_many_accounts_of_one_failure_changes_no_order(memory: TeamMemory) -> None:
    for number in range(12):
        token = memory.keep(card_full(shape=f"{number},9"), given(number), "troll")
        memory.feedback(token, "something-else", "troll", cause=BATCH)
    told = memory.recall(card_full(), given(99))
    assert told["matches"][0]["causes"][0]["cause"] == "neighbour"
    assert memory.recall(unknown(), given(99))["abstained"]
