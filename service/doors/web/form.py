"""What a user enters in addition to the text: facts, computed from a form's fields and put back into them."""

import json
import typing

from tfhelp.service.diagnosis.asking import NOT_THERE
from tfhelp.service.diagnosis.given import Given, Piece
from tfhelp.service.diagnosis.replies import Reply, read_reply
from tfhelp.service.diagnosis.reply_values import ReplyError
from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import Form
from tfhelp.service.doors.http.facts_size import MOST_BYTES, facts_fault

Json = dict[str, typing.Any]

ANSWER = "answer."  # prefix of the fields that answer the questions of a diagnosis
COMMAND = "command."  # prefix of the hidden fields that name the command whose output an answer is
ABSENT = "absent."  # prefix of the boxes to tick if something does not exist
AGAIN = "again"  # the field with the token of an earlier answer, whose text is diagnosed again
LONGEST_SHOWN = 64_000  # characters of a text that go back into a text area; a longer text is named but not shown

_SYSTEMS: dict[str, Json] = {
    "linux": {"name": "linux"},
    "wsl": {"name": "linux", "wsl": True},
    "windows": {"name": "windows"},
    "macos": {"name": "macos"},
}
# field -> (label, path, the command whose output may be pasted there)
_SIMPLE = {
    "python": ("Python", "python.version", "python --version"),
    "tensorflow": ("TensorFlow", "packages.tensorflow", "pip show tensorflow"),
    "driver": ("NVIDIA driver", "driver.version", "nvidia-smi"),
    "exit_code": ("Exit code", "run.exit_code", ""),
}


class About(typing.NamedTuple):
    """What is kept with a text: its facts, and the name (empty for a paste) and size in bytes of the original input."""

    facts: Json
    name: str
    size: int


class Asked(typing.NamedTuple):
    """A question: its text, and what was kept with it."""

    text: str
    facts: Json
    name: str
    size: int


class FormError(ValueError):
    """A field that cannot be used. The message names the field and says what is wrong."""


class Question:
    """A question created from the form.

    Attributes:
        pieces: the pasted text, the uploaded file, and the outputs of commands.
        facts: the facts document computed from all fields.
        facts_text: the new content of the facts field: its old content, plus the answers.
    """

    __slots__ = ("facts", "facts_text", "pieces")

    def __init__(self, pieces: list[Piece], facts: Json, facts_text: str) -> None:
        self.pieces = pieces
        self.facts = facts
        self.facts_text = facts_text


def question_of(form: Form, fact_types: dict[str, str], before: Asked | None = None) -> Question:
    """Compute pieces and facts from the fields.

    Args:
        form: the submitted fields.
        fact_types: path -> type of every fact, from the compiled knowledge base.
        before: the earlier question, if the form adds to it.

    Raises:
        FormError: a field cannot be read, or two fields contradict each other.
    """
    written = form.fields.get("facts", "")
    facts = _facts_document(written)
    answered, outputs = _add_answers(form, facts, fact_types)
    facts_text = json.dumps(facts, indent=2, ensure_ascii=False) if answered else written
    outputs += _add_simple_fields(form, facts, fact_types)
    pieces = _pieces(form, outputs)
    if before is not None:
        return Question([Piece(before.text), *pieces], _on_top(facts, before.facts), facts_text)
    return Question(pieces, facts, facts_text)


def _on_top(first: Json, second: Json) -> Json:
    """Both documents merged; the first has priority. A source from the second never describes a value from the first."""
    said = {
        path
        for group, value in first.items()
        for path in ([f"{group}.{name}" for name in value] if isinstance(value, dict) else [group])
    }
    both = dict(second)
    for group, value in first.items():
        inner = both.get(group)
        both[group] = {**inner, **value} if isinstance(inner, dict) and isinstance(value, dict) else value
    about = both.get("_about")
    if isinstance(about, dict):
        both["_about"] = {path: known for path, known in about.items() if path not in said}
    return both


def keep_in_form(form: Form, question: Question, given: Given) -> None:
    """Put back into the fields what the next submission needs to ask the same question again.

    A browser does not keep a chosen file. So if there was a file, or an output pasted as an answer, the recognised input goes
    back as text and facts. If there was only the text area, it goes back unchanged. A long text is not put back: the
    browser would need more time for the page than the diagnosis took.
    """
    if len(given.text) > LONGEST_SHOWN:
        form.fields["text"], form.fields["facts"] = "", question.facts_text
        return
    alone = len(question.pieces) == 1 and form.file is None
    recognised = given.text.strip() != given.pasted.strip()
    if alone or not recognised:
        form.fields["text"], form.fields["facts"] = given.pasted, question.facts_text
    else:
        form.fields["text"] = given.text
        form.fields["facts"] = json.dumps(given.facts, indent=2, ensure_ascii=False)


def _pieces(form: Form, outputs: list[str]) -> list[Piece]:
    pieces = [Piece(form.fields.get("text", ""))]
    if form.file is not None:
        pieces.append(Piece(*form.file))
    pieces += [Piece(output) for output in outputs]
    return [piece for piece in pieces if piece.content.strip()]


