"""The language server: problems when a document is opened, changed or saved; fixes; and the page of a rule."""

import asyncio
import os
import typing
import urllib.parse

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from tfhelp.service.doors.lsp import editing
from tfhelp.service.doors.lsp.opened import Opened, Sheet
from tfhelp.service.doors.lsp.pages import page_file, rule_markdown
from tfhelp.service.errors import InputError
from tfhelp.service.lint import configuration
from tfhelp.service.lint.checking import Checked, Problem, Settings
from tfhelp.service.lint.rules import Rule, Selection
from tfhelp.service.lint.sources import Exclude
from tfhelp.service.version import VERSION

FIX_ALL = "source.fixAll.tfhelp"
DEBOUNCE_SECONDS = 0.3  # wait after the last change; the pauses between keystrokes are shorter
SOURCE = "tfhelp"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(cells=[types.NotebookCellLanguage(language="python")]),
    ],
    save=True,
)


class Examined(typing.NamedTuple):
    """A document, the problems in it, and the settings that it was checked with."""

    opened: Opened
    checked: Checked
    settings: Settings

    def at(self, uri: str, where: types.Range) -> list[Problem]:
        """The problems in a sheet that touch a range."""
        return [
            problem
            for problem in self.checked.problems
            if self.opened.sheet_of(problem).uri == uri and _touch(self.opened.range_of(problem), where)
        ]


class LintServer(LanguageServer):
    """Checks the open documents."""

    def __init__(self) -> None:
        super().__init__("tfhelp", VERSION, notebook_document_sync=_NOTEBOOKS)
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._entries: dict[str, str] | None = None
        self._told: set[str] = set()
        self.rule_pages = ""

    async def look(self, uri: str, delay: float = 0.0) -> None:
        """Check a script or notebook after a delay; a later call replaces one that is still waiting."""
        earlier = self._waiting.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        self._waiting[uri] = asyncio.current_task()  # type: ignore[assignment]
        try:
            await asyncio.sleep(delay)
            await self._publish(uri)
        except asyncio.CancelledError:
            return
        finally:
            if self._waiting.get(uri) is asyncio.current_task():
                del self._waiting[uri]

    async def _publish(self, uri: str) -> None:
        examined = await self.examined(uri)
        if examined is None:
            return
        for sheet in examined.opened.sheets:
            found = [problem for problem in examined.checked.problems if examined.opened.sheet_of(problem) == sheet]
            rows = [self._diagnostic(examined.opened, problem) for problem in found]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(sheet.uri, rows, sheet.version))

    async def examined(self, uri: str) -> Examined | None:
        """The problems in the script or notebook that a URI belongs to; ``None`` if it is not open."""
        opened = self._opened(uri)
        if opened is None or not opened.sheets:
            return None
        return await asyncio.to_thread(self._examine, opened)

    def _examine(self, opened: Opened) -> Examined:
        self.entries()
        settings, exclude = self._settings(opened.path)
        checked = opened.check(settings)
        if exclude.matches(opened.path):
            checked.problems = []
        return Examined(opened, checked, settings)

    def _settings(self, path: str) -> tuple[Settings, Exclude]:
        exclude = Exclude()
        try:
            own = configuration.find([path]) if os.path.isabs(path) else configuration.Configuration()
        except InputError as error:
            self._show_message(str(error))
            own = configuration.Configuration()
        exclude.add(own.exclude, os.path.dirname(own.path))
        return Settings(Selection(own.select, own.ignore)), exclude

    def _show_message(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"tfhelp: {sentence}"))

    def _opened(self, uri: str) -> Opened | None:
        notebook = self.workspace.get_notebook_document(notebook_uri=uri) or self.workspace.get_notebook_document(cell_uri=uri)
        # pygls keeps documents by their decoded URIs; older releases keep them as the editor sends them.
        if notebook is None and {uri, urllib.parse.unquote(uri)}.isdisjoint(self.workspace.text_documents):
            return None
        uris_of_sheets = [uri]
        if notebook is not None:
            uris_of_sheets = [cell.document for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
        documents = [self.workspace.get_text_document(one) for one in uris_of_sheets]
        sheets = [Sheet(one.uri, one.version, one.source) for one in documents]
        whole = notebook.uri if notebook is not None else uri
        return Opened(whole, _path(whole), notebook is not None, sheets, self.workspace.position_codec)

    def _diagnostic(self, opened: Opened, problem: Problem) -> types.Diagnostic:
        link = self._link(problem.rule)
        return types.Diagnostic(
            range=opened.range_of(problem),
            message=problem.message,
            severity=_SEVERITIES[problem.severity],
            code=problem.rule.code,
            code_description=types.CodeDescription(link) if link else None,
            source=SOURCE,
        )

    def _link(self, rule: Rule) -> str | None:
        return self.rule_pages.replace("{code}", rule.code) if self.rule_pages else page_file(rule, self.entries())

    def entries(self) -> dict[str, str]:
        """fact -> entry that explains it."""
        if self._entries is None:
            from tfhelp.kb import compiled
            from tfhelp.service.lint.linting import entries_by_fact

            self._entries = entries_by_fact(compiled.load())
        return self._entries

    def clear(self, uri: str) -> None:
        """Remove the problems of a document that was closed."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def edit(self, edits: editing.Edits) -> types.WorkspaceEdit:
        """Edits in the client's form: with versions, so that the client refuses edits of an older text."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
            return types.WorkspaceEdit(
                document_changes=[
                    types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(sheet.uri, sheet.version), [edit])
                    for sheet, edit in edits
                ]
            )
        return types.WorkspaceEdit(changes={sheet.uri: [edit] for sheet, edit in edits})


