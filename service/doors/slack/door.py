"""What the app does when a user types ``/tfhelp``, uses its shortcut, mentions it, writes to it or presses a button.

Each listener acknowledges immediately. Slow work, and every call to Slack, runs in the background.
"""

import re
import time
import traceback
import typing

from slack_bolt import App, BoltResponse
from slack_bolt.authorization import AuthorizeResult

from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.diagnosis.given import Piece
from tfhelp.service.diagnosis.reply_values import ReplyError
from tfhelp.service.diagnosis.sharing import redacted
from tfhelp.service.doors.http.interface import Interface
from tfhelp.service.doors.recent_texts import RecentTexts
from tfhelp.service.doors.slack import buttons
from tfhelp.service.doors.slack.answering import Answered, Answering, GoneError
from tfhelp.service.doors.slack.blocks import problem_blocks, usage_blocks
from tfhelp.service.doors.slack.incoming import MessageContent, read_files, read_messages
from tfhelp.service.doors.slack.mrkdwn import escape, unescape
from tfhelp.service.doors.slack.settings import SlackSettings
from tfhelp.service.doors.slack.web_api import Message, Place, SlackApi, SlackError, quiet
from tfhelp.service.doors.slack.work import Background, Delivered
from tfhelp.service.errors import InputError
from tfhelp.service.faults import log_fault
from tfhelp.service.memory.memory import Memory, Said
from tfhelp.service.workers.limits import UnavailableError

Json = dict[str, typing.Any]
Acknowledge = typing.Callable[..., object]

SHORTCUT = "explain_error"
JUNK = (ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError)
"""What Bolt raises for a malformed body."""
_HELP_WORDS = ("help", "-h", "--help")
_BUSY = "I am busy with other logs at the moment. Try again in a minute."
_FAILED = "tfhelp failed on this text. The fault is logged on the server, without your text."
_NOTHING = "There is no text in it to diagnose. Paste the error, or attach the log."
_USER = re.compile(r"[UW][A-Z0-9]{1,30}")


