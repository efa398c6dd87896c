"""A question as the API receives it (JSON, a text, or a file), and the parts of it that the diagnosis takes."""

import json

from fastapi import Request

from tfhelp.service.diagnosis.given import Given, Piece
from tfhelp.service.diagnosis.replies import read_replies
from tfhelp.service.diagnosis.reply_values import ReplyError
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import MEBIBYTE, TooLargeError, read_bounded
from tfhelp.service.doors.http.errors import ApiError
from tfhelp.service.doors.http.facts_size import facts_fault
from tfhelp.service.doors.http.interface import MOST_ANSWERS, Interface, Json, too_large_advice
from tfhelp.service.errors import InputError

# JSON writes a line end as two characters and a control character as six; twice the limit leaves room for that in a log.
_ESCAPING = 2
_KEYS = ("text", "code", "facts", "replies", "top", "keep")
_MOST_REPLIES = 50
_SCRIPT = "script.py"  # the name of a script that came without one
_SHORT = 64 << 10  # bytes of a body that is parsed immediately; a longer one is parsed where it delays no other request
_USUAL_TOP = "3"
_SHORTEST_TOP = 9  # a number with this many digits or more is not read


class Asked:
    """A question.

    Attributes:
        pieces: the text or file, the script, and outputs of commands that were given as replies.
        facts: the facts that came with them.
        top: how many entries to name at most.
        keep: whether a team's memory may keep the answer.
    """

    __slots__ = ("facts", "keep", "pieces", "top")

    def __init__(self, pieces: list[Piece], facts: Json, top: int, keep: bool = True) -> None:
        self.pieces = pieces
        self.facts = facts
        self.top = top
        self.keep = keep


async def read_asked(request: Request, interface: Interface) -> Asked:
    """Read the body of a request.

    Raises:
        ApiError: it is too large, or it is not a question.
    """
    most = interface.max_bytes
    try:
        body = await read_bounded(request, most * _ESCAPING + MEBIBYTE)
    except TooLargeError:
        raise ApiError(413, "text", too_large_advice(most), "too-large") from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        reason = "send the file itself as the body (curl --data-binary @train.log), or JSON; not a form"
        raise ApiError(415, "", reason, "unsupported-type")
    keep, top = _keep_of_query(request), request.query_params.get("top")
    if len(body) <= _SHORT:
        return asked_of(body, kind, keep, top, most, interface.knowledge.fact_types)
    asked: Asked = await interface.apart(asked_of, body, kind, keep, top, most, interface.knowledge.fact_types)
    return asked


def asked_of(body: bytes, kind: str, keep: bool, top: str | None, max_bytes: int, types: dict[str, str]) -> Asked:
    """The question in a body.

    Args:
        body: as it came.
        kind: its content type, in lower case and without parameters.
        keep, top: what the query says; it takes precedence over the body.
        max_bytes: bytes of the longest text.
        types: path -> type of every fact.

    Raises:
        ApiError: it is too large, or it is not a question.
    """
    if kind and not kind.endswith("json") and not _is_question(body):
        return _raw(body, max_bytes, keep, _USUAL_TOP if top is None else top)
    asked = _json_question(body, max_bytes, types)
    asked.keep = asked.keep and keep
    if top is not None:
        asked.top = _top_of(top, MOST_ANSWERS)
    return asked


async def received(interface: Interface, asked: Asked) -> Given:
    """What was recognised in a question.

    Raises:
        ApiError: a piece holds no text, or there is nothing to diagnose.
    """
    try:
        given = await interface.receive(asked.pieces, asked.facts)
    except InputError as error:
        raise ApiError(422, "text", str(error), "no-text") from None
    if not given.text.strip() and not given.facts:
        raise ApiError(422, "text", given.nothing or "give a text, or facts, or both", "empty")
    return given


def _is_question(body: bytes) -> bool:
    """Return whether a body is a JSON question although its content type says otherwise: ``curl -d`` announces a form."""
    if not body[:100].lstrip().startswith(b"{"):
        return False
    try:
        question = strict_json.parse_bytes(body)
    except strict_json.JsonError:
        return False
    return isinstance(question, dict) and bool(question) and set(question) <= set(_KEYS)


def _raw(body: bytes, max_bytes: int, keep: bool, top: str) -> Asked:
    if len(body) > max_bytes:
        raise ApiError(413, "text", too_large_advice(max_bytes), "too-large")
    if not body.strip():
        raise ApiError(422, "text", "the body is empty; send a log, or JSON", "empty")
    return Asked([Piece(body)], {}, _top_of(top, MOST_ANSWERS), keep)


def _keep_of_query(request: Request) -> bool:
    """The value of ``?keep=``: a text or a file has no other place for it."""
    said = request.query_params.get("keep", "true")
    if said not in ("true", "false"):
        raise ApiError(422, "keep", f"expected true or false, got {said[:40]!r}")
    return said == "true"


def top_of_query(request: Request, usual: int, most: int) -> int:
    """The value of ``?top=``.

    Raises:
        ApiError: it is not a number from 1 to ``most``.
    """
    return _top_of(request.query_params.get("top", str(usual)), most)


