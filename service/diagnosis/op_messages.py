"""Parse what an error of TensorFlow's runtime says about an operation: which one, which input or attribute, on which device.

Every pattern is linear: each repeat is bounded, and its terminator cannot be part of it.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.atlas.ops import python_name
from tfhelp.service.diagnosis.op_signs import names_an_op

_LONGEST = 20_000  # characters of a record that are read
_OF_ATTRIBUTES = 1500  # characters after a node that may contain its attributes

_COMPUTE = Pattern(
    r"cannot compute (\w{1,80}) as input #(\d{1,4})\(zero-based\) was expected to be an? (\w{1,30}) tensor but is an? (\w{1,30}) tensor"
)
_NOT_ALLOWED = Pattern(r"Value for attr '(\w{1,40})' of \"?(\w{1,30})\"? is not in the list of allowed values: ([\w, \"]{1,600})")
_DEFINED = Pattern(r"Op<name=(\w{1,80});")
_UNLIKE = Pattern(
    r"Input '(\w{1,60})' of '(\w{1,80})' Op has type (\w{1,30}) that does not match (?:type (\w{1,30}) of argument|expected type of (\w{1,30}))"
)
_NO_KERNEL = Pattern(r"No OpKernel was registered to support Op '(\w{1,80})'")
_REGISTERED = Pattern(r"Registered devices: \[([\w:, ]{0,200})\]")
_NO_DEVICE = Pattern(r"Could not find device for node: (?:\{\{node [^{}\s]{1,300}\}\} = )?(\w{1,80})\[")
_NOT_COMPILED = Pattern(r"No registered '(\w{1,80})' OpKernel for (\w{1,40}) devices compatible with node")
_ATTRIBUTE = Pattern(r"\b(\w{1,40})=(DT_\w{1,30})")
_KERNEL = Pattern(r"device='(\w{1,40})'((?:; \w{1,40} in \[[\w, ]{1,600}\]){0,8})")
_TAKES = Pattern(r"(\w{1,40}) in \[([\w, ]{1,600})\]")
_LISTS = ("Registered kernels:", "All kernels registered for op")
_NONE_LISTED = "<no registered kernels>"
_ENDS = ("Registered devices", "Registered kernels", "All kernels registered", "{{node", "Registered:")
_WRAPPED = Pattern(r"\{\{function_node __wrapped__(\w{1,80})_device_([\w/:.-]{0,120})\}\}")
_PLACED = Pattern(r"device:(\w{1,20}:\d{1,4})")
_RAN = Pattern(r"\[Op:(\w{1,80})\]")
_NODE = Pattern(
    r"\{\{node ([^{}\s]{1,300})\}\}|\[\[node ([^\s\[\]]{1,300})|Node: '([^'\s]{1,300})'|[Dd]etected at node '?([^'\s]{1,300})"
)
_NUMBERED = Pattern(r"_\d{1,6}$")
_OF_PYTHON = {
    "add": "AddV2",
    "concat": "ConcatV2",
    "mul": "Mul",
    "strided_slice": "StridedSlice",
    "sub": "Sub",
    "transpose": "Transpose",
    "truediv": "RealDiv",
}
"""Names that TensorFlow's Python functions give their nodes, if different from the operation's name."""

Kind = typing.Literal["input", "attribute", "kernel", "xla", "value"]


class Named(typing.NamedTuple):
    """A name that may be an operation's. ``node`` is the node's whole name if the operation is only known from it, else empty."""

    op: str
    node: str = ""


class OpMessage(typing.NamedTuple):
    """What a message says about an operation.

    Attributes:
        kind: ``input``: an input has a wrong type; ``attribute``: an attribute has a value that is not allowed; ``kernel``: no
            kernel fits; ``xla``: XLA does not compile it; ``value``: only the operation is known.
        named: names, most likely first. A node may have any name, so the caller checks which one is an operation.
        input: name of the input or its number, counted from 0; empty for other kinds.
        attribute: its name; empty for other kinds.
        wanted: types that are accepted, as Python names them.
        got: the type that is not accepted.
        types: the types that the message gives for attributes.
        devices: where it has to run, ``CPU``, ``XLA_GPU_JIT``, ``CPU:0``; empty if the message does not say.
        kernels: those of the build that printed the message, device -> kernels, as in ``Op.kernels``; ``None`` if it lists none.
    """

    kind: Kind
    named: tuple[Named, ...]
    input: str = ""
    attribute: str = ""
    wanted: tuple[str, ...] = ()
    got: str = ""
    types: typing.Mapping[str, str] = {}
    devices: tuple[str, ...] = ()
    kernels: "dict[str, list[dict[str, list[str]]]] | None" = None


def read(text: str) -> OpMessage | None:
    """What a record's text says about an operation; ``None`` if it names none."""
    if not names_an_op(text):
        return None
    text = text if len(text) <= _LONGEST else text[-_LONGEST:]
    for reader in (_of_input, _of_unlike, _of_attribute, _of_kernel, _of_device, _of_xla, _of_value):
        found = reader(text)
        if found is not None:
            return found
    return None