class SlackDoor:
    """The Bolt app and the work behind it.

    Attributes:
        bolt: the app; the HTTP route and Socket Mode dispatch to it.
    """

    def __init__(self, interface: Interface, settings: SlackSettings, memory: Memory, texts: RecentTexts) -> None:
        self._answering = Answering(interface, memory, texts, settings.bot_token)
        self._api = SlackApi(settings)
        self._background = Background()
        self._delivered = Delivered()
        self._most = interface.max_bytes
        self._url = settings.public_url
        self.bolt = _bolt_app(settings, self._api)
        self.bolt.error(_failed)
        self._listen()

    def close(self) -> None:
        """Take no more work."""
        self._background.close()

    def _listen(self) -> None:
        bolt = self.bolt
        bolt.command("/tfhelp")(self._command)
        bolt.message_shortcut(SHORTCUT)(self._shortcut)
        bolt.event("app_mention")(self._mention)
        bolt.event("message")(self._direct)
        bolt.event("app_home_opened")(self._home)
        bolt.action(re.compile("^tfhelp:"))(self._pressed)
        bolt.view("paste")(self._pasted)
        bolt.view("reply")(self._replied)
        bolt.view("words")(self._worded)

    # Incoming.

    def _command(self, ack: Acknowledge, body: Json) -> None:
        text = unescape(str(body.get("text") or "")).strip()
        place = Place(_text(body, "channel_id"), _text(body, "user_id"), _text(body, "response_url"))
        if text.lower() in _HELP_WORDS:
            shown, blocks = usage_blocks()
            ack(text=shown, blocks=blocks, response_type="ephemeral")
            return
        if text:
            started = self._start(place, "command", lambda: self._answer(place, MessageContent([Piece(text)], [], []), body))
        else:
            started = self._start(place, "form", lambda: self._open(place, body, buttons.paste_view(place)))
        if started:
            ack()
        else:
            ack(text=_BUSY, response_type="ephemeral")

    def _shortcut(self, ack: Acknowledge, body: Json) -> None:
        message = _part(body, "message")
        place = Place(
            _text(_part(body, "channel"), "id"),
            _text(_part(body, "user"), "id"),
            _text(body, "response_url"),
            _text(message, "thread_ts"),
        )
        self._start(place, "shortcut", lambda: self._answer(place, read_messages(self._api, [message], self._most), body))
        ack()

    def _mention(self, body: Json) -> None:
        event = _part(body, "event")
        if not self._delivered.is_new(_text(body, "event_id")) or _of_a_program(event):
            return
        thread = _text(event, "thread_ts") or _text(event, "ts")
        place = Place(_text(event, "channel"), _text(event, "user"), thread=thread, public=True)

        def answer() -> None:
            messages = [item for item in self._api.thread(place.channel, thread) if not _ours(item, body)] or [event]
            self._answer(place, read_messages(self._api, messages, self._most), body)

        self._start(place, "mention", answer)

    def _direct(self, body: Json) -> None:
        event = _part(body, "event")
        if event.get("channel_type") != "im" or event.get("subtype") not in (None, "file_share") or _of_a_program(event):
            return
        if not self._delivered.is_new(_text(body, "event_id")):
            return
        # Only the user reads a direct message, and a lasting answer is more useful there than an ephemeral one.
        place = Place(_text(event, "channel"), _text(event, "user"), thread=_text(event, "thread_ts"), public=True)
        self._start(place, "message", lambda: self._answer(place, read_messages(self._api, [event], self._most), body))

    def _home(self, body: Json) -> None:
        event = _part(body, "event")
        user = _text(event, "user")
        if event.get("tab") == "home" and self._delivered.is_new(_text(body, "event_id")):
            self._background.start("home", lambda: self._publish_home(user, self._sender(body, user)))

    def _pasted(self, ack: Acknowledge, body: Json) -> None:
        view = _part(body, "view")
        text, facts = _written(view, "text"), _written(view, "facts")
        files = [item for item in _value(view, "files").get("files") or [] if isinstance(item, dict)]
        if not (text or facts or files):
            ack(response_action="errors", errors={"text": "Paste the error, or attach the log."})
            return
        place = _place(view, body)

        def answer() -> None:
            read = read_files(self._api, files, self._most)
            said = [Piece(item) for item in (text, facts) if item]
            self._answer(
                place, MessageContent(said + read.pieces, (["your text"] if said else []) + read.names, read.refused), body
            )

        self._start(place, "form", answer)
        ack()

    def _replied(self, ack: Acknowledge, body: Json) -> None:
        view = _part(body, "view")
        kept, place, written = buttons.read_value(_text(view, "private_metadata")), _place(view, body), _written(view, "reply")
        try:
            self._answering.read_reply(_text(kept, "t"), _text(kept, "f"), written)
        except (ReplyError, GoneError) as error:
            ack(response_action="errors", errors={"reply": str(error)[:2000]})
            return
        self._start(place, "reply", lambda: self._take_reply(place, body, kept, written))
        ack()

    def _worded(self, ack: Acknowledge, body: Json) -> None:
        view = _part(body, "view")
        kept = buttons.read_value(_text(view, "private_metadata"))
        words, by = _written(view, "words"), _written(view, "by")
        place = Place("", _text(_part(body, "user"), "id"))
        self._start(place, "words", lambda: self._feedback(kept, self._sender(body, place.user), words, by))
        ack()

    def _pressed(self, ack: Acknowledge, body: Json) -> None:
        actions = body.get("actions")
        action = actions[0] if isinstance(actions, list) and actions and isinstance(actions[0], dict) else {}
        name = _text(action, "action_id").removeprefix("tfhelp:").partition(":")[0]
        value = buttons.read_value(_text(action, "value"))
        container = _part(body, "container")
        place = Place(
            _text(_part(body, "channel"), "id"),
            _text(_part(body, "user"), "id"),
            _text(body, "response_url"),
            _text(_part(body, "message"), "thread_ts") or _text(container, "thread_ts"),
        )
        # A reply changes the message itself, which others may see; everything else is for the user who pressed the button.
        shown = place._replace(public=container.get("type") == "message" and container.get("is_ephemeral") is not True)
        act = {
            buttons.CAUSES: lambda: self._say(place, buttons.causes_message(self._answering.kept(_text(value, "t")))),
            buttons.STEPS: lambda: self._say(place, buttons.steps_message(self._answering.kept(_text(value, "t")))),
            buttons.SHARE: lambda: self._share(place, value),
            buttons.REPLY: lambda: self._take_reply(shown, body, value, _text(value, "r")),
            buttons.ASK: lambda: self._ask(shown, body, value),
            buttons.SAID: lambda: self._said(place, body, value),
            buttons.WORDS: lambda: self._open(place, body, buttons.words_view(_text(value, "t"), _said(value))),
            buttons.SHOW: lambda: self._show(place, body, value),
            buttons.FORGET: lambda: self._forget(body, place, value),
            buttons.PASTE: lambda: self._open(place, body, buttons.paste_view(Place("", place.user))),
        }.get(name)
        if act is not None:
            self._start(place, f"button {name}", act)
        ack()

    # Outgoing.

    def _answer(self, place: Place, brought: MessageContent, body: Json) -> None:
        if not brought.pieces and not brought.refused:
            raise InputError(_NOTHING)
        if not brought.pieces:
            raise InputError(" ".join(brought.refused))
        self._say(place, self._message(self._answering.answer(brought, self._sender(body, place.user)), place))

    def _take_reply(self, place: Place, body: Json, kept: Json, written: str) -> None:
        answered = self._answering.reply(_text(kept, "t"), _text(kept, "f"), written, self._sender(body, place.user))
        self._api.deliver(place, self._message(answered, place), replace=bool(place.response_url))

    def _message(self, answered: Answered, place: Place) -> Message:
        """The answer as a message; a channel sees it redacted."""
        answer = redacted(answered.answer) if place.public else answered.answer
        return buttons.answer_message(answer, answered.token, answered.seen, public=place.public, url=self._url)

    def _say(self, place: Place, message: Message) -> None:
        self._api.deliver(place, message)

    def _share(self, place: Place, value: Json) -> None:
        token = _text(value, "t")
        shared_by = place.user if _USER.fullmatch(place.user) else ""
        answer = self._answering.kept(token)
        self._api.share(place, buttons.answer_message(answer, token, shared_by=shared_by, url=self._url))

    def _ask(self, place: Place, body: Json, value: Json) -> None:
        token = _text(value, "t")
        self._open(place, body, buttons.reply_view(self._answering.question(token), token, place))

    def _said(self, place: Place, body: Json, value: Json) -> None:
        said = _said(value)
        self._feedback(value, self._sender(body, place.user))
        self._say(place, buttons.noted_message(_text(value, "t"), said))

    def _feedback(self, value: Json, sender: str, words: str = "", by: str = "") -> None:
        memory = self._answering.memory
        if not memory.feedback(_text(value, "t"), _said(value), sender, words, by):
            raise GoneError("This answer is no longer kept, so I could not note it.")

    def _show(self, place: Place, body: Json, value: Json) -> None:
        token = _text(value, "t")
        message = buttons.answer_message(self._answering.kept(token), "")
        self._open(place, body, buttons.shown_view(message))

    def _forget(self, body: Json, place: Place, value: Json) -> None:
        sender = self._sender(body, place.user)
        self._answering.forget(_text(value, "t"), sender)
        self._publish_home(place.user, sender)

    def _publish_home(self, user: str, sender: str) -> None:
        lines = []
        for token, at in self._answering.recent(sender):
            try:
                lines.append((token, buttons.recent_line(self._answering.kept(token), _when(at))))
            except GoneError:
                continue
        self._api.publish_home(user, buttons.home_view(lines, _kept_words(self._answering.memory)))

    def _open(self, place: Place, body: Json, view: Json) -> None:
        self._api.open_view(_text(body, "trigger_id"), view)

    def _start(self, place: Place, where: str, function: typing.Callable[[], None]) -> bool:
        """Run a function in the background; an error becomes a sentence for the user who asked."""

        def work() -> None:
            try:
                function()
            except (InputError, FactError, ReplyError, GoneError, UnavailableError) as error:
                self._complain(place, str(error))
            except SlackError as error:
                log_fault(f"Slack, {where}: {error}", error)
                self._complain(place, f"Slack did not let me do that ({error}).")
            except Exception as error:  # noqa: BLE001 - the user gets a sentence, the log the class, neither a traceback
                log_fault(f"Slack, {where}", error)
                self._complain(place, _FAILED)

        return self._background.start(where, work)

    def _complain(self, place: Place, problem: str) -> None:
        try:
            self._api.deliver(place._replace(public=False), Message(*problem_blocks(problem)))
        except SlackError as error:
            log_fault(f"Slack, telling a user: {error}", error)

    def _sender(self, body: Json, user: str) -> str:
        team = _text(body, "team_id") or _text(_part(body, "team"), "id")
        return self._answering.sender(team, user)


