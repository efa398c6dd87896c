"""Turns the content of a message into a kept answer, and the reply to a question into a better answer."""

import collections
import hashlib
import hmac
import re
import threading
import time
import typing

from tfhelp.service.diagnosis.given import Given, Piece, with_notes
from tfhelp.service.diagnosis.replies import Reply, read_reply
from tfhelp.service.doors.http.interface import Interface
from tfhelp.service.doors.http.processes import DiagnosisProcesses
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.slack.incoming import MessageContent
from tfhelp.service.errors import InputError
from tfhelp.service.memory.asking import remembered
from tfhelp.service.memory.memory import Memory, Seen
from tfhelp.service.memory.rows import mark_of_text

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, Question

Json = dict[str, typing.Any]

# What a text is called that has no file name. It is not stored as a name: two such texts are not of the same job.
_OF_TEXT = re.compile(r"the message|\d+ messages|your text")
_MOST_USERS = 2000
_MOST_RECENT = 20


class GoneError(Exception):
    """The text of an answer is no longer kept. The message is a sentence for the user."""


class Answered(typing.NamedTuple):
    """An answer, the token under which it is kept (empty if it is not), and how often the failure was seen before."""

    answer: "Answer"
    token: str
    seen: Seen | None = None


class _Waiting(typing.NamedTuple):
    """What is kept with a text that waits for a reply."""

    facts: Json
    notes: list[str]
    names: list[str]
    question: "Question"


class Answering:
    """The diagnosis for Slack.

    The memory keeps redacted answers. If an answer asks a question, its text is kept in this process for an hour: after a reply
    it is diagnosed again. A reply does not remove the text. It also goes if somebody deletes the answer, through any door.
    """

    def __init__(self, interface: Interface, memory: Memory, texts: RecentTexts, secret: str) -> None:
        """Args: memory: keeps the answers that buttons refer to. texts: keeps what waits for a reply. secret: makes users' identifiers and the marks of texts opaque."""
        self.interface = interface
        self.memory = memory
        self._secret = secret.encode()
        self._lock = threading.Lock()
        self._texts = texts
        self._recent: collections.OrderedDict[str, list[tuple[str, float]]] = collections.OrderedDict()

    def sender(self, team: str, user: str) -> str:
        """An opaque id for a user, which does not reveal who it is."""
        return "slack-" + hmac.new(self._secret, f"{team}/{user}".encode(), hashlib.sha256).hexdigest()[:32]

    def answer(self, brought: MessageContent, sender: str) -> Answered:
        """Diagnose the content of a message.

        Raises:
            InputError: it holds nothing that can be diagnosed; the message is for the user.
            tfhelp.kb.fact_sheet.FactError: pasted facts do not fit the model.
        """
        given, refused = self._receive(brought)
        notes = given.notes + brought.refused + refused
        if given.nothing or not (given.text.strip() or given.facts):
            raise InputError(" ".join(brought.refused + refused) or given.nothing or "There is no text in it to diagnose.")
        return self._diagnosed(given.text, given.facts, notes, brought.names, sender)

    def reply(self, token: str, fact: str, written: str, sender: str) -> Answered:
        """Diagnose again, with the reply to a question.

        Raises:
            GoneError: the text is no longer here.
            tfhelp.service.diagnosis.replies.ReplyError: the fact cannot have this value.
        """
        from tfhelp.service.diagnosis.collecting import merge_documents

        text, waiting = self._text_of(token)
        reply = self.read_reply(token, fact, written)
        facts = waiting.facts
        if reply is not None:
            facts = merge_documents(reply.facts, facts)
            text = f"{text.rstrip()}\n{reply.text}" if reply.text else text
        return self._diagnosed(text, facts, waiting.notes, waiting.names, sender)

    def read_reply(self, token: str, fact: str, written: str) -> Reply | None:
        """What a reply says, without diagnosing; it raises the same errors as ``reply``."""
        question = self.question(token)
        if question["fact"] != fact:
            raise GoneError("This question belongs to another answer. Send the error again.")
        labels = {option["label"].lower(): option["reply"] for option in question["options"]}
        written = labels.get(written.strip().lower(), written)
        return read_reply(fact, written, self.interface.knowledge.fact_types, question["command"])

    def question(self, token: str) -> "Question":
        """The open question of an answer.

        Raises:
            GoneError: the text is no longer here.
        """
        return self._text_of(token)[1].question

    def kept(self, token: str) -> "Answer":
        """A kept answer, redacted.

        Raises:
            GoneError: it is no longer kept.
        """
        found = self.memory.read(token) if token else None
        if found is None:
            raise GoneError("This answer is no longer kept. Send the error again to get a new one.")
        return typing.cast("Answer", found.answer)

    def recent(self, sender: str) -> list[tuple[str, float]]:
        """Token and time of a user's answers, the newest first."""
        with self._lock:
            return list(reversed(self._recent.get(sender, [])))

    def forget(self, token: str, sender: str) -> None:
        """Delete one of the user's own answers."""
        with self._lock:
            mine = self._recent.get(sender, [])
            own = [item for item in mine if item[0] == token]
            self._recent[sender] = [item for item in mine if item[0] != token]
        if own:
            self._texts.drop(token)
            self.memory.forget(token)

    def _receive(self, brought: MessageContent) -> tuple[Given, list[str]]:
        """The recognised input, and a sentence for each piece that holds no text."""
        try:
            return self._take(brought.pieces), []
        except InputError as error:
            if len(brought.pieces) == 1:
                raise InputError(" ".join([str(error), *brought.refused])) from None
        good, refused = [], []
        for piece in brought.pieces:
            try:
                self._take([piece])
            except InputError as error:
                refused.append(str(error))
            else:
                good.append(piece)
        return self._take(good), refused

    def _take(self, pieces: list[Piece]) -> Given:
        diagnoser = self.interface.diagnoser
        if isinstance(diagnoser, DiagnosisProcesses) and any(isinstance(piece.content, bytes) for piece in pieces):
            return diagnoser.receive_in_thread(pieces, {}, self.interface.max_bytes)
        return self.interface.receive_here(pieces, {})

    def _diagnosed(self, text: str, facts: Json, notes: list[str], names: list[str], sender: str) -> Answered:
        document = self.interface.diagnose_in_thread(text, facts or None)
        read = [f"Read: {', '.join(names)}."] if names and names != ["the message"] else []
        answer = with_notes(document, read + notes)
        given = {
            "name": ", ".join(name for name in names if not _OF_TEXT.fullmatch(name)),
            "bytes": len(text.encode(errors="replace")),
            "lines": text.count("\n") + 1,
            "excerpts": [],
            "log": mark_of_text(text, self._secret),
        }
        outcome = remembered(self.memory, typing.cast(Json, answer), given, sender)
        answer = typing.cast("Answer", outcome.answer)
        if outcome.token:
            self._remember(outcome.token, sender)
        if outcome.token and answer["ask_for"]:
            self._texts.keep(outcome.token, text, _Waiting(facts, notes, names, answer["ask_for"][0]))
        return Answered(answer, outcome.token, outcome.seen)

    def _remember(self, token: str, sender: str) -> None:
        with self._lock:
            self._recent[sender] = [*self._recent.pop(sender, []), (token, time.time())][-_MOST_RECENT:]
            while len(self._recent) > _MOST_USERS:
                self._recent.popitem(last=False)

    def _text_of(self, token: str) -> tuple[str, _Waiting]:
        found = self._texts.take(token, _Waiting)
        if found is None:
            raise GoneError("I no longer have the text of this question; I keep it for an hour. Send the error again.")
        return found
