"""Whether a user describes at length what happened. Then the meaning of the words can tell which cause it was."""

from tfhelp.collectors.reading import read
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis.likeness import is_detailed_account

ACCOUNT = "The training worked for two weeks on this machine and since the update of yesterday it stops after the first epoch."
LOG = "".join(
    f"2026-11-26 10:00:{number % 60:02d} INFO worker {number}: batch {number} of 400 written\n" for number in range(400)
)
WORDS = "".join(
    f"{'a moment later ' * (number % 4)}the small lamp was burning on the old table again\n" for number in range(4_000)
)


def records(text: str) -> list[Record]:
    return list(read(text).records)


def test_an_account_is_found_alone_and_at_either_end_of_a_log() -> None:
    assert is_detailed_account(records(ACCOUNT))
    assert is_detailed_account(records(f"{ACCOUNT}\n\n{LOG}"))
    assert is_detailed_account(records(f"{LOG}\n{ACCOUNT}\n"))


def test_a_log_is_none_even_if_it_is_in_words() -> None:
    assert not is_detailed_account(records(LOG))
    assert not is_detailed_account(records(WORDS))


def test_a_long_story_of_few_records_is_one() -> None:
    assert is_detailed_account(records("\n\n".join([ACCOUNT] * 12)))
