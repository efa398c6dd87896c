"""A program as the checks see it: every node with its place, names with their bindings, functions, classes.

Nothing is run and nothing is guessed beyond the text: a value that the text does not show is ``None`` or empty. All walks
are iterative or bounded, so the time is proportional to the text, and deep nesting does no harm.
"""

import ast
import bisect
import sys
import typing

from tfhelp.collectors.code import names
from tfhelp.collectors.code.places import Binding, Class, Function, FunctionNode, Place
from tfhelp.collectors.syntax_tree import syntax_tree

Node = typing.TypeVar("Node", bound=ast.AST)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# Packages that cannot hold the user's own model: a program that imports only these is whole.
_FOREIGN = frozenset(
    [
        "tensorflow",
        "keras",
        "tf_keras",
        "numpy",
        "pandas",
        "sklearn",
        "scipy",
        "matplotlib",
        "PIL",
        "cv2",
        "tqdm",
        "absl",
        "yaml",
        "h5py",
        "requests",
        "seaborn",
        "psutil",
        "tensorflow_datasets",
        "tensorflow_probability",
        "tensorflow_hub",
        "tensorflow_addons",
        "tensorflow_text",
        "tensorboard",
        "wandb",
        "mlflow",
        "horovod",
        "transformers",
        "skimage",
        "imageio",
        "librosa",
        "nltk",
        "gym",
        "gymnasium",
        "plotly",
        "joblib",
        "IPython",
        "google",
        "pynvml",
        "memory_profiler",
        "jax",
        "torch",
        "six",
        "setuptools",
        "packaging",
        "gc",
        "resource",
        "optuna",
        "ray",
    ]
)


_HERE = Place()


def _line(binding: Binding) -> int:
    return binding.line


