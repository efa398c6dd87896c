"""The public names of a release and their objects, found by following the imports in its sources, never by importing."""

import typing

from tfhelp.kb.atlas.definitions import Binding
from tfhelp.kb.atlas.modules import Module

_DEEPEST = 12
_FIRST_APART = (2, 6)
_LATER_ROOTS = ("losses", "metrics", "optimizers", "initializers")
"""Namespaces of Keras that TensorFlow 2 also has at its top level."""
_LEGACY = (("layers", "tf.compat.v1.layers"), ("rnn_cell", "tf.compat.v1.nn.rnn_cell"))
"""Namespaces that TensorFlow, from 2.6 on, loads from Keras when they are first used. Keras 3 does not have them."""
_OF_TENSORBOARD = ("audio", "histogram", "image", "scalar", "text")
"""Names of ``tf.summary`` that TensorBoard provides, in all releases of TensorFlow 2."""
_FLAGS = ("flags", "app.flags")
"""A module that TensorFlow 1 sets as an attribute of others. The names in it belong to another package."""
_MADE = ("initializers",)
"""Modules of Keras 2.6 to 2.12 that define their names dynamically at import."""
_API_APART = (2, 13)
"""Before this, the modules of the package Keras were its sources, and its documentation only had the names of tf.keras."""

_GENERATED = (
    "tensorflow._api.",
    "tensorflow.python.keras.api.",
    "keras.api.",
    "keras._tf_keras.",
    "tf_keras.api.",
    "tensorflow_estimator.python.estimator.api.",
)
_KERAS_ROOTS = (
    "keras._tf_keras.keras",
    "keras.api._v2.keras",
    "tensorflow._api.v2.keras",
    "tensorflow.python.keras.api._v2.keras",
    "tensorflow.keras",
)


class Object(typing.NamedTuple):
    """What a name stands for.

    Attributes:
        name: qualified name, ``keras.layers.core.dense.Dense``; for a module, its dotted name.
        binding: as in the defining module; None for a module, or if the definition is not in the release's wheels.
    """

    name: str
    binding: Binding | None
    module: bool = False


class World:
    """The modules of a release, and of the releases that it takes names from."""

    def __init__(self, modules: dict[str, Module]) -> None:
        self._modules = modules

    def __contains__(self, module: str) -> bool:
        return module in self._modules

    def target(self, module: Module, binding: Binding) -> tuple[str, str]:
        """(module, name) that an import or alias refers to; the name is empty if it refers to a module."""
        if binding[0] == "from":
            return _absolute(module, binding[1], binding[2]), binding[3]
        if binding[0] == "module":
            return binding[1], ""
        return module.name, ""

    def resolve(self, module: str, name: str, depth: int = 0) -> Object:
        """What ``name`` means in ``module``, after all imports and aliases are resolved."""
        inside = f"{module}.{name}"
        here = self._modules.get(module)
        if here is None or depth > _DEEPEST:
            return Object(inside, None, inside in self._modules)
        binding = here.names.get(name)
        if binding is None:
            return self._otherwise(here, name, depth)
        if binding[0] == "from":
            source = _absolute(here, binding[1], binding[2])
            if source == module and binding[3] == name:
                # A package that imports its own submodule.
                return Object(inside, None, inside in self._modules)
            return self.resolve(source, binding[3], depth + 1)
        if binding[0] == "module":
            return Object(binding[1], None, True)
        if binding[0] == "alias" and binding[1] != name:
            return self._alias(module, binding[1], depth + 1) or Object(inside, ["value"])
        return Object(inside, binding)

    def _otherwise(self, here: Module, name: str, depth: int) -> Object:
        """Resolve a name that the module does not bind explicitly: a submodule, or a name from a star import."""
        inside = f"{here.name}.{name}"
        if inside in self._modules:
            return Object(inside, None, True)
        for key, binding in here.names.items():
            if key.startswith("*"):
                source = _absolute(here, binding[1], binding[2])
                if name in self.bound(source):
                    return self.resolve(source, name, depth + 1)
        return Object(inside, None)

    def _alias(self, module: str, dotted: str, depth: int) -> Object | None:
        head, *rest = dotted.split(".")
        found = self.resolve(module, head, depth)
        for part in rest:
            if not found.module:
                return None
            found = self.resolve(found.name, part, depth + 1)
        return found if found.binding or found.module else None

    def inside(self, package: str) -> list[str]:
        """The modules of a package, which can be imported even if the package does not bind them."""
        start = f"{package}."
        return sorted({name[len(start) :].partition(".")[0] for name in self._modules if name.startswith(start)})

    def bound(self, module: str, depth: int = 0) -> dict[str, Binding]:
        """Every name that a module binds, including those of its star imports."""
        here = self._modules.get(module)
        if here is None or depth > _DEEPEST:
            return {}
        found: dict[str, Binding] = {}
        for key, binding in here.names.items():
            if not key.startswith("*"):
                found[key] = binding
                continue
            source = _absolute(here, binding[1], binding[2])
            starred = (name for name in self.bound(source, depth + 1) if not name.startswith("_"))
            found.update({name: ["from", 0, source, name] for name in starred})
        return found


def _absolute(module: Module, level: int, name: str) -> str:
    if not level:
        return name
    parts = module.name.split(".")
    kept = parts[: len(parts) - level + (1 if module.package else 0)]
    return ".".join([*kept, *([name] if name else [])])


def public_names(package: str, version: str, modules: dict[str, Module]) -> dict[str, Object]:
    """Public name -> object, for a release and the releases that it is installed with."""
    world = World(modules)
    found: dict[str, Object] = {}
    for root, prefix in _roots(package, version, world):
        _walk(world, root, prefix, found, set())
    if package == "tensorflow" and found:
        _set_later(world, version, found)
    return found


