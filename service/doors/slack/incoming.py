"""The content of a Slack message: its text as it was typed, and its files, within limits."""

import typing

from tfhelp.service.diagnosis.given import Piece
from tfhelp.service.doors.http.interface import size_in_words, too_large_advice
from tfhelp.service.doors.slack.mrkdwn import typed
from tfhelp.service.doors.slack.web_api import FileError, SlackApi, SlackError

Json = dict[str, typing.Any]

MOST_FILES = 10
_MOST_BLOCKS = 200
_NO_TEXT = ("image/", "video/", "audio/", "font/")
_LONGEST_NAME = 100


class MessageContent(typing.NamedTuple):
    """What was read.

    Attributes:
        pieces: texts and files for the diagnosis.
        names: what was read, for the user: ``the message``, and the names of files.
        refused: a sentence for each file that was not read.
    """

    pieces: list[Piece]
    names: list[str]
    refused: list[str]


def read_messages(api: SlackApi, messages: typing.Sequence[Json], most: int) -> MessageContent:
    """The text and the files of messages, in order.

    Args:
        api: downloads the files.
        messages: as Slack sends them.
        most: limit on the bytes of all files together, and on the characters of all texts.
    """
    text = _ends("\n".join(filter(None, (message_text(message) for message in messages))).strip(), most)
    pieces = [Piece(text)] if text else []
    names = ["the message" if len(messages) == 1 else f"{len(messages)} messages"] if text else []
    files = [file for message in messages for file in message.get("files") or [] if isinstance(file, dict)]
    brought = read_files(api, files, most)
    return MessageContent(pieces + brought.pieces, names + brought.names, brought.refused)


def read_files(api: SlackApi, files: typing.Sequence[Json], most: int) -> MessageContent:
    """The content of files.

    Args:
        api: downloads them.
        files: Slack's descriptions of them.
        most: limit on the bytes of all files together.
    """
    brought = MessageContent([], [], [])
    room = most
    for file in files[:MOST_FILES]:
        name = file_name(file)
        try:
            content = _content(api, file, room, most)
        except FileError as error:
            brought.refused.append(f"{name} {error}.")
        except SlackError:
            brought.refused.append(f"{name} could not be read. Invite me to its channel (/invite @tfhelp), or paste its text.")
        else:
            room -= len(content)
            brought.pieces.append(Piece(content, name))
            brought.names.append(f"{name} ({size_in_words(len(content))})")
    if len(files) > MOST_FILES:
        brought.refused.append(f"I read {MOST_FILES} files at once; {len(files) - MOST_FILES} more were left out.")
    return brought


def message_text(message: Json) -> str:
    """A message's text as it was typed, plus the attachments and blocks that a program sent."""
    parts = [str(message.get("text") or ""), *_laid_out(message.get("blocks"))]
    for attachment in message.get("attachments") or []:
        if isinstance(attachment, dict):
            said = [str(attachment.get(name) or "") for name in ("pretext", "title", "text")]
            for field in attachment.get("fields") or []:
                said += [str(field.get(name) or "") for name in ("title", "value")] if isinstance(field, dict) else []
            said += _laid_out(attachment.get("blocks"))
            parts.append("\n".join(filter(None, said)) or str(attachment.get("fallback") or ""))
    if not "".join(parts).strip():
        parts = list(_texts(message.get("blocks") or []))
    # A program's text often repeats its first block.
    return "\n".join(dict.fromkeys(filter(None, (typed(part).strip("\n") for part in parts))))


def _laid_out(blocks: typing.Any) -> list[str]:
    """The texts of a program's blocks. A rich text block repeats the message's text, and actions hold only buttons."""
    listed = blocks if isinstance(blocks, list) else []
    return list(_texts([item for item in listed if isinstance(item, dict) and item.get("type") not in ("rich_text", "actions")]))


def _ends(text: str, most: int) -> str:
    """The text, or its start and its end if it is too long: the first error and the last lines say the most."""
    return text if len(text) <= most else f"{text[: most // 4]}\n{text[-(most - most // 4) :]}"


def file_name(file: Json) -> str:
    """A file's name for display, on one line."""
    name = " ".join(str(file.get("name") or file.get("title") or "the file").split())
    return name[:_LONGEST_NAME]


def _texts(blocks: typing.Any) -> typing.Iterator[str]:
    """The texts of blocks, in order, without recursion."""
    waiting = [blocks]
    for _ in range(_MOST_BLOCKS):
        if not waiting:
            return
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item[:_MOST_BLOCKS]))
        elif isinstance(item, dict):
            text = item.get("text")
            if isinstance(text, str):
                yield text
            else:
                waiting.extend(item[name] for name in ("fields", "elements", "text") if name in item)


def _content(api: SlackApi, file: Json, room: int, most: int) -> bytes:
    """Raises: FileError: it cannot be read; the message says why. SlackError: Slack gives no information about it."""
    if file.get("file_access") == "check_file_info" or not (file.get("url_private_download") or file.get("mode")):
        file = api.file(str(file.get("id") or ""))
    kind = str(file.get("mimetype") or "")
    mode = file.get("mode")
    if kind.startswith(_NO_TEXT):
        raise FileError(f"is {_kind_words(kind)}. I read text only: paste the error itself, or attach the log")
    if mode in ("tombstone", "hidden_by_limit"):
        raise FileError("is gone, or hidden by the limits of this workspace")
    url = str(file.get("url_private_download") or file.get("url_private") or "")
    if not url or mode == "external" or file.get("is_external"):
        raise FileError("is not stored in Slack, so I cannot read it")
    size = file.get("size")
    if isinstance(size, int) and size > room:
        raise FileError(_too_large(size, most))
    try:
        return api.download(url, room)
    except FileError as error:
        raise FileError(_too_large(room + 1, most) if "too large" in str(error) else str(error)) from None


def _too_large(size: int, most: int) -> str:
    return f"is too large ({size_in_words(size)}). {too_large_advice(most).rstrip('.')}"


def _kind_words(kind: str) -> str:
    return {"image": "a picture", "video": "a video", "audio": "a recording", "font": "a font"}[kind.partition("/")[0]]
