"""Fingerprints and their matcher, on random templates and texts."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.atlas.fingerprint import LONGEST_RUN, Anchored, Hashes, Piece, Value, anchored
from tfhelp.kb.atlas.matching import Anchors, Fingerprint, anchor_key, find
from tfhelp.kb.atlas.messages import MOST, Scope, alternatives
from tfhelp.kb.atlas.raises import parsed, raises

WORDS = st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=8).map(" ".join)
VALUES = st.from_regex(r"[0-9]{1,3}|\([0-9], [0-9]\)", fullmatch=True)
TEMPLATES = st.lists(st.tuples(WORDS, VALUES), min_size=1, max_size=5)


def found_in(text: str, message: Anchored) -> list[tuple[tuple[str, ...], ...]]:
    """The values of each occurrence of the message in the text."""
    one = Fingerprint(message.template.runs, message.template.gaps, message.run)
    anchors = Anchors([anchor_key(message.digest, message.words)], [0])
    return [found.values for found in find(text, anchors, lambda row: one)]


def pieces_of(template: list[tuple[str, str]]) -> list[Piece]:
    return [piece for place, (words, _) in enumerate(template) for piece in (f"{words} got=", Value(f"v{place}"), ". ")]


@given(TEMPLATES, st.from_regex(r"[A-Z]{1,8}( [A-Z]{1,8}){0,5}", fullmatch=True))
def test_a_filled_template_is_found_with_its_values(template: list[tuple[str, str]], before: str) -> None:
    message = anchored(pieces_of(template))
    assert message is not None
    text = "".join(f"{words} got={value}. " for words, value in template)
    values = [value for _, value in template]
    assert [part for gap in found_in(text, message)[0] for part in gap] == values
    assert found_in(f"{before}: {text}", message)


@given(TEMPLATES, st.integers(0, 4))
def test_another_word_in_a_run_is_another_message(template: list[tuple[str, str]], place: int) -> None:
    message = anchored(pieces_of(template))
    changed = place % len(template)
    parts = [f"{'Other' if at == changed else ''}{words} got={value}. " for at, (words, value) in enumerate(template)]
    assert message is not None
    # At most the beginning is found, without the values after the changed word.
    assert all(values[-2:] == ((), ()) for values in found_in("".join(parts), message))


LONG = " ".join(f"w{number}" for number in range(40))


@given(st.integers(0, 40))
def test_a_long_message_that_is_cut_off_is_found_by_its_beginning(kept: int) -> None:
    message = anchored([f"{LONG} got ", Value("x")])
    assert message is not None
    text = " ".join(LONG.split()[:kept])
    pieces = kept // LONGEST_RUN * LONGEST_RUN
    assert bool(found_in(text, message)) == (2 * pieces >= 41 and pieces >= 12)


def test_pieces_of_a_long_run_follow_each_other() -> None:
    message = anchored([LONG])
    assert message is not None
    words = LONG.split()
    assert found_in(" ".join(words), message)
    assert found_in(" ".join([*words[:8], "between", *words[8:]]), message) == []


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=40), st.data())
def test_a_run_has_the_same_hash_wherever_it_stands(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    count = data.draw(st.integers(1, len(words) - first))
    assert Hashes(words).of(first, count) == Hashes(words[first : first + count]).of(0, count)


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    message = anchored(["a b ", Value("x"), " c"])
    assert message is not None
    for values in found_in(text + " a b 3 c", message):
        assert len(values) == 3


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_a_template(first: str, second: str) -> None:
    message = anchored([first, Value("x"), second])
    if message is not None:
        assert len(message.template.gaps) == len(message.template.runs) + 1
        assert all(len(gap) % 2 for gap in message.template.gaps)


def test_many_repeats_of_an_anchor_end() -> None:
    message = anchored(["a b ", Value("x"), " never"])
    assert message is not None
    assert found_in("a b " * 5000, message) == []


def templates(expression: str) -> list[list[Piece]]:
    tree = ast.parse(expression)
    return alternatives(tree.body[-1].value, Scope(tree))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("expression", "pieces"),
    [
        ("f'got {x.shape} of {n!r}.'", ["got ", Value("x.shape"), " of ", Value("n"), "."]),
        ("'got %s of %d%%' % (x, len(y))", ["got ", Value("x"), " of ", Value("len(y)"), "%"]),
        ("'got %(a)s' % {'a': b}", ["got ", Value("b")]),
        ("'got %(a)s' % locals()", ["got ", Value("a")]),
        ("'{} and {1} and {k}'.format(a, b, k=c)", [Value("a"), " and ", Value("b"), " and ", Value("c")]),
        ("'a ' + b + ' c'", ["a ", Value("b"), " c"]),
        ("' '.join(['a b', c])", ["a b", " ", Value("c")]),
        ("str(x)", [Value("x")]),
        ("'a {'.format(x)", ["a {"]),
    ],
)
def test_ways_to_write_a_message(expression: str, pieces: list[Piece]) -> None:
    assert [piece for piece in templates(expression)[0] if piece != ""] == pieces


def test_both_ways_of_a_choice_are_kept() -> None:
    assert templates("'a b' if c else 'd e'") == [["a b"], ["d e"]]
    assert len(templates("('a' if c else 'b') + ('a' if d else 'b') + ('a' if e else 'b') + ('x' if f else 'y')")) == MOST


SOURCE = """
class A:
    ERROR = "The range should be a list. "

    def one(self, mode="x"):
        if mode == "binary":
            mode = "multi_hot"
        if mode:
            raise ValueError(f"Unknown arg for output mode: {mode}")
        raise ValueError(self.ERROR + f"Received {mode}")

    def two(self, x):
        message = "The first part of %s" % x
        if x:
            message += " and the rest of it"
        raise errors.InvalidArgumentError(None, None, message)

    def three(self):
        def inside():
            assert self.x, "A thing must be here"
        raise self._made(3)

    def _made(self, what):
        return NotImplementedError(f"The layer does not have {what}")
"""


def test_places_and_classes_of_raises() -> None:
    tree = parsed(SOURCE.encode(), "a.py")
    assert tree is not None
    found = {(one.exception, one.function, one.message.template.fixed) for one in raises(tree)}
    assert found == {
        ("ValueError", "A.one", 5),
        ("ValueError", "A.one", 7),
        ("InvalidArgumentError", "A.two", 4),
        ("InvalidArgumentError", "A.two", 9),
        ("AssertionError", "A.three.inside", 5),
        ("NotImplementedError", "A.three", 5),
    }


def test_what_cannot_be_read_is_told_apart_from_what_raises_nothing() -> None:
    assert parsed(b"print 'x'", "old.py") is None
    tree = parsed(b"x = 1", "new.py")
    assert tree is not None
    assert raises(tree) == []