def _facts_document(written: str) -> Json:
    if not written.strip():
        return {}
    if len(written) > 2 * MOST_BYTES:  # with the spaces of indented JSON
        raise FormError(f"Facts: larger than the limit of {MOST_BYTES >> 10} KiB")
    try:
        facts = strict_json.parse(written)
    except strict_json.JsonError as error:
        raise FormError(f"Facts: {error}") from None
    if not isinstance(facts, dict):
        raise FormError("Facts: expected a JSON object, as 'tfhelp collect' prints it")
    fault = facts_fault(facts)
    if fault:
        raise FormError(f"Facts: {fault}")
    return facts


def _add_answers(form: Form, facts: Json, fact_types: dict[str, str]) -> tuple[bool, list[str]]:
    """Put the answers into the facts. Return whether there were any, and the outputs that belong to the text."""
    answered, outputs = False, []
    for path, written in _replies(form):
        reply = _reply(path, written, fact_types, " ".join(form.fields.get(COMMAND + path, "").split()))
        if reply is None:
            continue
        for group, name_of_fact, value in _facts_of(reply):
            _put(facts, group, name_of_fact, value)
            answered = True
        outputs += [reply.text] if reply.text else []
    return answered, outputs


def _replies(form: Form) -> typing.Iterator[tuple[str, str]]:
    """(path, reply) of each question, with "not there" for a ticked box."""
    for name, written in form.fields.items():
        if not name.startswith(ANSWER):
            continue
        path = name[len(ANSWER) :]
        if form.fields.get(ABSENT + path):
            if written.strip() and written.strip() != NOT_THERE:
                raise FormError(f"{path}: the field says {written.strip()[:60]!r}, the box says {NOT_THERE}; empty one of them")
            written = NOT_THERE
        yield path, written


def _reply(path: str, written: str, fact_types: dict[str, str], command: str, label: str = "") -> Reply | None:
    try:
        return read_reply(path, written, fact_types, command)
    except ReplyError as error:
        raise FormError(f"{label}: {str(error).partition(': ')[2]}" if label else str(error)) from None


def _facts_of(reply: Reply) -> list[tuple[str, str, object]]:
    """(group, name, value) of each fact; the name is empty for a group that is a list."""
    facts: list[tuple[str, str, object]] = []
    for group, value in reply.facts.items():
        facts += [(group, name, inner) for name, inner in value.items()] if isinstance(value, dict) else [(group, "", value)]
    return facts


def _put(facts: Json, group: str, name: str, value: object) -> None:
    if not name:
        facts[group] = value
        return
    inner = facts.setdefault(group, {})
    if not isinstance(inner, dict):
        raise FormError(f"Facts: {group}: expected an object")
    inner[name] = value


def _add_simple_fields(form: Form, facts: Json, fact_types: dict[str, str]) -> list[str]:
    """Put the single fields into the facts. Return the outputs pasted there that belong to the text."""
    system = form.fields.get("os", "").strip()
    if system:
        if system not in _SYSTEMS:
            raise FormError(f"Operating system: expected one of {', '.join(_SYSTEMS)}, got {system[:40]!r}")
        for key, value in _SYSTEMS[system].items():
            _put_agreeing(facts, "Operating system", "os", key, value)
    outputs = []
    for name, (label, path, command) in _SIMPLE.items():
        reply = _reply(path, form.fields.get(name, ""), fact_types, command, label)
        if reply is None:
            continue
        for group, name_of_fact, given in _facts_of(reply):
            _put_agreeing(facts, label, group, name_of_fact, given)
        outputs += [reply.text] if reply.text else []
    gpu = form.fields.get("gpu", "").strip()
    if gpu:
        outputs += _add_gpu(facts, gpu, fact_types)
    return outputs


def _put_agreeing(facts: Json, label: str, group: str, name: str, value: object) -> None:
    known = facts.get(group)
    if name and known is not None:
        if not isinstance(known, dict):
            raise FormError(f"Facts: {group}: expected an object")
        known = known.get(name)
    if known is not None and known != value:
        path = f"{group}.{name}" if name else group
        raise FormError(f"{label}: the field says {value}, the facts say {str(known)[:60]} ({path}); empty one of them")
    facts[group] = {**(facts.get(group) or {}), name: value} if name else value


def _add_gpu(facts: Json, written: str, fact_types: dict[str, str]) -> list[str]:
    """Put the GPUs into the facts: names, a compute capability, a number, or none. Return outputs that belong to the text."""
    reply = _reply("gpus", written, fact_types, "nvidia-smi", "GPU")
    if reply is None:
        return []
    for group, name, value in _facts_of(reply):
        if group != "gpus":
            _put_agreeing(facts, "GPU", group, name, value)
        elif facts.get("gpus") is None:
            facts["gpus"] = value
        elif not _are_among(typing.cast("list[Json]", value), facts["gpus"]):
            raise FormError(f"GPU: the field says {written[:60]}, the facts list other GPUs (gpus); empty one of them")
    return [reply.text] if reply.text else []


def _are_among(named: list[Json], known: object) -> bool:
    if not isinstance(known, list) or not named or named == known:
        return named == known
    return all(any(isinstance(gpu, dict) and one.items() <= gpu.items() for gpu in known) for one in named)
