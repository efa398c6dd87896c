"""The settings of ``tfhelp serve`` from the command line."""

import typing

from tfhelp.service.access.policy import Options
from tfhelp.service.workers.limits import DEADLINE_S, MEMORY_MIB


class Serving(typing.NamedTuple):
    """Settings of one server, as people write them.

    Attributes:
        host: address to listen on.
        port: port to listen on; 0 takes a free one.
        workers: processes that diagnose; ``None`` for one per processor, four at most.
        max_bytes: most bytes of a text; ``None`` reads ``TFHELP_MAX_BYTES``, else 16 MiB.
        local_facts: whether the form offers this machine's facts.
        root_path: path below which a proxy serves the server.
        public_url: address at which people reach the server.
        cors: origins whose pages may call the API.
        slack_socket: refuse to start unless Slack's Socket Mode has its tokens.
        memory: where diagnoses are kept, a path or a URL; ``None`` reads ``TFHELP_MEMORY``.
        keep_days: how long they are kept there.
        access: who may use the server.
        weighs: whether feedback moves the causes of later answers.
        deadline: seconds from a question to its answer; half of them may be processor time.
        queue: questions that may wait; ``None`` for eight per process.
        worker_memory: MiB that a question may take.
        log: format of the log, ``text`` or ``json``.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    max_bytes: int | None = None
    local_facts: bool = False
    root_path: str = ""
    public_url: str = ""
    cors: typing.Sequence[str] = ()
    slack_socket: bool = False
    memory: str | None = None
    keep_days: float = 180.0
    weighs: bool = True
    deadline: float = DEADLINE_S
    queue: int | None = None
    worker_memory: int = MEMORY_MIB
    access: Options = Options()
    log: str = "text"
