"""The client of "tfhelp ask --server" as it was before servers named the version of their API. Recorded: it is never changed."""

import json
import re
import typing
import urllib.error
import urllib.parse
import urllib.request

from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
_SECONDS = 60
_LINK = re.compile(r"(?:https?:/)?/[!-~]{1,2000}")  # whatever answers, nothing that steers a terminal


def ask_server(url: str, text: str, facts: Json, top: int) -> "Answer":
    """The service's answer.

    Raises:
        InputError: the URL is none, the service cannot be reached or refuses the question.
    """
    if not url.startswith(("http://", "https://")):
        raise InputError(f"--server {url}: expected a URL such as http://127.0.0.1:8000")
    body = {"text": redact(text), "facts": redact_document(facts), "top": top}
    request = urllib.request.Request(
        url.rstrip("/") + "/api/v1/diagnose", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        raise InputError(f"{url} refused the question ({error.code}): {error.read(500).decode(errors='replace')}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{url} does not answer: {getattr(error, 'reason', error)}") from None
    if not isinstance(answer, dict) or "abstained" not in answer:
        raise InputError(f"{url} answers, but not as tfhelp does")
    _complete_link(answer, url)
    return typing.cast("Answer", answer)


def _complete_link(answer: Json, url: str) -> None:
    """Make the link of a kept answer one that a browser takes; a server without a public address only knows its path."""
    said = answer.pop("link", None)
    if isinstance(said, str) and _LINK.fullmatch(said):
        answer["link"] = urllib.parse.urljoin(url, said)
