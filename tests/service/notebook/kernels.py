"""Real Jupyter kernels for the tests: cells in, outputs out."""

import os
import pathlib
import queue
import sys
import time
import typing

from jupyter_client.manager import KernelManager

Json = dict[str, typing.Any]
_SECONDS = 90  # seconds for a cell
_NOT_INHERITED = ("PYTEST_CURRENT_TEST", "TFHELP_SERVER", "TFHELP_COMMAND", "JPY_SESSION_NAME")  # the first changes ipykernel


class Cell:
    """The outputs of one cell.

    Attributes:
        stdout, stderr: its streams.
        errors: name and message of each exception that was shown.
        shown: the MIME bundles that were displayed, in order.
        kinds: the kinds of its outputs, in order.
        status: what the kernel replied: ``ok``, ``error``, or ``dead``.
    """

    def __init__(self, messages: list[Json], status: str) -> None:
        outputs = [(message["msg_type"], message["content"]) for message in messages]
        self.stdout = "".join(content["text"] for kind, content in outputs if content.get("name") == "stdout")
        self.stderr = "".join(content["text"] for kind, content in outputs if content.get("name") == "stderr")
        self.errors = [(content["ename"], content["evalue"]) for kind, content in outputs if kind == "error"]
        self.shown = [content["data"] for kind, content in outputs if kind == "display_data"]
        self.kinds = [kind for kind, _ in outputs if kind not in ("status", "execute_input")]
        self.status = status

    @property
    def plain(self) -> str:
        """Everything that was displayed, as plain text."""
        return "\n".join(data["text/plain"] for data in self.shown)


class Notebook:
    """A folder with a notebook in it; its cells run in kernels that start one after another."""

    def __init__(self, folder: pathlib.Path, **environment: str) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        inherited = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        places = {"XDG_CACHE_HOME": str(self.cache), "IPYTHONDIR": str(folder / "ipython")}
        self.environment = {**inherited, **places, **environment}

    def run(self, *cells: str, python: str = sys.executable) -> list[Cell]:
        """Run cells in a new kernel, up to the cell that kills it.

        Args:
            cells: their sources.
            python: the kernel's interpreter.
        """
        manager = KernelManager(kernel_name="python3")
        assert manager.kernel_spec is not None
        manager.kernel_spec.argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        manager.start_kernel(env=self.environment, cwd=str(self.folder))
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=_SECONDS)
            done: list[Cell] = []
            for cell in cells:
                done.append(_run(manager, client, cell))
                if done[-1].status == "dead":
                    break
            return done
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=not manager.is_alive())
            manager.cleanup_resources()

    def journals(self) -> list[pathlib.Path]:
        """The folders that kernels have left."""
        return sorted((self.cache / "tfhelp" / "notebook").glob("*"))


def _run(manager: KernelManager, client: typing.Any, source: str) -> Cell:
    identifier = client.execute(source)
    messages: list[Json] = []
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        try:
            message = client.get_iopub_msg(timeout=0.5)
        except queue.Empty:
            if not manager.is_alive():
                return Cell(messages, "dead")
            continue
        if message["parent_header"].get("msg_id") != identifier:
            continue
        messages.append(message)
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return Cell(messages, _status(client, identifier))
    raise AssertionError(f"this cell did not end: {source}")


def _status(client: typing.Any, identifier: str) -> str:
    while True:
        reply = client.get_shell_msg(timeout=_SECONDS)
        if reply["parent_header"].get("msg_id") == identifier:
            return str(reply["content"]["status"])
