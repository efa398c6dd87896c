"""What a program uses from TensorFlow and Keras: each public name, each member of an object of a known class, each call.

Names are spelled as the atlas spells them: ``tf.`` for ``tensorflow.``, ``keras.`` and ``tf_keras.`` as imported. Nothing is
guessed. A name with two bindings, an object whose class the text does not show, and a place that the program itself guards
(``try`` with ``except ImportError``, ``if`` with a version check) do not count as uses.
"""

import ast
import typing

from tfhelp.collectors.code.names import parts
from tfhelp.collectors.code.places import Class
from tfhelp.collectors.code.program import Program

if typing.TYPE_CHECKING:
    from tfhelp.kb.atlas.atlas import Atlas

_LIBRARIES = ("tensorflow", "keras", "tf_keras")
_HEADS = ("tf", "keras", "tf_keras")
_GUARDS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException", "TypeError"})
_GUARDING_WORDS = ("version", "hasattr", "TF2", "TF_2", "IS_TF")
_DEEPEST = 8  # calls and names followed from one to the next
_OF_ITSELF = ("?", None)
"""The class of a value while it is being determined: ``d = d.map(f)`` has the class that the other values of ``d`` have."""
_MODEL_MAKERS = frozenset({"load_model", "clone_model", "model_from_json", "model_from_yaml", "model_from_config"})
_DATASET_METHODS = frozenset(
    [
        "apply",
        "batch",
        "bucket_by_sequence_length",
        "cache",
        "concatenate",
        "enumerate",
        "filter",
        "flat_map",
        "from_generator",
        "from_tensor_slices",
        "from_tensors",
        "interleave",
        "list_files",
        "map",
        "padded_batch",
        "prefetch",
        "ragged_batch",
        "range",
        "rebatch",
        "repeat",
        "sample_from_datasets",
        "shard",
        "shuffle",
        "skip",
        "snapshot",
        "take",
        "take_while",
        "unbatch",
        "window",
        "with_options",
        "zip",
    ]
)


class Use(typing.NamedTuple):
    """A public name at a place.

    Attributes:
        name: ``tf.keras.layers.Dense``; for a member of an object, the name in its class, ``tf.keras.Model.fit``.
        node: the expression, or the ``alias`` of an import.
        member: whether ``node`` is the attribute of an object whose class is known from the script.
        statement: the import that names it.
        alias: the public name bound to the first word of the expression (``flags = tf.app.flags``), else empty.
    """

    name: str
    node: ast.expr | ast.alias
    member: bool
    statement: ast.Import | ast.ImportFrom | None
    alias: str = ""


class Called(typing.NamedTuple):
    """A call of a public name, or of a member of an object whose class is known."""

    name: str
    call: ast.Call
    member: bool


