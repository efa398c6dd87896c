"""The sentences about an operation, the same at every door. They contain pasted text, which each door escapes as usual."""

import typing

from tfhelp.kb.atlas.ops import Attribute, Op
from tfhelp.service.diagnosis.explained_words import short

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import ReadersLine
    from tfhelp.service.diagnosis.op_messages import OpMessage

DEVICES = {"CPU": "the CPU", "GPU": "a GPU", "XLA_CPU_JIT": "the CPU through XLA", "XLA_GPU_JIT": "a GPU through XLA"}
_MOST_TYPES = 10
_INTEGERS = ("int32", "int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64")
_FLOATS = ("float32", "float64", "float16", "bfloat16")
_USUAL = {name: place for place, name in enumerate((*_FLOATS, *_INTEGERS, "bool", "string", "complex64", "complex128"))}


def who(op: Op, message: "OpMessage", exception: str, node: str) -> str:
    """The sentence about what raises the message."""
    what = f"this {exception}" if exception else "this message"
    clause = (
        "" if not node else " (known from the node's name)" if node == op.name else f" (known from the name of the node {node})"
    )
    place = f"the operation {op.name}{clause}"
    if message.kind == "xla":
        return f"TensorFlow raises {what} when XLA compiles {place}."
    if message.kind == "value":
        where = f" on {message.devices[0]}" if message.devices else ""
        return f"TensorFlow's C++ code raises {what} when it runs {place}{where}."
    return f"TensorFlow raises {what} before it runs {place}."


def made(op: Op, line: "ReadersLine") -> str:
    """The user's line that added the operation to the graph."""
    return f"Your line {short(line['file'])}:{line['line']} created the operation {op.name}."


def misfit(op: Op, message: "OpMessage") -> list[str]:
    """What does not fit, what would, and where there are kernels; empty if the message only names the operation."""
    if message.kind == "input":
        return _of_input(op, message)
    if message.kind == "attribute":
        return _of_attribute(op, message)
    if message.kind == "kernel":
        return _of_kernel(op, message)
    return _of_xla(op, message) if message.kind == "xla" else []


def all_of(op: Op) -> list[str]:
    """Everything known about an operation."""
    return [takes(op), gives(op), *attributes(op), *kernels(op)]


def attributes(op: Op) -> list[str]:
    """The attributes that are not the type of an input, in one sentence; empty if there are none."""
    own = [(name, one) for name, one in op.attributes.items() if not op.inputs_of(name) and not _counts(op, name)]
    return [f"Its attribute{'s are' if len(own) > 1 else ' is'} {_listed([_attribute(*pair) for pair in own])}."] if own else []


def _attribute(name: str, one: Attribute) -> str:
    values = _any_of(one.allowed) if one.allowed else one.kind
    return f"{name} ({values}{'' if one.default is None else f'; default {one.default or chr(34) * 2}'})"


def _counts(op: Op, attribute: str) -> bool:
    return any(one.type.startswith(f"{attribute}*") for one in op.inputs)


def takes(op: Op) -> str:
    """What its inputs accept."""
    if not op.inputs:
        return f"{op.name} has no inputs."
    groups: dict[str, list[str]] = {}
    for one in op.inputs:
        groups.setdefault(one.type, []).append(one.name)
    parts = []
    for kind, names in groups.items():
        types = _types(op, kind)
        parts.append(f"{_listed(names)} ({types}{', all of the same type' if _are_alike(op, kind, names) else ''})")
    return f"{op.name} takes {_listed(parts)}."


def gives(op: Op) -> str:
    """What its outputs are."""
    if not op.outputs:
        return "It has no outputs."
    return f"It returns {_listed([f'{one.name} ({_output(op, one.type)})' for one in op.outputs])}."


def kernels(op: Op, devices: typing.Sequence[str] = tuple(DEVICES)) -> list[str]:
    """Which devices have a kernel, and for which types: one sentence for all devices with the same types."""
    alike: dict[str, list[str]] = {}
    asked = {device: DEVICES[device] for device in devices}
    for device, place in asked.items():
        if op.runs_on(device, {}):
            limits = [_limit(op, device, name) for name, one in op.attributes.items() if one.kind == "type"]
            alike.setdefault(_listed([limit for limit in limits if limit]), []).append(place)
    if not alike:
        return [f"No device has a kernel for {op.name} in {_release(op)}."]
    says = [
        f"In {_release(op)} it runs on {_listed(places)}{' with ' if limits else ''}{limits}." for limits, places in alike.items()
    ]
    none = [place for device, place in asked.items() if not op.runs_on(device, {})]
    return [*says, f"It has no kernel for {_listed(none, 'or')}."] if none else says


