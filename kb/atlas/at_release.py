"""The atlas for one installation: a release of TensorFlow, and the Keras that comes with it."""

import functools
import typing

from tfhelp.kb import versions
from tfhelp.kb.atlas import renames
from tfhelp.kb.atlas.asked_names import accepts
from tfhelp.kb.atlas.opened import Span

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas

_KERAS_BEFORE = {"1.15": "2.3.1", "2.0": "2.3.1", "2.1": "2.3.1", "2.2": "2.3.1"}
"""The Keras that people installed with a TensorFlow that did not include one; 2.4.3 with the later ones. From Keras' release
notes.
"""
KERAS_OF_TENSORFLOW = "2.4.3"
"""The release of the package keras that only imports ``tensorflow.keras``, so its sources show no names."""
FIRST_WITH_KERAS_3 = (2, 16)
_CLOSED = {
    "keras.layers.layer.Layer": frozenset(
        [
            "input_dim",
            "input_shape",
            "alpha",
            "rms_scaling",
            "implementation",
            "input_length",
            "vocabulary_size",
            "vocabulary",
            "has_input_vocabulary",
        ]
    ),
    "keras.optimizers.base_optimizer.BaseOptimizer": frozenset({"decay"}),
}
"""Classes whose ``**kwargs`` accept only these at run time. From keras 3.15.1, layers/layer.py and
optimizers/base_optimizer.py. Some subclasses take a few more, which are listed here too.
"""

LEGACY_V1 = ("tf.compat.v1.layers.", "tf.compat.v1.nn.rnn_cell.")
"""Names that TensorFlow loads from Keras 2 lazily, in a way that the sources do not show; gone with Keras 3."""
_OF_BACKEND = frozenset({"train_step", "make_train_function", "distribute_strategy", "distribute_reduction_method"})
"""Members that a Keras 3 model gets from the trainer of its backend. The backend is chosen at import, so the sources do not show
them.
"""


class Gone(typing.NamedTuple):
    """A name that a release does not have and an older one has.

    Attributes:
        name: the part of the asked name that is gone, as far as this is known.
        last: the last release that has it; empty if only the table of renames lists it as gone.
        since: the first release without it.
    """

    name: str
    package: str
    last: str
    since: str