class Uses:
    """What a program uses.

    Attributes:
        program: the program.
        local: local name -> the dotted name that the program imports under it, as written; only names with one meaning.
        names, calls: in the order of the source.
    """

    def __init__(self, program: Program, atlas: "Atlas") -> None:
        self.program = program
        self._atlas = atlas
        self._imports: list[tuple[ast.Import | ast.ImportFrom, ast.alias, str, str]] = list(_imported(program))
        self.local = _unambiguous(self._imports, program)
        self._own = {*program.classes, *(function.name for function in program.functions.values())}
        self._classes: dict[ast.AST, tuple[str, Class | None]] = {}
        self.names = sorted([*self._of_imports(), *self._of_expressions()], key=lambda use: (line(use.node), column(use.node)))
        self.calls = [called for call in program.of(ast.Call) if (called := self._call(call)) is not None]

    # ---------------------------------------------------------------- names

    def _of_imports(self) -> typing.Iterator[Use]:
        for statement, alias, _, dotted in self._imports:
            name = public(dotted)
            if name and not self.guarded(statement):
                yield Use(name, alias, False, statement)

    def _of_expressions(self) -> typing.Iterator[Use]:
        for kind in (ast.Attribute, ast.Name):
            for node in self.program.of(kind):
                outer = self.program.parents.get(node)
                if isinstance(outer, ast.Attribute) and self.name_of(outer):
                    continue
                use = self._use(node)
                if use is not None and not self.guarded(node):
                    yield use

    def _use(self, node: ast.expr) -> Use | None:
        name = self.name_of(node)
        if name:
            head = parts(node)[0]
            # An import or an assignment is judged where it binds the name.
            alias = public(self.local[head]) if head in self.local else self._alias(head, node)
            if isinstance(node, ast.Name) and (head in self.local or alias):
                return None
            return Use(name, node, False, None, "" if head in self.local else alias)
        if isinstance(node, ast.Attribute):
            member = self._member(node)
            return Use(member, node, True, None) if member else None
        return None

    def name_of(self, node: ast.AST, depth: int = 0) -> str:
        """The public name that an expression stands for, through imports and aliases with one meaning; else empty."""
        dotted = parts(node)
        if not dotted:
            return ""
        head, rest = dotted[0], dotted[1:]
        bindings = self._bindings(head, node)
        if head in self.local:
            return "" if bindings else public(".".join([self.local[head], *rest]))
        if bindings is None:
            return self._unimported(head, rest)
        if len(bindings) != 1 or depth > _DEEPEST or bindings[0].how != "value":
            return ""
        value = bindings[0].value
        inner = self.name_of(value, depth + 1) if isinstance(value, (ast.Attribute, ast.Name)) else ""
        return ".".join([inner, *rest]) if inner else ""

    def _alias(self, head: str, at: ast.AST) -> str:
        """The public name assigned to a variable; empty for anything that is not a variable."""
        bindings = self._bindings(head, at)
        value = bindings[0].value if bindings else None
        return self.name_of(value) if isinstance(value, (ast.Attribute, ast.Name)) else ""

    def _unimported(self, head: str, rest: list[str]) -> str:
        """A name that a star import provides, or the ``tf`` of a pasted piece of code that imports nothing."""
        if head in self.program.imports or head in self._own:
            return ""
        if not self._imports and not self.program.stars:
            return ".".join(["tf" if head == "tensorflow" else head, *rest]) if head in ("tf", "tensorflow", "keras") else ""
        stars = [public(star) for star in self.program.stars if star.partition(".")[0] in _LIBRARIES]
        found = [f"{star}.{head}" for star in stars if star and self._atlas.lookup(f"{star}.{head}") is not None]
        return ".".join([found[0], *rest]) if len(set(found)) == 1 else ""

    def _bindings(self, name: str, at: ast.AST) -> typing.Any:
        """All bindings of a name in the nearest scope that binds it; None if no scope does."""
        function = self.program.place(at).function
        while True:
            bound = self.program.bindings.get((function, name))
            if bound:
                return bound
            if function is None:
                return None
            function = function.place.function

    # ---------------------------------------------------------------- members

    def _member(self, node: ast.Attribute) -> str:
        known, own = self.class_of(node.value)
        if not known or known == _OF_ITSELF[0] or (own is not None and self._is_defined(own, node.attr)):
            return ""
        return f"{known}.{node.attr}"

    def _is_defined(self, own: Class, name: str) -> bool:
        return name in own.methods or (own, f"self.{name}") in self.program.bindings or name in _assigned(own.node)

    def class_of(self, node: ast.AST | None, depth: int = 0) -> tuple[str, Class | None]:
        """(Public name of the object's library class, the program's class that inherits from it).

        Empty (and ``None``) if the text does not show it.
        """
        if node is None or depth > _DEEPEST:
            return "", None
        if node not in self._classes:
            self._classes[node] = _OF_ITSELF
            self._classes[node] = self._find_class(node, depth)
        return self._classes[node]

    def _find_class(self, node: ast.AST, depth: int) -> tuple[str, Class | None]:
        if isinstance(node, ast.Name):
            return self._class_of_name(node, depth)
        if isinstance(node, ast.Attribute):
            return self._class_of_attribute(node, depth)
        return self._class_of_call(node, depth) if isinstance(node, ast.Call) else ("", None)

    def _class_of_attribute(self, node: ast.Attribute, depth: int) -> tuple[str, Class | None]:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            klass = self.program.place(node).klass
            bound = self.program.bindings.get((klass, f"self.{node.attr}"), [])
            if bound:
                return self._agreed(bound, depth)
        if node.attr not in ("optimizer", "model"):
            return "", None
        known, _ = self.class_of(node.value, depth + 1)
        keras, _, leaf = known.partition(".callbacks.") if ".callbacks." in known else known.rpartition(".")
        if node.attr == "model":
            return (f"{keras}.Model", None) if ".callbacks." in known else ("", None)
        keras = keras.removesuffix(".models")
        return (f"{keras}.optimizers.Optimizer", None) if leaf in ("Model", "Sequential") else ("", None)

    def _class_of_name(self, node: ast.Name, depth: int) -> tuple[str, Class | None]:
        place = self.program.place(node)
        if node.id == "self" and place.klass is not None and place.function is not None:
            return self._base(place.klass, depth)
        return ("", None) if node.id in self.local else self._agreed(self._bindings(node.id, node) or [], depth)

    def _agreed(self, bindings: typing.Sequence[typing.Any], depth: int) -> tuple[str, Class | None]:
        """The one class on which all bindings of a name agree."""
        if not bindings or any(bound.how not in ("value", "with") for bound in bindings):
            return "", None
        found = {self.class_of(bound.value, depth + 1) for bound in bindings[:20]} - {_OF_ITSELF}
        return found.pop() if len(found) == 1 and len(bindings) <= 20 else ("", None)

    def _class_of_call(self, call: ast.Call, depth: int) -> tuple[str, Class | None]:
        name = self.name_of(call.func)
        if name:
            return self._made_by(name), None
        if isinstance(call.func, ast.Name) and call.func.id in self.program.classes:
            return self._base(self.program.classes[call.func.id], depth)
        own = self.program.function_of(call.func)
        if own is not None:
            found = {self.class_of(value, depth + 1) for value in own.returns[:8]}
            return found.pop() if len(found) == 1 else ("", None)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _DATASET_METHODS:
            known, _ = self.class_of(call.func.value, depth + 1)
            return (known, None) if known.endswith("Dataset") or known == _OF_ITSELF[0] else ("", None)
        return "", None

    def _made_by(self, name: str) -> str:
        head, _, rest = name.partition(".")
        inner, _, leaf = name.rpartition(".")
        keras = "tf.keras" if head == "tf" else head
        if leaf in _MODEL_MAKERS or (".applications" in inner and leaf[:1].isupper()):
            return f"{keras}.Model"
        if inner.endswith(".Dataset") and leaf in _DATASET_METHODS:
            return inner
        return name if rest and self._atlas.is_class(name) else ""

    def _base(self, klass: Class, depth: int) -> tuple[str, Class | None]:
        """The library class that a class of the program inherits from; with several bases none is certain."""
        if len(klass.node.bases) != 1 or depth > _DEEPEST:
            return "", None
        base = klass.node.bases[0]
        if isinstance(base, ast.Name) and base.id in self.program.classes and base.id not in self.local:
            return "", None
        name = self.name_of(base)
        return (name, klass) if name and self._atlas.is_class(name) else ("", None)

    # ---------------------------------------------------------------- calls

    def _call(self, call: ast.Call) -> Called | None:
        if self.guarded(call):
            return None
        name = self.name_of(call.func)
        if name:
            return Called(name, call, False)
        member = self._member(call.func) if isinstance(call.func, ast.Attribute) else ""
        return Called(member, call, True) if member else None

    def guarded(self, node: ast.AST) -> bool:
        """Return whether the program itself checks that it may use this: then it expects that the name may be missing."""
        inside, outer = node, self.program.parents.get(node)
        while outer is not None:
            if isinstance(outer, ast.Try) and inside not in outer.finalbody and any(map(_guards, outer.handlers)):
                return True
            if isinstance(outer, (ast.If, ast.IfExp)) and inside is not outer.test and _asks(outer.test):
                return True
            inside, outer = outer, self.program.parents.get(outer)
        return False


