"""The naive stack as a process: its index (built once for the phrases), its script, its service."""

import hashlib
import json
import pathlib
import socket
import subprocess
import sys
import time
import types
import typing

from tests.benchmarks.recordings import ROOT
from tests.benchmarks.timing import plain_environment

_PROGRAM = [sys.executable, "-m", "tests.benchmarks.naive_stack"]
_STARTUP_SECONDS = 120


def index_folder(phrases: list[list[str]], cache: pathlib.Path) -> pathlib.Path:
    """The folder of the naive stack's index over the phrases, built on the first call.

    Args:
        phrases: pairs of an entry and a text.
        cache: folder for such indexes.

    Raises:
        RuntimeError: it could not be built.
    """
    content = json.dumps(phrases)
    folder = cache / f"naive-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    if not (folder / "phrases.faiss").is_file():
        ran = subprocess.run(
            [*_PROGRAM, "build", str(folder)],
            input=content,
            cwd=ROOT,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(f"the naive stack made no index: {ran.stderr.strip()[-500:]}")
    return folder


def ask_command(folder: pathlib.Path) -> list[str]:
    """The naive script; it reads the question from standard input and has to run in the repository."""
    return [*_PROGRAM, "ask", str(folder)]


class NaiveService:
    """The naive service, running.

    Attributes:
        url: where it answers questions.
        process: its process.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/ask"
        self.process = subprocess.Popen(
            [*_PROGRAM, "serve", str(folder), str(port)], cwd=ROOT, env=_environment(), stdout=subprocess.DEVNULL
        )
        self._wait(port)

    def _wait(self, port: int) -> None:
        end = time.monotonic() + _STARTUP_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        self.process.kill()
        raise RuntimeError("the naive service did not start; what it said stands above")

    def __enter__(self) -> typing.Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)


def _environment() -> dict[str, str]:
    return {**plain_environment(), "HF_HUB_OFFLINE": "1"}
