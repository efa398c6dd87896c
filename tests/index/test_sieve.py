"""The sieve: it loses nothing that matters, its output is short and keeps its line numbers, and both scanners agree."""

import io
import pathlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tfhelp.collectors.reading.byte_stream import pieces
from tfhelp.index import sieve_patterns
from tfhelp.index.sieve import MOST_KEPT, sieve
from tfhelp.index.sieve_patterns import Serialised, SievePattern, widened
from tfhelp.index.sieve_scanners import BLOCK, HyperscanScanner, LiteralScanner, Scanner
from tfhelp.kb import compiled
from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.marks import MARKS
from tfhelp.kb.patterns import required_literals

NAMES = ("no space left", r"ran out of \w+", r"Traceback \(most recent call last", r"\bEpoch \d", r"^Killed$", "nötig")
ENDS = {r"\bEpoch \d": "Epoch"}
PATTERNS = [SievePattern(widened(name), required_literals(name), 2, 2, ENDS.get(name, "")) for name in NAMES]


def by_literals() -> Scanner:
    return LiteralScanner(PATTERNS)


def by_hyperscan() -> Scanner:
    pytest.importorskip("hyperscan")
    kept = [(row.first, row.last) for row in PATTERNS]
    return HyperscanScanner(Serialised(kept, sieve_patterns.compiled_database(PATTERNS), sieve_patterns.ends_of(PATTERNS)))


@pytest.fixture(params=[by_literals, by_hyperscan])
def scanner(request: pytest.FixtureRequest) -> Scanner:
    made: Scanner = request.param()
    return made


def stream(content: bytes) -> list[bytes]:
    file = io.BytesIO(content)
    return list(pieces(file.read(1000), file.read))


def kept(content: bytes, scanner: Scanner) -> list[tuple[int, str]]:
    return sieve(stream(content), scanner)


NOISE = "".join(f"item {number} of the day went by\n" for number in range(200_000))  # 6 MB
LINES = NOISE.splitlines(keepends=True)


@pytest.mark.parametrize("place", [0, 1, 70_000, 131_072, 199_998, 200_000])
def test_a_failure_is_kept_with_its_line_wherever_it_stands(scanner: Scanner, place: int) -> None:
    text = "".join([*LINES[:place], "OSError: no space left on device\n", *LINES[place:]])
    parts = kept(text.encode(), scanner)
    (found,) = [(first, part) for first, part in parts if "no space left" in part]
    assert found[0] + found[1][: found[1].index("OSError")].count("\n") == place + 1


def test_the_first_and_the_last_of_many_are_kept(scanner: Scanner) -> None:
    text = "".join(f"{line}Epoch {number}\n" for number, line in enumerate(LINES))
    parts = kept(text.encode(), scanner)
    assert "Epoch 0\n" in parts[0][1]
    assert "Epoch 199999\n" in parts[-1][1]
    assert sum(len(part) for _, part in parts) < 100_000


@pytest.mark.parametrize("place", [0, 1_000, 70_000, 200_000])
def test_a_runs_last_epoch_is_kept_although_its_first_one_is_near(scanner: Scanner, place: int) -> None:
    run = "".join(f"Epoch {number}/40\n{'=' * 150}\n" for number in range(1, 41))
    parts = kept("".join([*LINES[:place], run, *LINES[place:]]).encode(), scanner)
    assert any("Epoch 1/40\n" in part for _, part in parts)
    assert any("Epoch 40/40\n" in part for _, part in parts)


def test_a_traceback_is_kept_whole(scanner: Scanner) -> None:
    frames = "".join(f'  File "/srv/app/module_{number}.py", line {number}, in run\n    go()\n' for number in range(200))
    told = f"Traceback (most recent call last):\n{frames}OSError: no space left on device\n"
    told += f"\nDuring handling of the above exception, another exception occurred:\n\n{told}"
    parts = kept((NOISE + told + NOISE).encode(), scanner)
    (found,) = [part for _, part in parts if "no space left" in part]
    assert told in found


def test_a_text_that_begins_with_a_traceback_is_read(scanner: Scanner) -> None:
    told = 'Traceback (most recent call last):\n  File "train.py", line 1, in <module>\nOSError: no space left on device\n'
    for text in (told + NOISE, told.replace("\n", " ") + NOISE.replace("\n", " ")):
        assert "no space left" in kept(text.encode(), scanner)[0][1]


