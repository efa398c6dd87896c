"""The time of redaction and of the readers of facts grows in proportion to the text, not to its square."""

import time
import typing

import pytest

from tfhelp.collectors import text_facts
from tfhelp.collectors.reading import read as read_text
from tfhelp.collectors.redaction import redact
from tfhelp.kb.text import Text

pytestmark = pytest.mark.slow

_NO_LESS = 0.002  # seconds; a shorter time is too short to measure
_ROUNDS = 3
_TRIES = 3  # quadratic time is too long each time; a busy machine only sometimes


def _cost(action: typing.Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "unit",
    [
        "a@",
        "1.",
        ":a",
        "/home/",
        "ssh ",
        "://",
        "eyJ",
        "token ",
        "password=",
        "\\",
        "a.b-",
        "-----BEGIN PRIVATE KEY-----",
        "key: ",
        "gh",
        "C:\\Users\\a b",
        '"a:',
    ]
    + ["-password ", "ip-1", "0:", "aa-", "x=y&", "fe80::"],
)
def test_redaction(unit: str) -> None:
    """Four times the text takes sixteen times as long only with quadratic time; the limit of ten is far from both."""

    def cost(characters: int) -> float:
        text = unit * (characters // len(unit))
        return _cost(lambda: redact(text))

    assert any(cost(80_000) < 10 * max(cost(20_000), _NO_LESS) for _ in range(_TRIES))


@pytest.mark.parametrize(
    "unit",
    [
        "2024-03-01 10:00:00.{n}: W tensorflow/core/framework/op_kernel.cc:1816] OP_REQUIRES failed at x.cc:{n} : RESOURCE_EXHAUSTED: OOM 0x{n:x}\n",
        " {n}/100000 [====>.....] - ETA: {n}s - loss: 0.{n}\n",
        "Filesystem Size Used Avail Use% Mounted on\n",
        "Package Version\n",
        "NVSMI LOG\n",
        "Found device 0 with properties\n",
        "TF_CONFIG={{\n",
        "### TensorFlow version\n",
        "x: x: x: x: version version version, ",
        "exit exit code code ",
        "export A=1 ",
        "a/b\\c C:\\\\x\\\\ File ",
        "tf.__version__ ",
    ],
)
def test_readers_of_facts(unit: str) -> None:
    """Eight times the text would take sixty-four times as long with quadratic time; the limit of twenty is far from both."""

    def cost(count: int) -> float:
        text = Text(read_text("".join(unit.format(n=number) for number in range(count))).lines, [])
        return _cost(lambda: text_facts.read(text))

    assert any(cost(12_000) < 20 * max(cost(1_500), _NO_LESS) for _ in range(_TRIES))
