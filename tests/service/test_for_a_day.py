"""The memory of a day, the recent texts next to it, and what is cut out of a text."""

import threading
import time
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.service.small_server import small_diagnoser
from tfhelp.collectors.reading.lines import shown
from tfhelp.service.doors.http import app
from tfhelp.service.doors.http.body import _Part
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.web.excerpts import Lines, excerpts_of
from tfhelp.service.doors.web.words import inline
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.memory import Memory

ANSWER = {"verdict": "unknown", "matches": [], "condensed": "see /home/alice/run"}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_answer_is_kept_redacted_until_its_day_is_over() -> None:
    clock = Clock()
    memory: Memory = ForADay(keeps_s=60, clock=clock)
    token = memory.keep(ANSWER, {"name": "/home/alice/train.log"})
    kept = memory.read(token)
    assert kept is not None and kept.at == 1000.0 and kept.token == token
    assert kept.answer["condensed"] == "see /home/USER-1/run" and kept.given["name"] == "/home/USER-1/train.log"
    assert ANSWER["condensed"] == "see /home/alice/run"
    clock.now += 60
    assert memory.read(token) is None and not memory.feedback(token, "helped") and not memory.forget(token)


def test_the_oldest_are_removed_if_there_are_too_many() -> None:
    memory = ForADay(most=3)
    tokens = [memory.keep({**ANSWER, "number": number}, {}) for number in range(5)]
    assert len(set(tokens)) == 5
    assert [memory.read(token) is not None for token in tokens] == [False, False, True, True, True]


def test_the_oldest_are_removed_if_there_is_too_much_and_the_newest_stays() -> None:
    memory = ForADay(most_bytes=300)
    first, second = memory.keep(ANSWER, {"a": list(range(100))}), memory.keep(ANSWER, {"a": list(range(5000))})
    assert memory.read(first) is None and memory.read(second) is not None
    assert memory.forget(second) and not memory.forget(second)
    assert memory.read(memory.keep(ANSWER, {})) is not None


def test_only_a_senders_last_feedback_counts() -> None:
    memory = ForADay()
    token = memory.keep(ANSWER, {})
    assert memory.feedback(token, "helped", "one") and memory.feedback(token, "did-not-help", "one")
    assert memory.feedback(token, "something-else", "two") and memory.said(token) == ["did-not-help", "something-else"]
    assert memory.seen(ANSWER) is None


def test_many_threads_can_keep_and_delete_at_once() -> None:
    memory = ForADay(most=20)

    def work() -> None:
        for _ in range(20):
            token = memory.keep(ANSWER, {})
            memory.read(token)
            memory.forget(token)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory._bytes == 0 and not memory._rows


@given(st.lists(st.tuples(st.text(max_size=50), st.integers(0, 40)), max_size=12))
def test_recent_texts_are_never_too_many_and_come_back_as_they_were(asked: list[tuple[str, int]]) -> None:
    clock = Clock()
    texts = RecentTexts(keeps_s=60, most=3, most_bytes=150, clock=clock)
    for place, (text, later) in enumerate(asked):
        clock.now += later
        texts.keep(str(place % 5), text, (place,))
        taken = texts.take(str(place % 5), tuple)
        assert taken is None or taken == (text.encode("utf-8", "replace").decode(), (place,))
        assert texts.take(str(place % 5), list) is None
        assert len(texts._rows) <= 3 and 0 <= texts._bytes <= 150
    for place in range(5):
        texts.drop(str(place))
    assert texts._bytes == 0


def test_a_text_is_gone_after_its_hour() -> None:
    clock = Clock()
    texts = RecentTexts(clock=clock)
    texts.keep("t", "text", ())
    clock.now += 3599
    assert texts.take("t", tuple) is not None
    clock.now += 1
    assert texts.take("t", tuple) is None


def test_a_running_server_drops_a_text_that_nobody_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    texts = RecentTexts(clock=clock)
    monkeypatch.setattr(app, "RecentTexts", lambda: texts)
    monkeypatch.setattr(app, "_DROPS_TEXTS_EVERY_S", 0.01)
    with TestClient(app.create_app(small_diagnoser()), base_url="http://localhost") as client:
        assert client.post("/", data={"text": "CardFullError: no room for tensor 8,8"}).status_code == 200
        assert texts._rows
        clock.now += 3601
        end = time.monotonic() + 30
        while texts._rows and time.monotonic() < end:
            time.sleep(0.02)
        assert not texts._rows


lines_of_text = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=8), max_size=600)


@given(lines_of_text, st.lists(st.integers(-2, 700), max_size=6))
def test_excerpts_hold_every_matched_line_at_its_number(lines: list[str], matched: list[int]) -> None:
    text = "\n".join(lines)
    count, excerpts = excerpts_of(text, matched)
    held = Lines(excerpts)
    real = text.split("\n")
    assert count >= len(real) - 1
    for excerpt in excerpts:
        for number, line in enumerate(excerpt["lines"], excerpt["first"]):
            assert line == shown(real[number - 1]).expandtabs(4)
    if text.strip():
        assert all(held.line(number) == shown(real[number - 1]).expandtabs(4) for number in matched if 1 <= number <= count)
    rows = held.rows(set(matched))
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    assert all(row.hit == (row.number in matched) for row in rows)


def test_all_lines_of_a_message_are_marked_and_no_others() -> None:
    lines = [
        "start",
        "Error: Graph execution error:",
        "",
        "Out of memory for a tensor with shape[1,2]",
        "[[node]]",
        "the end of the run, ok",
    ]
    _, excerpts = excerpts_of("\n".join(lines), [5])
    message = "Error: Graph execution error: Out of memory for a tensor with shape[1,2] [[node]]"
    assert Lines(excerpts).of_message(5, message) == {2, 4, 5}
    assert Lines(excerpts).of_message(50, message) == set()


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\x00", b"0")), max_size=60), st.integers(16, 200))
def test_both_ends_of_a_part_are_kept_with_their_line_numbers(pieces: list[bytes], limit: int) -> None:
    part = _Part("text")
    for piece in pieces:
        part.add(piece, limit)
    whole = b"".join(pieces)
    assert part.size == len(whole) and part.over == (len(whole) > limit)
    assert len(part.data) + len(part.tail) <= 2 * limit + 40
    if not part.over or not part.keep_both_ends(limit):
        assert whole.startswith(part.data)
        return
    kept, real = bytes(part.data).split(b"\n"), whole.split(b"\n")
    assert len(kept) == len(real) or part.lines_left_out > limit or b"\n" not in whole[limit // 4 :]
    if len(kept) == len(real) and whole.endswith(b"\n"):
        assert kept[-2] in (real[-2], b"") or real[-2].endswith(kept[-2])
    assert len(part.data) <= limit + part.lines_left_out


def test_a_part_of_short_lines_stays_within_twice_the_limit() -> None:
    part = _Part("text")
    for _ in range(64):
        part.add(b"\n" * 4096, 4096)
    assert part.keep_both_ends(4096) and len(part.data) <= 2 * 4096


@given(st.text(max_size=60))
def test_inline_code_never_lets_html_through(text: str) -> None:
    made = str(inline(text))
    rest: typing.Any = made.replace("<code>", "").replace("</code>", "")
    assert "<" not in rest and ">" not in rest and made.count("<code>") == made.count("</code>")
