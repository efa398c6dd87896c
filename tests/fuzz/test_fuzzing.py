"""Changed inputs for every reader: the same ones in each run of the tests. 'make fuzz' looks for new ones, guided by coverage.

A guided fuzzer is not run here: even with a fixed seed its choices differ from run to run, so a test could fail by chance.
"""

import pathlib
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import inputs
from tests.fuzz.target import Target, once
from tests.fuzz.targets import TARGETS

pytestmark = pytest.mark.slow
_MOST = 400  # inputs of each reader
_LONGEST_ADDED = 24  # bytes
_MOST_CHANGES = 8
_HARD = (b"\x00", b"\xff", "ä漢".encode(), b"\xc3", b"\xa4", b"\r", b"\n", b"\x1b[0m", b"'", b'"', b"9" * 20)  # in every format


def changed(target: Target) -> st.SearchStrategy[bytes]:
    """Kept inputs of a reader with a few changes: pieces dropped, repeated, overwritten, and put in from elsewhere."""
    kept = sorted({data[: target.longest] for data in [*target.seeds(), *inputs.corpus(target.name)]})
    words = [word.encode("utf-8" if word.isascii() else "latin-1") for word in target.words]

    @st.composite
    def build(draw: st.DrawFn) -> bytes:
        data = draw(st.sampled_from(kept))
        for _ in range(draw(st.integers(1, _MOST_CHANGES))):
            start, stop = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
            piece = data[start : min(stop, start + 512)]
            added = draw(
                st.sampled_from([b"", piece, piece * 2, *_HARD, *words]) | st.binary(max_size=_LONGEST_ADDED) | donor(draw)
            )
            data = data[:start] + added + data[draw(st.sampled_from([start, start + len(added), stop])) :]
        return data[: target.longest]

    def donor(draw: st.DrawFn) -> st.SearchStrategy[bytes]:
        other = draw(st.sampled_from(kept))
        start = draw(st.integers(0, len(other)))
        return st.just(other[start : start + 256])

    return build()


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_show_no_fault(name: str) -> None:
    @settings(max_examples=_MOST)
    @given(changed(TARGETS[name]))
    def check(data: bytes) -> None:
        once(TARGETS[name], data)

    check()


def test_a_fault_is_found_and_kept(repository: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The fuzzer reaches, step by step, a word that no seed contains, in a reader that breaks on it."""
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python")
    program = (
        "import atheris, pathlib, sys\n"
        "from tests.fuzz.target import Target\n"
        "from tests.fuzz.worker import Faults, fuzz\n"
        "@atheris.instrument_func\n"
        "def read(data):\n"
        "    if data[:1] == b'B' and data[1:2] == b'U' and data[2:3] == b'G':\n"
        "        raise ValueError('found')\n"
        f"fuzz(Target('x', read, lambda: []), Faults(pathlib.Path({str(tmp_path)!r})), ['-runs=200000', '-seed=1'])\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, check=True)
    (kept,) = [path for path in tmp_path.iterdir() if path.suffix != ".txt"]
    assert kept.read_bytes()[:3] == b"BUG"
    assert "ValueError at" in kept.with_suffix(".txt").read_text()