class At:
    """One installation.

    Attributes:
        tensorflow: its release, as the atlas writes it, ``2.21.0``.
        keras: the release of the package keras.
        legacy: ``tf.keras`` is Keras 2 from tf_keras there, because TF_USE_LEGACY_KERAS is set.
    """

    def __init__(self, atlas: "Atlas", tensorflow: str, legacy: bool = False) -> None:
        self.atlas = atlas
        self.tensorflow = tensorflow
        minor = str(versions.minor_release(tensorflow))
        self.keras = atlas.companion(tensorflow, "keras") or _KERAS_BEFORE.get(minor, KERAS_OF_TENSORFLOW)
        self.legacy = legacy and self._minor() >= FIRST_WITH_KERAS_3
        of_minor = [version for version in atlas.releases("tf_keras") if versions.minor_release(version) == minor]
        self.tf_keras = (of_minor or atlas.releases("tf_keras"))[-1]
        # A script uses the same names again and again.
        self.has = functools.cache(self._has)
        self.gone = functools.cache(self._gone)

    def _minor(self) -> tuple[int, ...]:
        return _numbers(self.tensorflow)

    @property
    def keras_3(self) -> bool:
        """Whether ``tf.keras`` is Keras 3."""
        return self._minor() >= FIRST_WITH_KERAS_3 and not self.legacy

    def place(self, name: str) -> tuple[str, str, str]:
        """(the name, the package, the release) where a name is looked up."""
        head = name.partition(".")[0]
        if self.legacy and (head == "keras" or name.startswith("tf.keras")):
            return f"tf_keras{name[8 if head == 'tf' else 5 :]}", "tf_keras", self.tf_keras
        if head == "keras" and self.keras == KERAS_OF_TENSORFLOW:
            return f"tf.{name}", "tensorflow", self.tensorflow
        if head == "keras":
            return name, "keras", self.keras
        return (name, "tf_keras", self.tf_keras) if head == "tf_keras" else (name, "tensorflow", self.tensorflow)

    def object_of(self, name: str) -> str | None:
        """The qualified name of what a name stands for; empty for a namespace; None if it is not there directly."""
        return self.atlas.object_of(*self.place(name))

    def _has(self, name: str) -> bool | None:
        """Return whether the installation has a name, or a class's member; None if that is unknown."""
        if f"{name}.".startswith(LEGACY_V1) and self.atlas.lookup(name.replace("tf.compat.v1.", "tf.", 1)) is not None:
            return not self.keras_3
        if self.object_of(name) is not None:
            return True
        parent, _, leaf = name.rpartition(".")
        target = self.object_of(parent) if parent else None
        if target:
            return self._has_member(name, target, leaf)
        if target is None and parent:
            above = self.has(parent)
            return None if above else above  # it is there, but none of its members are known
        # A non-public module of the package may still be there.
        spelled, package, release = self.place(name)
        module = f"tensorflow.{spelled[3:]}" if spelled.startswith("tf.") else spelled
        known = any(self._is_in(span, package, release) for span in self.atlas.module(module))
        if self._ever(name):
            return None if known else False
        row = renames.of_name(name)
        return False if row is not None and not row.how and self.is_past(row, name) else None

    def is_past(self, row: renames.Row, name: str) -> bool:
        """Return whether a row of the table of renames applies to the installation."""
        package, since = row.since
        of_tensorflow = self._minor()
        if package == "tensorflow" or name.startswith(("tf.keras", "tf_keras")):
            return self.keras_3 and not name.startswith("tf_keras") if since >= (3,) else of_tensorflow >= since
        return (of_tensorflow >= since and since < (3,)) if self.legacy else _numbers(self.keras) >= since

    def _has_member(self, name: str, target: str, leaf: str) -> bool | None:
        _, package, release = self.place(name)
        if self.atlas.parameters_of(target, leaf, package, release) is not None:
            return True
        row = renames.of_name(name)
        if row is not None and not row.how and not row.old.endswith("*") and self.is_past(row, name):
            return False
        head, number = target.partition(".")[0], release
        if head != package:
            companion = self.atlas.companion(release, head) if package == "tensorflow" and head in self.atlas.packages else None
            if companion is None:
                return None
            package, number = head, companion
        if leaf in _OF_BACKEND or leaf[:1].isupper() or not self._was_method(name):
            return None
        _, whole = self.atlas.ancestors(target, package, number)
        return False if whole and self._ever(name) else None

    def _was_method(self, name: str) -> bool:
        """Return whether a member was a method. A property may have become an attribute, which the sources do not show."""
        found = self.atlas.lookup(name)
        return (
            found is not None and any(text for text, _ in found.signatures) and not any(not text for text, _ in found.signatures)
        )

    def _ever(self, name: str) -> bool:
        return self.atlas.lookup(name) is not None or bool(
            self.atlas.module(f"tensorflow.{name[3:]}" if name.startswith("tf.") else name)
        )

    def _is_in(self, span: Span, package: str, release: str) -> bool:
        known = self.atlas.releases(package)
        return span.package == package and known.index(span.first) <= known.index(release) <= known.index(span.last)

    def _gone(self, name: str) -> Gone | None:
        """The part of a name that is gone; None if the name is there, if that is unknown, or if only later releases have it."""
        parts = name.split(".")
        for length in range(2, len(parts) + 1):
            prefix = ".".join(parts[:length])
            there = self.has(prefix)
            if there is None:
                return None
            if not there:
                return self._removed_since(name) or self._removed_since(prefix)
        return None

    def _removed_since(self, name: str) -> Gone | None:
        """When a name was removed, according to the earlier releases that have it."""
        _, package, release = self.place(name)
        if package == "tf_keras" and not name.startswith("tf_keras"):
            # tf.keras came before tf_keras.
            package, release = ("tensorflow", self.tensorflow) if name.startswith("tf.") else ("keras", self.keras)
        row = renames.of_name(name)
        if (
            row is not None
            and not row.how
            and not row.old.endswith("*")
            and self.is_past(row, name)
            and self._is_of(row, package)
        ):
            return Gone(name, row.since[0], "", ".".join(map(str, row.since[1])))
        found = self.atlas.lookup(name)
        module = f"tensorflow.{name[3:]}" if name.startswith("tf.") else name
        spans = [span for span in (found.releases if found else self.atlas.module(module)) if span.package == package]
        known = self.atlas.releases(package)
        before = [known.index(span.last) for span in spans if known.index(span.last) < known.index(release)]
        if not before:
            told = row is not None and not row.how and not spans and self.is_past(row, name)
            return Gone(name, row.since[0], "", ".".join(map(str, row.since[1]))) if told and row else None
        since = known[max(before) + 1]
        if (
            row is not None
            and not row.how
            and row.since[0] == package
            and row.since[1] > _numbers(since)
            and self.is_past(row, name)
        ):
            parent = name.rpartition(".")[0]
            if self.atlas.object_of(parent, package, since) is None:  # a module inside the package, with no public names
                since = ".".join(map(str, row.since[1]))
        return Gone(name, package, known[max(before)], since)

    @staticmethod
    def _is_of(row: renames.Row, package: str) -> bool:
        return row.since[0] == package

    # ---------------------------------------------------------------- parameters

    def parameters(self, name: str) -> str | None:
        """The parameters of a function, method or class, as the atlas writes them; None if they are not known."""
        target = self.object_of(name)
        _, package, release = self.place(name)
        if target:
            return self.atlas.parameters_of(target, "", package, release)
        parent, _, leaf = name.rpartition(".")
        above = self.object_of(parent) if parent else None
        return self.atlas.parameters_of(above, leaf, package, release) or None if above else None

    def takes(self, name: str, keyword: str) -> bool | None:
        """Return whether a call to a name may pass this keyword; None if that is unknown."""
        given = self.parameters(name)
        if given is None:
            return None
        said = accepts(given, keyword)
        target = self.object_of(name)
        return self._passed_on(name, target, keyword) if said is None and target else said

    def _passed_on(self, name: str, target: str, keyword: str) -> bool | None:
        """As ``takes``, for a class whose ``__init__`` passes unknown keywords on to a base class."""
        _, package, release = self.place(name)
        head = target.partition(".")[0]
        if head != package:
            companion = self.atlas.companion(release, head) if package == "tensorflow" and head in self.atlas.packages else None
            if companion is None:
                return None
            package, release = head, companion
        if not self.atlas.is_class(name):
            return None
        above = self.atlas.ancestors(target, package, release)[0]
        if any(
            part.startswith("*") and not part.startswith("**") and part != "*"
            for part in (self.parameters(name) or "").strip("()").split(",")
        ):
            return None  # it handles them itself, as keras.Model does
        root = next((number for number, (name, _) in enumerate(above) if name in _CLOSED), None)
        if root is None:
            return None  # it is unknown what the class does with them
        named = any(accepts(given, keyword) for _, given in above[: root + 1] if given is not None)
        taken = named or keyword in _CLOSED[above[root][0]] or (keyword == "batch_input_shape" and name.endswith("InputLayer"))
        return None if not taken and name.endswith("LossScaleOptimizer") else taken


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
