"""Answers behind a link: kept redacted, opened again, followed up, rated, deleted."""

import concurrent.futures
import html
import os
import re
import threading
import typing

import httpx
import pytest
from starlette.testclient import TestClient

from tests.service.access.doors import running
from tests.service.serving import Server
from tests.service.small_server import small_diagnoser
from tests.service.test_web_form import FULL, post, private, problem, shown, text_area
from tfhelp.service.doors.http import remembering
from tfhelp.service.doors.http.app import create_app
from tfhelp.service.memory.for_a_day import ForADay
from tfhelp.service.memory.memory import Json, Seen

SECRET = f"alice@gpu07:~$ python /home/alice/train.py --token=hf_abcdefghijklmnopqrstuv\n{FULL}"


def link(server: Server, **fields: str) -> str:
    """Ask; return the answer's address."""
    parts: dict[str, typing.Any] = {name: (None, value) for name, value in fields.items()}
    response = httpx.post(server.url + "/", files=parts, timeout=60)
    assert response.status_code == 303 and not response.content
    return server.url + response.headers["location"]


def again(server: Server, url: str, **fields: str) -> httpx.Response:
    """Submit the form of a kept answer's page."""
    return post(server, again=url.rpartition("/")[2], **fields)


def test_a_post_leads_to_a_link_that_anybody_can_open_again(server: Server) -> None:
    url = link(server, text=FULL)
    assert re.fullmatch(r"[\w-]{20,}", url.rpartition("/a/")[2])
    first, second = httpx.get(url), httpx.get(url)
    assert first.status_code == 200 and first.text == second.text and "A neighbour holds the card" in first.text
    assert first.headers["x-robots-tag"] == "noindex" and first.headers["cache-control"] == "no-store"
    assert link(server, text=FULL) != url


def test_a_kept_answer_holds_no_names_and_no_secrets(server: Server) -> None:
    url = link(server, text=SECRET, facts='{"env": {"WANDB_API_KEY": "0123456789abcdef", "HOME": "/home/alice"}}')
    for page in (httpx.get(url).text, httpx.get(url + ".md").text, httpx.get(server.url, params={"again": url[-24:]}).text):
        assert "alice" not in page and "hf_abcdef" not in page and "0123456789abcdef" not in page
    assert "USER-1" in httpx.get(url).text


def test_a_link_does_not_reveal_the_pasted_text(server: Server) -> None:
    url = link(server, text=SECRET, facts='{"env": {"WANDB_API_KEY": "0123456789abcdef", "HOME": "/home/alice"}}')
    for said in ({}, {"text": FULL}, {"answer.os.container": "no"}, {"facts": "{"}, {"os": "beos"}):
        page = again(server, url, private="yes", **said)
        assert "/a/" not in str(page.url) and f'name="again" value="{url.rpartition("/")[2]}"' in page.text
        assert "alice" not in page.text and "hf_abcdef" not in page.text and "0123456789abcdef" not in page.text
    assert "A neighbour holds the card" in again(server, url, private="yes").text


def test_what_is_not_to_be_kept_has_no_link_and_stays_as_it_was(server: Server) -> None:
    response = private(server, text=SECRET)
    assert not response.history and response.status_code == 200
    assert text_area(response.text) == SECRET and "/a/" not in response.text
    assert response.headers["cache-control"] == "private, no-cache"
    assert re.search(r'name="private"[^>]* checked', response.text)


def test_the_empty_form_may_be_kept_by_the_browser_and_an_answer_may_not(server: Server) -> None:
    assert httpx.get(server.url).headers["cache-control"] == "private, no-cache"
    assert post(server, text="  ").headers["cache-control"] == "no-store"
    assert 'autocomplete="off"' not in httpx.get(server.url).text  # otherwise Back would lose the text


def test_a_reply_needs_no_second_paste(server: Server) -> None:
    url = link(server, text=f"first line\n{FULL}")
    page = httpx.get(url).text
    assert f'name="again" value="{url.rpartition("/")[2]}"' in page and 'form="again"' in page
    answered = again(server, url, **{"answer.os.container": "no"})
    assert answered.history and answered.url != httpx.URL(url)
    assert shown(answered.text).index("The batch is too large") < shown(answered.text).index("A neighbour holds the card")
    # A reply to the second answer builds on the first reply.
    third = again(server, str(answered.url), **{"answer.gpus[].name": ""})
    assert shown(third.text).index("The batch is too large") < shown(third.text).index("A neighbour holds the card")
    assert shown(httpx.get(url).text).index("A neighbour") < shown(httpx.get(url).text).index("The batch is too large")