def _limit(op: Op, device: str, attribute: str) -> str:
    """The types of an attribute that a device has a kernel for; empty if it has one for every accepted type."""
    types = op.types_on(device, attribute)
    allowed = op.accepted(attribute)
    if types is None or (allowed and set(allowed) <= set(types)):
        return ""
    return f"{attribute} = {_any_of([name for name in types if not allowed or name in allowed])}"


def _of_input(op: Op, message: "OpMessage") -> list[str]:
    wanted, number = message.wanted[0], message.input
    place, name = _input(op, number)
    argument = op.inputs[place] if place is not None else None
    subject = f"The input {name} of {op.name}" if name else f"Input {number} of {op.name}, counted from 0,"
    says = [f"{subject} is {message.got}, but {wanted} is expected."]
    alike = [one.name for one in op.inputs if argument and argument.of in op.attributes and one.of == argument.of]
    others = [one for one in alike if one != name]
    if others:
        says.append(f"{_listed(alike)} must have the same type.")
    says += _cast(name, others[0] if others else "", message.got, wanted)
    return [*says, *_lacking(op, argument.of if argument else "", wanted)]


def _input(op: Op, number: str) -> tuple[int | None, str]:
    """(place, name) of an input that a message names or numbers; (None, "") if lists of tensors make it unknown."""
    names = [one.name for one in op.inputs]
    if not number.isdigit():
        return (names.index(number), number) if number in names else (None, "")
    before = op.inputs[: int(number) + 1]
    known = int(number) < len(names) and not any("*" in one.type or _is_a_list(op, one.of) for one in before)
    return (int(number), names[int(number)]) if known else (None, "")


def _is_a_list(op: Op, attribute: str) -> bool:
    return attribute in op.attributes and op.attributes[attribute].kind.startswith("list")


def _cast(name: str, other: str, got: str, wanted: str) -> list[str]:
    """The cast that gives two inputs the same type: it loses no fractions, and casts float64, NumPy's default, to the model's
    type.
    """
    numbers = (*_INTEGERS, *_FLOATS)
    if got not in numbers or wanted not in numbers:
        return []
    if got in _FLOATS and wanted in _INTEGERS:
        return [f"tf.cast({other}, tf.{got}) gives both the same type without losing fractions."] if other else []
    if got in _FLOATS and wanted == "float64":
        return [f"tf.cast({other}, tf.{got}) gives both the same type."] if other else []
    return [f"tf.cast({name}, tf.{wanted}) gives both the same type."] if name else []


def _lacking(op: Op, attribute: str, wanted: str) -> list[str]:
    """The devices that have kernels, but none for this type."""
    if attribute not in op.attributes:
        return []
    lacking = [
        DEVICES[device] for device in ("CPU", "GPU") if op.runs_on(device, {}) and not op.runs_on(device, {attribute: wanted})
    ]
    return [f"{_release(op)} has no {op.name} kernel for {wanted} on {_listed(lacking, 'or')}."] if lacking else []


def _of_attribute(op: Op, message: "OpMessage") -> list[str]:
    inputs = op.inputs_of(message.attribute)
    name = (
        f"the input{'s' if len(inputs) > 1 else ''} {_listed(inputs)} of {op.name}"
        if inputs
        else f"{message.attribute} of {op.name}"
    )
    verb = "are" if len(inputs) > 1 else "is"
    says = [f"{name[0].upper()}{name[1:]} {verb} {message.got}. Accepted: {_any_of(message.wanted)}."]
    return [*says, *_cast_to_accepted(inputs[0] if inputs else "", message.got, message.wanted)]


def _cast_to_accepted(name: str, got: str, accepted: tuple[str, ...]) -> list[str]:
    """The cast to an accepted type; a string cannot be cast to a number."""
    if not name:
        return []
    if got == "string":
        return [f"tf.strings.to_number({name}) converts the text to numbers."] if "float32" in accepted else []
    order = (*_FLOATS, *_INTEGERS) if got != "bool" else (*_INTEGERS, *_FLOATS)
    best = next((one for one in order if one in accepted), "")
    if not best or got not in (*_INTEGERS, *_FLOATS, "bool"):
        return []
    loses = ", which drops fractions" if got in _FLOATS and best in _INTEGERS else ""
    return [f"tf.cast({name}, tf.{best}) gives it an accepted type{loses}."]