class Program:
    """The model of one source text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the text is not Python, or is nested too deeply to be read.
    """

    def __init__(self, source: str) -> None:
        self.tree = syntax_tree(source)
        self.places: dict[ast.AST, Place] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: dict[type[ast.AST], list[typing.Any]] = {}
        self.functions: dict[FunctionNode, Function] = {}
        self.classes: dict[str, Class] = {}
        self.bindings: dict[tuple[object, str], list[Binding]] = {}
        self._by_name: dict[str, list[Function]] = {}
        self._walk()
        imports: list[ast.AST] = [*self.of(ast.Import), *self.of(ast.ImportFrom)]
        self.imports, self.stars, self._relative = names.imported(imports)
        self._note_calls()

    # ---------------------------------------------------------------- the walk

    def _walk(self) -> None:
        stack: list[tuple[ast.AST, Place]] = [(self.tree, _HERE)]
        while stack:
            node, place = stack.pop()
            self.places[node] = place
            self.nodes.setdefault(type(node), []).append(node)
            children = list(self._children(node, place))
            for child, _ in children:
                self.parents[child] = node
            stack.extend(reversed(children))
            self._bind(node, place)

    def _children(self, node: ast.AST, place: Place) -> typing.Iterator[tuple[ast.AST, Place]]:
        if isinstance(node, _FUNCTIONS):
            yield from self._children_of_function(node, place)
        elif isinstance(node, ast.ClassDef):
            klass = Class(node, place)
            self.classes[node.name] = klass
            inner = Place(place.function, (), (), (), klass)
            for child in ast.iter_child_nodes(node):
                yield child, inner if isinstance(child, ast.stmt) else place
        elif isinstance(node, _LOOPS):
            inner = place.inside(loop=node)
            outside = {id(child) for child in node.orelse} | (set() if isinstance(node, ast.While) else {id(node.iter)})
            for child in ast.iter_child_nodes(node):
                yield child, place if id(child) in outside else inner
        elif isinstance(node, _COMPREHENSIONS):
            inner = place.inside(loop=node)
            for child in ast.iter_child_nodes(node):
                yield child, inner
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            inner = place
            for item in node.items:
                yield item, inner
                inner = inner.inside(item=item.context_expr)
            for statement in node.body:
                yield statement, inner
        elif isinstance(node, ast.If):
            yield node.test, place
            inner = place.inside(test=node.test)
            yield from ((statement, inner) for statement in node.body)
            yield from ((statement, place) for statement in node.orelse)
        else:
            yield from ((child, place) for child in ast.iter_child_nodes(node))

    def _children_of_function(self, node: FunctionNode, place: Place) -> typing.Iterator[tuple[ast.AST, Place]]:
        function = Function(node, place)
        self.functions[node] = function
        if function.name:
            self._by_name.setdefault(function.name, []).append(function)
            if function.klass is not None:
                function.klass.methods[function.name] = function
        inner = Place(function, (), (), (), place.klass)
        for position, name in enumerate(function.parameters):
            self._put(name, Binding(None, "parameter", node.lineno - 1, inner, position))
        body = {id(node.body)} if isinstance(node, ast.Lambda) else {id(child) for child in node.body}
        for child in ast.iter_child_nodes(node):
            yield child, inner if id(child) in body else place

    # ---------------------------------------------------------------- names

    def _put(self, name: str, binding: Binding) -> None:
        self.bindings.setdefault((self._scope_of(name, binding.place), name), []).append(binding)

    @staticmethod
    def _scope_of(name: str, place: Place) -> object:
        # ``self.x`` belongs to the class, whichever method names it.
        return place.klass if name.startswith("self.") else place.function

    def _bind(self, node: ast.AST, place: Place) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind_target(target, node.value, "value", node.end_lineno or node.lineno, place)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._bind_target(node.target, node.value, "value", node.end_lineno or node.lineno, place)
        elif isinstance(node, ast.AugAssign):
            self._bind_target(node.target, node.value, "changed", node.end_lineno or node.lineno, place)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._bind_target(node.target, node.iter, "element", node.lineno, place)
        elif isinstance(node, ast.comprehension):
            # A comprehension uses its name before it binds it.
            self._bind_target(node.target, node.iter, "element", getattr(self.parents.get(node), "lineno", 1) - 1, place)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind_target(node.optional_vars, node.context_expr, "with", node.context_expr.lineno, place)
        elif isinstance(node, ast.Return) and node.value is not None and place.function is not None:
            place.function.returns.append(node.value)

    def _bind_target(self, target: ast.expr, value: ast.expr, how: str, line: int, place: Place) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            pairs = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
            for index, item in enumerate(target.elts):
                if pairs is not None and how == "value":
                    self._bind_target(item, pairs[index], "value", line, place)
                elif isinstance(item, (ast.Tuple, ast.List)):
                    for inner in item.elts:
                        self._bind_target(inner, value, "part", line, place)
                else:
                    name = ".".join(names.parts(item))
                    if name:
                        self._put(name, Binding(value, "element part" if how == "element" else "part", line, place, index))
            return
        name = ".".join(names.parts(target))
        if name and (isinstance(target, ast.Name) or name.startswith("self.")):
            self._put(name, Binding(value, how, line, place))

    def binding(self, name: str, at: ast.AST) -> Binding | None:
        """The last binding of a name before a node: in its own function, else in those around it, else in the module."""
        place = self.places.get(at, _HERE)
        line = getattr(at, "lineno", 1)
        if name.startswith("self."):
            bound = self.bindings.get((place.klass, name))
            return bound[-1] if bound else None
        function: Function | None = place.function
        own = True
        while True:
            bound = self.bindings.get((function, name))
            if bound:
                before = bisect.bisect_left(bound, line, key=_line) if own else len(bound)
                return bound[before - 1] if before else bound[-1]
            if function is None:
                return None
            function, own = function.place.function, False

    def name_of(self, node: ast.AST, depth: int = 0) -> str:
        """The canonical dotted name of an expression, through imports and simple aliases; empty if it is not a name."""
        written = self.written_name(node, depth)
        return names.canonical(written) if written else ""

    def written_name(self, node: ast.AST, depth: int = 0) -> str:
        """The dotted name as the program's imports spell it, before old and new spellings are unified."""
        dotted = names.parts(node)
        if not dotted:
            return ""
        head = dotted[0]
        if head in self.imports:
            return ".".join([self.imports[head], *dotted[1:]])
        bound = self.binding(head, node)
        if bound is not None:
            if depth < 4 and bound.how == "value" and isinstance(bound.value, (ast.Attribute, ast.Name)):
                inner = self.written_name(bound.value, depth + 1)
                return ".".join([inner, *dotted[1:]]) if inner else ""
            return ""
        if head in self._by_name or head in self.classes:
            return ""
        for star in self.stars:
            if star.startswith(("tensorflow", "keras", "tf_keras")) and head[:1].isupper():
                return ".".join([star, *dotted])
        return ".".join([names.USUAL[head], *dotted[1:]]) if head in names.USUAL else ""

    # ---------------------------------------------------------------- nodes

    def of(self, kind: type[Node]) -> list[Node]:
        """All nodes of a type, in the order of the source."""
        return self.nodes.get(kind, [])

    def place(self, node: ast.AST) -> Place:
        """Where a node is."""
        return self.places.get(node, _HERE)

    def callee(self, call: ast.Call) -> str:
        """Canonical name of the callee, empty if it is not a known library function."""
        return self.name_of(call.func)

    def function_of(self, node: ast.AST) -> Function | None:
        """The program's own function that an expression names: by name, ``self.method``, or a lambda."""
        if isinstance(node, ast.Lambda):
            return self.functions.get(node)
        if isinstance(node, ast.Name):
            bound = self.binding(node.id, node)
            if bound is not None:
                return self.functions.get(bound.value) if bound.how == "value" and isinstance(bound.value, ast.Lambda) else None
            return self._nearest(node.id, self.place(node))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            klass = self.place(node).klass
            return klass.methods.get(node.attr) if klass else None
        return None

    def _nearest(self, name: str, place: Place) -> Function | None:
        found = [item for item in self._by_name.get(name, []) if item.klass is None]
        function = place.function
        while True:
            for item in reversed(found):
                if item.place.function is function:
                    return item
            if function is None:
                return found[-1] if found else None
            function = function.place.function

    def _note_calls(self) -> None:
        """Record for each function the calls to it; a class's ``__init__`` is called where the class is called."""
        by_method: dict[str, list[Function]] = {}
        for function in self.functions.values():
            if function.klass is not None:
                by_method.setdefault(function.name, []).append(function)
        for call in self.of(ast.Call):
            called = self.function_of(call.func)
            if called is not None:
                called.calls_to.append(call)
            elif isinstance(call.func, ast.Name) and call.func.id in self.classes:
                made = self.classes[call.func.id].methods.get("__init__")
                if made is not None:
                    made.calls_to.append(call)
            elif isinstance(call.func, ast.Attribute):
                methods = by_method.get(call.func.attr, [])
                if len(methods) == 1:
                    methods[0].calls_to.append(call)

    @property
    def whole(self) -> bool:
        """Whether the program shows all that it does: it imports no module that may be the user's own."""
        roots = {name.partition(".")[0] for name in (*self.imports.values(), *self.stars)}
        return not self._relative and all(root in _FOREIGN or root in sys.stdlib_module_names for root in roots)


def argument(call: ast.Call, position: int | None, name: str) -> ast.expr | None:
    """An argument of a call by keyword, else by position; ``None`` if it is not given (or comes from a starred argument)."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if (
        position is not None
        and position < len(call.args)
        and not any(isinstance(item, ast.Starred) for item in call.args[: position + 1])
    ):
        return call.args[position]
    return None


def has_star(call: ast.Call) -> bool:
    """Return whether arguments come from ``*args`` or ``**options``, so that their values cannot be seen."""
    return any(keyword.arg is None for keyword in call.keywords) or any(isinstance(item, ast.Starred) for item in call.args)


def method(call: ast.Call) -> str:
    """Name of the method that is called, empty for a plain function."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