def make_server() -> LintServer:
    """The server with its features."""
    server = LintServer()
    _add_documents(server)
    _add_notebooks(server)
    _add_help(server)
    return server


def _add_documents(server: LintServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        options = params.initialization_options
        pages = options.get("rulePages") if isinstance(options, dict) else None
        server.rule_pages = pages if isinstance(pages, str) else ""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await server.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        await server.look(params.text_document.uri, DEBOUNCE_SECONDS)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await server.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.clear(params.text_document.uri)


def _add_notebooks(server: LintServer) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        await server.look(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        for gone in cells.structure.did_close or [] if cells and cells.structure else []:
            server.clear(gone.uri)
        await server.look(params.notebook_document.uri, DEBOUNCE_SECONDS)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveNotebookDocumentParams) -> None:
        await server.look(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            server.clear(cell.uri)


def _add_help(server: LintServer) -> None:
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        examined = await server.examined(params.text_document.uri)
        if examined is None:
            return []
        return await asyncio.to_thread(_actions, server, examined, params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        examined = await server.examined(params.text_document.uri)
        here = types.Range(params.position, params.position)
        found = examined.at(params.text_document.uri, here) if examined else []
        if examined is None or not found:
            return None
        pages = [rule_markdown(rule, server.entries()) for rule in dict.fromkeys(problem.rule for problem in found)]
        content = types.MarkupContent(types.MarkupKind.Markdown, "\n---\n\n".join(pages))
        return types.Hover(content, examined.opened.range_of(found[0]))


def _actions(server: LintServer, examined: Examined, params: types.CodeActionParams) -> list[types.CodeAction]:
    wanted = params.context.only
    made: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, wanted):
        for problem in examined.at(params.text_document.uri, params.range):
            made += _quick_fixes(server, examined, problem)
    if wanted and _is_wanted(FIX_ALL, wanted):
        edits = editing.all_safe_fixes(examined.opened, examined.checked, examined.settings)
        title = "tfhelp: make all safe fixes"
        made += [types.CodeAction(title, kind=FIX_ALL, edit=server.edit(edits))] if edits else []
    return made


def _quick_fixes(server: LintServer, examined: Examined, problem: Problem) -> list[types.CodeAction]:
    code = problem.rule.code
    careful = "" if problem.safety == "safe" else "; it changes results"
    offers = [
        (f"tfhelp: fix {code}{careful}", editing.one_fix(examined.opened, examined.checked, problem) if problem.safety else []),
        (f"tfhelp: leave out {code} here (# noqa: {code})", editing.leave_out(examined.opened, problem, examined.settings)),
    ]
    diagnostic = [server._diagnostic(examined.opened, problem)]
    return [
        types.CodeAction(
            title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=diagnostic,
            edit=server.edit(edits),
            is_preferred=number == 0 and problem.safety == "safe",
        )
        for number, (title, edits) in enumerate(offers)
        if edits
    ]


def _is_wanted(kind: str, wanted: typing.Sequence[str] | None) -> bool:
    """Return whether a kind of action is asked for, by its name or by a prefix of it."""
    return wanted is None or any(kind == one or kind.startswith(f"{one}.") for one in wanted)


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _path(uri: str) -> str:
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return path or "untitled.py"