def test_an_impossible_reply_is_reported_and_the_text_stays(server: Server) -> None:
    url = link(server, text=FULL)
    response = again(server, url, **{"answer.os.container": "perhaps"})
    assert response.status_code == 422 and "os.container: expected yes or no" in problem(response.text)
    assert f'name="again" value="{url.rpartition("/")[2]}"' in response.text and "is still here" in shown(response.text)


def test_a_reply_to_a_text_that_is_gone_is_kept_and_the_text_asked_for(server: Server) -> None:
    response = post(server, again="A" * 24, **{"answer.os.container": "no"})
    assert response.status_code == 422 and "no longer here" in problem(response.text)
    assert '"container": false' in text_area(response.text, "facts")


def test_a_long_text_can_be_added_to_without_being_sent_again(server: Server) -> None:
    url = link(server, text="\n".join(["step"] * 20_000 + ["nothing"]))
    page = httpx.get(server.url, params={"again": url.rpartition("/")[2]}).text
    assert "is still here" in shown(page) and text_area(page) == "" and len(page) < 20_000
    answered = again(server, url, text=FULL)
    assert "A neighbour holds the card" in answered.text and "20,002 lines" in shown(answered.text)


def test_a_short_text_stands_in_the_form_for_more(server: Server) -> None:
    url = link(server, text=FULL, facts='{"os": {"container": true}}')
    page = httpx.get(server.url, params={"again": url.rpartition("/")[2]}).text
    assert text_area(page) == FULL and '"container": true' in text_area(page, "facts")
    assert "no longer here" in problem(httpx.get(server.url, params={"again": "A" * 24}).text)


def test_the_name_of_a_file_that_is_still_here_is_redacted(server: Server) -> None:
    name, long = "alice@example.org.log", "\n".join(["step"] * 20_000 + [FULL])
    response = httpx.post(server.url + "/", files={"file": (name, long)}, timeout=60)
    page = httpx.get(server.url, params={"again": response.headers["location"].rpartition("/")[2]}).text
    assert "is still here" in shown(page) and "alice" not in page


