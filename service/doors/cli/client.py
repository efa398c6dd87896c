"""``tfhelp ask --server URL``: the same question to a running service. Everything is redacted before it is sent."""

import http.client
import json
import os
import re
import sys
import typing
import urllib.error
import urllib.parse
import urllib.request

from tfhelp.service.doors.cli.page import on_one_line
from tfhelp.service.doors.cli.sent import Sent
from tfhelp.service.errors import InputError
from tfhelp.service.version import VERSION

if typing.TYPE_CHECKING:
    from email.message import Message

    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
TOKEN_VARIABLE = "TFHELP_TOKEN"
_SECONDS = 60
_LONGEST_REASON = 500  # characters
_API = "1"  # the API version of this client: the first of the two numbers
_LINK = re.compile(r"(?:https?:/)?/[!-~]{1,2000}")  # whatever a server answers, no character in it can control the terminal
_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})")
_TOKEN = re.compile(r"[!-~]{1,500}")
_ADVICE = {
    401: f"; ask the server's owner for a token, and set {TOKEN_VARIABLE} or give --token-file FILE",
    403: "; the token does not allow it",
    404: "; is that the address of a 'tfhelp serve'?",
}


def token_of(path: str | None) -> str:
    """The token to send, from a file or ``TFHELP_TOKEN``; empty without either. On the command line, ``ps`` would show it.

    Raises:
        InputError: the file cannot be read, or holds no token.
    """
    if path is None:
        written, where = os.environ.get(TOKEN_VARIABLE, "").strip(), TOKEN_VARIABLE
    else:
        where = path
        try:
            with open(path, encoding="utf-8") as file:
                written = file.read(10_000).strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            raise InputError(f"--token-file {path}: cannot be read ({reason})") from None
        if not written:
            raise InputError(f"--token-file {path}: the file is empty")
    if written and not _TOKEN.fullmatch(written):
        raise InputError(f"{where} holds no token: a token is one word of plain characters")
    return written


def ask_server(
    url: str,
    text: str,
    facts: Json,
    top: int,
    token: str = "",
    *,
    keep: bool = True,
    own_names: bool = False,
    script: str = "",
) -> "Answer":
    """The service's answer.

    Args:
        url: address of the service.
        text: the text; it is redacted here.
        facts: the facts; they are redacted here.
        top: how many entries to name at most.
        token: identifies the caller; empty for none.
        keep: whether a team's memory may keep the answer.
        own_names: put the user's paths, hosts and addresses back into the answer; it is shown only here.
        script: name of the file that the code facts come from; the file is not sent.

    Raises:
        InputError: the URL is wrong, the service cannot be reached, refuses the question, or has a different version of the API.
    """
    if not url.startswith(("http://", "https://")):
        raise InputError(f"--server {url}: expected a URL such as http://127.0.0.1:8000")
    sent = Sent.of(text, facts, script)
    body = {"text": sent.text, "facts": sent.facts, "top": top, **({} if keep else {"keep": False})}
    headers = {"Content-Type": "application/json", "User-Agent": f"tfhelp/{VERSION}"}
    request = urllib.request.Request(url.rstrip("/") + "/api/v1/diagnose", json.dumps(body).encode(), headers)
    if token:
        _say_if_readable(url)
        # Not an ordinary header: those follow a redirect, wherever it leads.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            answer, version = json.load(response), _version_of(response.headers)
    except urllib.error.HTTPError as error:
        raise InputError(_refusal(url, error)) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise InputError(
            f"{url} does not answer: {on_one_line(str(getattr(error, 'reason', error)))[:_LONGEST_REASON]}"
        ) from None
    if not isinstance(answer, dict) or "abstained" not in answer:
        raise InputError(_why_incompatible(url, version))
    _check_version(url, version)
    if own_names:
        answer = sent.with_own_names(answer)
    _complete_link(answer, url)
    return typing.cast("Answer", answer)


def _say_if_readable(url: str) -> None:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        print(f"tfhelp: the token and the text go to {parts.hostname} unencrypted; use https if it has it", file=sys.stderr)


def _refusal(url: str, error: urllib.error.HTTPError) -> str:
    """Why a service refuses, in its own words if they can be read."""
    raw = error.read(2000)
    version = _version_of(error.headers)
    if version and version[0] != _API:
        return _why_incompatible(url, version)
    try:
        said = json.loads(raw)["error"]
        reason = f"{said['path']}: {said['reason']}" if said.get("path") else str(said["reason"])
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = raw[:500].decode(errors="replace")
    advice = _ADVICE.get(error.code, "")
    seconds = str(error.headers.get("Retry-After") or "")
    if seconds.isascii() and seconds.isdigit() and len(seconds) < 6:
        advice = f"; ask again in {seconds} s"
    return f"{url} refused the question ({error.code}): {on_one_line(reason)[:_LONGEST_REASON]}{advice}"


def _version_of(headers: "Message") -> tuple[str, str] | None:
    """Both numbers of the service's API version; None if it sends no version."""
    found = _VERSION.fullmatch(str(headers.get("Tfhelp-Api") or ""))
    return (found[1], found[2]) if found else None


def _why_incompatible(url: str, version: tuple[str, str] | None) -> str:
    if version is None:
        return f"{url} answers, but it is not a tfhelp server"
    older = int(version[0]) < int(_API)
    return (
        f"{url} speaks version {'.'.join(version)} of the API, and this tfhelp ({VERSION}) speaks version {_API}: "
        f"update {'the server' if older else 'tfhelp here'}"
    )


def _check_version(url: str, version: tuple[str, str] | None) -> None:
    """Raises: InputError: the service has a different version of the API."""
    if version is None:
        print(
            f"tfhelp: {url} is an older tfhelp, which does not say its version; its answer may lack what is new", file=sys.stderr
        )
    elif version[0] != _API:
        raise InputError(_why_incompatible(url, version))


def _complete_link(answer: Json, url: str) -> None:
    """Turn the link of a kept answer into one that a browser opens; a server without a public address knows only its path."""
    said = answer.pop("link", None)
    if isinstance(said, str) and _LINK.fullmatch(said):
        answer["link"] = urllib.parse.urljoin(url, said)
