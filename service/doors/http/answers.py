"""Kept answers in the API, which are read, judged and deleted by their token; and the memory behind ``/api/v1/diagnose``."""

import typing

from fastapi import APIRouter, Request, Response

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.compiled import Knowledge
from tfhelp.service.diagnosis.given import Given, with_notes
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.asked import Asked
from tfhelp.service.doors.http.body import TooLargeError, read_bounded
from tfhelp.service.doors.http.documentation import FEEDBACK, answer_of, error_documentation
from tfhelp.service.doors.http.errors import ApiError, json_response
from tfhelp.service.doors.http.interface import Interface, Json
from tfhelp.service.doors.http.remembering import MemoryAwayError
from tfhelp.service.doors.http.retries import token_of_request
from tfhelp.service.doors.web.excerpts import about_given
from tfhelp.service.doors.web.sender import sender_of
from tfhelp.service.memory.asking import Remembered, is_team_memory, remembered, without_memory
from tfhelp.service.memory.memory import LONGEST, Kept, Memory, Said

TOKEN = Pattern(r"[A-Za-z0-9_-]{16,64}")
SAID: tuple[str, ...] = typing.get_args(Said)
_LARGEST = 64 << 10  # bytes of a feedback body
_KEYS = ("token", "said", *LONGEST)
_GONE = "no such answer is kept: it was deleted, or it is older than answers are kept"


class Keeping:
    """The memory as the API uses it.

    Attributes:
        memory: the server's memory.
        base: the part of a link before ``/a/TOKEN``: the public address, or else the path at which the server is reached.
        key: see ``tfhelp.service.memory.rows.mark_of_text``.
        dropped: called with the token of a deleted answer, so that other parts that hold its text drop it too.
    """

    __slots__ = ("base", "dropped", "key", "memory")

    def __init__(self, memory: Memory, base: str, key: bytes, dropped: typing.Callable[[str], object]) -> None:
        self.memory = memory
        self.base = base
        self.key = key
        self.dropped = dropped

    def link(self, token: str) -> str:
        """The address of the page of a kept answer."""
        return f"{self.base}/a/{token}"


async def answer_json(interface: Interface, keeping: Keeping, request: Request, asked: Asked, given: Given) -> bytes:
    """The answer to a question as JSON. A team's memory adds what it knows, and keeps the answer unless the question forbids it.

    Raises:
        tfhelp.kb.fact_sheet.FactError: the facts do not fit the model.
        ApiError: the request's ``Idempotency-Key`` cannot be used.
    """
    token = token_of_request(request, given)
    if not is_team_memory(keeping.memory):
        return await interface.diagnose_json(given, asked.top)
    answer = with_notes(await interface.diagnose(given.text, given.facts or None, asked.top), given.notes)
    try:
        outcome: Remembered = await interface.remember(
            _remembered, keeping, answer, given.text, sender_of(request), asked.keep, token
        )
    except MemoryAwayError:
        outcome = without_memory(answer, {}, asked.keep)
    link = {"link": keeping.link(outcome.token)} if outcome.token else {}
    return strict_json.dump({**outcome.answer, **link})


def _remembered(keeping: Keeping, answer: Json, text: str, sender: str, keep: bool, token: str) -> Remembered:
    about = about_given(answer, text, "", len(text.encode(errors="replace")), keeping.key)
    return remembered(keeping.memory, answer, about, sender, keep, token)


def add_answers(router: APIRouter, interface: Interface, keeping: Keeping) -> None:
    """Add the routes of kept answers."""

    @router.get(
        "/api/v1/answers/{token}",
        summary="Read a kept answer",
        responses={200: answer_of("KeptAnswer", "the answer"), 404: error_documentation("no such answer")},
    )
    async def read(token: str) -> Response:
        """A kept answer, redacted, by the last part of its link.

        On an open server, anyone who has the token may read and delete it. If the server asks who you are, only the owner and an
        administrator may delete it.
        """
        kept: Kept | None = await interface.remember(keeping.memory.read, token) if TOKEN.fullmatch(token) else None
        if kept is None:
            raise ApiError(404, "token", _GONE, "not-found")
        return json_response({"token": token, "link": keeping.link(token), "at": kept.at, "answer": kept.answer})

    @router.delete(
        "/api/v1/answers/{token}",
        summary="Delete a kept answer",
        status_code=204,
        responses={204: {"description": "it is deleted"}, 404: error_documentation("no such answer")},
    )
    async def delete(token: str) -> Response:
        """Delete the answer, and the feedback on it."""
        if not TOKEN.fullmatch(token) or not await interface.remember(keeping.memory.forget, token):
            raise ApiError(404, "token", _GONE, "not-found")
        keeping.dropped(token)
        return Response(status_code=204)

    @router.post(
        "/api/v1/feedback",
        summary="Say whether an answer helped",
        openapi_extra=FEEDBACK,
        responses={
            200: answer_of("Noted", "it is noted"),
            404: error_documentation("no such answer"),
            413: error_documentation("the body is too large"),
            422: error_documentation("the value of a key is not valid"),
        },
    )
    async def feedback(request: Request) -> Response:
        """Feedback on a kept answer. Only a sender's last feedback counts. A team's memory uses it to rank later answers."""
        said = await _read_feedback(request, interface.knowledge)
        if not await interface.remember(lambda: _feed(keeping.memory, said, sender_of(request))):
            raise ApiError(404, "token", _GONE, "not-found")
        return json_response({"token": said["token"], "said": said["said"]})


def _feed(memory: Memory, said: dict[str, str], sender: str) -> bool:
    rest = [said.get(name, "") for name in LONGEST]
    return memory.feedback(said["token"], typing.cast(Said, said["said"]), sender, *rest)


async def _read_feedback(request: Request, knowledge: Knowledge) -> dict[str, str]:
    try:
        body = strict_json.parse_bytes(await read_bounded(request, _LARGEST))
    except TooLargeError as error:
        raise ApiError(413, "", str(error), "too-large") from None
    except strict_json.JsonError as error:
        raise ApiError(422, "", f"the body: {error}", "invalid-json") from None
    if not isinstance(body, dict):
        raise ApiError(422, "", 'the body is not a JSON object; send {"token": "...", "said": "helped"}', "invalid-json")
    unknown = sorted(set(body) - set(_KEYS))
    if unknown:
        raise ApiError(422, unknown[0][:80], f"unknown key; known are {', '.join(_KEYS)}", "unknown-key")
    return _checked_feedback(body, knowledge)


def _checked_feedback(body: Json, knowledge: Knowledge) -> dict[str, str]:
    for name, value in body.items():
        if not isinstance(value, str) or strict_json.lone_surrogate(value) is not None:
            raise ApiError(422, name, "expected a string of whole characters")
    if not TOKEN.fullmatch(body.get("token", "")):
        raise ApiError(422, "token", "expected the token of an answer, which is the last part of its link")
    if body.get("said") not in SAID:
        raise ApiError(422, "said", f"expected one of {', '.join(SAID)}")
    said: dict[str, str] = {name: value.strip() for name, value in body.items()}
    for name, most in LONGEST.items():
        if len(said.get(name, "")) > most:
            raise ApiError(422, name, f"expected at most {most} characters")
    _check_cause(said.get("cause", ""), knowledge)
    return said


def _check_cause(cause: str, knowledge: Knowledge) -> None:
    entry, _, name = cause.partition("/")
    if cause and (entry not in knowledge.summaries or name not in knowledge.summaries[entry]["causes"]):
        raise ApiError(422, "cause", "expected ENTRY/CAUSE, as GET /api/v1/entries lists them")
