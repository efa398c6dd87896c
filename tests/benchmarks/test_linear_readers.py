"""No repeated piece of a text makes a reader, or the whole answer, take more than linear time."""

import pytest

from tests.fuzz.target import grows_too_fast
from tests.fuzz.targets import TARGETS

pytestmark = pytest.mark.slow

PIECES = (
    *(
        b" ",
        b"\n",
        b"\n ",
        b"(",
        b"[",
        b'{"a":',
        b"1",
        b"a",
        b"A.",
        b"/",
        b"=",
        b"'",
        b'"',
        b"\\n",
        b"\r",
        b"\x1b[1m",
        b"`",
        b"```\n",
        b"- ",
    ),
    *(
        b"a b ",
        b"x=1;",
        b"x\n",
        b"Epoch 1/2\n",
        b"[1,0]<stderr>:",
        b'  File "a.py", line 1, in f\n',
        b"Error: ",
        b"@",
        b"-----BEGIN ",
    ),
    *(
        b"tf.a(",
        b"lambda:",
        b"not ",
        b"#",
        b"%s",
        b"&a=",
        b"--X\r\n",
        b"\xff",
        b"\xc3\xa4",
        b"<a",
        b"Killed\n",
        b"ValueError: x\n",
    ),
)


@pytest.mark.parametrize("name", [target.name for target in TARGETS.values() if target.pumped])
def test_readers_are_linear(name: str) -> None:
    seed = min(TARGETS[name].seeds(), key=len)[:400]
    ends = ((b"", b""), (seed, b""), (b"\x00" + seed[: len(seed) // 2], seed[len(seed) // 2 :]))
    found = [
        (piece, before) for piece in PIECES for before, behind in ends if grows_too_fast(TARGETS[name], before, piece, behind)
    ]
    assert found == []