def _of_kernel(op: Op, message: "OpMessage") -> list[str]:
    types = {name: value for name, value in message.types.items() if name in op.attributes}
    asked = op.name + (f" with {_listed([f'{name} = {value}' for name, value in types.items()])}" if types else "")
    here = [place for device, place in DEVICES.items() if device in message.devices]
    says = [f"None of the devices that the program sees ({_listed(here)}) has a kernel for it."] if here else []
    if message.kernels:
        # The kernels of the user's own build are more relevant than those of another release.
        return [*says, *_placed(op._replace(release="", kernels=message.kernels), asked, types)]
    left_out = [place for place in _fits(op, types) if place in here or message.kernels == {}]
    if left_out:
        built = f"{_release(op)} for Linux has a kernel for {asked} on {_listed(left_out)}"
        return [*says, f"{built}, so this release or build of TensorFlow was made without it."]
    return [*says, *_placed(op, asked, types)]


def _fits(op: Op, types: dict[str, str]) -> list[str]:
    return [place for device, place in DEVICES.items() if device in ("CPU", "GPU") and op.runs_on(device, types)]


def _placed(op: Op, asked: str, types: dict[str, str]) -> list[str]:
    """Which devices have a kernel for the requested types, or else for which types they have one."""
    fits = _fits(op, types)
    if not fits:
        return [f"In {_release(op)}, {asked} has no kernel on any device.", *kernels(op, ("CPU", "GPU"))]
    lacks = [DEVICES[device] for device in ("CPU", "GPU") if DEVICES[device] not in fits]
    says = [f"In {_release(op)}, {asked} has a kernel on {_listed(fits)}."]
    return [*says, f"It has none on {_listed(lacks, 'or')}."] if lacks else says


def _of_xla(op: Op, message: "OpMessage") -> list[str]:
    device = message.devices[0]
    types = {name: value for name, value in message.types.items() if name in op.attributes}
    release = _release(op)
    says = []
    if op.name == "_Arg":
        got = f" of type {types['T']}" if "T" in types else " of this type"
        says.append(f"An argument{got} is passed to the compiled function, and XLA does not accept this type.")
    elif device in DEVICES and not op.runs_on(device, {}):
        says.append(f"XLA cannot compile {op.name}: {release} has no kernel for it on {device}.")
    elif device in DEVICES and not op.runs_on(device, types):
        listed = _listed([f"{name} = {value}" for name, value in types.items()])
        says.append(f"XLA cannot compile {op.name} with {listed}: {release} has no such kernel for {device}.")
    elif device in DEVICES:
        return [f"{release} has a kernel for {op.name} on {device}, so your release or another attribute makes the difference."]
    plain = [place for name, place in DEVICES.items() if name in ("CPU", "GPU") and op.runs_on(name, types)]
    if plain and op.name != "_Arg":
        says.append(f"Without XLA it runs on {_listed(plain)}.")
    return says


def _release(op: Op) -> str:
    return f"TensorFlow {'.'.join(op.release.split('.')[:2])}" if op.release else "your build of TensorFlow"


def _types(op: Op, kind: str) -> str:
    count, star, of = kind.rpartition("*")
    listed = f"a list of {count} tensors, " if star else "a list of tensors, " if _is_a_list(op, of) else ""
    allowed = op.accepted(of)
    return listed + (_any_of(allowed) if allowed else "any type")


def _output(op: Op, kind: str) -> str:
    of = kind.rpartition("*")[2]
    inputs = op.inputs_of(of)
    if inputs and of in op.attributes:
        return f"the type of {inputs[0]}"
    return _types(op, kind)


def _are_alike(op: Op, kind: str, names: list[str]) -> bool:
    """Return whether several inputs share a free type, so that they must all have the same type."""
    of = kind.rpartition("*")[2]
    return of in op.attributes and not _is_a_list(op, of) and (len(names) > 1 or "*" in kind)


def _any_of(types: typing.Sequence[str]) -> str:
    if not types:
        return "none"
    ordered = sorted(types, key=lambda name: (_USUAL.get(name, len(_USUAL)), name))
    more = len(ordered) - _MOST_TYPES
    return _listed([*ordered[:_MOST_TYPES], f"{more} more types"], "and") if more > 1 else _listed(ordered, "or")


def _listed(parts: typing.Sequence[str], word: str = "and") -> str:
    return f" {word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
