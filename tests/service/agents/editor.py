"""An editor for the tests: a real client of the Language Server Protocol over a real pipe, with blocking calls."""

from __future__ import annotations

import asyncio
import os
import pathlib
import queue
import sys
import threading
import types as python_types
import typing

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_SECONDS = 120  # only ends a test that fails


class Editor:
    """A client with a server that it started.

    Attributes:
        published: what the server published, oldest first.
        messages: what it showed to the user.
    """

    def __init__(
        self,
        folder: pathlib.Path,
        options: dict[str, str] | None = None,
        versioned: bool = True,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.published: queue.Queue[types.PublishDiagnosticsParams] = queue.Queue()
        self.messages: queue.Queue[str] = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client = LanguageClient("editor", "1")
        self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.published.put(params))
        self._client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.put(params.message))
        self.result = self._wait(self._start(folder, options, versioned, arguments))

    async def _start(
        self, folder: pathlib.Path, options: dict[str, str] | None, versioned: bool, arguments: tuple[str, ...]
    ) -> types.InitializeResult:
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        await self._client.start_io(sys.executable, "-m", "tfhelp.service", "lsp", "--stdio", *arguments, env=environment)
        edits = types.WorkspaceEditClientCapabilities(document_changes=versioned)
        capabilities = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=edits))
        return await self._client.initialize_async(types.InitializeParams(capabilities, initialization_options=options))

    def _wait(self, call: typing.Coroutine[typing.Any, typing.Any, typing.Any]) -> typing.Any:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result(_SECONDS)

    def tell(self, name: str, params: object) -> None:
        """Send a notification, for example ``text_document_did_open``."""

        async def send() -> None:
            getattr(self._client, name)(params)

        self._wait(send())

    def open(self, uri: str, text: str) -> list[types.Diagnostic]:
        """Open a script; return the problems in it."""
        item = types.TextDocumentItem(uri, "python", 1, text)
        self.tell("text_document_did_open", types.DidOpenTextDocumentParams(item))
        return self.problems(uri)

    def change(self, uri: str, version: int, text: str) -> None:
        """Replace the text of a script."""
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.tell("text_document_did_change", types.DidChangeTextDocumentParams(document, [whole]))

    def problems(self, uri: str, version: int | None = None) -> list[types.Diagnostic]:
        """The next problems that are published for a document, for this version if one is given."""
        while True:
            params = self.published.get(timeout=_SECONDS)
            if params.uri == uri and version in (None, params.version):
                return list(params.diagnostics)

    def actions(self, uri: str, where: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
        """What the server offers at a range."""
        document, context = types.TextDocumentIdentifier(uri), types.CodeActionContext([], only)
        found = self._wait(self._client.text_document_code_action_async(types.CodeActionParams(document, where, context)))
        return list(found)

    def hover(self, uri: str, line: int, character: int) -> str:
        """The Markdown at a position; empty if there is none."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = self._wait(self._client.text_document_hover_async(params))
        return found.contents.value if found else ""

    def close(self) -> int | None:
        """End the server as an editor does; return its exit status."""
        server = self._client._server
        assert server is not None

        async def end() -> None:
            await self._client.shutdown_async(None)
            self._client.exit(None)
            await asyncio.wait_for(server.wait(), _SECONDS)
            await self._client.stop()

        try:
            self._wait(end())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        return server.returncode

    def __enter__(self) -> typing.Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: python_types.TracebackType | None
    ) -> None:
        self.close()


def applied(text: str, edits: typing.Sequence[typing.Any]) -> str:
    """A text after edits, whose positions count UTF-16 units."""
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start, end = _offset(text, edit.range.start), _offset(text, edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def _offset(text: str, position: types.Position) -> int:
    lines = text.split("\n")
    before = lines[position.line].encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[: position.line]) + len(before)
