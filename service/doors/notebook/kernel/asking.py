"""Where the answers come from: a server, another environment's ``tfhelp``, or the one installed here.

``TFHELP_SERVER`` and ``TFHELP_COMMAND`` decide. Without them, tfhelp runs in this process if it is installed, or else the
command ``tfhelp`` on the path runs. A text for a server goes through tfhelp too, which redacts it. ``TFHELP_TOKEN`` tells a
server who is asking.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing
import warnings

from . import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

_SECONDS = 60
_CELLS = "cells-of-this-kernel.ipynb"  # names the cells in evidence; no reader has a file with this name
_UNREDACTED = "TFHELP_UNREDACTED"
_TOKEN = "TFHELP_TOKEN"
_WORD = re.compile(r"[!-~]{1,500}")  # what a header may hold
_NOT_OURS = ("PYTHONPATH", "PYTHONHOME")  # they are for the kernel's Python; the tool has its own Python
_HOW = f"'pipx install ./tfhelp-{__version__}-py3-none-any.whl', or 'uv tool install' with the same file"
INSTALL = (
    f"tfhelp is not found. Install its wheel in an environment of its own, with Python 3.11 or later ({_HOW}), or say where it "
    "is: TFHELP_COMMAND=/path/to/tfhelp or TFHELP_SERVER=http://host:8000."
)
_ADVICE = {
    401: "; ask the server's owner for a token, and set %s" % _TOKEN,
    403: "; the token does not allow it",
    404: "; is that the address of a 'tfhelp serve'?",
}


class AskError(Exception):
    """There is no answer; the message says why and what to do."""


class Question:
    """A question.

    Attributes:
        text: the printed output, or the user's words.
        facts: a facts document.
        notebook: the cells as the JSON of a notebook; empty for none.
        collect: whether to inspect the machine and this kernel's environment.
    """

    def __init__(self, text: str, facts: Json | None = None, notebook: str = "", collect: bool = True) -> None:
        self.text = text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates cannot be sent
        self.facts = facts or {}
        self.notebook = notebook
        self.collect = collect


def answer_to(question: Question) -> Json:
    """The answer's document.

    Raises:
        AskError: nothing answers, or the answer is a refusal.
    """
    answer = _answer_to(question)
    return _with_cells(answer) if question.notebook else answer


def _with_cells(answer: Json) -> Json:
    """The answer, with ``In[3] line 2`` in place of a line in our file of the cells."""
    text = json.dumps(answer)
    text = re.sub(r"%s code cell (\d+)" % re.escape(_CELLS), r"In[\1]", text).replace(_CELLS, "this notebook")
    return dict(json.loads(text))


def _answer_to(question: Question) -> Json:
    server, command = os.environ.get("TFHELP_SERVER", ""), shlex.split(os.environ.get("TFHELP_COMMAND", ""))
    if server:
        _check_url(server)
        redacting = command or _redacting_command()
        return _by_command(question, redacting, server) if redacting else _by_server(question, server)
    if command or not _is_installed():
        return _by_command(question, command or _command_on_path(), "")
    return _in_process(question)


def _redacting_command() -> list[str]:
    """The ``tfhelp`` that redacts a text before a server gets it; empty if there is none."""
    if _is_installed():
        return [sys.executable, "-m", "tfhelp.service"]
    try:
        return _command_on_path()
    except AskError:
        return []


def _check_url(url: str) -> None:
    """Raises: AskError: it is not a server's address."""
    if not url.startswith(("http://", "https://")):
        raise AskError(f"TFHELP_SERVER is {url!r}; expected a URL such as http://127.0.0.1:8000")


def _is_installed() -> bool:
    """Return whether ``import tfhelp`` gives the whole of tfhelp here."""
    if sys.version_info < (3, 11):
        return False
    from importlib.util import find_spec

    return find_spec("tfhelp") is not None


def _in_process(question: Question) -> Json:
    import tfhelp

    with _CodeFile(question.notebook) as path:
        arguments: Json = {"collect": question.collect, "python": sys.executable}
        try:
            try:
                return dict(tfhelp.diagnose(question.text, question.facts, code=path, **arguments))
            except tfhelp.InputError:
                if path is None:
                    raise
            return dict(tfhelp.diagnose(question.text, question.facts, **arguments))  # the cells are not Python 3
        except Exception as error:  # noqa: BLE001 - whatever it is, the notebook goes on
            raise AskError(f"{type(error).__name__}: {error}") from None


def _command_on_path() -> list[str]:
    """The command. Raises: AskError: there is none."""
    places = os.pathsep.join((os.environ.get("PATH", ""), os.path.expanduser(os.path.join("~", ".local", "bin"))))
    found = shutil.which("tfhelp", path=places)
    if found is None:
        raise AskError(INSTALL)
    return [found]


