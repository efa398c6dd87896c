"""What a person fills in beside the text: facts, made from a form's fields and put back into them."""

import json
import math
import typing

from tfhelp.service.doors.http import strict_json
from tfhelp.service.doors.http.body import Form

Json = dict[str, typing.Any]

ANSWER = "answer."  # prefix of the fields that answer what a diagnosis asked for
COMMAND = "command."  # prefix of the hidden fields that say which command's output an answer is

_SYSTEMS: dict[str, Json] = {
    "linux": {"name": "linux"},
    "wsl": {"name": "linux", "wsl": True},
    "windows": {"name": "windows"},
    "macos": {"name": "macos"},
}
# field -> (label, path)
_SIMPLE = {
    "python": ("Python", ("python", "version")),
    "tensorflow": ("TensorFlow", ("packages", "tensorflow")),
    "driver": ("NVIDIA driver", ("driver", "version")),
    "exit_code": ("Exit code", ("run", "exit_code")),
}
_YES = {"yes": True, "no": False}


class FormError(ValueError):
    """A field that cannot be used. The message names the field and says what is wrong."""


class Question:
    """What a form asks.

    Attributes:
        text: the pasted text, with the file and the pasted outputs of commands behind it.
        facts: the facts document made of all fields.
        facts_text: what goes back into the facts field: what stood there, and the answers.
    """

    __slots__ = ("facts", "facts_text", "text")

    def __init__(self, text: str, facts: Json, facts_text: str) -> None:
        self.text = text
        self.facts = facts
        self.facts_text = facts_text


def question_of(form: Form, fact_types: dict[str, str]) -> Question:
    """Make text and facts of the fields.

    Args:
        form: the submitted fields.
        fact_types: path -> type of every fact, from the compiled knowledge base.

    Raises:
        FormError: a field cannot be read, or two fields contradict each other.
    """
    facts = _facts_document(form.fields.get("facts", ""))
    answers, outputs = _answers(form, fact_types)
    for path, value in answers:
        _put(facts, path, value)
    written = form.fields.get("facts", "")
    facts_text = json.dumps(facts, indent=2, ensure_ascii=False) if answers else written
    _add_simple_fields(form, facts)
    return Question(_text(form, outputs), facts, facts_text)


def answer_kind(path: str, fact_types: dict[str, str]) -> str:
    """How a fact is asked for: a type of the table, or ``output`` where only a command's output can tell it."""
    if path.startswith(("packages.", "env.")):
        return "text"
    kind = fact_types.get(path, "")
    return kind if kind and kind != "list" and "[]" not in path else "output"


def _text(form: Form, outputs: list[str]) -> str:
    parts = [part for part in (form.fields.get("text", ""), form.fields.get("file", ""), *outputs) if part.strip()]
    # A single text stays exactly as it was pasted, so that this door gives the answer that every other gives.
    return parts[0] if len(parts) == 1 else "\n".join(part.rstrip("\n") for part in parts)


def _facts_document(written: str) -> Json:
    if not written.strip():
        return {}
    try:
        facts = strict_json.parse(written)
    except strict_json.JsonError as error:
        raise FormError(f"Facts: {error}") from None
    if not isinstance(facts, dict):
        raise FormError("Facts: expected a JSON object, as 'tfhelp collect' prints it")
    return facts


def _answers(form: Form, fact_types: dict[str, str]) -> tuple[list[tuple[str, typing.Any]], list[str]]:
    values: list[tuple[str, typing.Any]] = []
    outputs = []
    for name, written in form.fields.items():
        if not name.startswith(ANSWER) or not written.strip():
            continue
        path = name[len(ANSWER) :]
        kind = answer_kind(path, fact_types)
        if kind == "output":
            command = " ".join(form.fields.get(COMMAND + path, "").split())
            outputs.append((f"$ {command}\n" if command else "") + written.strip("\n"))
        else:
            values.append((path, _typed(path, written.strip(), kind)))
    return values, outputs


def _typed(path: str, written: str, kind: str) -> object:
    """One written value as the table's type; what has no type of its own stays text for the diagnosis to judge."""
    try:
        if kind == "boolean":
            return _YES[written.lower()]
        if kind == "integer":
            return int(written)
        if kind == "number":
            number = float(written.replace(",", "."))
            if not math.isfinite(number):
                raise ValueError
            return number
        if kind == "integers":
            return [int(part) for part in written.replace(",", " ").split()]
    except (ValueError, KeyError):
        expected = {"boolean": "yes or no", "integer": "a whole number", "number": "a number", "integers": "whole numbers"}[kind]
        raise FormError(f"{path}: expected {expected}, got {written[:60]!r}") from None
    if kind == "texts":
        return [part.strip() for part in written.replace("\n", ",").split(",") if part.strip()]
    return written


def _put(facts: Json, path: str, value: object) -> None:
    group, _, rest = path.partition(".")
    inner = facts.setdefault(group, {})
    if not isinstance(inner, dict):
        raise FormError(f"Facts: {group}: expected an object")
    inner[rest] = value


def _add_simple_fields(form: Form, facts: Json) -> None:
    system = form.fields.get("os", "").strip()
    if system:
        if system not in _SYSTEMS:
            raise FormError(f"Operating system: expected one of {', '.join(_SYSTEMS)}, got {system[:40]!r}")
        for key, value in _SYSTEMS[system].items():
            _put_agreeing(facts, "Operating system", ("os", key), value)
    for name, (label, path) in _SIMPLE.items():
        written = form.fields.get(name, "").strip()
        if not written:
            continue
        _put_agreeing(facts, label, path, _exit_code(written) if name == "exit_code" else written)
    gpu = form.fields.get("gpu", "").strip()
    if gpu:
        _add_gpu(facts, gpu)


def _exit_code(written: str) -> int:
    try:
        # Windows reports crashes as 0xC0000005.
        return int(written, 16) if written.lower().startswith("0x") else int(written)
    except ValueError:
        raise FormError(f"Exit code: expected a whole number, got {written[:40]!r}") from None


def _put_agreeing(facts: Json, label: str, path: tuple[str, str], value: object) -> None:
    group = facts.get(path[0]) or {}
    if not isinstance(group, dict):
        raise FormError(f"Facts: {path[0]}: expected an object")
    known = group.get(path[1])
    if known is not None and known != value:
        raise FormError(f"{label}: the field says {value}, the facts say {str(known)[:60]} ({'.'.join(path)}); empty one of them")
    facts[path[0]] = {**group, path[1]: value}


def _add_gpu(facts: Json, name: str) -> None:
    gpus = facts.get("gpus")
    if gpus is None:
        facts["gpus"] = [{"name": name}]
    elif not isinstance(gpus, list) or name not in [gpu.get("name") for gpu in gpus if isinstance(gpu, dict)]:
        raise FormError(f"GPU: the field says {name[:60]}, the facts list other GPUs (gpus); empty one of them")
