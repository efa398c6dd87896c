"""``tfhelp ask --server URL``: the same question to a running service. All that is sent is redacted before it leaves.

The facts of a script and of this machine are made here, so no code is sent, and no name of a file.
"""

import json
import re
import typing
import urllib.error
import urllib.parse
import urllib.request

from tfhelp.collectors.redaction import Redactor
from tfhelp.service.errors import InputError

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer

Json = dict[str, typing.Any]
_SECONDS = 60
_SCRIPT = "script-of-the-user.py"
_SHOWN = frozenset(("USER", "HOST", "IP"))
_LINK = re.compile(r"(?:https?:/)?/[!-~]{1,2000}")  # whatever answers, nothing that steers a terminal


def ask_server(
    url: str, text: str, facts: Json, top: int, keep: bool = True, own_names: bool = False, script: str = ""
) -> "Answer":
    """The service's answer.

    Args:
        url: of the service.
        text: the pasted text.
        facts: a facts document.
        top: how many entries to name at most.
        keep: whether a team's memory may keep the answer.
        own_names: put the user's paths, hosts and addresses back into the answer; it is shown here and goes nowhere.
        script: name of the file that facts come from, which is not sent.

    Raises:
        InputError: the URL is none, the service cannot be reached or refuses the question.
    """
    if not url.startswith(("http://", "https://")):
        raise InputError(f"--server {url}: expected a URL such as http://127.0.0.1:8000")
    # Both together, so that a name has the same token in the text and in the facts.
    facts = _with_source(facts, script, _SCRIPT) if script else facts
    redactor = Redactor.of_document({"text": text, "facts": facts})
    body: Json = {"text": redactor.text(text), "facts": redactor.value(facts), "top": top}
    if not keep:
        body["keep"] = False
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
    if own_names:
        answer = _with_names(answer, redactor.secrets(), script)
    _complete_link(answer, url)
    return typing.cast("Answer", answer)


def _with_source(facts: Json, old: str, new: str) -> Json:
    """The facts, with another name of the file that some of them come from."""
    about = {
        path: said | {"source": new + said["source"].removeprefix(old)} if str(said.get("source", "")).startswith(old) else said
        for path, said in facts.get("_about", {}).items()
    }
    return facts | ({"_about": about} if about else {})


def _with_names(answer: Json, secrets: dict[str, str], script: str) -> Json:
    """The answer with what was replaced by tokens; credentials stay away, because nobody needs to read them."""
    names = {token: secret for token, secret in secrets.items() if token.rpartition("-")[0] in _SHOWN and secret.isprintable()}
    if script:
        names[_SCRIPT] = script
    if not names:
        return answer
    link = answer.get("link")
    put_back: Json = _replaced(answer, re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])"), names)
    return put_back | ({"link": link} if "link" in answer else {})


def _replaced(value: typing.Any, tokens: "re.Pattern[str]", names: dict[str, str]) -> typing.Any:
    if isinstance(value, str):
        return tokens.sub(lambda found: names[found[0]], value)
    if isinstance(value, dict):
        return {key: _replaced(item, tokens, names) for key, item in value.items()}
    return [_replaced(item, tokens, names) for item in value] if isinstance(value, list) else value


def _complete_link(answer: Json, url: str) -> None:
    """Make the link of a kept answer one that a browser takes; a server without a public address only knows its path."""
    said = answer.pop("link", None)
    if isinstance(said, str) and _LINK.fullmatch(said):
        answer["link"] = urllib.parse.urljoin(url, said)
