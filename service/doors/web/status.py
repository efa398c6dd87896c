"""The page for operators: the team's week, and whether this server is healthy."""

from fastapi import APIRouter, Response

from tfhelp.service.doors.web.pages import Pages
from tfhelp.service.telemetry.status import Watching


def status_router(pages: Pages, watching: Watching) -> APIRouter:
    """The route ``/status``. It is not part of the API's description; ``/api/v1/status`` there has the same content."""
    router = APIRouter(include_in_schema=False)

    @router.get("/status")
    async def status() -> Response:
        summaries = pages.interface.knowledge.summaries
        titles = {name: summary["title"] for name, summary in summaries.items()}
        figures = await watching.status(pages.interface.run)
        return pages.page("status.html", service=figures, titles=titles, has_memory=watching.has_memory)

    return router
