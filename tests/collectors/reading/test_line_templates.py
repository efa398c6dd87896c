"""Lines that are recognised by their shape give the same records as when every line is parsed."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.line_templates import shape, shapes
from tfhelp.collectors.reading.lines import clean_lines
from tfhelp.collectors.reading.records import Splitter
from tfhelp.kb.text import Line, Record

# Each begins, continues or ends a record, so that every order of them is a separate case. # is a number.
LINES = [
    "2026-11-20 02:11:09.7132##: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on.",
    "2026-11-20 02:11:09.7132##: W tensorflow/core/data/root_dataset.cc:342] Input buffer is # % full",
    "2026-11-20 02:11:09.7132##: W tensorflow/core/data/root_dataset.cc:342] The buffer, which is nearly empty again, waits for:",
    "2026-11-20 02:11:09.7132##: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:477] Unable to register cuFFT factory",
    "I0000 00:00:17321#.#  12 service.cc:145] XLA service initialised",
    "2026-11-20 02:11:09,#1 INFO trainer: step=# loss=0.#",
    "WARNING:tensorflow:# steps were skipped",
    "ERROR: the step # failed",
    "  #/200 [==>...........] - ETA: 1:## - loss: 0.#",
    "#/200 [==>...........] - loss: 0.#2026-11-20 02:11:09.713204: W tensorflow/core/a.cc:3] behind the bar",
    "\r #/200 [==>] - loss: 0.#\r #/200 [===>] - loss: 0.#",
    "Epoch #/40",
    "0: Epoch #/40",
    "1234567: Epoch #/40",
    "[1,#]<stderr>:2026-11-20 02:11:09.713204: W tensorflow/core/data/root_dataset.cc:342] Input buffer is # % full",
    "read shard # of 4096",
    "  and so on, # times",
    "the loss is nan after # steps and I do not know why",
    "Traceback (most recent call last):",
    '  File "train.py", line #, in <module>',
    "    model.fit(data)",
    "ValueError: step # is wrong",
    "During handling of the above exception, another exception occurred:",
    "Killed",
    "$ python train.py",
    "",
]
LINE = st.builds(
    lambda line, numbers: _numbered(line, numbers), st.sampled_from(LINES), st.lists(st.integers(0, 12_000), max_size=4)
)


def _numbered(line: str, numbers: list[int]) -> str:
    left = iter(numbers)
    return re.sub("#", lambda _: str(next(left, 7)), line)


def described(records: list[Record]) -> list[tuple[object, ...]]:
    return [tuple(getattr(record, name) for name in Record.__slots__) for record in records]


@settings(max_examples=400, deadline=None)
@given(st.lists(LINE, min_size=1, max_size=40))
@example([LINES[1], LINES[1], LINES[16], LINES[1], LINES[18], LINES[8], LINES[8], LINES[21]])
@example([LINES[5], LINES[5], LINES[18], LINES[5], LINES[6], LINES[6], LINES[22], LINES[6]])
def test_shapes_change_no_record(lines: list[str]) -> None:
    text = "\n".join(lines)
    looked_at = Splitter()
    for line in clean_lines(text):
        looked_at.take(line, f"{line.worker} {shape(line.text)}")
    assert described(read(text).records) == described(looked_at.close())


def test_repeated_lines_are_not_looked_at_one_by_one() -> None:
    text = "\n".join(f"{step}/20000 [==>....] - loss: 0.{step}" for step in range(5_000))
    [record] = read(text).records
    assert (record.count, record.first_line, record.last_line) == (5_000, 1, 5_000)
    assert record.text == "4999/20000 [==>....] - loss: 0.4999"


@given(st.text(alphabet="0019a:. \n\u0664", max_size=200))
def test_a_shape_has_one_digit_for_every_number(text: str) -> None:
    assert shape(text) == re.sub("[0-9]+", "0", text)


@given(st.lists(st.text(alphabet="01a", max_size=20), max_size=20))
def test_the_shapes_of_many_lines_are_those_of_each(texts: list[str]) -> None:
    assert list(shapes([Line(1, "", text) for text in texts])) == [shape(text) for text in texts]
