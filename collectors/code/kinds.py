"""What an expression is: a strategy, a model, an optimizer, a data set, a tensor, an array. Empty if not known."""

import ast

from tfhelp.collectors.code.places import Binding, Function
from tfhelp.collectors.code.program import Program, argument, method

_DEEPEST = 40  # names followed from one to the next

_MODELS = frozenset(
    ("keras.Sequential", "keras.Model", "keras.models.load_model", "keras.saving.load_model", "keras.models.clone_model")
)
_LOADED = frozenset(("keras.models.load_model", "keras.saving.load_model", "tensorflow.saved_model.load"))
_STRATEGIES = (
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "TPUStrategy",
    "ParameterServerStrategy",
    "CentralStorageStrategy",
)
_FUNCTIONS_OF_LAYERS = frozenset(("Input", "InputSpec", "serialize", "deserialize", "get"))
_ARRAY_MAKERS = ("numpy.", "pandas.")
_TENSOR_METHODS = frozenset(("read_value", "value", "assign", "assign_add", "assign_sub"))
_NOT_TENSORS = (
    "tensorflow.data.",
    "tensorflow.io.",
    "tensorflow.config.",
    "tensorflow.keras.",
    "tensorflow.train.",
    "tensorflow.summary.",
)
_DATASET_METHODS = frozenset(
    [
        "map",
        "batch",
        "padded_batch",
        "shuffle",
        "repeat",
        "prefetch",
        "cache",
        "take",
        "skip",
        "filter",
        "shard",
        "unbatch",
        "interleave",
        "flat_map",
        "zip",
        "concatenate",
        "with_options",
        "apply",
        "enumerate",
        "window",
        "rebatch",
        "ragged_batch",
    ]
)