def public(dotted: str) -> str:
    """A dotted name as the atlas spells it; empty for other libraries and for private names.

    >>> public("tensorflow.keras.Model"), public("numpy.array"), public("keras")
    ('tf.keras.Model', '', 'keras')
    """
    head, _, rest = dotted.partition(".")
    if head not in _LIBRARIES or rest.startswith(("src.", "python.", "core.")):
        return ""
    name = dotted.replace("tensorflow.compat.v2", "tensorflow", 1)
    return f"tf{name[10:]}" if head == "tensorflow" else name


def line(node: ast.AST) -> int:
    """The line to show: for an attribute in a chain over several lines, the line of its own name."""
    last = node.end_lineno if isinstance(node, ast.Attribute) else None
    return last or int(getattr(node, "lineno", 1))


def column(node: ast.AST) -> int:
    """Where a node begins in its line, in bytes."""
    return int(getattr(node, "col_offset", 0))


def _imported(program: Program) -> typing.Iterator[tuple[ast.Import | ast.ImportFrom, ast.alias, str, str]]:
    """(statement, alias, local name, dotted name that the alias stands for) of every import of the libraries."""
    for plain in program.of(ast.Import):
        for alias in plain.names:
            if alias.name.partition(".")[0] in _LIBRARIES:
                yield plain, alias, alias.asname or alias.name.partition(".")[0], alias.name
    for statement in program.of(ast.ImportFrom):
        if not statement.level and (statement.module or "").partition(".")[0] in _LIBRARIES:
            for alias in statement.names:
                if alias.name != "*":
                    yield statement, alias, alias.asname or alias.name, f"{statement.module}.{alias.name}"


def _unambiguous(imports: typing.Any, program: Program) -> dict[str, str]:
    """Local name -> its one meaning."""
    meanings: dict[str, set[str]] = {}
    for statement, alias, local, dotted in imports:
        # ``import keras.layers`` binds ``keras``.
        bound = local if isinstance(statement, ast.Import) and not alias.asname else dotted
        meanings.setdefault(local, set()).add(bound)
    statements: list[ast.Import | ast.ImportFrom] = [*program.of(ast.Import), *program.of(ast.ImportFrom)]
    others = (alias.asname or alias.name.partition(".")[0] for node in statements for alias in node.names)
    counted: dict[str, int] = {}
    for name in others:
        counted[name] = counted.get(name, 0) + 1
    ours: dict[str, int] = {}
    for _, _, local, _ in imports:
        ours[local] = ours.get(local, 0) + 1
    return {local: found.copy().pop() for local, found in meanings.items() if len(found) == 1 and counted[local] == ours[local]}


def _guards(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    named = caught.elts if isinstance(caught, ast.Tuple) else [caught] if caught is not None else []
    return caught is None or any(parts(one)[-1:] and parts(one)[-1] in _GUARDS for one in named)


def _asks(test: ast.expr) -> bool:
    words = [
        node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "" for node in ast.walk(test)
    ]
    return any(part in word for word in words for part in _GUARDING_WORDS)


def _assigned(node: ast.ClassDef) -> set[str]:
    """Names that a class's body assigns a value to."""
    targets = [target for item in node.body if isinstance(item, ast.Assign) for target in item.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}
