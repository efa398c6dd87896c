"""A real nginx with the shipped configuration, in front of servers on ports of this machine."""

import contextlib
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import types
import typing

import httpx

SHIPPED = pathlib.Path(__file__).parents[2] / "deploy" / "nginx.conf"
_TEMPORARY = re.compile(r"_temp_path /tmp/([\w-]+);")
_UPSTREAM = re.compile(r"^( +)server tfhelp:8000 ([^;]+);$", re.MULTILINE)


def free_port() -> int:
    """A port that is free, and stays so: the system gives connections of other tests only ports above these."""
    ports = random.SystemRandom().sample(range(20_000, 32_000), 100)
    for port in ports:
        with socket.socket() as found, contextlib.suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is no free port")


def configuration(folder: pathlib.Path, port: int, replicas: typing.Sequence[str]) -> pathlib.Path:
    """The shipped configuration, with the replicas' addresses, and a port and paths that are free here; nothing else is changed.

    Args:
        folder: for its files.
        port: the port on which nginx listens, on 127.0.0.1 only.
        replicas: addresses such as ``127.0.0.1:8000``.
    """
    text, count = _TEMPORARY.subn(lambda found: f'_temp_path "{folder}/{found[1]}";', SHIPPED.read_text(encoding="utf-8"))
    assert count == 5
    for shipped, here, count in (
        ("listen 8080;", f"listen 127.0.0.1:{port};", 1),
        ("pid /tmp/nginx.pid;", f'pid "{folder}/nginx.pid";', 1),
        ("/dev/stdout", f'"{folder}/access.log"', 1),
        ("error_log stderr", f'error_log "{folder}/error.log"', 2),
    ):
        assert text.count(shipped) == count, shipped
        text = text.replace(shipped, here)
    text, count = _UPSTREAM.subn(lambda found: "\n".join(f"{found[1]}server {one} {found[2]};" for one in replicas), text)
    assert count == 3
    file = folder / "nginx.conf"
    file.write_text(text, encoding="utf-8")
    return file


class Nginx:
    """nginx in the foreground, until the end of the ``with`` block.

    Attributes:
        url: where it listens, without a slash at the end.
    """

    def __init__(self, folder: pathlib.Path, replicas: typing.Sequence[str]) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._folder = folder
        file = configuration(folder, port, replicas)
        command = [str(shutil.which("nginx")), "-c", str(file), "-p", str(folder), "-g", "daemon off;"]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def requests(self) -> list[str]:
        """The lines of its request log."""
        return (self._folder / "access.log").read_text(encoding="utf-8").splitlines()

    def errors(self) -> str:
        """Its error log."""
        return (self._folder / "error.log").read_text(encoding="utf-8")

    def logged(self, words: str) -> str:
        """The line of the log with these words; nginx writes it after the answer, so it may take a moment."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            found = [line for line in self.requests() if words in line]
            if found:
                return found[-1]
            time.sleep(0.02)
        raise AssertionError(f"no such line: {words}")

    def __enter__(self) -> typing.Self:
        end = time.monotonic() + 30
        while time.monotonic() < end and self._process.poll() is None:
            try:
                httpx.get(f"{self.url}/healthz", timeout=10)
            except httpx.ConnectError:
                time.sleep(0.05)
            else:
                return self
        self._process.kill()
        log = self._folder / "error.log"
        raise AssertionError(f"nginx did not start: {log.read_text(encoding='utf-8') if log.is_file() else ''}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=20)