class Kinds:
    """Kinds of a program's expressions, cached."""

    __slots__ = ("_known", "program", "tensor_parameters")

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tensor_parameters: set[tuple[Function, int]] = set()
        self._known: dict[ast.AST, str] = {}

    def take_for_tensors(self, parameters: set[tuple[Function, int]]) -> None:
        """Treat these parameters (function, position) of traced functions as tensors from now on."""
        self.tensor_parameters = parameters
        self._known = {}

    def of(self, node: ast.AST | None, depth: int = 0) -> str:
        """The kind of an expression.

        Returns:
            strategy, model, optimizer, metric, loss, layer, callback, module, sequence, variable, dataset, tensor, keras_tensor,
            array, tape, number or ``""``.
        """
        if node is None or depth > _DEEPEST:
            return ""
        known = self._known.get(node)
        if known is None:
            self._known[node] = ""  # nothing is known of a name that refers back to itself
            known = self._known[node] = self._find(node, depth + 1)
        return known

    def _find(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Name):
            bound = self.program.binding(node.id, node)
            return self._of_binding(bound, depth) if bound else ""
        if isinstance(node, ast.Attribute):
            return self._of_attribute(node, depth)
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        if isinstance(node, ast.Subscript):
            inner = self.of(node.value, depth)
            return inner if inner in ("tensor", "array", "keras_tensor") else ""
        if isinstance(node, ast.IfExp):
            return self.of(node.body, depth) or self.of(node.orelse, depth)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            return self._of_operation(node, depth)
        if isinstance(node, ast.Constant):
            return "number" if isinstance(node.value, (int, float)) else ""
        if isinstance(node, (ast.Await, ast.NamedExpr)):
            return self.of(node.value, depth)
        return ""

    def _of_operation(self, node: ast.BinOp | ast.UnaryOp | ast.Compare, depth: int) -> str:
        if isinstance(node, ast.BinOp):
            sides = {self.of(node.left, depth), self.of(node.right, depth)}
        elif isinstance(node, ast.UnaryOp):
            sides = {self.of(node.operand, depth)}
        else:
            if any(isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for operator in node.ops):
                return ""
            sides = {self.of(node.left, depth), *(self.of(item, depth) for item in node.comparators)}
        for kind in ("keras_tensor", "tensor"):
            if kind in sides:
                return kind
        if "variable" in sides:
            return "tensor"
        return "array" if "array" in sides else "number" if sides == {"number"} else ""

    def _of_binding(self, bound: Binding, depth: int) -> str:
        if bound.how in ("value", "with"):
            return self.of(bound.value, depth)
        if bound.how == "parameter":
            function = bound.place.function
            return "tensor" if function is not None and (function, bound.index) in self.tensor_parameters else ""
        inner = self.of(bound.value, depth)
        if bound.how == "changed":
            return "tensor" if inner in ("tensor", "variable") else ""
        if bound.how.startswith("element"):
            return {"dataset": "tensor", "tensor": "tensor", "array": "array"}.get(inner, "")
        if bound.how == "part":
            if isinstance(bound.value, ast.Call):
                name = self.program.callee(bound.value)
                if name.startswith("keras.datasets."):
                    return "array"
                called = self.program.function_of(bound.value.func)
                if called is not None:
                    return self._of_returned_part(called, bound.index, depth)
            return inner if inner in ("tensor", "array", "keras_tensor") else ""
        return ""

    def _of_returned_part(self, called: Function, index: int, depth: int) -> str:
        for value in called.returns:
            if isinstance(value, ast.Tuple) and index < len(value.elts):
                return self.of(value.elts[index], depth)
        return ""

    def _of_attribute(self, node: ast.Attribute, depth: int) -> str:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            bound = self.program.binding(f"self.{node.attr}", node)
            return self._of_binding(bound, depth) if bound else ""
        if node.attr in ("values", "T", "real"):
            inner = self.of(node.value, depth)
            return inner if inner in ("array", "tensor") else ""
        if node.attr in ("output", "outputs", "input", "inputs") and self.of(node.value, depth) == "model":
            return "keras_tensor"
        return ""

    def _of_call(self, node: ast.Call, depth: int) -> str:
        name = self.program.callee(node)
        if name:
            return self._of_library(name, node, depth)
        if isinstance(node.func, ast.Name) and node.func.id in self.program.classes:
            return self.of_class(node.func.id)
        called = self.program.function_of(node.func)
        if called is not None:
            kinds = [kind for value in called.returns[:8] if (kind := self.of(value, depth))]
            return "tensor" if not kinds and self.is_traced(called) else kinds[0] if kinds else ""
        if isinstance(node.func, ast.Attribute):
            return self._of_method(node, self.of(node.func.value, depth), depth)
        inner = self.of(node.func, depth)
        if inner in ("model", "layer") and node.args:
            return "keras_tensor" if self._keras_argument(node.args[0], depth) else "tensor"
        return "tensor" if inner in ("loss", "metric") else ""

    def _keras_argument(self, node: ast.expr, depth: int) -> bool:
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(self.of(item, depth) == "keras_tensor" for item in node.elts)
        return self.of(node, depth) == "keras_tensor"

    def _of_method(self, node: ast.Call, receiver: str, depth: int) -> str:
        attribute = method(node)
        if attribute in ("numpy", "to_numpy"):
            return "array"
        if receiver == "dataset":
            return "dataset" if attribute in _DATASET_METHODS else ""
        if receiver == "array":
            return "array"
        if receiver == "variable":
            return "tensor" if attribute in _TENSOR_METHODS else ""
        if receiver == "tape" and attribute in ("gradient", "jacobian"):
            return "tensor"
        if receiver == "strategy":
            if attribute in ("run", "reduce", "experimental_run_v2"):
                return "tensor"
            return "dataset" if "dataset" in attribute else ""
        if receiver == "model":
            return "array" if attribute == "predict" else "tensor" if attribute == "call" else ""
        if receiver == "metric" and attribute == "result":
            return "tensor"
        return ""

    def _of_library(self, name: str, node: ast.Call, depth: int) -> str:
        last = name.rpartition(".")[2]
        if name in _MODELS or (name.startswith("keras.applications.") and last[:1].isupper()):
            return "model"
        if name.startswith("tensorflow.distribute.") and last in _STRATEGIES:
            return "strategy"
        if last[:1].isupper() and ".schedules." not in name:
            for prefix, kind in (("keras.optimizers.", "optimizer"), ("keras.metrics.", "metric"), ("keras.losses.", "loss")):
                if name.startswith(prefix):
                    return kind
        if name == "keras.Input":
            return "keras_tensor"
        if name.startswith("keras.layers."):
            return self._of_layer_function(last)
        if name.startswith("keras.ops."):
            return "keras_tensor" if node.args and self._keras_argument(node.args[0], depth) else "tensor"
        return self._of_tensorflow(name, last, node, depth)

    @staticmethod
    def _of_layer_function(last: str) -> str:
        if last in _FUNCTIONS_OF_LAYERS:
            return ""
        return "layer" if last[:1].isupper() else "keras_tensor"

    def _of_tensorflow(self, name: str, last: str, node: ast.Call, depth: int) -> str:
        if name == "tensorflow.Variable":
            return "variable"
        if name in ("tensorflow.GradientTape",):
            return "tape"
        if name == "tensorflow.function":
            return self.of(argument(node, 0, "func"), depth)
        if name.startswith("tensorflow.data."):
            return "dataset" if last.endswith("Dataset") or ".Dataset." in name else ""
        if name.startswith("keras.") and last in (
            "image_dataset_from_directory",
            "text_dataset_from_directory",
            "timeseries_dataset_from_array",
        ):
            return "dataset"
        if name == "tensorflow_datasets.load":
            return "dataset"
        if name.startswith(_ARRAY_MAKERS) and last != "argmax":
            return "array"
        if (
            name.startswith(("tensorflow.", "keras.losses.", "keras.backend."))
            and not name.startswith(_NOT_TENSORS)
            and last[:1].islower()
        ):
            if node.args and self._keras_argument(node.args[0], depth):
                return "keras_tensor"
            known = (
                name.startswith(("tensorflow.nn.", "tensorflow.random.", "tensorflow.image.", "keras.losses."))
                or name.count(".") == 1
            )
            return "tensor" if known and last not in ("function", "shape", "executing_eagerly", "device", "print") else ""
        return ""

    def of_class(self, name: str, depth: int = 0) -> str:
        """The kind of a class of the program, according to its base classes."""
        for base in self.program.classes[name].node.bases:
            dotted = self.program.name_of(base)
            if dotted == "keras.Model":
                return "model"
            if dotted in ("keras.layers.Layer", "keras.Layer") or dotted.startswith("keras.layers."):
                return "layer"
            for prefix, kind in (("keras.losses.", "loss"), ("keras.metrics.", "metric"), ("keras.callbacks.", "callback")):
                if dotted.startswith(prefix):
                    return kind
            if dotted == "tensorflow.Module":
                return "module"
            if dotted.startswith("keras.utils.") and dotted.endswith(("Sequence", "PyDataset")):
                return "sequence"
            if isinstance(base, ast.Name) and base.id in self.program.classes and base.id != name and depth < 5:
                return self.of_class(base.id, depth + 1)
        return ""

    def is_traced(self, function: Function) -> bool:
        """Return whether a function is a ``tf.function`` by decoration."""
        for decorator in function.decorators:
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = self.program.name_of(inner)
            if name in ("tensorflow.function", "tensorflow.contrib.eager.defun"):
                return True
            if isinstance(decorator, ast.Call) and name == "functools.partial" and decorator.args:
                return self.program.name_of(decorator.args[0]) == "tensorflow.function"
        return False

    def loads(self, node: ast.Call) -> bool:
        """Return whether a call loads a saved model."""
        return self.program.callee(node) in _LOADED


