"""``tfhelp serve``: the web application on a port of this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import sys
import typing

from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES, Json
from tfhelp.service.memory.keeping import memory_of_server
from tfhelp.service.workers.limits import QUEUE_FOR_EACH, Limits

if typing.TYPE_CHECKING:
    from fastapi import FastAPI

    from tfhelp.service.access.addresses import Networks
    from tfhelp.service.access.policy import Policy
    from tfhelp.service.doors.http.index_state import IndexState
    from tfhelp.service.doors.http.processes import DiagnosisProcesses
    from tfhelp.service.doors.http.reached import Reached
    from tfhelp.service.doors.http.serving import Serving
    from tfhelp.service.memory.memory import Memory
    from tfhelp.service.memory.store import TeamMemory
    from tfhelp.service.telemetry.watch import Watch

MAX_BYTES_VARIABLE = "TFHELP_MAX_BYTES"
_SMALLEST_LIMIT = 1024
_MOST_WORKERS = 64
_MOST_WORKERS_UNASKED = 4  # by default; more suit only a machine that does nothing else
_LONGEST_DEADLINE_S = 3600
_LONGEST_QUEUE = 10_000
_LEAST_MEMORY_MIB = 64
_MOST_MEMORY_MIB = 1 << 20
SHUTDOWN_S = 5
"""Time for running answers to finish when the server ends."""


class ServeError(Exception):
    """The server cannot start. The message says why and what to do."""


def serve(settings: Serving) -> int:
    """Serve until Ctrl-C.

    Returns:
        Exit status: 0 after Ctrl-C, 2 when it could not start.

    Raises:
        tfhelp.service.errors.InputError: the memory cannot be opened.
    """
    from tfhelp.kb import build_products, compiled
    from tfhelp.kb.build_products import ArtefactError
    from tfhelp.service.access.addresses import SettingError
    from tfhelp.service.doors.http.index_state import IndexState
    from tfhelp.service.doors.http.processes import DiagnosisProcesses
    from tfhelp.service.doors.http.reached import Reached, ReachedError
    from tfhelp.service.telemetry.start import watching

    host = settings.host
    try:
        if settings.slack_socket:
            _check_slack_socket()
        reached = Reached.of(settings.root_path, settings.public_url, settings.cors)
        max_bytes, count = _limit(settings), _processes(settings)
        limits = _limits(settings, count)
        with (
            listening_socket(host, settings.port) as listener,
            memory_of_server(settings.memory, settings.keep_days, settings.weighs) as memory,
        ):
            policy = policy_of(settings, reached, memory)
            build_products.check()
            knowledge = compiled.load()

            # Even a single worker has its own process, so that a text that stalls it stalls no page.
            with (
                contextlib.closing(DiagnosisProcesses(knowledge, count, limits)) as processes,
                watching(knowledge.version, settings.log) as watch,
            ):
                index = IndexState(knowledge.phrases_version, processes.warm_up)
                app = _application(processes, index, settings, max_bytes, memory, reached, policy, watch)
                return run_application(app, listener, host, policy.proxies)
    except (ServeError, ReachedError, ArtefactError, SettingError) as error:
        print(f"tfhelp serve: {error}", file=sys.stderr)
        return 2


def _limit(settings: Serving) -> int:
    return max_bytes_from_environment() if settings.max_bytes is None else _checked_limit(settings.max_bytes, "--max-bytes")


def _processes(settings: Serving) -> int:
    unasked = min(_MOST_WORKERS_UNASKED, os.cpu_count() or 1)
    return unasked if settings.workers is None else _checked_workers(settings.workers)


def _limits(settings: Serving, count: int) -> Limits:
    if not 1 <= settings.deadline <= _LONGEST_DEADLINE_S:
        raise ServeError(f"--deadline is {settings.deadline:g}; it takes seconds from 1 to {_LONGEST_DEADLINE_S}")
    queue = QUEUE_FOR_EACH * count if settings.queue is None else settings.queue
    if not 0 <= queue <= _LONGEST_QUEUE:
        raise ServeError(f"--queue is {queue}; it takes a number of questions from 0 to {_LONGEST_QUEUE}")
    if not _LEAST_MEMORY_MIB <= settings.worker_memory <= _MOST_MEMORY_MIB:
        raise ServeError(
            f"--worker-memory is {settings.worker_memory}; it takes MiB from {_LEAST_MEMORY_MIB} to {_MOST_MEMORY_MIB}"
        )
    return Limits(settings.deadline, queue, settings.worker_memory << 20)


def _application(
    diagnoser: DiagnosisProcesses,
    index: IndexState,
    settings: Serving,
    max_bytes: int,
    memory: Memory | None,
    reached: Reached,
    policy: Policy,
    watch: Watch,
) -> FastAPI:
    from tfhelp.service.doors.http.app import create_app
    from tfhelp.service.doors.slack.events import slack_settings

    host = settings.host
    if settings.local_facts and not is_loopback(host):
        print(f"tfhelp serve: with --local-facts everybody who may use it can read the facts of {host}", file=sys.stderr)
    return create_app(
        diagnoser,
        max_bytes=max_bytes,
        local_facts=collect_local_facts if settings.local_facts else None,
        slack=slack_settings(os.environ),
        index=index,
        memory=memory,
        reached=reached,
        policy=policy,
        watch=watch,
    )


def policy_of(settings: Serving, reached: Reached, memory: TeamMemory | None) -> Policy:
    """Who may use the server. Prints what the owner should know about it.

    Raises:
        tfhelp.service.access.addresses.SettingError: a setting cannot be used, or other machines reach the server and no
            setting says who may use it.
        tfhelp.service.errors.InputError: the file is not a token file.
    """
    from tfhelp.service.access.policy import Place, Policy

    place = Place(settings.host, is_loopback(settings.host), reached.public_url, reached.origins)
    policy = Policy.of(settings.access, place, os.environ, memory.engine if memory else None)
    for sentence in policy.notices():
        print(f"tfhelp serve: {sentence}", file=sys.stderr, flush=True)
    return policy


def _check_slack_socket() -> None:
    """Raises: ServeError: a token is missing; the message names it."""
    from tfhelp.service.doors.slack.settings import missing_settings

    app_token = os.environ.get("SLACK_APP_TOKEN", "").strip()
    missing = missing_settings(os.environ.get("SLACK_BOT_TOKEN", "").strip(), "", app_token)
    if missing:
        raise ServeError(
            f"--slack-socket: {missing if app_token else 'SLACK_APP_TOKEN is not set'}; docs/slack.md shows where it is"
        )


def run_application(app: FastAPI, listener: socket.socket, host: str, proxies: Networks | None = None) -> int:
    """Run an application on a listening socket until Ctrl-C. Return the exit status.

    Args:
        app: the application.
        listener: the socket.
        host: the name of this machine in the printed address.
        proxies: proxies whose connections are those of many clients.
    """
    import uvicorn

    from tfhelp.service.doors.http.connections import protocol_of

    # uvicorn's access log is off, since it would hold paths and queries; tfhelp.service.telemetry writes one without them.
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        ws="none",
        http=protocol_of(proxies),
    )
    print(f"tfhelp is at {address(listener, host)}  (Ctrl-C ends it)", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
    print("tfhelp has stopped.", flush=True)
    return 0


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that already listens, so that a browser that opens the printed address immediately is not refused.

    Raises:
        ServeError: the port is taken or not allowed, or the host is not an address of this machine.
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
        raise ServeError(_why_not_listening(host, port, error)) from None
    return listener


def _why_not_listening(host: str, port: int, error: OSError) -> str:
    import errno

    if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
        return f"port {port} on {host} is taken by another program; choose another with --port, for example --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} needs administrator rights; choose one above 1023 with --port"
    return f"cannot listen on {host} port {port}: {error.strerror or error}"


def address(listener: socket.socket, host: str) -> str:
    """The URL at which a person on this machine reaches the socket."""
    port = listener.getsockname()[1]
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def max_bytes_from_environment() -> int:
    """``TFHELP_MAX_BYTES``, or 16 MiB.

    Raises:
        ServeError: it is not a number of bytes.
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