def _top_of(top: str, most: int) -> int:
    return _read_top({"top": int(top) if top.isascii() and top.isdigit() and len(top) < _SHORTEST_TOP else top}, most)


def _json_question(body: bytes, max_bytes: int, types: dict[str, str]) -> Asked:
    try:
        question = strict_json.parse_bytes(body)
    except strict_json.JsonError as error:
        reason = f"the body is {error}" if str(error).startswith("not") else str(error)
        raise ApiError(422, "", reason, "invalid-json") from None
    if not isinstance(question, dict):
        reason = 'the body is not a JSON object; send {"text": "...", "facts": {...}, "top": 3}'
        raise ApiError(422, "", reason, "invalid-json")
    unknown = sorted(set(question) - set(_KEYS))
    if unknown:
        raise ApiError(422, unknown[0][:80], f"unknown key; known are {', '.join(_KEYS[:-1])} and {_KEYS[-1]}", "unknown-key")
    pieces = [Piece(_read_text(question, max_bytes)), *_read_code(question, max_bytes)]
    facts, outputs = _with_replies(question, types)
    return Asked([*pieces, *map(Piece, outputs)], facts, _read_top(question, MOST_ANSWERS), _read_keep(question))


def _read_text(question: Json, max_bytes: int) -> str:
    text = _string("text", question.get("text", ""), max_bytes)
    if not text.strip() and not any(question.get(key) for key in ("facts", "replies", "code")):
        raise ApiError(422, "text", "give a text, or facts, or both", "empty")
    return text


def _read_code(question: Json, max_bytes: int) -> list[Piece]:
    """The script: a string, or an object that also has its name."""
    code = question.get("code")
    source, name = (code.get("source", ""), code.get("name", _SCRIPT)) if isinstance(code, dict) else (code or "", _SCRIPT)
    source = _string("code", source, max_bytes)
    name = _string("code.name", name, max_bytes).rpartition("/")[2][:80]
    if not source.strip():
        return []
    return [Piece(source, name if name.endswith((".py", ".ipynb")) else f"{name or 'script'}.py")]


def _string(path: str, value: object, max_bytes: int) -> str:
    if not isinstance(value, str):
        raise ApiError(422, path, "expected a string")
    half = strict_json.lone_surrogate(value)
    if half is not None:
        raise ApiError(422, path, f"character {half + 1} is half of a character (a lone surrogate)")
    if len(value.encode()) > max_bytes:
        raise ApiError(413, path, too_large_advice(max_bytes), "too-large")
    return value


def _with_replies(question: Json, types: dict[str, str]) -> tuple[Json, list[str]]:
    """The facts, overridden by those in the replies; and the pasted outputs that belong to the text."""
    from tfhelp.service.diagnosis.collecting import merge_documents

    facts, replies = _read_facts(question), _read_replies(question)
    if not replies:
        return facts, []
    try:
        reply = read_replies(replies, types)
    except ReplyError as error:
        path, _, reason = str(error).partition(": ")
        asked = next((one for one in replies if one == path), path)
        raise ApiError(422, f"replies.{asked}", reason, "invalid-reply") from None
    return merge_documents(reply.facts, facts), [reply.text] if reply.text else []


def _read_facts(question: Json) -> Json:
    facts = question.get("facts")
    if facts is None:
        return {}
    if not isinstance(facts, dict):
        raise ApiError(422, "facts", "expected an object, as 'tfhelp collect' prints it")
    fault = facts_fault(facts)
    if fault:
        raise ApiError(413 if "larger" in fault else 422, "facts", fault, "too-large" if "larger" in fault else "invalid-value")
    if strict_json.lone_surrogate(json.dumps(facts, ensure_ascii=False)) is not None:
        raise ApiError(422, "facts", "a text holds half of a character (a lone surrogate)")
    return facts


def _read_replies(question: Json) -> dict[str, tuple[str, str]]:
    """fact -> (reply, command); a reply is a string, or an object that also names the command whose output it is."""
    replies = question.get("replies") or {}
    if not isinstance(replies, dict) or len(replies) > _MOST_REPLIES:
        raise ApiError(422, "replies", f"expected an object of at most {_MOST_REPLIES} replies, by the fact that was asked for")
    return {path: _one_reply(path, reply) for path, reply in replies.items()}


def _one_reply(path: str, reply: object) -> tuple[str, str]:
    written, command = (reply.get("reply"), reply.get("command", "")) if isinstance(reply, dict) else (reply, "")
    if not isinstance(written, str) or not isinstance(command, str):
        raise ApiError(422, f"replies.{path[:80]}", 'expected a string, or {"reply": "...", "command": "..."}')
    if strict_json.lone_surrogate(written + command) is not None:
        raise ApiError(422, f"replies.{path[:80]}", "holds half of a character (a lone surrogate)")
    return written, " ".join(command.split())


def _read_keep(question: Json) -> bool:
    keep = question.get("keep", True)
    if not isinstance(keep, bool):
        raise ApiError(422, "keep", "expected true or false")
    return keep


def _read_top(question: Json, most: int) -> int:
    top = question.get("top", 3)
    if isinstance(top, bool) or not isinstance(top, int) or not 1 <= top <= most:
        raise ApiError(422, "top", f"expected an integer from 1 to {most}")
    return top
