"""The pages for people: the form with its answer, the entries, the description of the API."""

import hashlib
import json
import pathlib
import typing

import jinja2
from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.intake import unpack
from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.kb.fact_sheet import FactError
from tfhelp.service import vocabulary
from tfhelp.service.access.identity import NotAllowedError, current
from tfhelp.service.access.owned import may_forget
from tfhelp.service.diagnosis.given import Given, with_notes
from tfhelp.service.diagnosis.sharing import examples_of
from tfhelp.service.doors.formats.markdown import markdown
from tfhelp.service.doors.http.body import KEPT_WHEN_TOO_LARGE, BodyError, Form, read_form
from tfhelp.service.doors.http.interface import Interface, Json, size_in_words, too_large_advice
from tfhelp.service.doors.http.remembering import MemoryAwayError
from tfhelp.service.doors.http.retries import token_of_request
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.web import entry_view, view, words
from tfhelp.service.doors.web.excerpts import about_given
from tfhelp.service.doors.web.form import (
    ABSENT,
    AGAIN,
    ANSWER,
    COMMAND,
    LONGEST_SHOWN,
    About,
    Asked,
    FormError,
    keep_in_form,
    question_of,
)
from tfhelp.service.doors.web.highlight import highlighted
from tfhelp.service.doors.web.rooted import RootedLoader
from tfhelp.service.doors.web.sender import sender_of
from tfhelp.service.errors import InputError
from tfhelp.service.faults import SENTENCE, log_fault
from tfhelp.service.memory.asking import Remembered, remembered, without_memory
from tfhelp.service.memory.memory import Kept, Memory
from tfhelp.service.search.search import LONGEST_QUERY
from tfhelp.service.workers.limits import UnavailableError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

_HERE = pathlib.Path(__file__).parent
STATIC = _HERE / "static"
_MOST_ANSWERS = 3
_MOST_FOUND = 25
_FOUND = ("entries", "others")
_NO_LONGER_HERE = "Texts are kept for an hour, and this one is no longer here. Paste it again. Your reply is in the facts below."


