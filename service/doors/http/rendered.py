"""An answer of the API for people: as Markdown, or as the text that the terminal shows."""

import io
import json
import typing

from fastapi import Request, Response
from starlette.responses import PlainTextResponse

from tfhelp.service.doors.http.errors import ApiError

Style = typing.Literal["json", "markdown", "text"]

_BY_TYPE: dict[str, Style] = {
    "application/json": "json",
    "application/*": "json",
    "*/*": "json",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
    "text/*": "text",
}
_STYLES: tuple[Style, ...] = ("json", "markdown", "text")


def wanted_style(request: Request) -> Style:
    """The style that ``?format=`` asks for, else the first known type in ``Accept``; JSON if neither asks for one.

    Raises:
        ApiError: ``format`` has an unknown value.
    """
    said = request.query_params.get("format", "")
    if said:
        style = next((style for style in _STYLES if style == said), None)
        if style is None:
            raise ApiError(422, "format", f"expected one of {', '.join(_STYLES)}, got {said[:40]!r}")
        return style
    return next((_BY_TYPE[kind] for kind in _by_preference(request.headers.get("accept", "")) if kind in _BY_TYPE), "json")


def _by_preference(accept: str) -> list[str]:
    """The types in ``Accept``, the most preferred first (RFC 9110, section 12.5.1)."""
    wanted = []
    for part in accept[:2000].split(","):
        kind, *parameters = (one.strip().lower() for one in part.split(";"))
        weight = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        if weight.isascii() and weight.replace(".", "", 1).isdigit() and float(weight) > 0:
            wanted.append((-float(weight), kind))
    return [kind for _, kind in sorted(wanted, key=lambda pair: pair[0])]


def rendered(document: bytes, style: Style) -> Response:
    """An answer, given as JSON, in another style."""
    answer = json.loads(document)
    if style == "markdown":
        from tfhelp.service.doors.formats.markdown import markdown

        return Response(markdown(answer), media_type="text/markdown; charset=utf-8")
    from tfhelp.service.doors.cli.terminal import show_answer

    page = io.StringIO()
    show_answer(answer, page, more="")
    return PlainTextResponse(page.getvalue())
