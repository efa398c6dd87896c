"""What is known about the operation that an error of TensorFlow's runtime names: its inputs, types and kernels.

This module is only imported if a text names an operation, because the table of operations takes a millisecond to open.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.origin import is_foreign, of_file
from tfhelp.kb.atlas.ops import Op, shared
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import explained_words, op_messages, op_words
from tfhelp.service.diagnosis.op_messages import OpMessage
from tfhelp.service.diagnosis.op_signs import names_an_op

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import ArgumentOfOp, AttributeOfOp, Explained, OpFacts, OpSeen, ReadersLine

_MADE = ("defined at", "op is created at", "Stack trace for op definition")
_PLACE = Pattern(r'File "([^"\n]{1,400})", line (\d{1,7}), in ([\w<>.]{1,120})')
_LONGEST = 20_000  # characters after ``_MADE`` that are read

_CARRIERS = frozenset(
    [
        "Assert",
        "Case",
        "Const",
        "EagerPyFunc",
        "Identity",
        "If",
        "IteratorGetNext",
        "IteratorGetNextAsOptional",
        "IteratorGetNextSync",
        "MakeIterator",
        "MultiDeviceIteratorGetNextFromShard",
        "NoOp",
        "PartitionedCall",
        "Placeholder",
        "PyFunc",
        "PyFuncStateless",
        "RemoteCall",
        "StatefulPartitionedCall",
        "StatelessIf",
        "StatelessWhile",
        "While",
        "XlaLaunch",
    ]
)
"""Operations that only run others or the user's own function: the failure is inside them."""


class OpFound(typing.NamedTuple):
    """An operation named by a message, and what the message says. ``node``: the node, if only its name shows the operation."""

    op: Op
    message: OpMessage
    node: str


def find(text: str) -> OpFound | None:
    """The operation that a record's text names; ``None`` if it names none that this release has.

    Raises:
        tfhelp.kb.atlas.store.AtlasError: the table is missing or damaged.
    """
    message = op_messages.read(text)
    if message is None:
        return None
    for named in message.named:
        carries = message.kind == "value" and named.op in _CARRIERS
        op = None if carries else shared().get(named.op)
        if op is not None:
            return OpFound(op, message, named.node)
    return None


def is_of_cpp(text: str) -> bool:
    """Return whether a message certainly comes from C++: it names an operation that ran, and that ran no Python code."""
    message = op_messages.read(text)
    if message is None or "PyFunc" in text:
        return False
    return any(not named.node and named.op not in _CARRIERS for named in message.named) and "' Op has type " not in text


def seen(found: OpFound) -> "OpSeen":
    """The operation in the form of the answer's document."""
    message = found.message
    return {**facts(found.op), "kind": message.kind, "node": found.node, "devices": list(message.devices), "got": message.got}


def facts(op: Op) -> "OpFacts":
    """Everything in the table about an operation."""
    attributes: list[AttributeOfOp] = [
        {"name": name, "kind": one.kind, "allowed": list(one.allowed), "default": one.default}
        for name, one in op.attributes.items()
    ]
    return {
        "name": op.name,
        "release": op.release,
        "inputs": _arguments(op, op.inputs),
        "outputs": _arguments(op, op.outputs),
        "attributes": attributes,
        "kernels": op.kernels,
    }


def _arguments(op: Op, arguments: typing.Iterable[typing.Any]) -> "list[ArgumentOfOp]":
    return [{"name": one.name, "type": one.type, "types": list(op.accepted(one.of))} for one in arguments]


def explain(record: Record, line: "ReadersLine | None") -> "Explained | None":
    """Explain a failure for which only the operation is known; ``None`` if the record names none.

    Args:
        record: an exception, or a log line.
        line: the innermost line of the user's own code in its traceback.

    Raises:
        tfhelp.kb.atlas.store.AtlasError: the table or the atlas is missing or damaged.
    """
    found = find(record.text)
    if found is None or (found.message.kind == "value" and not record.exception):
        return None
    from tfhelp.kb.atlas import atlas
    from tfhelp.service.diagnosis.explained import releases

    public = atlas.shared().lookup(f"tf.raw_ops.{found.op.name}")
    document: Explained = {
        "exception": record.exception,
        "function": found.op.name,
        "module": "tensorflow.raw_ops",
        "public": public.name if public else "",
        "package": "tensorflow",
        "releases": releases(public.releases) if public else [],
        "values": [],
        "others": [],
        "other_places": 0,
        "confirmed": not found.node,
        "weak": found.message.kind == "value",
        "op": seen(found),
        "says": [op_words.who(found.op, found.message, record.exception, found.node), *sentences(found)],
    }
    made = made_at(record.text)
    if made:
        document["your_line"] = made
        document["says"].append(op_words.made(found.op, made))
    elif line:
        document["your_line"] = line
        document["says"].append(explained_words.your_line(line))
    return document


def sentences(found: OpFound) -> list[str]:
    """Sentences about what does not fit, or else what the operation accepts."""
    return op_words.misfit(found.op, found.message) or [op_words.takes(found.op)]


def made_at(text: str) -> "ReadersLine | None":
    """The user's line that added the operation to the graph, if the message shows it: the innermost line in the user's files."""
    starts = [place for word in _MADE if (place := text.find(word)) >= 0]
    if not starts:
        return None
    # Of several nodes, the first one failed; its frames end where it is named again.
    behind = text[min(starts) : min(starts) + _LONGEST].partition("Node: '")[0]
    places = [found for found in _PLACE.findall(behind) if of_file(found[0]) == "user"]
    return {"file": places[-1][0], "line": int(places[-1][1]), "source": "", "called": ""} if places else None


def beside_an_entry(records: typing.Sequence[Record]) -> list[str]:
    """Sentences to add to an entry that matches the message; empty if the operation adds nothing."""
    for record in reversed(records):
        if names_an_op(record.text) and not is_foreign(record):
            try:
                found = find(record.text)
            except AtlasError:
                return []  # the answer does not need it
            says = [*op_words.misfit(found.op, found.message), *_made_elsewhere(found, record)] if found else []
            if says:
                return says
    return []


def _made_elsewhere(found: OpFound, record: Record) -> list[str]:
    """The user's line that created the operation, if the traceback does not show it because it ends where the graph was run."""
    made = made_at(record.text)
    if made is None or any((frame.file, frame.line) == (made["file"], made["line"]) for frame in record.frames):
        return []
    return [op_words.made(found.op, made)]
