"""The output of the extension: escaped in every form, in the words of the other doors, and complete."""

import html.parser
import http.server
import json
import pathlib
import shlex
import threading
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tfhelp
from tests.service.serving import Server
from tfhelp.service import vocabulary
from tfhelp.service.doors.notebook import kernel
from tfhelp.service.doors.notebook.kernel import asking, blocks, cells, failures, rendering
from tfhelp.service.version import VERSION

ALLOWED = {"div", "pre", "code", "ol", "li", "details", "summary"}
HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(1)> `code` ``` [a](javascript:x) \x1b[31m\u202e {{7}}"
KINDS = ("title", "strong", "text", "dim", "warning", "code", "quote")


class Tags(html.parser.HTMLParser):
    """Collects tags, attributes and text, and checks that every element is closed in its place."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(document)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        assert all("url(" not in (value or "") and "expression" not in (value or "") for _, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def all_kinds(text: str) -> list[blocks.Block]:
    inner = tuple(blocks.Block(kind, text, language="python") for kind in KINDS)
    return [*inner, blocks.Block("steps", "", (inner, inner)), blocks.Block("fold", text, (inner,))]


@given(st.text(max_size=60) | st.just(HOSTILE))
def test_html_holds_nothing_but_our_own_elements(text: str) -> None:
    document = rendering.as_html(all_kinds(text), full=True)
    seen = Tags(document)
    assert seen.tags <= ALLOWED
    assert seen.attributes <= {"style", "open"}
    assert "\x1b" not in document
    assert "\u202e" not in document


def test_hostile_text_is_shown_as_text() -> None:
    seen = Tags(rendering.as_html([blocks.Block("quote", HOSTILE)]))
    assert "<script>alert(1)</script>" in seen.text
    assert "<script" not in rendering.as_markdown([blocks.Block("text", HOSTILE)])
    assert r"\[a\](javascript" in rendering.as_markdown([blocks.Block("text", HOSTILE)])
    quoted = rendering.as_markdown([blocks.Block("quote", HOSTILE)])
    assert quoted.startswith("````text\n")  # longer than the fence inside
    plain = rendering.as_plain(all_kinds(HOSTILE), full=True)
    assert "\x1b" not in plain
    assert "\u202e" not in plain


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: Shapes (None, 1) and (None, 10) are incompatible",
        "Epoch 1/1\n4/4 - 1s - loss: 0.5\n",
        "what shall I cook today",
        "training is slow",
        "ValueError: Cannot take the length of shape with unknown rank.",
        "Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file",
        f"ValueError: Shapes (None, 1) and (None, 10) are incompatible\n{HOSTILE}",
    ],
)
def test_every_verdict_is_shown_in_all_forms(text: str) -> None:
    answer = dict(tfhelp.diagnose(text))
    for full in (False, True):
        shown = rendering.bundle(blocks.blocks_of(answer, full), full)
        seen = Tags(shown["text/html"])
        assert seen.tags <= ALLOWED
        assert "<script" not in shown["text/markdown"].replace("```", "") or text.count("<script")
        assert shown["text/plain"].strip()
        for match in answer["matches"][:1] if answer["verdict"] != "nothing-failed" else []:
            assert all(match["title"].replace("`", "") in form for form in (seen.text, shown["text/plain"].replace("\n", " ")))
        fix = answer["matches"][0]["causes"][0]["fix"] if answer["verdict"] in ("diagnosed", "likely") else {"steps": []}
        for snippet in (step["snippet"]["code"] for step in fix["steps"] if "snippet" in step):
            assert snippet.rstrip() in seen.text
    assert blocks.headline(answer).count("\n") == 0


def test_the_words_are_those_of_all_doors() -> None:
    assert (blocks.VERDICTS, blocks.CAUSE_VERDICTS, blocks.SAFETY) == (
        vocabulary.VERDICTS,
        vocabulary.CAUSE_VERDICTS,
        vocabulary.SAFETY,
    )
    assert blocks.EXPLAINED == vocabulary.EXPLAINED
    assert [blocks.percent(share) for share in (0.004, 0.62, 1.0)] == [vocabulary.percent(share) for share in (0.004, 0.62, 1.0)]
    assert kernel.__version__ == VERSION


def test_a_changed_cell_replaces_its_earlier_form() -> None:
    session = cells.Cells()
    session.add(1, "import tensorflow as tf")
    session.add(2, "model.compile(loss='categorical_crossentropy')\nmodel.fit(x, y)")
    session.add(3, "model.compile(loss='sparse_categorical_crossentropy')\nmodel.fit(x, y)")
    session.add(4, "tf.keras.backend.clear_session()", "a")
    session.add(5, "print(1)")
    session.add(6, "completely_different()", "a")
    assert sorted(session.sources()) == [1, 3, 5, 6]
    import json

    sources = [cell["source"] for cell in json.loads(session.as_notebook())["cells"]]
    assert [sources[number - 1] for number in (2, 4)] == ["", ""]
    assert sources[2].startswith("model.compile(loss='sparse")


def test_whose_a_failure_is() -> None:
    def raised(error: BaseException, module: str) -> BaseException:
        try:
            exec("raise error", {"__name__": module, "error": error})
        except BaseException as caught:  # noqa: BLE001
            return caught
        raise AssertionError

    ours = raised(ValueError("x"), "keras.src.utils.traceback_utils")
    outer = RuntimeError("outer")
    outer.__cause__ = ours
    assert failures.is_of_tensorflow(ours)
    assert failures.is_of_tensorflow(outer)
    assert failures.is_of_tensorflow(ExceptionGroup("both", [OSError("x"), ours]))
    assert failures.is_of_tensorflow(raised(ValueError("x"), "tensorflow.python.ops"))
    assert not failures.is_of_tensorflow(raised(ValueError("x"), "tensorflowish"))
    assert not failures.is_of_tensorflow(raised(NameError("x"), "__main__"))
    assert not failures.may_be_known(NameError("tensorflow"), "NameError: tensorflow")


