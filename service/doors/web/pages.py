"""The pages for people: the form with its answer, the entries, the description of the API."""

import hashlib
import pathlib
import typing

import jinja2
from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.intake import unpack
from tfhelp.kb.fact_sheet import FactError
from tfhelp.service import vocabulary
from tfhelp.service.diagnosis.given import Given
from tfhelp.service.doors.http.body import KEPT_WHEN_TOO_LARGE, BodyError, Form, read_form
from tfhelp.service.doors.http.faults import SENTENCE, log_fault
from tfhelp.service.doors.http.interface import Interface, Json, size_in_words, too_large_advice
from tfhelp.service.doors.web import view
from tfhelp.service.doors.web.form import ANSWER, COMMAND, FormError, keep_in_form, question_of
from tfhelp.service.doors.web.highlight import highlighted
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

_HERE = pathlib.Path(__file__).parent
STATIC = _HERE / "static"
_MOST_ANSWERS = 3


class Pages:
    """Renders the templates.

    Attributes:
        interface: what answers.
    """

    __slots__ = ("_environment", "_openapi", "interface")

    def __init__(self, interface: Interface, openapi: typing.Callable[[], Json]) -> None:
        self.interface = interface
        self._openapi = openapi
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False}
        self._environment.filters["highlighted"] = highlighted
        self._environment.filters["percent"] = vocabulary.percent
        self._environment.globals.update(
            static={file.name: f"/static/{file.name}?v={_digest(file)}" for file in STATIC.iterdir() if file.is_file()},
            verdicts=vocabulary.VERDICTS,
            explained_opening=vocabulary.EXPLAINED,
            cause_verdicts=vocabulary.CAUSE_VERDICTS,
            severities=vocabulary.SEVERITIES,
            safety_levels=vocabulary.SAFETY,
            outcomes=vocabulary.OUTCOMES,
            answer_prefix=ANSWER,
            command_prefix=COMMAND,
        )

    def page(self, name: str, status: int = 200, **values: object) -> Response:
        """One rendered template."""
        values.setdefault("kb_version", self.interface.knowledge.version)
        return HTMLResponse(self._environment.get_template(name).render(values), status)

    def error(self, status: int, title: str, message: str) -> Response:
        """The page for what cannot be shown."""
        return self.page("error.html", status, title=title, message=message)

    def ask(self, status: int = 200, form: Form | None = None, **values: object) -> Response:
        """The form, with what was typed in it, and what there is to say on top of it."""
        shown: Json = {
            "fields": form.fields if form else {},
            "notes": form.notes if form else [],
            "submitted": form is not None,
            "local_facts": self.interface.local_facts is not None,
            "max_bytes": self.interface.max_bytes,
            "max_size": size_in_words(self.interface.max_bytes),
            "answer": None,
            "problem": "",
            **values,
        }
        return self.page("ask.html", status, **shown)

    async def answer(self, form: Form) -> Response:
        """Diagnose what the form asks; whatever is wrong with it is said on the same page, with the text kept."""
        if form.too_large:
            kept = f" The first {size_in_words(KEPT_WHEN_TOO_LARGE)} of it stands below."
            _take_file_into_text(form, self.interface.max_bytes)
            return self.ask(413, form, problem=too_large_advice(self.interface.max_bytes) + kept)
        try:
            question = question_of(form, self.interface.knowledge.fact_types)
            given = await self.interface.receive(question.pieces, question.facts)
            if not given.text.strip() and not given.facts:
                empty = "Paste an error or a log, or say in your own words what happens."
                return self.ask(422, form, problem=given.nothing or empty)
            document = await self._diagnose(form, given)
        except (FormError, FactError, CollectorError, InputError) as error:
            _take_file_into_text(form, self.interface.max_bytes)
            place = "Facts: " if isinstance(error, FactError) and not str(error).startswith("facts") else ""
            return self.ask(422, form, problem=place + str(error))
        except Exception as error:  # noqa: BLE001 - whatever failed, the user's text is not lost for it
            log_fault("POST /", error)
            _take_file_into_text(form, self.interface.max_bytes)
            return self.ask(500, form, problem=SENTENCE + ".")
        keep_in_form(form, question, given)
        form.notes += [*given.notes, *document.get("notes", [])]
        answer = await self.interface.run(view.answer_view, document, given.text, self.interface.knowledge)
        page: Response = await self.interface.run(lambda: self.ask(200, form, answer=answer))
        return page

    async def _diagnose(self, form: Form, given: Given) -> "Answer":
        collected = None
        if self.interface.local_facts is not None and form.fields.get("local_facts") and not given.machine:
            collected = await self.interface.run(self.interface.local_facts)
        return await self.interface.diagnose(given.text, given.facts or None, _MOST_ANSWERS, collected)

    def entries(self, query: str) -> Response:
        """All entries by family, or those that hold every word of the query."""
        groups, count = view.families(self.interface.knowledge, query)
        return self.page("entries.html", groups=groups, count=count, query=query)

    def entry(self, name: str) -> Response:
        """One entry."""
        try:
            entry = self.interface.knowledge.entry(name)
        except KeyError:
            return self.error(
                404, "No such entry", f"No entry is called \u201c{name[:80]}\u201d. The list of entries has them all."
            )
        return self.page("entry.html", entry=view.entry_view(entry))

    def api(self) -> Response:
        """The description of the API, made from its OpenAPI document."""
        facts = self.interface.knowledge.fact_types
        return self.page("api.html", document=self._openapi(), facts=facts, max_size=size_in_words(self.interface.max_bytes))


def page_router(pages: Pages) -> APIRouter:
    """The routes of the pages; none of them is part of the API's description."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def ask() -> Response:
        return pages.ask()

    @router.post("/")
    async def answer(request: Request) -> Response:
        try:
            form = await read_form(request, pages.interface.max_bytes)
        except BodyError as error:
            return pages.ask(422, problem=f"The form could not be read: {error}.")
        return await pages.answer(form)

    @router.get("/entries")
    async def entries(request: Request) -> Response:
        return typing.cast(Response, await pages.interface.run(pages.entries, request.query_params.get("q", "").strip()[:200]))

    @router.get("/entries/{name}")
    async def entry(name: str) -> Response:
        return pages.entry(name)

    @router.get("/docs")
    async def docs() -> Response:
        return pages.api()

    return router


def _take_file_into_text(form: Form, most: int) -> None:
    """Keep a chosen file's text in the text area: a browser does not keep the choice of a file over a page."""
    file = unpack(*form.file, most).text if form.file else ""
    if file.strip():
        text = form.fields.get("text", "").rstrip("\n")
        form.fields["text"] = f"{text}\n{file}" if text.strip() else file


def _digest(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:10]