def constant(program: Program, node: ast.AST | None, depth: int = 0) -> object:
    """The number, text or Boolean value of an expression, through names and simple arithmetic; ``None`` if not known."""
    if node is None or depth > 8:
        return None
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        bound = program.binding(node.id, node)
        return constant(program, bound.value, depth + 1) if bound and bound.how == "value" else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(program, node.operand, depth + 1)
        return -value if isinstance(value, (int, float)) else None
    if isinstance(node, ast.BinOp):
        left, right = constant(program, node.left, depth + 1), constant(program, node.right, depth + 1)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return _arithmetic(node.op, left, right)
    return None


def _arithmetic(operator: ast.operator, left: float, right: float) -> float | None:
    if isinstance(operator, ast.Pow):
        return left**right if 0 < abs(left) <= 100 and isinstance(right, int) and abs(right) <= 20 else None
    try:
        if isinstance(operator, ast.Add):
            return left + right
        if isinstance(operator, ast.Sub):
            return left - right
        if isinstance(operator, ast.Mult):
            return left * right
        if isinstance(operator, ast.Div):
            return left / right
        if isinstance(operator, ast.FloorDiv):
            return left // right
        if isinstance(operator, ast.Mod):
            return left % right
    except (ZeroDivisionError, OverflowError):
        return None
    return None
