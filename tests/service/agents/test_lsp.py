"""``tfhelp lsp`` as an editor starts it: problems, fixes, comments, pages, notebooks."""

import asyncio
import json
import pathlib
import re
import sys
import typing
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace.position_codec import PositionCodec

from tests.service.agents.editor import Editor, applied
from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.doors.lsp.editing import edit_between
from tfhelp.service.doors.lsp.opened import Opened
from tfhelp.service.doors.lsp.server import LintServer

OLD_RATE = 'import tensorflow as tf\nname = "\U0001f600"; opt = tf.keras.optimizers.Adam(lr=0.1)\n'
WHERE = types.Range(types.Position(1, 21), types.Position(1, 21))


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Editor]:
    with Editor(tmp_path_factory.mktemp("editor")) as running:
        yield running


def _uri(folder: pathlib.Path, name: str = "train.py") -> str:
    return (folder / name).as_uri()


def _edits(action: types.CodeAction) -> dict[str, list[typing.Any]]:
    """uri -> edits, for an action whose edits carry a version."""
    assert action.edit is not None and action.edit.document_changes
    changes = typing.cast("list[types.TextDocumentEdit]", action.edit.document_changes)
    assert all(change.text_document.version is not None for change in changes)
    return {change.text_document.uri: list(change.edits) for change in changes}


def test_problems_come_with_place_code_and_page(editor: Editor, tmp_path: pathlib.Path) -> None:
    [problem] = editor.open(_uri(tmp_path), OLD_RATE)
    assert (problem.code, problem.source, problem.severity) == ("TFH505", "tfhelp", types.DiagnosticSeverity.Error)
    # The character before the place is two UTF-16 units, as editors count.
    assert problem.range == types.Range(types.Position(1, 19), types.Position(1, 51))
    assert problem.code_description is not None
    page = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(problem.code_description.href).path))
    assert page.read_text().startswith("### TFH505")


@pytest.mark.parametrize("name", ["a folder", "größer", "100%", "a#b"])
def test_a_folder_may_have_any_name(editor: Editor, tmp_path: pathlib.Path, name: str) -> None:
    uri = _uri(tmp_path / name)  # percent-encoded, as editors send it
    assert len(editor.open(uri, OLD_RATE)) == 1
    editor.change(uri, 2, "x = 1\n")
    assert editor.problems(uri, 2) == []