def _bolt_app(settings: SlackSettings, api: SlackApi) -> App:
    def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=settings.bot_token)

    # Bolt warns about an environment variable that it would like to read itself, and quotes requests that it does not
    # know; neither belongs in the log. Bolt sets the level of the logger that has the app's name, on every request: the name must
    # not be that of our own logger. The route checked the signature before anything was parsed.
    return App(
        name=quiet.name,
        logger=quiet,
        client=api.client,
        signing_secret=settings.signing_secret,
        authorize=authorize,
        request_verification_enabled=False,
        ignoring_self_events_enabled=False,
    )


def _failed(error: Exception) -> BoltResponse:
    """Bolt's answer after an error in Bolt or in a listener. If Bolt's own parsing failed, the request is not from Slack."""
    innermost = traceback.extract_tb(error.__traceback__)[-1:]
    parsing = isinstance(error, JUNK) and any("slack_bolt" in frame.filename for frame in innermost)
    log_fault("Slack, a signed request of a form that is not known" if parsing else "Slack", error)
    return BoltResponse(status=400 if parsing else 500, body="")


def _of_a_program(event: Json) -> bool:
    return bool(event.get("bot_id")) or not event.get("user")


def _ours(message: Json, body: Json) -> bool:
    """Return whether this app wrote a message: its own answers are not part of the log."""
    own = _text(body, "api_app_id")
    return bool(own) and own in (message.get("app_id"), _part(message, "bot_profile").get("app_id"))


def _place(view: Json, body: Json) -> Place:
    """Where a modal was opened, read from the metadata that the modal carries."""
    parts = buttons.read_value(_text(view, "private_metadata")).get("p")
    user = _text(_part(body, "user"), "id")
    return (
        Place(str(parts[0]), user, str(parts[2]), str(parts[3]), bool(parts[4])) if isinstance(parts, list) else Place("", user)
    )


def _value(view: Json, block: str) -> Json:
    return _part(_part(_part(_part(view, "state"), "values"), block), "value")


def _written(view: Json, block: str) -> str:
    return _text(_value(view, block), "value").strip()


def _said(value: Json) -> Said:
    said = _text(value, "s")
    if said not in buttons.SAID_WORDS:
        raise GoneError("I do not know this button; it is from an older version.")
    return said


def _when(at: float) -> str:
    day = time.gmtime(at)
    return escape(f"{day.tm_mday} {time.strftime('%B %Y, %H:%M', day)} UTC")


def _kept_words(memory: Memory) -> str:
    if memory.keeps_s is None:
        return "Answers are kept until they are deleted, without secrets."
    return f"Answers are kept for {max(1, round(memory.keeps_s / 3600))} hours, without secrets."


def _part(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: Json, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