def test_a_fault_handlers_dump_is_kept_whole(scanner: Scanner) -> None:
    frames = "".join('  File "/srv/app/tree.py", line 35 in encode\n' for _ in range(100))
    told = f"no space left\n\nCurrent thread 0x00007f175529ab80 (most recent call first):\n{frames}  ...\n"
    assert any(told in part for _, part in kept((NOISE + told + NOISE).encode(), scanner))


def test_a_match_across_two_blocks_is_found(scanner: Scanner) -> None:
    for shift in range(0, 16, 5):
        filler = b"a\n" * (2 * BLOCK // 2 - 4)
        assert any("no space left" in part for _, part in kept(filler + b"b" * shift + b"\nno space left\n" + filler, scanner))


def test_one_endless_line_is_searched_too(scanner: Scanner) -> None:
    text = b"x, " * 1_500_000 + b"it ran out of memory, " + b"y, " * 1_500_000
    parts = kept(text, scanner)
    assert [first for first, part in parts if "ran out of memory" in part] == [1]
    assert sum(len(part) for _, part in parts) < 100_000


def test_the_sieve_keeps_a_limited_amount(scanner: Scanner) -> None:
    content = ("Traceback (most recent call last):\n" + '  File "a.py", line 1, in b\n' * 4000) * 60
    parts = kept(content.encode(), scanner)
    assert sum(len(part) for _, part in parts) <= MOST_KEPT


def test_utf_16_and_broken_utf_8_are_read(scanner: Scanner) -> None:
    text = NOISE + "das war nötig\n" + NOISE
    assert any("nötig" in part for _, part in kept(text.encode("utf-16"), scanner))
    broken = NOISE.encode() + b"\xff\xfe\x80 OSError: no space left\n" + NOISE.encode()
    assert any("� OSError: no space left" in part for _, part in kept(broken, scanner))


WORDS = st.sampled_from([*"abc\n\n", "no space left", "ran out of it", "Epoch 3", "\nKilled\n", "nötig", "x" * 900, "漢" * 300])


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=400))
def test_both_scanners_find_the_same_patterns_in_the_same_blocks(words: list[str]) -> None:
    piece = "".join(words).encode()
    found = [{(number, end // BLOCK) for number, end in scanner.scan(piece)} for scanner in (by_literals(), by_hyperscan())]
    assert {number for number, _ in found[0]} == {number for number, _ in found[1]}


@settings(max_examples=40)
@given(st.lists(WORDS, max_size=300), st.integers(0, 40))
@example(["x" * 900], 20)  # one line that is longer than a window
def test_parts_are_the_texts_own_lines_in_order(words: list[str], repeats: int) -> None:
    text = "\n".join(words) * (repeats + 1)
    lines = text.split("\n")
    after = 0
    for first, part in sieve(stream(text.encode()), by_literals()):
        told = part.removesuffix("\n").split("\n")
        assert first > after or not after or is_long(lines[first - 1])
        for line, own in zip(told, lines[first - 1 :], strict=False):
            assert line in own if is_long(own) else line == own
        after = first + len(told) - 1


def is_long(line: str) -> bool:
    """Whether a window may split the line."""
    return len(line.encode()) > 2_000


def test_every_pattern_of_the_knowledge_base_is_sieved_or_is_about_peoples_words() -> None:
    knowledge = compiled.load()
    everywhere = {row.pattern for row in sieve_patterns.everywhere(knowledge, MARKS)}
    edges = {row.pattern for row in sieve_patterns.on_edges(knowledge)}
    for row in knowledge.signatures:
        assert widened(row.pattern) in (edges if row.said else everywhere)


def test_a_damaged_or_foreign_database_is_not_used(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("hyperscan")
    path = tmp_path / sieve_patterns.DATABASES["all"]
    sieve_patterns.write(path, "one", PATTERNS, sieve_patterns.compiled_database(PATTERNS))
    assert sieve_patterns.read("all", "one", str(tmp_path)) is not None
    assert sieve_patterns.read("all", "two", str(tmp_path)) is None
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert sieve_patterns.read("all", "one", str(tmp_path)) is None
    path.write_bytes(b"{}")
    assert sieve_patterns.read("all", "one", str(tmp_path)) is None
    path.unlink()
    assert sieve_patterns.read("all", "one", str(tmp_path)) is None


def test_a_pattern_that_hyperscan_does_not_accept_is_named() -> None:
    refused = SievePattern(r"axis (?:=|$) [0-9]", [["axis"]], 1, 1)
    with pytest.raises(ArtefactError, match=r"Embedded end anchors not supported.*axis \(\?:=\|"):
        sieve_patterns.compiled_database([*PATTERNS, refused])