def _by_command(question: Question, command: list[str], server: str) -> Json:
    asking = [*command, "ask", "--json", "--no-input"]
    asking += ["--python", sys.executable] if question.collect else ["--no-collect"]
    asking += ["--server", server] if server else []
    with _File(json.dumps(question.facts), "facts.json") as facts, _CodeFile(question.notebook) as code:
        asking += ["--facts", str(facts)]
        ran = _run([*asking, "--code", code] if code else asking, question.text)
        if ran.returncode not in (0, 1) and code:  # the cells are not Python 3 that it can read
            ran = _run(asking, question.text)
    try:
        answer = json.loads(ran.stdout.decode("utf-8", "replace"))
        return dict(answer)
    except (ValueError, TypeError):
        said = ran.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise AskError(f"{command[0]} gave no answer: {said or 'exit code %d' % ran.returncode}") from None


def _run(command: list[str], text: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_OURS}
    try:
        return subprocess.run(
            command,
            input=text.encode(),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AskError(f"{command[0]} did not answer within {_SECONDS} s") from None
    except OSError as error:
        raise AskError(f"{command[0]} cannot be started: {error.strerror or error}") from None


def _by_server(question: Question, url: str) -> Json:
    """Ask a server. The text is sent without the name of your home folder; the cells stay here."""
    import urllib.error
    import urllib.request

    from .surroundings import facts_of_kernel

    if not _is_here(url) and os.environ.get(_UNREDACTED) != "1":
        raise AskError(
            f"tfhelp is not installed here, so it cannot remove secrets and names from the text before {url} gets it. Install it "
            f"({_HOW}), or set {_UNREDACTED}=1 to send the text as it is."
        )
    facts = {**(facts_of_kernel() if question.collect else {}), **question.facts}
    home = os.path.expanduser("~")
    text = question.text.replace(home, "~") if len(home) > 1 else question.text
    body = json.dumps({"text": text, "facts": facts}).encode()
    request = urllib.request.Request(url.rstrip("/") + "/api/v1/diagnose", body, {"content-type": "application/json"})
    _add_token(request, url)
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            answer = json.loads(response.read().decode())
    except urllib.error.HTTPError as error:
        raise AskError(f"{url} refused the question ({error.code}): {_reason(error)}{_ADVICE.get(error.code, '')}") from None
    except (OSError, ValueError) as error:
        raise AskError(f"{url} does not answer: {getattr(error, 'reason', error)}") from None
    if not isinstance(answer, dict) or "verdict" not in answer:
        raise AskError(f"{url} answers, but it is not a tfhelp server")
    return answer


def _add_token(request: typing.Any, url: str) -> None:
    """Put the token into the request's header, if there is one. Raises: AskError: it is not a token."""
    token = os.environ.get(_TOKEN, "").strip()
    if not token:
        return
    if not _WORD.fullmatch(token):
        raise AskError(f"{_TOKEN} holds no token: a token is one word of plain characters")
    if url.startswith("http:") and not _is_here(url):
        warnings.warn(f"tfhelp: the token and the text go to {url} unencrypted; use https if it has it", stacklevel=2)
    # Ordinary headers follow a redirect, wherever it leads. This one must not.
    request.add_unredirected_header("Authorization", f"Bearer {token}")


def _reason(error: typing.Any) -> str:
    """Why a server refuses, in its own words if they can be read."""
    raw = error.read(2000).decode("utf-8", "replace")
    try:
        return str(json.loads(raw)["error"]["reason"])[:500]
    except (ValueError, KeyError, TypeError):
        return str(raw[:500])


def _is_here(url: str) -> bool:
    """Return whether the server runs on this machine."""
    import urllib.parse

    return urllib.parse.urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost")


class _File:
    """A file that exists only while it is read; its name appears in answers."""

    def __init__(self, content: str, name: str) -> None:
        self._content = content
        self._name = name
        self._folder = ""

    def __enter__(self) -> str | None:
        self._folder = tempfile.mkdtemp(prefix="tfhelp-")
        path = os.path.join(self._folder, self._name)
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(self._content)
        return path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class _CodeFile(_File):
    """The cells as a notebook file; ``None`` if there are none."""

    def __init__(self, notebook: str) -> None:
        super().__init__(notebook, _CELLS)

    def __enter__(self) -> str | None:
        return super().__enter__() if self._content else None


def what_is_missing() -> str:
    """Why no answer is possible, in a sentence; empty if an answer may be possible."""
    if os.environ.get("TFHELP_SERVER") or os.environ.get("TFHELP_COMMAND") or _is_installed():
        return ""
    try:
        _command_on_path()
    except AskError as error:
        return str(error)
    return ""
