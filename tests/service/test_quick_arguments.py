"""A plain ``ask`` is parsed without argparse, with the same result."""

import itertools
import subprocess
import sys

import pytest

from tfhelp.service.doors.cli import quick_arguments
from tfhelp.service.doors.cli.parsing import parser_of

LINE = "OOM when allocating tensor with shape[64,8] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by GPU_0_bfc"
FLAGS = ["--no-collect", "--json", "--no-input", "-v", "--verbose", "--full"]


@pytest.mark.parametrize("count", range(4))
def test_flags_and_a_text_mean_what_argparse_says(count: int) -> None:
    for flags in itertools.permutations(FLAGS, count):
        for text in ([], ["out of memory"], ["train.log"]):
            words = ["ask", *text, *flags]
            found = quick_arguments.read(words)
            assert found is not None
            assert vars(found) == vars(parser_of("ask").parse_args(words))


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "--help"],
        ["ask", "-h"],
        ["ask", "--no-coll"],
        ["ask", "--top", "3"],
        ["ask", "--format=json"],
        ["ask", "-"],
        ["ask", "--", "-x"],
        ["ask", "one", "two"],
        ["ask", "--nonsense"],
        ["ask", ""],
        ["lint", "train.py"],
        [],
    ],
)
def test_everything_else_is_left_to_argparse(words: list[str]) -> None:
    assert quick_arguments.read(words) is None


def test_a_plain_ask_imports_neither_argparse_nor_an_encoder() -> None:
    program = (
        "import sys\n"
        "from tfhelp.service.doors.cli.command_line import main\n"
        f"status = main(['ask', '--no-collect', {LINE!r}])\n"
        "print(status, sorted({'argparse', 'gettext', 'ctypes', 'numpy', 'onnxruntime'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0 []"
