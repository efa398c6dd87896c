"""``tfhelp serve``: the web application on a port of this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import sys
import typing

from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES, DiagnoserLike, Json

if typing.TYPE_CHECKING:
    from fastapi import FastAPI

    from tfhelp.service.doors.http.index_state import IndexState
    from tfhelp.service.doors.http.processes import DiagnosisProcesses
    from tfhelp.service.doors.http.reached import Reached

MAX_BYTES_VARIABLE = "TFHELP_MAX_BYTES"
_SMALLEST_LIMIT = 1024
_MOST_WORKERS = 64
_MOST_WORKERS_UNASKED = 4  # each holds the encoder, about 150 MB


class ServeError(Exception):
    """The server cannot start. The message says why and what to do."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    max_bytes: int | None = None,
    local_facts: bool = False,
    workers: int | None = None,
    reached: tuple[str, str, typing.Sequence[str]] = ("", "", ()),
) -> int:
    """Serve until Ctrl-C.

    Args:
        host: address to listen on.
        port: port; 0 takes a free one.
        max_bytes: most bytes of a text; ``None`` reads ``TFHELP_MAX_BYTES``, else 16 MiB.
        local_facts: let the form offer this machine's facts.
        workers: processes that diagnose; ``None`` for one a processor, four at most.
        reached: path below which it is served, address under which it is reached, and origins whose pages may ask the API.

    Returns:
        Exit status: 0 after Ctrl-C, 2 when it could not start.
    """
    from tfhelp.kb import build_products, compiled
    from tfhelp.kb.build_products import ArtefactError
    from tfhelp.service.diagnosis.diagnoser import Diagnoser
    from tfhelp.service.doors.http.index_state import IndexState
    from tfhelp.service.doors.http.processes import DiagnosisProcesses
    from tfhelp.service.doors.http.reached import Reached, ReachedError

    try:
        settings = Reached.of(*reached)
        limit = max_bytes_from_environment() if max_bytes is None else _checked_limit(max_bytes, "--max-bytes")
        count = min(_MOST_WORKERS_UNASKED, os.cpu_count() or 1) if workers is None else _checked_workers(workers)
        with listening_socket(host, port) as listener:
            build_products.check()
            knowledge = compiled.load()
            if count == 1:
                index = IndexState(knowledge.phrases_version)
                return run_application(
                    _application(Diagnoser.load(warm=True), index, host, limit, local_facts, settings), listener, host
                )
            with contextlib.closing(DiagnosisProcesses(knowledge, count)) as processes:
                index = IndexState(knowledge.phrases_version, processes.warm_up)
                return run_application(_application(processes, index, host, limit, local_facts, settings), listener, host)
    except (ServeError, ReachedError, ArtefactError) as error:
        print(f"tfhelp serve: {error}", file=sys.stderr)
        return 2


def _application(
    diagnoser: DiagnoserLike | DiagnosisProcesses,
    index: IndexState,
    host: str,
    max_bytes: int,
    local_facts: bool,
    reached: Reached,
) -> FastAPI:
    from tfhelp.service.doors.http.app import create_app
    from tfhelp.service.doors.slack.events import slack_settings

    hosts = None
    if local_facts:
        if is_loopback(host):
            # Otherwise a page elsewhere could point its own host name at this address and read the machine's facts.
            hosts = ["localhost", "127.0.0.1", "[::1]", "::1", host]
        else:
            print(f"tfhelp serve: with --local-facts everybody who reaches {host} can read this machine's facts", file=sys.stderr)
    return create_app(
        diagnoser,
        max_bytes=max_bytes,
        local_facts=collect_local_facts if local_facts else None,
        allowed_hosts=hosts,
        slack=slack_settings(os.environ),
        index=index,
        reached=reached,
    )


def run_application(app: FastAPI, listener: socket.socket, host: str) -> int:
    """Run an application on a listening socket until Ctrl-C; the exit status."""
    import uvicorn

    # No access log, and warnings only: what is pasted must not end up in a log.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
        ws="none",
    )
    print(f"tfhelp is at {address(listener, host)}  (Ctrl-C ends it)", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
    print("tfhelp has stopped.", flush=True)
    return 0


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens, so that a person who opens the printed address at once is not refused.

    Raises:
        ServeError: the port is taken or not allowed, or the host is no address of this machine.
    """
    if not 0 <= port <= 65535:
        # The system's own look-up would take such a port modulo 65536.
        raise ServeError(f"{port} is not a port; take one from 0 to 65535")
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise ServeError(f"{host} is not an address of this machine ({error.strerror})") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # On Windows this option would let two servers share one port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ServeError(_why_not(host, port, error)) from None
    return listener


def _why_not(host: str, port: int, error: OSError) -> str:
    import errno

    if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
        return f"port {port} on {host} is taken by another program; choose another with --port, for example --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} needs the rights of an administrator; choose one above 1023 with --port"
    return f"cannot listen on {host} port {port}: {error.strerror or error}"


def address(listener: socket.socket, host: str) -> str:
    """The URL under which a person reaches the socket from this machine."""
    port = listener.getsockname()[1]
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def max_bytes_from_environment() -> int:
    """``TFHELP_MAX_BYTES``, or 16 MiB.

    Raises:
        ServeError: it is set to something else than a number of bytes.
    """
    written = os.environ.get(MAX_BYTES_VARIABLE, "").strip()
    if not written:
        return DEFAULT_MAX_BYTES
    if not (written.isascii() and written.isdigit() and len(written) < 16):
        raise ServeError(f"{MAX_BYTES_VARIABLE} is {written[:40]!r}; it takes a number of bytes such as {DEFAULT_MAX_BYTES}")
    return _checked_limit(int(written), MAX_BYTES_VARIABLE)


def _checked_workers(count: int) -> int:
    if not 1 <= count <= _MOST_WORKERS:
        raise ServeError(f"--workers is {count}; it takes a number of processes from 1 to {_MOST_WORKERS}")
    return count


def _checked_limit(limit: int, name: str) -> int:
    if limit < _SMALLEST_LIMIT:
        raise ServeError(f"{name} is {limit}; the smallest limit is {_SMALLEST_LIMIT} bytes")
    return limit


def collect_local_facts() -> Json:
    """The facts of this machine, as ``tfhelp collect`` prints them."""
    from tfhelp.service.diagnosis.collecting import collect_facts

    facts: Json = collect_facts(None)
    return facts