def _set_later(world: World, version: str, found: dict[str, Object]) -> None:
    """Add what TensorFlow sets as attributes at import, and remove what it refuses then."""
    flags = "tensorflow.python.platform.flags"
    if flags in world:
        first = "tf." if version.startswith("1.") else "tf.compat.v1."
        found.update({place + name: Object(flags, None, True) for place in {first, "tf.compat.v1."} for name in _FLAGS})
    if not version.startswith("1."):
        found.update({f"tf.summary.{name}": Object(f"tensorboard.summary.{name}", None) for name in _OF_TENSORBOARD})
    if not _legacy_roots(world) and _numbers(version) >= _FIRST_APART:
        for _, prefix in _LEGACY:
            for name in [name for name in found if name == prefix or name.startswith(f"{prefix}.")]:
                del found[name]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def _shown_elsewhere(package: str, world: World) -> list[str]:
    """Namespaces of a package whose names are TensorFlow's; their objects are read with the package itself."""
    roots = [f"{package}.api._{api}.keras" for api in ("v2", "v1")]
    roots += [f"tensorflow_estimator.python.estimator.api._{api}.estimator" for api in ("v2", "v1")]
    roots += [root for root, _ in _legacy_roots(world)]
    return [root for root in roots if root.startswith(f"{package}.") and root in world]


def _legacy_roots(world: World) -> list[tuple[str, str]]:
    roots = ((f"keras.api._v1.keras.__internal__.legacy.{part}", prefix) for part, prefix in _LEGACY)
    return [root for root in roots if root[0] in world]


def _roots(package: str, version: str, world: World) -> list[tuple[str, str]]:
    shown = [(root, f"_{root}") for root in _shown_elsewhere(package, world)]
    if package == "keras":
        apart = "keras.api._v2.keras" in world and _numbers(version) >= _API_APART
        made = [] if apart or not shown else [(f"keras.api._v2.keras.{part}", f"keras.{part}") for part in _MADE]
        return [*shown, *made, ("keras.api._v2.keras" if apart else "keras", "keras")]
    if package == "tf_keras":
        return [*shown, ("tf_keras.api._v2.keras", "tf_keras"), ("tf_keras", "tf_keras")]
    if package == "tensorflow_estimator":
        return shown
    if package != "tensorflow":
        return []
    if version.startswith("1."):
        return [("tensorflow.python.keras.api._v1.keras", "tf.keras"), ("tensorflow._api.v1.v1", "tf")]
    keras = [root for root in _KERAS_ROOTS if root in world]
    roots = [(keras[0], "tf.keras")] if keras else []
    roots += [(f"{keras[0]}.{part}", f"tf.{part}") for part in _LATER_ROOTS if keras]
    # Keras 3 has the same names under both.
    roots += [(root, "tf.compat.v1.keras") for root in ("keras.api._v1.keras", "keras._tf_keras.keras")]
    roots.append(("tensorflow_estimator.python.estimator.api._v2.estimator", "tf.estimator"))
    roots.append(("tensorflow_estimator.python.estimator.api._v1.estimator", "tf.compat.v1.estimator"))
    roots.append(("tensorflow._api.v2.summary", "tf.summary"))
    roots += _legacy_roots(world)
    # The tree of tensorflow itself comes last, so that its own names win.
    return [*(root for root in roots if root[0] in world), ("tensorflow._api.v2.v2", "tf")]


def _walk(world: World, module: str, prefix: str, found: dict[str, Object], seen: set[str]) -> None:
    """Collect what a public module exposes under ``prefix``, and the public modules inside it."""
    if module in seen or prefix.count(".compat.") > 1:
        return
    found[prefix] = Object(module, None, True)
    for name in [*world.bound(module), *(world.inside(module) if _is_source(module, world) else ())]:
        if name.startswith("_"):
            continue
        meant = world.resolve(module, name)
        if not meant.module:
            if meant.binding or _is_generated(module):
                found[f"{prefix}.{name}"] = meant
        elif _is_public(meant.name, module) and f"{prefix}.{name}" != "tf.compat.v2":
            # tf.compat.v2 is tf itself.
            _walk(world, meant.name, f"{prefix}.{name}", found, seen | {module})


def _is_generated(module: str) -> bool:
    """Return whether the release's API generator wrote this namespace. Everything that it binds is public then."""
    return module.startswith(_GENERATED)


def _is_source(module: str, world: World) -> bool:
    """Return whether it is a module of an old Keras whose sources people imported directly, such as ``keras.layers.core``."""
    return module.partition(".")[0] == "keras" and "keras.engine" in world and not _is_generated(module)


def _is_public(module: str, inside: str) -> bool:
    """Return whether this module is a namespace of the public API, and not an internal or bundled one."""
    if _is_generated(module) or module.startswith("tensorflow.keras"):
        return True
    head, _, rest = module.partition(".")
    if head not in ("keras", "tf_keras") or not rest or rest.startswith(("src", "_", "engine", "api", "protobuf")):
        return False
    # The namespaces of Keras 3 are directly in the package; before that, they were its modules, which import one another.
    return inside in (head, module.rpartition(".")[0]) or _is_generated(inside)


def plain(name: str) -> str:
    """A qualified name without the folder into which Keras moved its modules (``keras.src``), so that old and new names match."""
    return name.replace("keras.src.", "keras.", 1)


def classes_above(world: World, name: str, binding: Binding) -> list[Object]:
    """The resolved base classes of a class, in order."""
    module = name.rpartition(".")[0]
    bases = []
    for base in binding[1]:
        head, *rest = base.split(".")
        found = world.resolve(module, head)
        for part in rest:
            found = world.resolve(found.name, part)
        bases.append(found)
    return bases
