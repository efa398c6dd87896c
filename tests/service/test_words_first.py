"""The words alone settle what they can, and the encoder handles the rest."""

import typing

import pytest

from tfhelp.index.labels import OUT_OF_SCOPE
from tfhelp.kb import compiled
from tfhelp.service.diagnosis import confidence
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors
from tfhelp.service.diagnosis.features import Surroundings
from tfhelp.service.diagnosis.likeness import of_no_entry, settled_in

SETTLED = "the kernel in my notebook dies as soon as I call fit"
UNSETTLED = "training stops in the middle of the night and there is no error anywhere"


class Asked:
    """Replaces the vectors that a diagnoser loads, and counts."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, phrases_version: str) -> typing.Any:
        self.times += 1
        return load_vectors(phrases_version)


@pytest.mark.parametrize(("text", "times"), [(SETTLED, 0), (UNSETTLED, 1)])
def test_the_encoder_is_asked_where_the_words_do_not_settle_it(text: str, times: int) -> None:
    asked = Asked()
    found = Diagnoser(compiled.load(compiled.PATH), asked).read(text)
    assert asked.times == times
    assert found.around.settled_by_words == (times == 0)
    assert all(item.vector == 0 for item in found.candidates) == (times == 0)


def test_only_the_encoder_decides_between_the_causes_of_an_entry() -> None:
    asked = Asked()
    told = (
        "My colleague and I have tried for two days to find out what else could hold the memory of our card, and nothing helps.\n"
        "2024-05-01 10:00:00.000000: W tensorflow/core/framework/op_kernel.cc:1830] OP_REQUIRES failed at conv_ops.cc:684 : "
        "RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[256,128,112,112] and type float on "
        "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n"
    )
    found = Diagnoser(compiled.load(compiled.PATH), asked).read(told)
    assert any(item.decisive for item in found.candidates)
    assert asked.times == 1
    assert not found.around.settled_by_words


def test_cold_and_warm_say_the_same() -> None:
    cold, warm = Diagnoser.load(), Diagnoser.load(warm=True)
    for text in (SETTLED, UNSETTLED, "größer als der Speicher der Karte: nan"):
        one, other = cold.diagnose(text), warm.diagnose(text)
        assert {**one, "took_ms": 0} == {**other, "took_ms": 0}


def test_without_vectors_nothing_is_settled_by_words() -> None:
    assert not Diagnoser(compiled.load(compiled.PATH), None).read(SETTLED).around.settled_by_words


def test_texts_that_their_words_settle_have_their_own_weights() -> None:
    learned = confidence.weights()
    assert learned.by_words is not None
    item = Candidate("a")
    item.lexical = item.classified = 1.0
    around = Surroundings(signs_of_ours=1)
    settled = around._replace(settled_by_words=True)
    assert learned.score(item, settled) == learned.by_words.score(item, around)
    assert learned.score(item, settled) != learned.score(item, around)


def test_out_of_scope_texts_stay_settled() -> None:
    like = of_no_entry(settled_in([(1, 0.5)], {OUT_OF_SCOPE: 0.95, "nan-loss": 0.05}))
    assert like == ([], [], {OUT_OF_SCOPE: 0.95}, True)