class Pages:
    """Renders the templates.

    Attributes:
        interface: computes the answers.
        memory: keeps the answers that a link opens again.
        texts: the texts of recent questions.
        kept_for: how long answers are kept, in words; empty if they are kept for ever.
    """

    __slots__ = ("_environment", "_key", "_openapi", "interface", "kept_for", "memory", "texts")

    def __init__(
        self,
        interface: Interface,
        openapi: typing.Callable[[], Json],
        memory: Memory,
        texts: RecentTexts,
        key: bytes,
        root_path: str = "",
    ) -> None:
        """Args: openapi: gives the API's description. key: see ``mark_of_text``. root_path: the path below which it is served."""
        self.interface = interface
        self._key = key
        self.memory = memory
        self.texts = texts
        self.kept_for = words.span(memory.keeps_s)
        self._openapi = openapi
        self._environment = jinja2.Environment(
            loader=RootedLoader(_HERE / "templates", root_path),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False}
        self._environment.filters["highlighted"] = highlighted
        self._environment.filters["percent"] = vocabulary.percent
        self._environment.filters.update(inline=words.inline, without_code=words.without_code, size=words.size, day=words.day)
        self._environment.globals.update(
            static={
                file.name: f"{root_path}/static/{file.name}?v={_digest(file)}" for file in STATIC.iterdir() if file.is_file()
            },
            verdicts=vocabulary.VERDICTS,
            explained_opening=vocabulary.EXPLAINED,
            cause_verdicts=vocabulary.CAUSE_VERDICTS,
            severities=vocabulary.SEVERITIES,
            safety_levels=vocabulary.SAFETY,
            outcomes=vocabulary.OUTCOMES,
            answer_prefix=ANSWER,
            command_prefix=COMMAND,
            absent_prefix=ABSENT,
            again_field=AGAIN,
            kept_for=self.kept_for,
        )

    def page(self, name: str, status: int = 200, **values: object) -> Response:
        """A rendered template."""
        values.setdefault("kb_version", self.interface.knowledge.version)
        values.setdefault("who", current().who)
        return HTMLResponse(self._environment.get_template(name).render(values), status)

    def error(self, status: int, title: str, message: str, login: bool = False) -> Response:
        """The error page. ``login`` adds a link to log in."""
        return self.page("error.html", status, title=title, message=message, login=login)

    def ask(self, status: int = 200, form: Form | None = None, **values: object) -> Response:
        """The form, with the user's input in it, and messages above it."""
        before = typing.cast("Asked | None", values.pop("before", None))
        shown: Json = {
            "fields": form.fields if form else {},
            "notes": form.notes if form else [],
            "submitted": form is not None,
            "local_facts": self.interface.local_facts is not None,
            "max_bytes": self.interface.max_bytes,
            "max_size": size_in_words(self.interface.max_bytes),
            "answer": None,
            "before": before._replace(name=redact(before.name)) if before else None,
            "problem": "",
            **values,
        }
        page = self.page("ask.html", status, **shown)
        if form is None:
            # The empty form holds no pasted text. If a browser may cache it, Back restores the user's input.
            page.headers["Cache-Control"] = "private, no-cache"
        return page

    async def answer(self, form: Form, sender: str = "", request: Request | None = None) -> Response:
        """Diagnose the form's question. An error is shown on the same page, which keeps the text.

        Args:
            form: the submitted fields.
            sender: an opaque id of the sender.
            request: the request with the form; a proxy may send it twice.
        """
        if form.too_large:
            return self.ask(413, form, problem=_too_large(form, self.interface.max_bytes))
        again = form.fields.get(AGAIN, "")
        before = None
        try:
            before = await self.interface.remember(self._earlier, again) if again else None
            question = question_of(form, self.interface.knowledge.fact_types, before)
            if again and before is None and not question.pieces:
                form.fields["facts"] = question.facts_text
                return self.ask(422, form, problem=_NO_LONGER_HERE)
            given = await self.interface.receive(question.pieces, question.facts)
            if not given.text.strip() and not given.facts:
                empty = "Paste an error or a log, or say in your own words what happens."
                return self.ask(422, form, problem=given.nothing or empty)
            document = with_notes(await self._diagnose(form, given), [*form.notes, *given.notes])
        except InputError as error:  # the file holds no text
            form.file = None
            return self._problem(422, form, str(error), before)
        except (FormError, FactError, CollectorError) as error:
            place = "Facts: " if isinstance(error, FactError) and not str(error).startswith("facts") else ""
            return self._problem(422, form, place + str(error), before)
        except UnavailableError as error:
            page = self._problem(503, form, str(error), before)
            page.headers["Retry-After"] = str(error.retry_after_s)
            return page
        except NotAllowedError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever failed, the user's text must not be lost
            log_fault("POST /", error)
            return self._problem(500, form, SENTENCE + ".", before)
        handed = _handed_over(form, before)
        about = about_given(document, given.text, *handed, self._key)
        keep = not form.fields.get("private")
        token = token_of_request(request, given) if request else ""
        outcome = await self._remembered(document, about, sender, keep, token)
        if outcome.token:
            self.texts.keep(outcome.token, given.text, About(given.facts, *handed))
            return RedirectResponse(f"/a/{outcome.token}", 303)
        if before is None:
            keep_in_form(form, question, given)
        return typing.cast(Response, await self.interface.run(self._direct, form, outcome, len(given.text), before))

    async def _remembered(self, document: "Answer", about: Json, sender: str, keep: bool, token: str) -> Remembered:
        try:
            outcome: Remembered = await self.interface.remember(remembered, self.memory, document, about, sender, keep, token)
        except MemoryAwayError:
            return without_memory(document, about, keep)
        return outcome

    async def _diagnose(self, form: Form, given: Given) -> "Answer":
        collected = None
        if self.interface.local_facts is not None and form.fields.get("local_facts") and not given.machine:
            collected = await self.interface.run(self.interface.local_facts)
        return await self.interface.diagnose(given.text, given.facts or None, _MOST_ANSWERS, collected)

    def _problem(self, status: int, form: Form, problem: str, before: Asked | None) -> Response:
        """The form again, with the error. A browser does not keep a chosen file, so a short one goes into the text area."""
        if form.file is not None and form.file[0]:  # without a chosen file, a browser sends an empty one
            short = len(form.file[0]) <= LONGEST_SHOWN
            text = unpack(*form.file, self.interface.max_bytes).text if short else ""
            if not text.strip() or len(text) > LONGEST_SHOWN:
                problem = f"{problem.rstrip('.')}. Choose {form.file[1] or 'the file'} again."
            else:
                typed = form.fields.get("text", "").rstrip("\n")
                form.fields["text"] = f"{typed}\n{text}" if typed.strip() else text
        return self.ask(status, form, problem=problem, before=before)

    def _text(self, token: str) -> Asked | None:
        found = self.texts.take(token, About)
        return Asked(found[0], *found[1]) if found else None

    def _earlier(self, token: str) -> Asked | None:
        """The question of a kept answer, if both are still there.

        Raises:
            NotAllowedError: the caller may not read answers.
        """
        before = self._text(token)
        # Another process may have deleted the answer; its text is gone with it.
        return before if before is not None and self.memory.read(token) is not None else None

    def _direct(self, form: Form, outcome: Remembered, length: int, before: Asked | None) -> Response:
        """The answer without a link. If it adds to an earlier text, it is redacted: whoever has the link may ask for it."""
        if before is not None:
            safe = redact_document({"answer": outcome.answer, "given": outcome.given}, examples_of(outcome.answer))
            outcome = outcome._replace(**safe)
        page = self.ask(
            200,
            form,
            answer=view.answer_view(typing.cast("Answer", outcome.answer), outcome.given, self.interface.knowledge),
            kept=None,
            seen=self._seen(outcome.given),
            before=before,
            whole=before is not None or length <= LONGEST_SHOWN,
            markdown=markdown(outcome.answer),
        )
        # The browser's Back returns to this page; the server keeps nothing.
        page.headers["Cache-Control"] = "private, no-cache"
        return page

    def _seen(self, about: Json) -> Json | None:
        seen = about.get("seen")
        return view.seen_view(seen, self.interface.knowledge) if seen else None

    def kept(self, kept: Kept, said: str = "") -> Response:
        """The page of a kept answer."""
        answer = view.answer_view(typing.cast("Answer", kept.answer), kept.given, self.interface.knowledge)
        page = self.page(
            "answered.html",
            answer=answer,
            kept=kept,
            said=said,
            seen=self._seen(kept.given),
            again=self._text(kept.token) is not None,
            may_delete=may_forget(self.memory, kept.token),
            markdown=markdown(kept.answer),
        )
        page.headers["X-Robots-Tag"] = "noindex"
        return page

    def again(self, token: str) -> Response:
        """The form for a further question about an earlier text; if the text is short, the form contains it, redacted."""
        before = self._earlier(token)
        if before is None:
            return self.ask(problem="The text of that answer is no longer here. Paste it again.", form=Form())
        form = Form()
        if len(before.text) <= LONGEST_SHOWN:
            form.fields["text"] = redact(before.text)
            form.fields["facts"] = json.dumps(redact_document(before.facts), indent=2, ensure_ascii=False) if before.facts else ""
            return self.ask(form=form)
        form.fields[AGAIN] = token
        return self.ask(form=form, before=before)

    def entries(self, query: str) -> Response:
        """All entries by family, or the results of a search for the words."""
        if query:
            hits = self.interface.search.find(query, _MOST_FOUND)
            groups = {kind: [hit for hit in hits if (hit["kind"] == "entry") == (kind == "entries")] for kind in _FOUND}
            first = bool(hits) and hits[0]["kind"] != "entry"
            return self.page("entries.html", query=query, found=groups, names_first=first, heading=entry_view.heading)
        groups_of_all = entry_view.families(self.interface.knowledge)
        return self.page("entries.html", query="", groups=groups_of_all, count=len(self.interface.knowledge.entries()))

    def entry(self, name: str) -> Response:
        """One entry; if there is none with this name, the results of a search for the name."""
        knowledge = self.interface.knowledge
        try:
            entry = knowledge.entry(name)
        except KeyError:
            near = self.interface.search.entries(name.replace("-", " "), 5)
            message = f"No entry is called \u201c{name[:80]}\u201d. The list of entries has them all."
            return self.page("error.html", 404, title="No such entry", message=message, near=near)
        return self.page("entry.html", entry=entry_view.entry_view(entry, knowledge), public_url=self.interface.public_url)

    def api(self) -> Response:
        """The description of the API, generated from its OpenAPI document."""
        facts = self.interface.knowledge.fact_types
        return self.page("api.html", document=self._openapi(), facts=facts, max_size=size_in_words(self.interface.max_bytes))


