"""``tfhelp kb preview``: shows a team's own entries in the browser, and rebuilds their pages when one of the files changes."""

from __future__ import annotations

import sys
import threading
import typing

from starlette.responses import HTMLResponse

from tfhelp.kb import compiled
from tfhelp.kb.compiled import KnowledgeError
from tfhelp.kb.overlay import OverlaidKnowledge
from tfhelp.kb.private import content_key, part_of
from tfhelp.service.diagnosis.diagnoser import DEFAULT_TOP, Diagnoser, load_vectors
from tfhelp.service.doors.http.interface import DEFAULT_MAX_BYTES, Json

if typing.TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tfhelp.service.diagnosis.answer import Answer

_SECONDS = 2  # seconds between two reloads of an open page


class ReloadingDiagnoser:
    """A diagnoser over folders of private knowledge, always with their current files.

    Args:
        folders: folders of private knowledge.
    """

    def __init__(self, folders: list[str]) -> None:
        self._folders = folders
        self._shipped = compiled.load(compiled.PATH)
        self._lock = threading.Lock()
        self._state: list[str] = []
        self._diagnoser = self._now()

    @property
    def knowledge(self) -> OverlaidKnowledge:
        """Shipped and private entries, from the current files."""
        return typing.cast(OverlaidKnowledge, self._now().knowledge)

    def diagnose(self, text: str, facts: Json | None = None, top: int = DEFAULT_TOP, collected: Json | None = None) -> Answer:
        """Like ``Diagnoser.diagnose``."""
        return self._now().diagnose(text, facts, top, collected)

    def _now(self) -> Diagnoser:
        with self._lock:
            try:
                state = [content_key(folder, self._shipped.version) for folder in self._folders]
            except OSError:
                return self._diagnoser  # an editor is replacing a file
            if state != self._state:
                self._diagnoser = self._loaded()
                self._state = state
            return self._diagnoser

    def _loaded(self) -> Diagnoser:
        knowledge = OverlaidKnowledge(self._shipped, [part_of(folder, self._shipped) for folder in self._folders])
        for fault in knowledge.faults:
            print(f"tfhelp: {fault}", file=sys.stderr, flush=True)
        return Diagnoser(knowledge, load_vectors, warm=True)


def preview_app(folders: list[str]) -> FastAPI:
    """The web application over the folders: ``/preview`` lists their entries and faults, and entry pages reload by themselves.

    Raises:
        KnowledgeError: a folder is missing or cannot be read.
    """
    from tfhelp.service.doors.http.app import create_app

    diagnoser = ReloadingDiagnoser(folders)
    app = create_app(diagnoser, max_bytes=DEFAULT_MAX_BYTES)

    @app.get("/preview", include_in_schema=False)
    def overview() -> HTMLResponse:
        return HTMLResponse(_overview(diagnoser.knowledge))

    app.add_middleware(_Reloading)
    return app


def _overview(knowledge: OverlaidKnowledge) -> str:
    import jinja2

    from tfhelp.service.doors.web import words
    from tfhelp.service.doors.web.pages import STATIC
    from tfhelp.service.memory.for_a_day import DAY_S

    # Separate from the entry pages, whose templates have their own environment.
    loader = jinja2.FileSystemLoader(STATIC.parent / "templates")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    groups = [
        (part.folder, [(name, knowledge.summaries[name]) for name in sorted(part.knowledge.summaries)])
        for part in knowledge.parts
    ]
    return environment.get_template("preview.html").render(
        groups=groups,
        faults=[_fault(fault) for fault in knowledge.faults],
        static={file.name: f"/static/{file.name}" for file in STATIC.iterdir()},
        kb_version=knowledge.version,
        kept_for=words.span(DAY_S),
    )


def _fault(said: str) -> dict[str, str]:
    """``file:line: field: message``, split into its parts."""
    place, _, rest = said.partition(": ")
    field, _, message = rest.partition(": ")
    return {"place": place, "field": field, "says": message}


class _Reloading:
    """ASGI middleware: entry pages reload every two seconds, without a script."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or not path.startswith(("/preview", "/entries/")):
            await self._app(scope, receive, send)
            return

        async def with_refresh(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), (b"refresh", str(_SECONDS).encode())]
            await send(message)

        await self._app(scope, receive, with_refresh)


def preview(folders: list[str], host: str, port: int) -> int:
    """Serve the preview until Ctrl-C.

    Returns:
        Exit status: 0 after Ctrl-C, 2 when it could not start.
    """
    from tfhelp.service.doors.http.server import ServeError, address, listening_socket, run_application

    if not folders:
        print("tfhelp: no folder to preview: name one with --kb DIR", file=sys.stderr)
        return 2
    try:
        with listening_socket(host, port) as listener:
            app = preview_app(folders)
            print(f"your team's entries are at {address(listener, host)}/preview", flush=True)
            return run_application(app, listener, host)
    except (ServeError, KnowledgeError) as error:
        print(f"tfhelp: {error}", file=sys.stderr)
        return 2
