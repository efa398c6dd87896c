"""The form as a browser without JavaScript uses it: what is posted, and the page that comes back."""

import gzip
import html
import json
import re
import typing

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.serving import Server
from tests.service.small_server import small_diagnoser
from tfhelp.service.doors.http.body import Form
from tfhelp.service.doors.web.form import FormError, question_of
from tfhelp.service.vocabulary import percent

FULL = "CardFullError: no room for tensor 3,4"
FACT_TYPES = small_diagnoser().knowledge.fact_types


def post(server: Server, files: dict[str, typing.Any] | None = None, **fields: str) -> httpx.Response:
    """Submit the form as a browser does, as multipart."""
    parts: dict[str, typing.Any] = {name: (None, value) for name, value in fields.items()}
    return httpx.post(server.url + "/", files={**parts, **(files or {})}, timeout=60, follow_redirects=True)


def private(server: Server, files: dict[str, typing.Any] | None = None, **fields: str) -> httpx.Response:
    """The same with "do not keep": the answer is above the form, and the form keeps what was typed."""
    return post(server, files, private="yes", **fields)


def text_area(page: str, name: str = "text") -> str:
    """The content of a text area, as a browser reads it: without the first line end, entities resolved."""
    found = re.search(rf'<textarea id="{name}"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def problem(page: str) -> str:
    """The sentence of the page's alert."""
    found = re.search(r'role="alert">(.*?)</div>', page, re.DOTALL)
    assert found, "the page shows no problem"
    return html.unescape(found[1])


def shown(page: str) -> str:
    """The page's visible words."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def test_the_empty_form(server: Server) -> None:
    page = httpx.get(server.url).text
    assert '<textarea id="text"' in page and 'method="post"' in page
    assert "local_facts" not in page


def test_an_answer_says_what_why_and_how(server: Server) -> None:
    response = post(server, text=f"IdleNotice: the machine is ready\n\n{FULL}", os="linux")
    assert response.status_code == 200
    words = shown(response.text)
    for expected in (
        "The card <is> full",
        "A neighbour holds the card",
        "Possible",
        "it runs in a container",
        "See who holds room for 3,4.",
        "echo 3,4",
        "The shape tells how much room is needed.",
        "its unsaved work is lost",
        'print("<grown>", tf.__version__)',
        "The first step passes.",
        "Start the neighbour again.",
        "The card fills up late.",
        "example.org/card",
        "A document, Second part",
        "needs a card",
        "Two cards double the room of one model",
        "Ruled out: The wrong system",
        "As Markdown",
        "Is this true: it runs in a container?",
        "Who uses the card?",
    ):
        assert expected in words, expected
    assert "Harmless lines in your text: 1" in words
    assert re.search(r'hit"><span class="number">3</span><mark class="said">CardFullError', response.text)


def test_the_page_shows_the_answer_of_the_one_function(server: Server) -> None:
    answer = small_diagnoser().diagnose(FULL, {"os": {"container": True}})
    words = shown(post(server, text=FULL, facts='{"os": {"container": true}}').text)
    for cause in answer["matches"][0]["causes"]:
        assert cause["title"] in words
    assert f"{percent(answer['matches'][0]['confidence'])} sure" in words
    assert "the card is shared" not in words and "the container shares the card" in words
    assert f"Knowledge base {answer['kb_version']}" in words


def test_pasted_html_is_shown_as_text(server: Server) -> None:
    attack = f"<script>alert(1)</script>\n</textarea><img src=x onerror=alert(2)>\n{FULL} <b>bold</b> {{{{7*7}}}}"
    page = private(server, text=attack, facts='{"env": {"A": "<i>x</i>"}}', python="<u>3</u>").text
    assert "<script>alert" not in page and "<img src=x" not in page and "<b>bold</b>" not in page
    assert "<i>x</i>" not in page and "<u>3</u>" not in page
    assert text_area(page).replace("\r\n", "\n") == attack
    assert "&lt;b&gt;bold&lt;/b&gt; {{7*7}}" in page


@pytest.mark.parametrize(
    "text", ["\n\nfirst lines are empty", "  indented\n\ttabbed\n", "trailing\n\n", "caf\u00e9 \u2192 \U0001f600"]
)
def test_the_text_stays_as_it_was_typed(server: Server, text: str) -> None:
    assert text_area(private(server, text=text.replace("\n", "\r\n")).text) == text


def test_a_file_is_read_and_its_text_kept(server: Server) -> None:
    page = private(server, files={"file": ("train.log", FULL.encode(), "text/plain")}, text="").text
    assert "A neighbour holds the card" in page and "train.log, 37 bytes, 1 line" in shown(page)
    assert text_area(page) == FULL


def test_a_file_of_powershell_is_read(server: Server) -> None:
    page = post(server, files={"file": ("train.log", f"start\r\n{FULL}\r\n".encode("utf-16"), "text/plain")}, text="").text
    assert "A neighbour holds the card" in page


def test_bytes_that_are_not_text_are_replaced_with_a_note(server: Server) -> None:
    page = post(
        server, files={"file": ("core", b"\x00\xff\xfe\x80 ELF\n" + FULL.encode(), "application/octet-stream")}, text=""
    ).text
    assert "A neighbour holds the card" in page
    assert "not valid UTF-8 from byte 1" in shown(page)


def test_a_file_has_to_be_chosen_again_only_where_one_was_chosen(server: Server) -> None:
    empty = {"file": ("", b"", "application/octet-stream")}
    assert "again" not in problem(post(server, files=empty, text="x", exit_code="many").text)
    long = {"file": ("train.log", b"step\n" * 30_000, "text/plain")}
    page = post(server, files=long, text="x", exit_code="many").text
    assert problem(page).endswith(" Choose train.log again.")
    assert text_area(page) == "x" and len(page) < 20_000 and "<h1" in page


def test_a_refused_file_is_not_asked_for_again(server: Server) -> None:
    picture = {"file": ("screen.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 2000, "image/png")}
    page = post(server, files=picture, text="x").text
    assert problem(page).endswith("screen.png is a PNG image. Paste the text of the error instead.")
    assert text_area(page) == "x"


def test_an_empty_form_is_told_what_to_do(server: Server) -> None:
    response = post(server, text="  \n ")
    assert response.status_code == 422
    assert "Paste an error" in problem(response.text)


def test_an_exit_code_alone_is_a_question(server: Server) -> None:
    response = post(server, text="", exit_code="0xC0000005")
    assert response.status_code == 200
    assert "3221225477" in response.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"facts": '{"os": '}, "line 1"),
        ({"facts": "[]"}, "JSON object"),
        ({"facts": '{"nonsense": 1}'}, "nonsense: no such fact"),
        ({"facts": '{"gpus": [{"name": 1}]}'}, "gpus[0].name: expected text"),
        ({"facts": '{"os": 3}', "os": "linux"}, "os: expected an object"),
        ({"exit_code": "many"}, "Exit code: expected an integer, got 'many'"),
        ({"os": "beos"}, "Operating system"),
        ({"python": "3.10", "facts": '{"python": {"version": "3.11"}}'}, "Python: the field says 3.10, the facts say 3.11"),
        ({"gpu": "RTX 3060", "facts": '{"gpus": []}'}, "GPU: the field says RTX 3060"),
        ({"answer.os.container": "perhaps"}, "os.container: expected yes or no"),
        ({"answer.nonsense.path": "", "answer.run.exit_code": "x"}, "run.exit_code: expected an integer"),
        ({"facts": "x" * ((1 << 20) + 1)}, "facts: more than 1 MiB"),
    ],
)
def test_a_wrong_fact_is_named_and_everything_typed_is_kept(server: Server, fields: dict[str, str], said: str) -> None:
    response = post(server, text=FULL, **fields)
    assert response.status_code == 422
    assert said in problem(response.text)
    if "more than" not in said:
        assert text_area(response.text) == FULL
        assert all(html.unescape(response.text).count(value) for value in fields.values() if value)


def test_the_start_and_the_end_of_a_text_over_the_limit_are_read(narrow_server: Server) -> None:
    lines = [f"step {number:06}" for number in range(400_000)]
    response = post(narrow_server, files={"file": ("train.log", "\n".join([*lines, FULL, ""]).encode(), "text/plain")}, text="")
    assert response.status_code == 200
    words = shown(response.text)
    assert "A neighbour holds the card" in words and "train.log, 4.8 MB, 400,001 lines" in words
    assert re.search(r'hit"><span class="number">400001</span>', response.text)
    assert "lines in the middle were left out" in words and "step 200000" not in words
    assert len(response.text) < 100_000


def test_a_file_over_the_limit_that_cannot_be_cut_is_refused_with_the_facts_kept(narrow_server: Server) -> None:
    packed = b"\x1f\x8b\x08" + bytes(3 << 20)
    response = post(narrow_server, files={"file": ("train.log.gz", packed, "application/gzip")}, text="x", python="3.11.4")
    assert response.status_code == 413
    assert "2 MiB" in problem(response.text) and "tfhelp ask -f" in problem(response.text)
    assert 'value="3.11.4"' in response.text and text_area(response.text) == "x"


def test_a_compressed_log_is_read(server: Server) -> None:
    page = post(server, files={"file": ("train.log.gz", gzip.compress(FULL.encode()), "application/gzip")}, text="").text
    assert "A neighbour holds the card" in page and "Unpacked train.log.gz with gzip" in shown(page)


def test_a_long_text_is_never_echoed(server: Server) -> None:
    text = "\n".join(["step"] * 20_000 + [FULL, "bye"])
    for page in (post(server, text=text).text, private(server, text=text).text):
        assert "A neighbour holds the card" in page and len(page) < 60_000
        assert "20,002 lines" in shown(page) and re.search(r'hit"><span class="number">20001</span>', page)
    assert text_area(page) == "" and "too long to show here" in shown(page)


def test_a_text_far_over_the_limit_is_refused_without_being_held(narrow_server: Server) -> None:
    import psutil

    process = psutil.Process(narrow_server.process.pid)
    before = process.memory_info().rss
    response = httpx.post(narrow_server.url + "/", files={"text": (None, b"x" * (200 << 20))}, timeout=60)
    assert response.status_code in (303, 413)
    assert process.memory_info().rss - before < 100 << 20


def test_an_urlencoded_form_works_too(narrow_server: Server) -> None:
    assert "A neighbour holds the card" in httpx.post(narrow_server.url, data={"text": FULL}, follow_redirects=True).text
    response = httpx.post(narrow_server.url, data={"text": "x" * (8 << 20), "python": "3.11.4"})
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", b"text=x"),
        ("multipart/form-data", b"--x"),
        ("multipart/form-data; boundary=x", b"no boundary in here"),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"A: b\r\n" * 50 + b"\r\n\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 100 + b"--x--\r\n"),
        ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(100))),
        ("", b""),
    ],
)
def test_a_malformed_form_is_a_sentence_not_a_fault(server: Server, kind: str, body: bytes) -> None:
    response = httpx.post(server.url, content=body, headers={"content-type": kind})
    assert response.status_code == 422
    assert "form" in problem(response.text)


def test_a_reply_to_what_was_asked_ranks_again_and_is_remembered(server: Server) -> None:
    first = private(server, text=FULL).text
    assert all(
        re.search(rf'type="radio"[^>]* name="answer.os.container" value="{value}" form="ask"', first)
        for value in ("true", "false", "")
    )
    second = private(server, text=FULL, **{"answer.os.container": "no"}).text
    assert shown(second).index("The batch is too large") < shown(second).index("A neighbour holds the card")
    assert '"container": false' in text_area(second, "facts")
    third = private(server, text=FULL, facts=text_area(second, "facts")).text
    assert shown(third).index("The batch is too large") < shown(third).index("A neighbour holds the card")


def test_not_there_is_null_and_not_known_is_nothing(server: Server) -> None:
    absent = private(server, text=FULL, **{"answer.driver.version": "", "absent.driver.version": "yes"}).text
    assert json.loads(text_area(absent, "facts")) == {"driver": {"state": "absent", "version": None}}
    assert text_area(private(server, text=FULL, **{"answer.os.container": ""}).text, "facts") == ""
    both = post(server, text=FULL, **{"answer.driver.version": "550.1", "absent.driver.version": "yes"})
    assert both.status_code == 422 and "empty one of them" in problem(both.text)


def test_a_pasted_output_of_the_command_is_read_with_the_text(server: Server) -> None:
    path = "derived.gpu_memory_held_by_others_share"
    page = private(server, text=FULL, **{f"answer.{path}": "pid, name\n12, python", f"command.{path}": "nvidia-smi -q"}).text
    assert text_area(page) == f"{FULL}\n$ nvidia-smi -q\npid, name\n12, python"


def test_an_unknown_text_is_an_honest_page_with_a_report(server: Server) -> None:
    words = shown(post(server, text="the coffee machine on the second floor is broken again").text)
    assert "I do not know this one" in words and "A bug report, ready to send" in words


def test_the_server_offers_its_own_facts_only_when_it_was_told_to(server: Server) -> None:
    assert "the container shares the card" not in shown(post(server, text=FULL, local_facts="yes").text)
    with Server.small("--local-facts") as own:
        page = httpx.get(own.url).text
        assert re.search(r'id="local_facts"[^>]* checked', page)
        ticked = private(own, text=FULL, local_facts="yes").text
        assert "the container shares the card" in shown(ticked) and re.search(r'id="local_facts"[^>]* checked', ticked)
        unticked = private(own, text=FULL).text
        assert "the container shares the card" not in shown(unticked)
        assert not re.search(r'id="local_facts"[^>]* checked', unticked)
        # The API never looks at the server's machine.
        answer = httpx.post(f"{own.url}/api/v1/diagnose", json={"text": FULL}).json()
        assert "container" not in answer["facts"].get("os", {})


def test_entries_can_be_found_by_words(server: Server) -> None:
    everything = httpx.get(f"{server.url}/entries").text
    assert all(title in shown(everything) for title in ("The card <is> full", "A wrong letter", "A notice that means nothing"))
    found = shown(httpx.get(f"{server.url}/entries", params={"q": "Card few STEPS"}).text)
    assert "The card <is> full" in found and "A wrong letter" not in found and "1 problem" in found
    nothing = httpx.get(f"{server.url}/entries", params={"q": '"><script>alert(1)</script>'}).text
    assert "Nothing matches these words" in shown(nothing) and "<script>alert" not in nothing


def test_the_page_of_an_entry_has_every_cause_and_no_open_holes(server: Server) -> None:
    page = httpx.get(f"{server.url}/entries/card-full").text
    words = shown(page)
    assert all(title in words for title in ("A neighbour holds the card", "The batch is too large", "The wrong system"))
    assert "See who holds room for the tensor." in words and "echo SHAPE" in words
    assert 'id="neighbour"' in page and 'href="#neighbour"' in page
    assert "{log." not in page


@pytest.mark.parametrize("path", ["/entries/none-such", "/nope", "/entries/<b>x</b>"])
def test_a_missing_page_is_friendly(server: Server, path: str) -> None:
    response = httpx.get(server.url + path)
    assert response.status_code == 404
    assert "<h1>" in response.text and "<b>x</b>" not in response.text


def test_after_a_bug_in_tfhelp_the_text_stays_on_the_page_and_out_of_the_log(server: Server) -> None:
    response = post(server, text="FAIL-ON-PURPOSE my-secret-token-456")
    assert response.status_code == 500
    assert "tfhelp failed on this request" in problem(response.text)
    assert text_area(response.text) == "FAIL-ON-PURPOSE my-secret-token-456"
    server.wait_for("POST /: RuntimeError at small_server.py")
    assert "my-secret-token-456" not in server.output()


names = st.sampled_from(
    ["text", "file", "facts", "os", "python", "gpu", "exit_code", "answer.os.container", "answer.gpus[].name", "answer."]
)


@pytest.mark.parametrize(
    ("written", "gpus"),
    [
        ("none", []),
        ("2", [{}, {}]),
        ("8.6", [{"compute_capability": "8.6"}]),
        ("RTX 3090, RTX 3090", [{"name": "RTX 3090"}, {"name": "RTX 3090"}]),
        ("RTX 3060", [{"name": "RTX 3060"}]),
    ],
)
def test_the_field_gpu_is_read_like_a_reply(written: str, gpus: list[dict[str, str]]) -> None:
    form = Form()
    form.fields = {"text": "x", "gpu": written}
    assert question_of(form, FACT_TYPES).facts["gpus"] == gpus


@given(st.dictionaries(names, st.text(max_size=30)))
def test_any_fields_make_a_question_or_a_named_error(fields: dict[str, str]) -> None:
    form = Form()
    form.fields = {name: value for name, value in fields.items() if name != "file"}
    if "file" in fields:
        form.file = fields["file"].encode("utf-8", "replace"), "train.log"
    try:
        question = question_of(form, FACT_TYPES)
    except FormError as error:
        assert str(error)
    else:
        assert isinstance(question.facts, dict)
        if fields.get("text", "").strip() and set(fields) == {"text"}:
            assert question.pieces == [(fields["text"], "")]


def test_the_description_of_the_api_does_not_depend_on_what_was_fetched_before() -> None:
    with Server.small() as fresh:
        before = httpx.get(f"{fresh.url}/docs").text
        httpx.get(f"{fresh.url}/openapi.json")
        assert httpx.get(f"{fresh.url}/docs").text == before and "Validation Error" not in before


def test_the_answer_shows_the_line_of_the_reader(server: Server) -> None:
    traceback = 'Traceback (most recent call last):\n  File "/srv/train.py", line 7, in <module>\n    model.fit(images)\n'
    page = private(server, text=f"{traceback}CardFullError: no room for tensor 3,4").text
    assert "Your line: /srv/train.py:7: model.fit(images)" in shown(page)
    assert "Your line:" not in shown(private(server, text=FULL).text)
