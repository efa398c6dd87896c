"""The readers of requests: JSON, facts, forms, replies, Slack's payloads, a memory's lines; and the whole answer."""

import asyncio
import functools
import io
import json
import typing
import urllib.parse

from starlette.requests import Request

from tests.collectors.intake import samples
from tests.fuzz.target import Target
from tests.fuzz.text_targets import fact_types, recorded
from tests.service.small_server import small_diagnoser
from tfhelp.kb.fact_sheet import FactError, read_document
from tfhelp.service.diagnosis.given import Piece, receive
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.doors.formats.markdown import markdown
from tfhelp.service.doors.http import asked, strict_json
from tfhelp.service.doors.http.body import BodyError, read_form
from tfhelp.service.doors.http.errors import ApiError
from tfhelp.service.doors.slack import buttons, incoming, mrkdwn
from tfhelp.service.errors import InputError
from tfhelp.service.memory import exchange
from tfhelp.service.memory.fingerprint import fingerprint, without_values

_LIMIT = 2_000  # bytes of a form's text


def _json(data: bytes) -> object:
    try:
        document = strict_json.parse_bytes(data)
    except strict_json.JsonError as error:
        return str(error)
    written = strict_json.dump(document)
    if b"\\ud" not in data.lower():  # a lone surrogate is written as its escape
        assert repr(strict_json.parse_bytes(written)) == repr(document)
    return document


def _facts(data: bytes) -> object:
    try:
        document = strict_json.parse_bytes(data)
        sheet = read_document(document, fact_types())
    except (strict_json.JsonError, FactError) as error:
        return str(error)
    again = read_document(sheet.document(), fact_types())
    assert repr(again.document()) == repr(sheet.document())
    return sheet.document()


def _request(kind: str, body: bytes, size: int) -> Request:
    pieces = [body[start : start + size] for start in range(0, len(body), size)] or [b""]
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting[-1]["more_body"] = False

    async def receive_piece() -> typing.Any:
        return waiting.pop(0)

    scope = {
        "type": "http",
        "method": "POST",
        "headers": [(b"content-type", kind.encode("latin-1", "replace"))],
        "query_string": b"",
    }
    return Request(scope, receive_piece)


def _form(data: bytes) -> object:
    """One byte for the content type, one for the size of the pieces, and the body."""
    if len(data) < 2:
        return None
    kinds = (
        "multipart/form-data; boundary=X",
        "application/x-www-form-urlencoded",
        'multipart/form-data; boundary="a b"',
        "text/plain",
    )
    request = _request(kinds[data[0] % len(kinds)], data[2:], 1 + data[1])
    try:
        form = asyncio.run(read_form(request, _LIMIT))
    except BodyError as error:
        assert str(error)
        return str(error)
    assert all(isinstance(value, str) for value in form.fields.values())
    assert all(len(value.encode()) <= 1 << 20 for name, value in form.fields.items())
    if form.file is not None:
        assert "/" not in form.file[1] and len(form.file[1]) <= 100
    return sorted(form.fields.items()), form.notes, form.file, sorted(form.sizes.items())


def _question(data: bytes) -> object:
    """A text that the API takes as a question."""
    try:
        found = asked._json_question(data, 10_000, fact_types())
        given = receive(found.pieces, found.facts, fact_types, 10_000)
    except (ApiError, InputError) as error:
        if isinstance(error, ApiError):
            assert 400 <= error.status < 500 and error.reason
        return str(error)
    assert 1 <= found.top <= 50
    return given.text, given.facts, given.notes


def _slack(data: bytes) -> object:
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        message = data.decode("utf-8", "replace")
    if not isinstance(message, dict):
        message = {"text": message}
    text = incoming.message_text(message)
    assert len(text) <= 4 * len(data) + 100
    said = data.decode("utf-8", "replace")
    assert set("&<>`") & set(said) or mrkdwn.typed(mrkdwn.escape(said)) == said
    assert len(mrkdwn.code_block(said)) <= 3_000
    assert len(mrkdwn.fit(said, 150)) <= 150
    return text, mrkdwn.typed(said), buttons.read_value(said), incoming.file_name(message)


def _memory_line(data: bytes) -> object:
    try:
        line = exchange._read(data.decode("utf-8", "replace"), "a file, line 2")
    except InputError as error:
        assert str(error).startswith("a file, line 2")
        return str(error)
    exchange._row(line)
    return line


def _fingerprint(data: bytes) -> object:
    """The parts of an answer's failure that a text determines, separated by zero bytes."""
    parts = [*data.decode("utf-8", "replace").split("\x00"), "", "", "", ""]
    failure = dict(zip(("message", "exception", "own", "library"), parts, strict=False))
    mark = fingerprint({"verdict": "unknown", "failure": failure})
    assert len(mark.value) == 32
    message = without_values(parts[0])
    assert "\n" not in message and message == message.strip()
    return mark


