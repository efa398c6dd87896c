"""How clients reach the server: over standard input and output, or over HTTP on a port of this machine."""

import os
import typing

from mcp.server.transport_security import TransportSecuritySettings

from tfhelp.service.access.addresses import Hosts, SettingError
from tfhelp.service.access.policy import Options, Place, Policy
from tfhelp.service.doors.http.access import Access
from tfhelp.service.doors.http.server import ServeError, address, is_loopback, listening_socket, run_application
from tfhelp.service.doors.mcp.server import make_server
from tfhelp.service.doors.mcp.tools import Tools
from tfhelp.service.errors import InputError

PATH = "/mcp"
_MOST_BYTES = 8 << 20  # bytes of a request: the longest text, with room for JSON escapes
_OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")


def serve_stdio() -> int:
    """Answer the client that started this process, until it closes the pipe."""
    make_server(Tools(is_local=True), with_files=True).run("stdio")
    return 0


def serve_http(where: str, names: typing.Sequence[str], options: Options) -> int:
    """Serve until Ctrl-C.

    Args:
        where: address to listen on, ``PORT`` or ``HOST:PORT``.
        names: host names under which clients on other machines reach the server.
        options: the token file, and whether everybody may use the server.

    Raises:
        InputError: the address is wrong or taken; or other machines can reach it, but no name is given or no setting says
            who may use it.
    """
    host, port = read_address(where)
    is_local = is_loopback(host)
    if not is_local and not names:
        raise InputError(
            f"--http {where}: other machines reach {host}; say under which name with --host NAME, and who may use it with "
            "--tokens-file FILE"
        )
    # The protocol's own library checks the names.
    try:
        policy = Policy.of(options, Place(host, True), os.environ, None)._replace(hosts=Hosts.any())
    except SettingError as error:
        raise InputError(str(error)) from None
    if names and policy.is_open and not options.open_to_all:
        raise InputError(
            f"--http {where}: other machines reach it, and nobody would be asked who they are: name a file of tokens with "
            "--tokens-file ('tfhelp token create NAME --tokens-file FILE' makes one), or say --open-to-all if everybody may use it"
        )
    # Only clients on this machine may see its facts.
    server = make_server(Tools(is_local=is_local and not names), with_files=False)
    try:
        with listening_socket(host, port) as listener:
            app = server.streamable_http_app(
                streamable_http_path=PATH,
                stateless_http=True,
                json_response=True,
                max_request_body_size=_MOST_BYTES,
                transport_security=security((*_OWN_NAMES, *names)),
            )
            print(f"Give clients {address(listener, host)}{PATH}", flush=True)
            admitted = app if policy.is_open else Access(app, policy)
            return run_application(typing.cast(typing.Any, admitted), listener, host)  # uvicorn accepts any application
    except ServeError as error:
        raise InputError(str(error)) from None


def read_address(where: str) -> tuple[str, int]:
    """Host and port.

    Raises:
        InputError: it is neither ``PORT`` nor ``HOST:PORT``.

    >>> read_address("8765"), read_address("[::1]:80")
    (('127.0.0.1', 8765), ('::1', 80))
    """
    host, _, port = where.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6) or (":" in host and not host.startswith("[")):
        raise InputError(f"--http {where!r}: write PORT or HOST:PORT, for example --http 127.0.0.1:8765")
    return host.strip("[]") or "127.0.0.1", int(port)


def security(names: typing.Sequence[str]) -> TransportSecuritySettings:
    """The accepted ``Host`` and ``Origin`` values: a page elsewhere must not reach this server through a visitor's browser."""
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
