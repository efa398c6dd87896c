"""The JSON API: ``/api/v1``."""

import typing

from fastapi import APIRouter, Request, Response

from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.doors.http.answers import Keeping, add_answers, answer_json
from tfhelp.service.doors.http.asked import read_asked, received, top_of_query
from tfhelp.service.doors.http.documentation import (
    DIAGNOSE,
    DIAGNOSE_ANSWERS,
    SEARCH_PARAMETERS,
    answer_of,
    error_documentation,
)
from tfhelp.service.doors.http.errors import ApiError, json_response
from tfhelp.service.doors.http.interface import Interface, Json
from tfhelp.service.doors.http.rendered import rendered, wanted_style
from tfhelp.service.search.search import LONGEST_QUERY, MOST_HITS

if typing.TYPE_CHECKING:
    from tfhelp.kb.compiled_entry import Summary

_USUAL_HITS = 10


def api_router(interface: Interface, keeping: Keeping) -> APIRouter:
    """The routes.

    Args:
        interface: what answers.
        keeping: the memory of the server.
    """
    router = APIRouter()
    _add_diagnosis(router, interface, keeping)
    add_answers(router, interface, keeping)
    _add_knowledge(router, interface)
    return router


def _add_diagnosis(router: APIRouter, interface: Interface, keeping: Keeping) -> None:
    @router.post("/api/v1/diagnose", summary="Diagnose a text", openapi_extra=DIAGNOSE, responses=DIAGNOSE_ANSWERS)
    async def diagnose(request: Request) -> Response:
        """Which problem it is, which of its causes fits, why, and the fix for that cause.

        The same text and facts give the same answer. Only the text and the facts of the request are used; nothing is
        read from the server's own machine. A server with a team's memory adds what the team knows about the failure. It keeps
        the redacted answer and gives its `link`, unless `keep` is false.

        A body of a content type other than JSON is the text itself, or a file: a log (may be compressed), a notebook, a script,
        or the output of `tfhelp collect`. For example: `curl --data-binary @train.log URL/api/v1/diagnose`.

        `?format=markdown` or `text`, or `Accept: text/markdown` or `text/plain`, gives a human-readable answer.
        """
        style = wanted_style(request)
        asked = await read_asked(request, interface)
        given = await received(interface, asked)
        try:
            document = await answer_json(interface, keeping, request, asked, given)
        except FactError as error:
            raise ApiError(422, *_split_fact_error(error), "invalid-fact") from None
        if style == "json":
            return Response(document, media_type="application/json")
        return typing.cast(Response, await interface.run(rendered, document, style))


def _add_knowledge(router: APIRouter, interface: Interface) -> None:
    @router.get(
        "/api/v1/search",
        summary="Search entries, names and messages",
        openapi_extra={"parameters": SEARCH_PARAMETERS},
        responses={
            200: answer_of("Found", "what the words find, best first"),
            422: error_documentation("no words, or a wrong top"),
        },
    )
    async def search(request: Request) -> Response:
        """What a few words find: entries, with the cause that matches; public names; operations; and known messages."""
        query = request.query_params.get("q", "")
        if not query.strip():
            raise ApiError(422, "q", "give words to search for: ?q=out+of+memory", "empty")
        most = top_of_query(request, _USUAL_HITS, MOST_HITS)
        hits = await interface.run(lambda: interface.search.find(query, most))
        return json_response({"query": query[:LONGEST_QUERY], "hits": hits, "kb_version": interface.knowledge.version})

    @router.get("/api/v1/entries", summary="List the entries", responses={200: answer_of("Entries", "all entries")})
    async def entries() -> Response:
        """Every known problem, with the titles of its causes."""
        knowledge = interface.knowledge
        return json_response(
            {
                "entries": [entry_summary(knowledge.summaries, name) for name in knowledge.entries()],
                "kb_version": knowledge.version,
            }
        )

    @router.get(
        "/api/v1/entries/{entry_id}",
        summary="Read one entry",
        responses={200: answer_of("Entry", "the entry"), 404: error_documentation("no such entry")},
    )
    async def entry(entry_id: str) -> Response:
        """One problem with all its causes, checks, fixes and sources."""
        try:
            return json_response({**interface.knowledge.entry(entry_id), "kb_version": interface.knowledge.version})
        except KeyError:
            reason = f"no entry is called {entry_id[:80]!r}; GET /api/v1/entries lists them"
            raise ApiError(404, "entry_id", reason, "not-found") from None


def entry_summary(summaries: "typing.Mapping[str, Summary]", name: str) -> Json:
    """id, family, title, severity, and the ids and titles of the causes of one entry."""
    summary = summaries[name]
    causes = [{"id": cause, "title": title} for cause, title in summary["causes"].items()]
    return {"id": name, "family": summary["family"], "title": summary["title"], "severity": summary["severity"], "causes": causes}


def _split_fact_error(error: FactError) -> tuple[str, str]:
    path, colon, reason = str(error).partition(": ")
    if not colon:
        return "facts", path
    return (path if path == "facts" else f"facts.{path}"), reason