def test_a_server_answers_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFHELP_SERVER", server.url)
    monkeypatch.delenv("TFHELP_COMMAND", raising=False)
    answer = asking.answer_to(asking.Question("ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64]"))
    assert answer["verdict"] in typing.cast(typing.Any, blocks.VERDICTS)
    assert "packages" in answer["facts"]


class _Listening(http.server.BaseHTTPRequestHandler):
    """Notes what comes, and refuses it."""

    came: typing.ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.came.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_error(500)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_text_for_a_server_is_redacted_before_it_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TFHELP_COMMAND", raising=False)
    text = "OSError: cannot open /home/quillfeather/data, password=hunter2-hunter2 for quillfeather@example.com"
    _Listening.came.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Listening) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        monkeypatch.setenv("TFHELP_SERVER", f"http://127.0.0.1:{listening.server_port}")
        with pytest.raises(asking.AskError):
            asking.answer_to(asking.Question(text, collect=False))
        listening.shutdown()
    assert len(_Listening.came) == 1
    sent = json.loads(_Listening.came[0])["text"]
    assert "cannot open" in sent and "hunter2" not in sent and "quillfeather" not in sent


def test_without_tfhelp_a_text_stays_on_this_machine_unless_you_allow_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_is_installed", lambda: False)
    for name, value in (
        ("TFHELP_COMMAND", ""),
        ("PATH", ""),
        ("HOME", "/nowhere"),
        ("TFHELP_SERVER", "http://help.invalid:8000"),
    ):
        monkeypatch.setenv(name, value)
    with pytest.raises(asking.AskError, match="cannot remove secrets.*TFHELP_UNREDACTED=1"):
        asking.answer_to(asking.Question("x", collect=False))
    monkeypatch.setenv("TFHELP_UNREDACTED", "1")
    with pytest.raises(asking.AskError, match="help.invalid:8000 does not answer"):
        asking.answer_to(asking.Question("x", collect=False))
    monkeypatch.delenv("TFHELP_UNREDACTED")
    monkeypatch.setenv("TFHELP_SERVER", server.url)
    assert asking.answer_to(asking.Question("x", collect=False))["verdict"]


class _Redirecting(http.server.BaseHTTPRequestHandler):
    """Notes the token of each request, and sends the client from the first path to another."""

    came: typing.ClassVar[list[tuple[str, str | None]]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.came.append((self.path, self.headers["authorization"]))
        self.send_response(302)
        self.send_header("location", "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.came.append((self.path, self.headers["authorization"]))
        reason = b'{"error": {"status": 401, "code": "no-token", "path": "", "reason": "this server needs a token or a login"}}'
        self.send_response(401)
        self.send_header("content-length", str(len(reason)))
        self.end_headers()
        self.wfile.write(reason)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_without_tfhelp_a_server_gets_the_token_and_the_target_of_its_redirect_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_is_installed", lambda: False)
    _Redirecting.came.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Redirecting) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{listening.server_port}"
        for name, value in (("TFHELP_COMMAND", ""), ("PATH", ""), ("HOME", "/nowhere"), ("TFHELP_SERVER", url)):
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("TFHELP_TOKEN", " word-of-a-token\n")
        with pytest.raises(
            asking.AskError, match=r"\(401\): this server needs a token or a login; ask the server's owner for a token"
        ):
            asking.answer_to(asking.Question("x", collect=False))
        monkeypatch.setenv("TFHELP_TOKEN", "two words")
        with pytest.raises(asking.AskError, match="TFHELP_TOKEN holds no token") as refused:
            asking.answer_to(asking.Question("x", collect=False))
        listening.shutdown()
    assert "two words" not in str(refused.value)
    assert _Redirecting.came == [("/api/v1/diagnose", "Bearer word-of-a-token"), ("/elsewhere", None)]


def test_an_answer_without_an_entry_promises_no_causes() -> None:
    unknown = {"verdict": "unknown", "matches": [], "nearest": [{"entry": "no-gradients", "title": "No gradients"}]}
    plain = rendering.as_plain(blocks.blocks_of(unknown))
    assert "causes" not in plain
    assert plain.endswith("%tfhelp --full shows what comes nearest.")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("TFHELP_SERVER", "nowhere", "expected a URL"),
        ("TFHELP_SERVER", "http://127.0.0.1:9", "does not answer"),
        ("TFHELP_COMMAND", "/no/such/tfhelp", "cannot be started"),
        ("TFHELP_COMMAND", "false", "gave no answer"),
    ],
)
def test_no_answer_is_told_in_one_sentence(name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(asking.AskError, match=says):
        asking.answer_to(asking.Question("x", collect=False))


def test_a_command_is_asked_with_facts_and_cells(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "tfhelp"
    script.write_text(
        '#!/bin/sh\nfor word; do case "$word" in *.ipynb) cells=$(tr -d "\\n" < "$word");; esac; done\n'
        'case "$cells" in *nbformat*) echo "{\\"verdict\\": \\"unknown\\", \\"said\\": \\"$(cat)\\"}";; esac\nexit 1\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("TFHELP_COMMAND", shlex.quote(str(script)))
    session = cells.Cells()
    session.add(1, "x = 1")
    asked = "cells-of-this-kernel.ipynb code cell 3 line 2"
    answer = asking.answer_to(asking.Question(asked, {"run": {"exit_code": 1}}, session.as_notebook()))
    assert answer == {"verdict": "unknown", "said": "In[3] line 2"}
