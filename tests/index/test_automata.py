"""A text that makes RE2's automata large still takes linear time, and no normal log line does that."""

import subprocess
import sys

PROGRAM = """
import random, sys
from tfhelp.index.automata import compiled
choose = random.Random(1).randrange
text = "".join("NCCL" + "x" * choose(9) for _ in range(8_000))
assert compiled("(?:NCCL|AllReduce).{0,1000}unhandled system error").search(text) is None
assert compiled(b"(?:NCCL|AllReduce).{0,1000}unhandled system error").search(text.encode()) is None
assert compiled("(?:NCCL|AllReduce).{0,1000}unhandled system error").search(text + "unhandled system error")
"""
LOUD = "import re2; re2.compile('(?:NCCL|AllReduce).{0,1000}unhandled system error').search(text)"


def _logged(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120).stderr


def test_a_text_that_exceeds_an_automaton_logs_nothing() -> None:
    assert _logged(PROGRAM) == ""
    assert "out of memory" in _logged(f"{PROGRAM}\n{LOUD}")  # this is such a text