def _answered(data: bytes) -> object:
    """A text, from answer to pages."""
    given = receive([Piece(data)], {}, fact_types, 1 << 16) if data.strip() else None
    if given is None:
        return None
    answer = small_diagnoser().diagnose(given.text, given.facts)
    answer["took_ms"] = 0.0
    json.dumps(answer, allow_nan=False)
    shown = io.StringIO()
    show_answer(answer, shown, verbose=True)
    assert not set(shown.getvalue()) & set("\x1b\x07\x08\r")  # a pasted log must not control a terminal
    markdown(answer)
    return answer


def _receive_faulty(data: bytes) -> object:
    try:
        return _answered(data)
    except InputError as error:
        return str(error)


def _forms() -> typing.Iterator[bytes]:
    part = b'--X\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    yield (
        b"\x00\x40"
        + part % (b"text", b"", b"Epoch 1/2\r\nKilled")
        + part % (b"file", b'; filename="C:\\a\\b.log"', b"x")
        + b"--X--\r\n"
    )
    yield b"\x00\x03" + part % (b"facts", b"", b'{"os": {"name": "linux"}}') + b"--X--"
    yield b"\x00\xff" + part % (b"text", b"", b"line\n" * 900) + b"--X--"
    yield b"\x01\x07text=a%0D%0Ab&facts=&file=x&text=again&top=3&x%ff=%80"
    yield b"\x01\x07" + urllib.parse.urlencode({"text": "ä\n" * 400}).encode()


@functools.cache
def _documents() -> list[bytes]:
    values = {"text": "x", "number": 1.5, "integer": 2, "boolean": True, "texts": ["a"], "integers": [1], "list": [{}]}
    documents = []
    for path, kind in list(fact_types().items())[::9]:
        group, _, name = path.partition(".")
        value = values.get(kind, kind[7:].split("|")[0] if kind.startswith("one of ") else None)
        documents.append(json.dumps({group: {name.replace("*", "numpy"): value}} if name else {group: value}).encode())
    documents.append(
        b'{"gpus": [{"name": "A100", "processes": [{"pid": 1, "name": "p", "memory_mib": 1.0}]}], "_about": {"gpus": {"source": "nvml", "state": "ok"}}}'
    )
    return documents


def _questions() -> typing.Iterator[bytes]:
    yield json.dumps({"text": samples.LOG, "facts": {"os": {"name": "linux"}}, "top": 2, "keep": False}).encode()
    yield json.dumps({"code": {"source": samples.SCRIPT, "name": "a/train.py"}, "text": ""}).encode()
    yield b'{"text": "x", "replies": {"host.cpu_count": "4", "driver.version": {"reply": "535.1", "command": "nvidia-smi"}}}'
    yield from _documents()


def _messages() -> typing.Iterator[bytes]:
    yield b'{"text": "<@U1> why &lt;this&gt; ```Killed``` <https://x.org|x>", "files": [{"name": "a.log", "size": 3}]}'
    yield b'{"blocks": [{"type": "rich_text", "elements": [{"elements": [{"type": "text", "text": "OOM"}]}]}]}'
    yield b'{"attachments": [{"pretext": "a", "title": "b", "text": "c", "fallback": "d"}], "text": null}'


def _memory_lines() -> typing.Iterator[bytes]:
    line = {"uid": "0" * 32, "token_hash": "0" * 64, "at": 1.0, "fingerprint": "0" * 32, "fingerprint_version": 1, "message": "m"}
    line |= {"kb_version": "1", "verdict": "known", "entry": "e", "cause": "c", "sender": "", "job": "", "log": "", "digest": ""}
    line |= {"epochs": 1, "steps": 2, "again": False, "answer": {}, "given": {}, "vector": None, "condensed": ""}
    said = {"sender": "aa", "at": 2.0, "said": "helped", "words": "w", "by": "b", "cause": ""}
    yield json.dumps({**line, "feedback": [said]}).encode()
    yield json.dumps({**line, "feedback": []}).encode()


_JSON_WORDS = ('{"', '": ', "\\ud800", "1e999", "NaN", "null", "true", '"_about": {', "[[[[[[", '{"a":1,"a":2}', "\xef\xbb\xbf")

TARGETS = (
    Target("json", _json, _documents, words=_JSON_WORDS),
    Target(
        "facts", _facts, _documents, words=(*_JSON_WORDS, '"gpus": [{', '"packages": {', '"processes": [', "derived", "gpus[]")
    ),
    Target("form", _form, _forms, words=("--X", "--X--\r\n", 'name="text"', 'filename="', "\r\n\r\n", "%0D%0A", "&text=")),
    Target(
        "question",
        _question,
        _questions,
        words=(*_JSON_WORDS, '"replies": {', '"code": {"source": "', '"top": 3', '"keep": false'),
    ),
    Target("slack", _slack, _messages, words=('"text": "', '"blocks": [', '"elements": [', "<@U1>", "&lt;", "```", "<!date^1^")),
    Target("memory-line", _memory_line, _memory_lines, words=(*_JSON_WORDS, '"feedback": [', '"said": "helped"')),
    Target(
        "fingerprint",
        _fingerprint,
        lambda: recorded()[::4],
        words=("\x00", "/job:x/", "shape[1,2]", "'a'", '"b"', "0x7f", " # #"),
    ),
    Target("answer", _receive_faulty, recorded, words=("Traceback (most recent call last):\n", "Killed", "OOM when allocating")),
)
