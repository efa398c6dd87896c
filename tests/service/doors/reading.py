"""The content of an answer, read from each of the forms that a person or a program gets."""

import html
import re
import typing

from tfhelp.kb.compiled import Knowledge
from tfhelp.service.vocabulary import EXPLAINED, VERDICTS

Json = dict[str, typing.Any]
NAMING = ("diagnosed", "likely")
_SURE = 75  # percent; above this an entry counts as found and not only as probable
_PHRASES = {
    "unknown": (VERDICTS["unknown"],),
    "explained": (EXPLAINED,),
    "nothing-failed": (VERDICTS["nothing-failed"],),
    "undecided": ("See which of these signs you have",),
}


class Said(typing.NamedTuple):
    """An answer: its verdict, the entry that it names first, and that entry's first cause if the verdict names one."""

    verdict: str
    entry: str | None
    cause: str | None


def of_document(answer: Json) -> Said:
    """From the JSON document."""
    match = answer["matches"][0] if answer["matches"] else None
    named = match and answer["verdict"] in NAMING
    return Said(answer["verdict"], match and match["entry"], match["causes"][0]["cause"] if named else None)


def of_words(words: str, knowledge: Knowledge) -> Said:
    """From the text that a person reads, from top to bottom: by the titles of entries and causes, and the words for verdicts."""
    words = plain(words)
    verdict = next((kind for kind, phrases in _PHRASES.items() if any(plain(one) in words for one in phrases)), "")
    if verdict in ("unknown", "explained"):
        return Said(verdict, None, None)
    summaries = knowledge.summaries
    entry = _first(words, {name: summary["title"] for name, summary in summaries.items()})
    if verdict:
        return Said(verdict, entry, None)
    sure = re.search(r"(\d+)%", words)
    assert entry and sure, words[:500]
    verdict = "diagnosed" if int(sure[1]) >= _SURE else "likely"
    return Said(verdict, entry, _first(words, dict(summaries[entry]["causes"])))


def of_page(page: str, knowledge: Knowledge) -> Said:
    """From a page of the web form."""
    answer = page[page.index('id="answer"') :]
    answer = re.sub(r"(?s)<(pre|textarea|script|style)\b.*?</\1>", " ", answer)
    said = of_words(html.unescape(re.sub(r"<[^>]*>", " ", answer.partition(">")[2])), knowledge)
    marked = re.search(r'class="found found-([a-z-]+)"', page)
    return said._replace(verdict=marked[1]) if marked else said


def of_blocks(message: Json, knowledge: Knowledge) -> Said:
    """From a message in Slack."""
    texts: list[str] = []
    for block in message["blocks"]:
        rows = [block.get("text"), *block.get("elements", [])]
        texts += [row["text"] for row in rows if isinstance(row, dict) and isinstance(row.get("text"), str)]
    words = re.sub(r"(?s)```.*?```", " ", "\n".join(texts))
    return of_words(words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), knowledge)


def plain(words: str) -> str:
    """Words without code and emphasis marks, separated by single spaces."""
    return " ".join(re.sub(r"[`*\u200b]", "", words).split())


def _first(words: str, titles: dict[str, str]) -> str | None:
    """The name whose title comes first; of several at one place, the one with the longest title."""
    places = [(words.find(plain(title)), -len(title), name) for name, title in titles.items()]
    return min((row for row in places if row[0] >= 0), default=(0, 0, None))[2]
