"""The server's log: one line per event, as text for people or as JSON for programs.

The log never holds what was pasted. It holds no paths or queries either: a path may open somebody's answer, and a query may
be a pasted message.
"""

import contextvars
import logging
import sys
import typing

from pythonjsonlogger.json import JsonFormatter

FORMATS = ("text", "json")

REQUEST: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="")
"""The id of the request that is being answered, also in the tasks and threads that serve it."""

_NAMES = {"levelname": "level", "name": "logger"}
_FIELDS = ["levelname", "name", "message"]
_OURS = "tfhelp"


class _Numbered(logging.Filter):
    """Adds to each line the id of the request that it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        number = REQUEST.get()
        if number:
            record.request_id = number
        return True


class _Text(logging.Formatter):
    """A line for people: the message, and the request's id if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        number = getattr(record, "request_id", "")
        line = f"tfhelp: {record.getMessage()}" + (f" (request {number})" if number else "")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def start_logging(style: str, stream: typing.TextIO | None = None) -> None:
    """Write the log of tfhelp and of the web server below it.

    Args:
        style: one of ``FORMATS``. JSON has a line for every request; text has lines for warnings and faults only.
        stream: where to write; standard error by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(_Numbered())
    json = JsonFormatter(_FIELDS, rename_fields=_NAMES, timestamp="time", json_ensure_ascii=False)
    handler.setFormatter(json if style == "json" else _Text())
    for name, level in ((_OURS, logging.INFO if style == "json" else logging.WARNING), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False


def request_answered(door: str, route: str, method: str, status: int, seconds: float, trace_id: str = "") -> None:
    """Write the line of a request, if the log is JSON."""
    more: dict[str, object] = {"trace_id": trace_id} if trace_id else {}
    logging.getLogger(_OURS).info(
        "request",
        extra={"door": door, "method": method, "route": route, "status": status, "ms": round(seconds * 1e3, 1), **more},
    )


def diagnosed(door: str, verdict: str, entry: str, cause: str, stages: typing.Mapping[str, float]) -> None:
    """Write the line of a diagnosis: its result, and how long its stages took. None of it comes from the pasted text."""
    fields = {stage: round(seconds * 1e3, 2) for stage, seconds in stages.items()}
    logging.getLogger(_OURS).info(
        "diagnosis", extra={"door": door, "verdict": verdict, "entry": entry, "cause": cause, "stages_ms": fields}
    )


def fault(where: str, name: str, places: str) -> None:
    """Write the line of a fault, for ``tfhelp.service.faults.write_faults_with``."""
    fields = {"where": where, "exception": name, "places": places}
    logging.getLogger(_OURS).error("%s: %s at %s", where, name, places, extra=fields)