def test_changes_are_looked_at_once_the_typing_stops(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    assert editor.open(uri, "x = 1\n") == []
    for version in range(2, 6):
        editor.change(uri, version, OLD_RATE + "#" * version)
    assert len(editor.problems(uri, 5)) == 1
    editor.change(uri, 6, "def broken(:\n")
    assert editor.problems(uri, 6) == []
    editor.tell("text_document_did_save", types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
    assert editor.problems(uri) == []


def test_only_the_last_of_several_quick_changes_is_checked() -> None:
    """The waits of the first ones would last an hour."""

    async def typed() -> list[str]:
        server, looked = LintServer(), []

        async def publish(uri: str) -> None:
            looked.append(uri)

        server._publish = publish  # type: ignore[method-assign]
        await asyncio.gather(*(server.look(uri, delay) for uri in ("a", "b") for delay in (3600.0, 3600.0, 0.0)))
        return looked

    assert sorted(asyncio.run(typed())) == ["a", "b"]


def test_closing_takes_the_problems_away(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    assert editor.open(uri, OLD_RATE)
    editor.tell("text_document_did_close", types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    assert editor.problems(uri) == []


def test_a_cure_is_offered_and_works(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    editor.open(uri, OLD_RATE)
    first_fix, comment = editor.actions(uri, WHERE)
    assert first_fix.is_preferred and first_fix.diagnostics and first_fix.diagnostics[0].code == "TFH505"
    assert applied(OLD_RATE, _edits(first_fix)[uri]) == OLD_RATE.replace("lr=", "learning_rate=")
    left_out = applied(OLD_RATE, _edits(comment)[uri])
    assert left_out == OLD_RATE.replace("(lr=0.1)", "(lr=0.1)  # noqa: TFH505")
    editor.change(uri, 2, left_out)
    assert editor.problems(uri, 2) == []
    assert editor.actions(uri, types.Range(types.Position(0, 0), types.Position(0, 1))) == []


def test_all_safe_fixes_are_one_action(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri, text = _uri(tmp_path), OLD_RATE + "other = tf.keras.optimizers.SGD(lr=0.2)\n"
    assert len(editor.open(uri, text)) == 2
    nowhere = types.Range(types.Position(0, 0), types.Position(0, 0))
    [action] = editor.actions(uri, nowhere, ["source.fixAll"])
    assert action.kind == "source.fixAll.tfhelp"
    assert applied(text, _edits(action)[uri]) == text.replace("lr=", "learning_rate=")
    assert editor.actions(uri, WHERE, ["refactor"]) == []


def test_a_comment_in_a_long_call_stands_where_it_counts(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    text = "import tensorflow as tf\nopt = tf.keras.optimizers.Adam(  # noqa: E501\n    lr=0.1,\n)\n"
    editor.open(uri, text)
    comment = editor.actions(uri, types.Range(types.Position(1, 8), types.Position(1, 8)))[-1]
    left_out = applied(text, _edits(comment)[uri])
    assert "# noqa: E501, TFH505" in left_out
    editor.change(uri, 2, left_out)
    assert editor.problems(uri, 2) == []


def test_hover_shows_the_page(editor: Editor, tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    editor.open(uri, OLD_RATE)
    page = editor.hover(uri, 1, 25)
    assert "TFH505" in page and "**Instead:**" in page and "```python" in page
    assert editor.hover(uri, 0, 2) == ""


def test_settings_of_the_project_count(editor: Editor, tmp_path: pathlib.Path) -> None:
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.tfhelp.lint]\nignore = ["TFH5"]\n')
    assert editor.open(_uri(tmp_path), OLD_RATE) == []
    settings.write_text('[tool.tfhelp.lint]\nexclude = ["old"]\n')
    assert editor.open(_uri(tmp_path, "old/train.py"), OLD_RATE) == []
    settings.write_text("[tool.tfhelp.lint]\nignore = 1\n")
    assert len(editor.open(_uri(tmp_path, "again.py"), OLD_RATE)) == 1
    assert "tool.tfhelp.lint.ignore" in editor.messages.get(timeout=120)


def _notebook(folder: pathlib.Path, *cells: str) -> tuple[types.NotebookDocument, list[types.TextDocumentItem]]:
    uri = _uri(folder, "train.ipynb")
    items = [types.TextDocumentItem(f"{uri}#{number}", "python", 1, cell) for number, cell in enumerate(cells)]
    rows = [types.NotebookCell(types.NotebookCellKind.Code, item.uri) for item in items]
    rows.insert(1, types.NotebookCell(types.NotebookCellKind.Markup, f"{uri}#words"))
    return types.NotebookDocument(uri, "jupyter-notebook", 1, rows), items


def test_a_notebook_is_one_program(editor: Editor, tmp_path: pathlib.Path) -> None:
    second = "%matplotlib inline\nopt = tf.keras.optimizers.Adam(lr=0.1)"
    document, items = _notebook(tmp_path, "import tensorflow as tf", second)
    editor.tell("notebook_document_did_open", types.DidOpenNotebookDocumentParams(document, items))
    assert editor.problems(items[0].uri) == []
    [problem] = editor.problems(items[1].uri)
    assert (problem.code, problem.range.start) == ("TFH505", types.Position(1, 6))
    first_fix = editor.actions(items[1].uri, problem.range)[0]
    assert applied(second, _edits(first_fix)[items[1].uri]) == second.replace("lr=", "learning_rate=")
    assert "TFH505" in editor.hover(items[1].uri, 1, 8)
    change = types.NotebookDocumentCellContentChanges(
        document=types.VersionedTextDocumentIdentifier(uri=items[1].uri, version=2),
        changes=[types.TextDocumentContentChangeWholeDocument("x = 1")],
    )
    changed = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[change]))
    identifier = types.VersionedNotebookDocumentIdentifier(2, document.uri)
    editor.tell("notebook_document_did_change", types.DidChangeNotebookDocumentParams(identifier, changed))
    assert editor.problems(items[1].uri, 2) == []
    closed = types.DidCloseNotebookDocumentParams(
        types.NotebookDocumentIdentifier(document.uri), [types.TextDocumentIdentifier(item.uri) for item in items]
    )
    editor.tell("notebook_document_did_close", closed)
    assert editor.problems(items[1].uri) == []


def test_a_plain_client_with_pages_of_its_own(tmp_path: pathlib.Path) -> None:
    uri = _uri(tmp_path)
    editor = Editor(tmp_path, {"rulePages": "https://rules.example.org/{code}"}, versioned=False)
    try:
        [problem] = editor.open(uri, OLD_RATE)
        assert problem.code_description and problem.code_description.href == "https://rules.example.org/TFH505"
        action = editor.actions(uri, WHERE)[0]
        assert action.edit is not None and action.edit.changes is not None
        assert applied(OLD_RATE, action.edit.changes[uri]) == OLD_RATE.replace("lr=", "learning_rate=")
    finally:
        assert editor.close() == 0


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    assert main(["lsp"]) == 2
    assert "-py3-none-any.whl[lsp]'" in capsys.readouterr().err


@given(st.text("ab\n\U0001f600", max_size=12), st.text("ab\n\U0001f600", max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_an_edit_turns_one_text_into_the_other(before: str, after: str, end: str) -> None:
    before, after = before.replace("\n", end), after.replace("\n", end)
    edit = edit_between(Opened("", "", False, [], PositionCodec()), before, after)
    assert applied(before, [edit]) == after
    if end == "\r\n":  # an editor cannot point between the two characters
        lines = before.split("\r\n")
        for place in (edit.range.start, edit.range.end):
            assert place.character <= len(lines[place.line].encode("utf-16-le")) // 2


def test_the_problem_matcher_reads_what_lint_prints(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (pathlib.Path(__file__).parents[3] / "docs" / "editors.md").read_text(encoding="utf-8")
    start = page.index('{"version": "2.0.0"')
    task = json.JSONDecoder().raw_decode(page[start:])[0]["tasks"][0]
    pattern = task["problemMatcher"]["pattern"]
    script = tmp_path / "train.py"
    script.write_text(OLD_RATE)
    arguments = task["command"].removeprefix("tfhelp ").removesuffix(" .").split()
    assert main([*arguments, str(script)]) == 0
    [found] = [match for line in capsys.readouterr().out.splitlines() if (match := re.match(pattern["regexp"], line))]
    assert (found[pattern["file"]], found[pattern["line"]], found[pattern["code"]]) == (str(script), "2", "TFH505")
