"""The public function, class or method that a message of Python means by ``f()``, ``Class.f()`` or ``__init__()``."""

import difflib
import re
import typing

from tfhelp.kb.atlas.asked_names import accepts

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.asked_names import Name
    from tfhelp.kb.atlas.atlas import Atlas
    from tfhelp.kb.atlas.opened import Span

_CALLED_CLASS = re.compile(r"\b([A-Z]\w{1,60})\(")
_DATASET = re.compile(r"Dataset(?:V\d)?$")
_CLASSES = {"Functional": "Model", "TensorFlowTrainer": "Model", "Trainer": "Model", "BaseOptimizer": "Optimizer"}
"""Class names that Python prints for objects, and their public names."""
_LEFT_OUT = ("compat.v1", ".experimental.", ".integration_test.")
"""Places whose classes a message seldom means; Keras 2.12 shipped some of its own tests."""
_MEMBERS_OF = ("tf.keras.Model", "tf.data.Dataset", "tf.keras.layers.Layer")
"""Classes whose methods an older Python prints without the class."""
_ALIKE = 0.75
"""How similar (as ``difflib`` measures it, 0 to 1) a misspelt argument is to the right one."""
_ALIKE_METHOD = 0.8
"""The same for a method. Its name is longer, and more names of attributes than of arguments are alike."""


def owners(atlas: "Atlas", kind: str) -> list[str]:
    """The public classes that the name of an object's class can mean, best known first."""
    kind = _CLASSES.get(kind, kind)
    named = [name for name in atlas.named(kind) if name.rpartition(".")[2] == kind and atlas.is_class(name)]
    if not named and _DATASET.search(kind):
        return ["tf.data.Dataset"]
    ours = [name for name in named if not any(part in name for part in _LEFT_OUT)]
    return sorted(ours, key=lambda name: (not name.startswith(("tf.keras.", "keras.")), name.count("."), len(name)))[:4]


def functions(atlas: "Atlas", called: str, source: str) -> list[str]:
    """The public functions, classes or methods that ``called`` can mean, best known first.

    Args:
        called: what the message puts before its parentheses: ``f``, ``Class.f`` or ``__init__``.
        source: the line of code that called it; it names the class of a plain ``__init__``.
    """
    owner, _, function = called.rpartition(".")
    if function == "__init__" and not owner:
        return [name for kind in _CALLED_CLASS.findall(source) for name in owners(atlas, kind)][:4]
    if owner:
        classes = owners(atlas, owner)
        return classes if function == "__init__" else [f"{name}.{function}" for name in classes]
    plain = re.sub(r"_v\d$", "", function)
    named = [name for name in atlas.named(plain) if name.rpartition(".")[2] == plain and "compat.v1" not in name]
    members = [f"{name}.{plain}" for name in _MEMBERS_OF if atlas.lookup(f"{name}.{plain}")]
    return [*members, *sorted(named, key=lambda name: (name.count("."), len(name)))][:6]


def releases_taking(found: "Name", argument: str) -> "list[Span]":
    """The releases in which a function takes an argument."""
    return [span for text, spans in found.signatures if accepts(text, argument) for span in spans]


def parameters(atlas: "Atlas", name: str) -> list[str]:
    """The names of a function's parameters in the newest release; empty if that release does not have the function."""
    found = atlas.lookup(name)
    if found is None or not any(span.newest for span in found.releases) or not found.signatures:
        return []
    return [part.rstrip("=").lstrip("*") for part in found.signatures[-1][0].strip("()").split(",") if part]


def nearest_parameter(atlas: "Atlas", name: str, argument: str) -> str:
    """The parameter of the newest release that is spelled most like an argument; empty if none is, or if it has the argument."""
    listed = parameters(atlas, name)
    near = difflib.get_close_matches(argument, listed, 1, _ALIKE)
    return near[0] if near and argument not in listed else ""


def nearest_method(atlas: "Atlas", owner: str, member: str) -> str:
    """The method of a public class, in the newest release, that is spelled most like a name; empty if none is.

    Only methods are compared: the atlas does not know the attributes that a constructor sets, such as ``Model.optimizer``.
    """
    alike = [one for one in sorted(atlas.methods_of(owner)) if one[0] == member[0]]
    near = difflib.get_close_matches(member, alike, 1, _ALIKE_METHOD)
    return near[0] if near and near[0] != member else ""