def page_router(pages: Pages) -> APIRouter:
    """The routes of the pages; none of them is part of the API's description."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def ask(request: Request) -> Response:
        again = request.query_params.get(AGAIN, "")
        if again:
            return typing.cast(Response, await pages.interface.remember(pages.again, again))
        return pages.ask(deleted="deleted" in request.query_params)

    @router.post("/")
    async def answer(request: Request) -> Response:
        try:
            form = await read_form(request, pages.interface.max_bytes, pages.interface.apart)
        except BodyError as error:
            return pages.ask(422, problem=f"The form could not be read: {error}.")
        return await pages.answer(form, sender_of(request), request)

    @router.get("/entries")
    async def entries(request: Request) -> Response:
        return typing.cast(
            Response, await pages.interface.run(pages.entries, request.query_params.get("q", "").strip()[:LONGEST_QUERY])
        )

    @router.get("/entries/{name}")
    async def entry(name: str) -> Response:
        return typing.cast(Response, await pages.interface.run(pages.entry, name))

    @router.get("/docs")
    async def docs() -> Response:
        return pages.api()

    return router


def _too_large(form: Form, most: int) -> str:
    """The message about a text whose end cannot be kept."""
    kept = "" if form.file else f" The form below holds the first {size_in_words(KEPT_WHEN_TOO_LARGE)} of the text."
    return too_large_advice(most) + kept


def _handed_over(form: Form, before: Asked | None) -> tuple[str, int]:
    """Name and size in bytes of the input; the name is empty for a paste."""
    if form.file is not None and form.file[0]:
        return form.file[1], form.sizes.get("file", len(form.file[0]))
    if before is not None:
        return before.name, before.size
    return "", form.sizes.get("text", 0)


def _digest(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:10]
