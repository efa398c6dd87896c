"""A client of the SDK that tests can use without being coroutines."""

from __future__ import annotations

import contextlib
import os
import sys
import typing

import anyio.from_thread
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ReadResourceResult, Tool

Json = dict[str, typing.Any]


def stdio(*arguments: str) -> StdioServerParameters:
    """``tfhelp mcp`` as a client starts it."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "tfhelp.service", "mcp", *arguments], env=dict(os.environ), cwd=os.getcwd()
    )


class Session:
    """A connected client with blocking calls."""

    def __init__(self, portal: anyio.from_thread.BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def call(self, tool: str, **arguments: object) -> CallToolResult:
        """A tool's result."""
        result = self.portal.call(self.client.call_tool, tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    def document(self, tool: str, **arguments: object) -> Json:
        """The structured part of a result that is not an error."""
        result = self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def tools(self) -> dict[str, Tool]:
        """All tools, by name."""
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    def resource(self, uri: str) -> str:
        """The text of a resource."""
        result = self.portal.call(self.client.read_resource, uri)
        assert isinstance(result, ReadResourceResult)
        return typing.cast(str, result.contents[0].text)


def text_of(result: CallToolResult) -> str:
    """The Markdown of a result, or the sentence of an error."""
    assert result.content[0].type == "text"
    return result.content[0].text


@contextlib.contextmanager
def connected(server: StdioServerParameters | str, mode: str = "auto") -> typing.Iterator[Session]:
    """A client that is connected to a program that it starts, or to a URL."""
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):
        yield Session(portal, client)
