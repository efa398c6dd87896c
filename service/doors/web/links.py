"""Kept answers behind links, to view, rate or delete. Every change is a POST that redirects to a page."""

import typing

from fastapi import APIRouter, Request, Response
from starlette.responses import PlainTextResponse, RedirectResponse

from tfhelp.service.doors.formats.markdown import markdown
from tfhelp.service.doors.http.answers import SAID, TOKEN
from tfhelp.service.doors.http.body import BodyError, read_form
from tfhelp.service.doors.web.pages import Pages
from tfhelp.service.doors.web.sender import sender_of
from tfhelp.service.memory.memory import LONGEST, Kept, Said

_LARGEST = 64 << 10  # bytes of a feedback form


def link_router(pages: Pages) -> APIRouter:
    """The routes under ``/a/``; none of them is part of the API's description."""
    router = APIRouter(include_in_schema=False)

    async def read(token: str) -> Kept | None:
        if not TOKEN.fullmatch(token):
            return None
        return typing.cast(Kept | None, await pages.interface.remember(pages.memory.read, token))

    def gone() -> Response:
        kept_for = f" Answers are kept for {pages.kept_for}." if pages.kept_for else ""
        return pages.error(
            404, "This answer is not here", f"It was deleted, or it is older than the time for which answers are kept.{kept_for}"
        )

    @router.get("/a/{token}.md")
    async def as_markdown(token: str) -> Response:
        kept = await read(token)
        if kept is None:
            return gone()
        return PlainTextResponse(markdown(kept.answer), media_type="text/markdown", headers={"X-Robots-Tag": "noindex"})

    @router.get("/a/{token}")
    async def answer(token: str, request: Request) -> Response:
        kept = await read(token)
        if kept is None:
            return gone()
        said = request.query_params.get("said", "")
        return typing.cast(Response, await pages.interface.remember(pages.kept, kept, said if said in SAID else ""))

    @router.post("/a/{token}/feedback")
    async def feedback(token: str, request: Request) -> Response:
        try:
            fields = (await read_form(request, _LARGEST)).fields
        except BodyError as error:
            return pages.error(422, "That could not be read", f"{error}.")
        said = fields.get("said", "")
        if said not in SAID:
            return pages.error(422, "That could not be read", f"said: expected one of {', '.join(SAID)}.")
        rest = {name: fields.get(name, "").strip()[:most] for name, most in LONGEST.items()}
        if not TOKEN.fullmatch(token) or not await pages.interface.remember(
            lambda: _feed(pages, token, said, sender_of(request), rest)
        ):
            return gone()
        return RedirectResponse(f"/a/{token}?said={said}#feedback", 303)

    @router.post("/a/{token}/delete")
    async def delete(token: str) -> Response:
        if not TOKEN.fullmatch(token) or not await pages.interface.remember(pages.memory.forget, token):
            return gone()
        pages.texts.drop(token)
        return RedirectResponse("/?deleted=yes", 303)

    return router


def _feed(pages: Pages, token: str, said: str, sender: str, rest: dict[str, str]) -> bool:
    return pages.memory.feedback(token, typing.cast(Said, said), sender, rest["words"], rest["by"], rest["cause"])