def _of_input(text: str) -> OpMessage | None:
    found = _COMPUTE.search(text)
    if found is None:
        return None
    op, number, wanted, got = found.groups()
    return OpMessage("input", (Named(op),), number, wanted=(python_name(wanted),), got=python_name(got))


def _of_unlike(text: str) -> OpMessage | None:
    found = _UNLIKE.search(text)
    if found is None:
        return None
    name, op, got, wanted, expected = found.groups()
    return OpMessage("input", (Named(op),), name, wanted=(python_name(wanted or expected),), got=python_name(got))


def _of_attribute(text: str) -> OpMessage | None:
    found = _NOT_ALLOWED.search(text)
    if found is None:
        return None
    attribute, got, allowed = found.groups()
    sure = [Named(one[1]) for one in (_DEFINED.search(text, found.end()), _RAN.search(text, found.end())) if one]
    named = (*sure, *_of_nodes(text))
    wanted = tuple(python_name(name.strip('"')) for name in allowed.replace(",", " ").split())
    return OpMessage("attribute", named, attribute=attribute, wanted=wanted, got=python_name(got)) if named else None


def _of_kernel(text: str) -> OpMessage | None:
    found = _NO_KERNEL.search(text)
    if found is None:
        return None
    devices = _REGISTERED.search(text, found.end())
    here = tuple(name for name in (devices[1] if devices else "").replace(",", " ").split() if not name.startswith("XLA_"))
    types = _types_behind(text, found.end())
    return OpMessage("kernel", (Named(found[1]),), types=types, devices=here, kernels=_kernels_behind(text, found.end()))


def _of_device(text: str) -> OpMessage | None:
    found = _NO_DEVICE.search(text)
    if found is None:
        return None
    types = _types_behind(text, found.end())
    return OpMessage("kernel", (Named(found[1]),), types=types, kernels=_kernels_behind(text, found.end()))


def _kernels_behind(text: str, start: int) -> "dict[str, list[dict[str, list[str]]]] | None":
    """The kernels that a message lists; ``None`` if it lists none. A build without any says so in its message."""
    place = max(text.find(word, start) for word in _LISTS)
    if place < 0:
        return None
    listed: dict[str, list[dict[str, list[str]]]] = {}
    for device, limits in _KERNEL.findall(text[place:]):
        row = {name: [python_name(one) for one in types.replace(",", " ").split()] for name, types in _TAKES.findall(limits)}
        listed.setdefault(device, []).append(row)
    return listed if listed or _NONE_LISTED in text[place:] else None


def _of_xla(text: str) -> OpMessage | None:
    found = _NOT_COMPILED.search(text)
    if found is None:
        return None
    start = text.find("Requested Attributes:", found.end())
    types = _types_behind(text, start) if 0 <= start < found.end() + _OF_ATTRIBUTES else {}
    return OpMessage("xla", (Named(found[1]),), types=types, devices=(found[2],))


def _types_behind(text: str, start: int) -> dict[str, str]:
    """The types of attributes after a place, up to the next part of the message. A node's own attributes come first."""
    behind = text[start : start + _OF_ATTRIBUTES]
    attributes = behind.find("attrs")
    # The node is named between the operation and its attributes.
    skipped = max(attributes, 0)
    ends = [place for word in _ENDS if (place := behind.find(word, skipped)) >= 0]
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(behind[skipped : min(ends, default=len(behind))]):
        found.setdefault(name, python_name(value))
    return found


def _of_value(text: str) -> OpMessage | None:
    wrapped = _WRAPPED.search(text)
    ran = [Named(name) for name in _RAN.findall(text) if not name.startswith("__")]
    named = (*((Named(wrapped[1].lstrip("_")), Named(wrapped[1])) if wrapped else ()), *ran, *_of_nodes(text))
    placed = _PLACED.search(wrapped[2]) if wrapped else None
    return OpMessage("value", named, devices=(placed[1],) if placed else ()) if named else None


def _of_nodes(text: str) -> list[Named]:
    """Node names, whose last part is the operation's name unless the program named the node."""
    found: dict[Named, None] = {}
    for groups in _NODE.findall(text):
        node = next(filter(None, groups))
        leaf = _NUMBERED.sub("", node.rpartition("/")[2])
        found[Named(_OF_PYTHON.get(leaf, leaf), node)] = None
    return list(found)
