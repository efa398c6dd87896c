"""The JSON API: ``/api/v1`` and ``/healthz``."""

import json
import typing

from fastapi import APIRouter, Request, Response

from tfhelp.kb.fact_sheet import FactError
from tfhelp.kb.facts import Facts
from tfhelp.service.diagnosis.given import Given, Piece
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import MEBIBYTE, TooLargeError, read_bounded
from tfhelp.service.doors.http.interface import MOST_ANSWERS, Interface, Json, too_large_advice
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary

# JSON writes a line end as two characters and a control character as six; twice the limit leaves a log room for that.
_ESCAPING = 2
_KEYS = ("text", "facts", "top")


class ApiError(Exception):
    """A request that cannot be answered: HTTP status, path of what is wrong, reason."""

    def __init__(self, status: int, path: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.path = path
        self.reason = reason


def error_response(status: int, path: str, reason: str) -> Response:
    """``{"error": {"status", "path", "reason"}}``; ``path`` is empty where the error is nobody's field."""
    return json_response({"error": {"status": status, "path": path, "reason": reason}}, status)


def json_response(document: object, status: int = 200) -> Response:
    """A document as it is, without another validation."""
    return Response(strict_json.dump(document), status, media_type="application/json")


def api_router(interface: Interface, extra_health: typing.Callable[[], Json]) -> APIRouter:
    """The routes.

    Args:
        interface: what answers.
        extra_health: more keys for ``/healthz``.
    """
    router = APIRouter()

    @router.post("/api/v1/diagnose", summary="Diagnose a text", openapi_extra=_DIAGNOSE_DOCUMENTATION, responses=_ANSWERS)
    async def diagnose(request: Request) -> Response:
        """Which problem is it, which of its causes fits, why, and the fix for that cause.

        The same text and facts give the same answer. Only the facts of the request and the text are used; nothing is
        read from the server's own machine.

        A body of any other content type is the text itself, or a file: a log, also compressed, a notebook, a script, the
        output of `tfhelp collect`. `curl --data-binary @train.log URL/api/v1/diagnose` sends one.
        """
        piece, facts, top = await _read_question(request, interface.max_bytes)
        given = await _received(interface, piece, facts)
        try:
            return Response(await interface.diagnose_json(given, top), media_type="application/json")
        except FactError as error:
            raise ApiError(422, *_split_fact_error(error)) from None

    @router.get("/api/v1/entries", summary="List the entries")
    async def entries() -> Response:
        """Every problem that is known, with the titles of its causes."""
        knowledge = interface.knowledge
        return json_response(
            {
                "entries": [entry_summary(knowledge.summaries, name) for name in knowledge.entries()],
                "kb_version": knowledge.version,
            }
        )

    @router.get("/api/v1/entries/{entry_id}", summary="Read one entry", responses={404: _error_documentation("no such entry")})
    async def entry(entry_id: str) -> Response:
        """One problem with all its causes, checks, fixes and sources."""
        try:
            return json_response({**interface.knowledge.entry(entry_id), "kb_version": interface.knowledge.version})
        except KeyError:
            raise ApiError(404, "entry_id", f"no entry is called {entry_id[:80]!r}; GET /api/v1/entries lists them") from None

    @router.get("/healthz", summary="State of the service")
    async def health() -> Response:
        """Version of the knowledge base, and whether the search index is loaded."""
        knowledge = interface.knowledge
        return json_response(
            {"status": "ok", "kb_version": knowledge.version, "entries": len(knowledge.entries()), **extra_health()}
        )

    return router


def entry_summary(summaries: "dict[str, Summary]", name: str) -> Json:
    """id, family, title, severity and the causes' ids and titles of one entry."""
    summary = summaries[name]
    causes = [{"id": cause, "title": title} for cause, title in summary["causes"].items()]
    return {"id": name, "family": summary["family"], "title": summary["title"], "severity": summary["severity"], "causes": causes}


async def _received(interface: Interface, piece: Piece, facts: Json | None) -> Given:
    try:
        given = await interface.receive([piece], facts or {})
    except InputError as error:
        raise ApiError(422, "text", str(error)) from None
    if not given.text.strip() and not given.facts:
        raise ApiError(422, "text", given.nothing or "give a text, or facts, or both")
    return given


async def _read_question(request: Request, max_bytes: int) -> tuple[Piece, Json | None, int]:
    try:
        body = await read_bounded(request, max_bytes * _ESCAPING + MEBIBYTE)
    except TooLargeError:
        raise ApiError(413, "text", too_large_advice(max_bytes)) from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        raise ApiError(415, "", "send the file itself as the body (curl --data-binary @train.log), or JSON; not a form")
    if kind and not kind.endswith("json") and not _is_question(body):
        return _raw(request, body, max_bytes)
    return _json_question(body, max_bytes)


def _is_question(body: bytes) -> bool:
    """Whether a body that is not announced as JSON is a question all the same: ``curl -d`` announces a form."""
    if not body[:100].lstrip().startswith(b"{"):
        return False
    try:
        question = strict_json.parse_bytes(body)
    except strict_json.JsonError:
        return False
    return isinstance(question, dict) and bool(question) and set(question) <= set(_KEYS)


def _raw(request: Request, body: bytes, max_bytes: int) -> tuple[Piece, Json | None, int]:
    if len(body) > max_bytes:
        raise ApiError(413, "text", too_large_advice(max_bytes))
    if not body.strip():
        raise ApiError(422, "text", "the body is empty; send a log, or JSON")
    top = request.query_params.get("top", "3")
    return Piece(body), None, _read_top({"top": int(top) if top.isascii() and top.isdigit() and len(top) < 9 else top})


def _json_question(body: bytes, max_bytes: int) -> tuple[Piece, Json | None, int]:
    try:
        question = strict_json.parse_bytes(body)
    except strict_json.JsonError as error:
        raise ApiError(422, "", f"the body is {error}" if str(error).startswith("not") else str(error)) from None
    if not isinstance(question, dict):
        raise ApiError(422, "", 'the body is not a JSON object; send {"text": "...", "facts": {...}, "top": 3}')
    unknown = sorted(set(question) - set(_KEYS))
    if unknown:
        raise ApiError(422, unknown[0][:80], "unknown key; known are text, facts and top")
    return Piece(_read_text(question, max_bytes)), _read_facts(question), _read_top(question)


def _read_text(question: Json, max_bytes: int) -> str:
    text = question.get("text", "")
    if not isinstance(text, str):
        raise ApiError(422, "text", "expected a string")
    if not text.strip() and not question.get("facts"):
        raise ApiError(422, "text", "give a text, or facts, or both")
    half = strict_json.half_character(text)
    if half is not None:
        raise ApiError(422, "text", f"character {half + 1} is half of a character (a lone surrogate)")
    if len(text.encode()) > max_bytes:
        raise ApiError(413, "text", too_large_advice(max_bytes))
    return text


def _read_facts(question: Json) -> Json | None:
    facts = question.get("facts")
    if facts is not None and not isinstance(facts, dict):
        raise ApiError(422, "facts", "expected an object, as 'tfhelp collect' prints it")
    if facts is not None and strict_json.half_character(json.dumps(facts, ensure_ascii=False)) is not None:
        raise ApiError(422, "facts", "a text holds half of a character (a lone surrogate)")
    return facts


def _read_top(question: Json) -> int:
    top = question.get("top", 3)
    if isinstance(top, bool) or not isinstance(top, int) or not 1 <= top <= MOST_ANSWERS:
        raise ApiError(422, "top", f"expected an integer from 1 to {MOST_ANSWERS}")
    return top


def _split_fact_error(error: FactError) -> tuple[str, str]:
    path, colon, reason = str(error).partition(": ")
    if not colon:
        return "facts", path
    return (path if path == "facts" else f"facts.{path}"), reason


def _error_documentation(description: str) -> Json:
    properties = {"status": {"type": "integer"}, "path": {"type": "string"}, "reason": {"type": "string"}}
    error = {"type": "object", "properties": properties, "required": list(properties)}
    schema = {"type": "object", "properties": {"error": error}, "required": ["error"]}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


_ANSWERS: dict[int | str, Json] = {
    413: _error_documentation("the text is over the limit"),
    415: _error_documentation("the body is a form"),
    422: _error_documentation("the body, the facts or another key cannot be used, or the file holds no text"),
}
_DIAGNOSE_DOCUMENTATION: Json = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "text": {
                            "type": "string",
                            "description": "the error, log or traceback as it is, or the problem in words",
                        },
                        "facts": {
                            "description": "what is known of the machine that trains, as 'tfhelp collect' prints it",
                            "allOf": [{"$ref": "#/components/schemas/Facts"}],
                        },
                        "top": {
                            "type": "integer",
                            "description": f"how many entries to name at most, 1 to {MOST_ANSWERS}",
                            "minimum": 1,
                            "maximum": MOST_ANSWERS,
                            "default": 3,
                        },
                    },
                },
                "example": {
                    "text": "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float on GPU:0",
                    "facts": {"os": {"name": "linux"}, "packages": {"tensorflow": "2.16.1"}},
                },
            },
            "text/plain": {"schema": {"type": "string", "description": "the text itself"}},
            "application/octet-stream": {
                "schema": {
                    "type": "string",
                    "format": "binary",
                    "description": "a log, also compressed, a notebook, a script, or the output of tfhelp collect",
                }
            },
        },
    }
}


def facts_schema() -> Json:
    """JSON schemas of the facts model, by name, for the API's documentation."""
    schema = Facts.model_json_schema(ref_template="#/components/schemas/{model}")
    definitions: Json = schema.pop("$defs", {})
    return {**definitions, "Facts": schema}