def test_a_hanging_memory_delays_no_request_that_does_not_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A locked database holds each answer that is to be kept. Searching and asking without keeping go on meanwhile."""
    monkeypatch.setattr(remembering, "PATIENCE_S", 120.0)
    unlocked, arrived = threading.Event(), threading.Semaphore(0)
    count = 4 + (os.cpu_count() or 2)  # more than there are threads for anything else

    class Locked(ForADay):
        def keep(self, *given: typing.Any) -> str:
            arrived.release()
            unlocked.wait(60)
            return super().keep(*given)

    with running(create_app(small_diagnoser(), memory=Locked())) as url, concurrent.futures.ThreadPoolExecutor(count) as pool:
        try:
            waiting = [pool.submit(httpx.post, url, files={"text": (None, FULL)}, timeout=60) for _ in range(count)]
            assert arrived.acquire(timeout=30) and arrived.acquire(timeout=30)
            assert httpx.get(f"{url}/api/v1/search", params={"q": "card"}, timeout=30).status_code == 200
            assert not any(one.done() for one in waiting)
        finally:
            unlocked.set()
        assert [one.result().status_code for one in waiting] == [303] * count


def test_the_hash_of_a_kept_text_needs_the_servers_key() -> None:
    """Without a key, a reader of the database could try passwords and addresses until the mark agrees."""
    marks = set()
    for memory in (ForADay(), ForADay()):
        asked = TestClient(create_app(small_diagnoser(), memory=memory), follow_redirects=False)
        tokens = [asked.post("/", files={"text": (None, SECRET)}).headers["location"].rpartition("/")[2] for _ in range(2)]
        first, second = (kept.given["log"] for kept in map(memory.read, tokens) if kept is not None)
        assert first == second
        marks.add(first)
    assert len(marks) == 2


def test_an_answer_that_another_process_deleted_takes_its_text_along() -> None:
    memory = ForADay()
    asked = TestClient(create_app(small_diagnoser(), memory=memory), follow_redirects=False)
    token = asked.post("/", files={"text": (None, FULL)}).headers["location"].rpartition("/")[2]
    assert FULL in asked.get("/", params={"again": token}).text
    memory.forget(token)
    assert "no longer here" in problem(asked.get("/", params={"again": token}).text)
    assert asked.post("/", files={"again": (None, token), "private": (None, "yes")}).status_code == 422


def test_an_answer_is_deleted_with_its_text(server: Server) -> None:
    url = link(server, text=FULL)
    assert httpx.get(url + "/delete").status_code == 405
    gone = httpx.post(url + "/delete", follow_redirects=True)
    assert gone.status_code == 200 and "The answer is deleted" in shown(gone.text)
    for response in (httpx.get(url), httpx.get(url + ".md"), httpx.post(url + "/delete"), feedback(url, "helped")):
        assert response.status_code == 404 and "This answer is not here" in response.text
    assert again(server, url, **{"answer.os.container": "no"}).status_code == 422


def feedback(url: str, said: str, **fields: str) -> httpx.Response:
    """Press one of the three buttons."""
    return httpx.post(f"{url}/feedback", files={name: (None, value) for name, value in {"said": said, **fields}.items()})


@pytest.mark.parametrize("said", ["helped", "did-not-help", "something-else"])
def test_feedback_leads_back_to_the_answer_and_is_thanked_for(server: Server, said: str) -> None:
    url = link(server, text=FULL)
    assert 'name="said" value="helped"' in httpx.get(url).text
    response = feedback(url, said, words="a smaller batch", by="Ann")
    assert response.status_code == 303 and response.headers["location"].endswith(f"?said={said}#feedback")
    assert "Noted: it" in shown(httpx.get(url, params={"said": said}).text)


def test_feedback_of_another_kind_is_refused_by_name(server: Server) -> None:
    url = link(server, text=FULL)
    assert feedback(url, "<b>").status_code == 422 and "said: expected one of" in feedback(url, "<b>").text
    assert "<i>" not in httpx.get(url, params={"said": "<i>"}).text and "Noted" not in httpx.get(url, params={"said": "<i>"}).text
    assert httpx.post(f"{url}/feedback", content=b"x", headers={"content-type": "text/plain"}).status_code == 422


def test_an_answer_can_be_copied_as_markdown(server: Server) -> None:
    url = link(server, text=FULL)
    written = httpx.get(url + ".md")
    assert written.headers["content-type"].startswith("text/markdown")
    assert written.text.startswith("### ") and "A neighbour holds the card" in written.text
    assert written.text.splitlines()[0] in html.unescape(re.sub(r"<[^>]+>", "", httpx.get(url).text))


@pytest.mark.parametrize("token", ["short", "A" * 24, "..%2f..%2fetc%2fpasswd", "<b>" * 8, "A" * 200])
def test_a_wrong_token_is_a_friendly_page(server: Server, token: str) -> None:
    response = httpx.get(f"{server.url}/a/{token}")
    assert response.status_code == 404 and "<h1>" in response.text and "<b><b>" not in response.text


class _Team(ForADay):
    """Remembers like a team's memory."""

    def __init__(self) -> None:
        super().__init__()
        self.keeps_s = None
        self.fed: list[tuple[str, ...]] = []

    def seen(self, answer: Json) -> Seen | None:
        return Seen(14, 1_772_500_000.0, 1_772_600_000.0, "card-full/batch-too-large", "halved it <b>", "Ann")

    def feedback(self, token: str, said: typing.Any, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        self.fed.append((said, words, by, cause))
        return super().feedback(token, said, sender, words, by, cause)

    def recall(self, answer: Json, given: Json, sender: str) -> Json:
        assert given["lines"] == 1 and sender
        return {**answer, "notes": ["A retry will not help."]}


class _Broken(ForADay):
    """A database that is unavailable."""

    def seen(self, answer: Json) -> Seen | None:
        raise OSError("the database is away")

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        raise OSError("the database is away")


def test_what_a_team_knows_stands_on_top_and_what_it_learns_arrives() -> None:
    team = _Team()
    with TestClient(create_app(small_diagnoser(), memory=team)) as client:
        response = client.post("/", data={"text": FULL})
        words = shown(response.text)
        assert "Seen 14 times since 3 March 2026." in words and "halved it <b>" in words
        assert "What helped last: The batch is too large, says Ann." in words
        assert "until somebody deletes" in words and "for a day" not in words
        assert "A retry will not help." in words and "A retry will not help." in client.get(f"{response.url.path}.md").text
        shown_at_once = shown(client.post("/", data={"text": FULL, "private": "yes"}).text)
        assert "Seen 14 times" in shown_at_once and "A retry will not help." in shown_at_once
        cause = re.search(r'name="cause" value="([^"]+)"', response.text)
        assert cause and cause[1] == "card-full/neighbour"
        client.post(f"{response.url.path}/feedback", data={"said": "helped", "words": "w", "by": "Bob", "cause": cause[1]})
        assert team.fed == [("helped", "w", "Bob", "card-full/neighbour")]


def test_an_answer_that_cannot_be_kept_is_still_sent() -> None:
    with TestClient(create_app(small_diagnoser(), memory=_Broken())) as client:
        response = client.post("/", data={"text": FULL})
        assert response.status_code == 200 and not response.history
        assert "A neighbour holds the card" in response.text and "could not be kept" in shown(response.text)
