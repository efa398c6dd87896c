"""Turn TensorFlow's registry into rows: an operation's inputs, outputs and attributes, and the types that its kernels accept.

The objects are those of ``OpDef`` and ``KernelDef``; only their fields are read, so this module does not need TensorFlow.
"""

import typing

Row = dict[str, tuple[str, ...]]
"""One kernel, or several merged ones: attribute -> the values that it accepts. An attribute that is left out may have any
value.
"""

DEVICES = ("CPU", "GPU", "DEFAULT", "XLA_CPU_JIT", "XLA_GPU_JIT")
"""Devices that are kept. ``DEFAULT`` stands for every device without its own kernel. TPU kernels are not registered in the wheel,
and the devices ``XLA_CPU`` and ``XLA_GPU`` are no longer used.
"""

_LONGEST_DEFAULT = 40
_KINDS: dict[str, typing.Callable[[typing.Any], str]] = {
    "b": str,
    "i": str,
    "f": "{:g}".format,
    "s": lambda value: value.decode("utf-8", "replace"),
}


def op_row(op: typing.Any, kernels: typing.Sequence[typing.Any], type_name: typing.Callable[[int], str]) -> list[typing.Any]:
    """An operation as stored in the file: inputs, outputs, attributes, kernels.

    Args:
        op: an ``OpDef``.
        kernels: its ``KernelDef``s for all devices.
        type_name: converts a number of ``DataType`` to its name, ``float32``.
    """
    by_device: dict[str, list[Row]] = {}
    for kernel in kernels:
        # A kernel with a label only runs if a graph asks for it by that label.
        if kernel.device_type in DEVICES and not kernel.label:
            by_device.setdefault(kernel.device_type, []).append(_constraints(kernel, type_name))
    return [
        [[argument.name, _argument_type(argument, type_name)] for argument in op.input_arg],
        [[argument.name, _argument_type(argument, type_name)] for argument in op.output_arg],
        {attribute.name: _attribute(attribute, type_name) for attribute in op.attr if not attribute.name.startswith("_")},
        {device: merged(by_device[device]) for device in DEVICES if device in by_device},
    ]


def _argument_type(argument: typing.Any, type_name: typing.Callable[[int], str]) -> str:
    """A type, the name of the attribute that gives it, or ``N*T`` for a list of N tensors."""
    text = argument.type_attr or argument.type_list_attr or type_name(argument.type)
    return f"{argument.number_attr}*{text}" if argument.number_attr else str(text)


def _attribute(attribute: typing.Any, type_name: typing.Callable[[int], str]) -> list[typing.Any]:
    """Kind, allowed values (none: any), and the default as text if it is short."""
    row: list[typing.Any] = [attribute.type, list(_values(attribute.allowed_values.list, type_name))]
    if attribute.HasField("default_value"):
        default = _text(attribute.default_value, type_name)
        if default is not None and len(default) <= _LONGEST_DEFAULT:
            row.append(default)
    return row


def _text(value: typing.Any, type_name: typing.Callable[[int], str]) -> str | None:
    kind = value.WhichOneof("value")
    if kind == "type":
        return type_name(value.type)
    return str(_KINDS[kind](getattr(value, kind))) if kind in _KINDS else None


def _constraints(kernel: typing.Any, type_name: typing.Callable[[int], str]) -> Row:
    return {one.name: tuple(sorted(_values(one.allowed_values.list, type_name))) for one in kernel.constraint}


def _values(listed: typing.Any, type_name: typing.Callable[[int], str]) -> tuple[str, ...]:
    return (*map(type_name, listed.type), *(value.decode("utf-8", "replace") for value in listed.s))


def merged(rows: typing.Iterable[Row]) -> list[Row]:
    """The same kernels in fewer rows: rows that differ only in the values of one attribute are merged.

    >>> merged([{"T": ("float32",)}, {"T": ("int32",)}])
    [{'T': ('float32', 'int32')}]
    """
    kept = [dict(row) for row in {tuple(sorted(row.items())): None for row in rows}]
    for name in sorted({name for row in kept for name in row}):
        grouped: dict[typing.Hashable, Row] = {}
        for row in kept:
            others = (name in row, tuple(sorted((key, values) for key, values in row.items() if key != name)))
            first = grouped.setdefault(others, row)
            if name in row:
                first[name] = tuple(sorted({*first[name], *row[name]}))
        kept = list(grouped.values())
    return kept
