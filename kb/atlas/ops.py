"""Look up operations: an operation's inputs and outputs, and which devices have a kernel for which types.

``ops.bin`` is built by ``python -m tfhelp.kb.atlas.build_ops`` from one release of TensorFlow. It contains facts from
TensorFlow's registry, and no text from the documentation.
"""

import functools
import os
import typing

from tfhelp.kb.atlas.store import Store

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ops.bin")

_OF_C = {"half": "float16", "float": "float32", "double": "float64"}


class Argument(typing.NamedTuple):
    """An input or output: its name, and its type, the attribute that gives its type, or ``N*T`` for a list of tensors."""

    name: str
    type: str

    @property
    def of(self) -> str:
        """The type or attribute of each tensor."""
        return self.type.rpartition("*")[2]


class Attribute(typing.NamedTuple):
    """An attribute: its kind as TensorFlow writes it (``type``, ``list(int)``), the values allowed (none: any), its default."""

    kind: str
    allowed: tuple[str, ...]
    default: str | None


class Op(typing.NamedTuple):
    """An operation.

    Attributes:
        name: as in ``[Op:MatMul]``.
        release: of the TensorFlow that the registry is from.
        kernels: device -> kernels, each as attribute -> accepted values; an attribute that is left out may have any value.
    """

    name: str
    release: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    attributes: dict[str, Attribute]
    kernels: dict[str, list[dict[str, list[str]]]]

    def inputs_of(self, attribute: str) -> list[str]:
        """The names of the inputs whose type an attribute gives."""
        return [one.name for one in self.inputs if one.of == attribute]

    def accepted(self, name: str) -> tuple[str, ...]:
        """The types that an attribute may have, or for a type, its name; empty if any type is accepted."""
        return self.attributes[name].allowed if name in self.attributes else (name,)

    def types_on(self, device: str, attribute: str) -> tuple[str, ...] | None:
        """The types of an attribute for which a device has a kernel, sorted.

        Returns:
            None if every type has one; empty if the device has no kernel for this operation.
        """
        rows = self._rows(device)
        if any(attribute not in row for row in rows):
            return None
        return tuple(sorted({value for row in rows for value in row[attribute]}))

    def runs_on(self, device: str, attributes: typing.Mapping[str, str]) -> bool:
        """Return whether a device has a kernel for these attribute values; attributes that are not given may have any value."""
        rows = self._rows(device)
        return any(all(attributes[name] in row[name] for name in row if name in attributes) for row in rows)

    def _rows(self, device: str) -> list[dict[str, list[str]]]:
        # XLA needs its own kernel to compile an operation; any other device falls back to DEFAULT.
        return [*self.kernels.get(device, []), *(() if device.startswith("XLA_") else self.kernels.get("DEFAULT", []))]


class Ops:
    """The file, opened."""

    def __init__(self, path: str = PATH) -> None:
        """Open the file.

        Raises:
            tfhelp.kb.atlas.store.AtlasError: it is missing or damaged, or has a different format.
        """
        self._store = Store(path)
        self.release: str = self._store.get("about", "release")

    def get(self, name: str) -> Op | None:
        """An operation by its name; None if this release has none of that name."""
        row = self._store.get("ops", name)
        if row is None:
            return None
        inputs, outputs, attributes, kernels = row
        return Op(
            name,
            self.release,
            tuple(Argument(*one) for one in inputs),
            tuple(Argument(*one) for one in outputs),
            {key: Attribute(one[0], tuple(one[1]), one[2] if len(one) > 2 else None) for key, one in attributes.items()},
            kernels,
        )


@functools.cache
def shared() -> Ops:
    """The table of the repository, opened once per process; raises as ``Ops`` does."""
    return Ops()


def python_name(type_name: str) -> str:
    """A type as Python names it.

    >>> python_name("half"), python_name("DT_DOUBLE"), python_name("int32"), python_name("DT_INT8_REF")
    ('float16', 'float64', 'int32', 'int8')
    """
    name = type_name[3:].lower() if type_name.startswith("DT_") else type_name
    name = name.removesuffix("_ref")
    return _OF_C.get(name, name)
