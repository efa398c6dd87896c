"""Models of a program: their layers, and the arguments of compile and fit."""

import ast

from tfhelp.collectors.code.kinds import Kinds, constant
from tfhelp.collectors.code.places import Binding
from tfhelp.collectors.code.program import Program, argument, has_star, method

_MOST_LAYERS = 400
FITS = frozenset(("fit", "fit_generator"))
USES = FITS | {"evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"}


class Model:
    """One model that the program makes.

    Attributes:
        made: the call that makes it.
        name: the name it is given (``model``, ``self.model``), or empty.
        binding: where it gets its name.
        layers: calls of its layers in order if known (a Sequential without loops or unknown parts), else ``None``.
        compiles, uses: calls of ``compile``, and of fit, evaluate, predict and the like.
        calls: any other method calls on it.
        others: its name where no method is called on it: the model itself is called, passed on, or one of its members is read.
    """

    __slots__ = ("binding", "calls", "compiles", "layers", "made", "name", "others", "uses")

    def __init__(self, made: ast.Call, name: str, binding: Binding | None) -> None:
        self.made = made
        self.name = name
        self.binding = binding
        self.layers: list[ast.Call] | None = None
        self.compiles: list[ast.Call] = []
        self.uses: list[ast.Call] = []
        self.calls: list[ast.Call] = []
        self.others: list[ast.AST] = []


def find_models(program: Program, kinds: Kinds) -> list[Model]:
    """The models that a program makes and gives a name to, with the calls on each."""
    models: dict[int, Model] = {}
    for (_, name), bindings in program.bindings.items():
        for binding in bindings:
            value = binding.value
            if binding.how == "value" and isinstance(value, ast.Call) and kinds.of(value) == "model":
                made = _maker(program, kinds, value)
                models[id(binding)] = Model(made, name, binding)
    _note_uses(program, models)
    for model in models.values():
        model.layers = _layers(program, model)
    return list(models.values())


def _maker(program: Program, kinds: Kinds, call: ast.Call) -> ast.Call:
    """The call that actually makes the model, through one function of the program that returns it."""
    called = program.function_of(call.func)
    for value in called.returns if called else []:
        inner: ast.AST | None = value
        if isinstance(value, ast.Name):
            bound = program.binding(value.id, value)
            inner = bound.value if bound and bound.how == "value" else None
        if isinstance(inner, ast.Call) and kinds.of(inner) == "model":
            return inner
    return call


def _note_uses(program: Program, models: dict[int, Model]) -> None:
    names = {model.name for model in models.values()}
    for kind in (ast.Name, ast.Attribute):
        for node in program.of(kind):
            name = _name(node)
            if name not in names or isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            binding = program.binding(name, node)
            model = models.get(id(binding))
            if model is not None:
                _note_use(program, model, node)


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    of_self = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return f"self.{node.attr}" if of_self and isinstance(node, ast.Attribute) else ""


def _note_use(program: Program, model: Model, node: ast.AST) -> None:
    parent = program.parents.get(node)
    call = program.parents.get(parent) if isinstance(parent, ast.Attribute) else parent
    if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and call.func is parent:
        name = method(call)
        if name == "compile":
            model.compiles.append(call)
        elif name in USES:
            model.uses.append(call)
        else:
            model.calls.append(call)
    else:
        model.others.append(node)


def _layers(program: Program, model: Model) -> list[ast.Call] | None:
    if program.callee(model.made) != "keras.Sequential" or has_star(model.made):
        return None
    given = argument(model.made, 0, "layers")
    if isinstance(given, ast.Name):
        bound = program.binding(given.id, given)
        given = bound.value if bound and bound.how == "value" else ast.Name("?", ast.Load())
    if given is not None and not isinstance(given, (ast.List, ast.Tuple)):
        return None
    items: list[ast.expr] = list(given.elts) if given is not None else []
    for call in model.calls:
        if method(call) == "add" and call.args:
            if program.place(call).loops:
                return None
            items.append(call.args[0])
        elif method(call) == "pop":
            return None
    found: list[ast.Call] = []
    for item in items[:_MOST_LAYERS]:
        layer = _layer_call(program, item)
        if layer is None:
            return None
        found.append(layer)
    # Nothing is known here of a model that is created elsewhere and then filled by a function.
    return found or None


def _layer_call(program: Program, item: ast.expr) -> ast.Call | None:
    if isinstance(item, ast.Name):
        bound = program.binding(item.id, item)
        item = bound.value if bound and bound.how == "value" and bound.value is not None else item
    return item if isinstance(item, ast.Call) else None


def last_layer(program: Program, model: Model) -> ast.Call | None:
    """The call that makes a model's last layer; for a functional model, the layer whose output is the model's output."""
    if model.layers:
        return model.layers[-1]
    if program.callee(model.made) != "keras.Model":
        return None
    output = argument(model.made, 1, "outputs")
    for _ in range(5):
        if isinstance(output, ast.Name):
            bound = program.binding(output.id, output)
            output = bound.value if bound and bound.how == "value" else None
    if isinstance(output, ast.Call) and isinstance(output.func, ast.Call):
        return output.func
    return None


class Head:
    """A summary of the last layer: number of units, activation (lower case, ``linear`` for none, ``""`` unknown)."""

    __slots__ = ("activation", "layer", "node", "units")

    def __init__(self, layer: str, units: object, activation: str, node: ast.Call) -> None:
        self.layer = layer
        self.units = units
        self.activation = activation
        self.node = node


def head(program: Program, model: Model) -> Head | None:
    """What a model's last layer outputs, if it is a Dense layer or one of the activation layers."""
    layer = last_layer(program, model)
    if layer is None:
        return None
    name = program.callee(layer).rpartition(".")[2]
    if name == "Dense":
        return Head(name, constant(program, argument(layer, 0, "units")), _activation(program, layer), layer)
    before = model.layers[-2] if model.layers and len(model.layers) > 1 else None
    units = (
        constant(program, argument(before, 0, "units"))
        if before is not None and program.callee(before).endswith(".Dense")
        else None
    )
    if name in ("Softmax", "Sigmoid"):
        return Head("Activation", units, name.lower(), layer)
    if name == "Activation":
        return Head(name, units, _named(program, argument(layer, 0, "activation")), layer)
    return None


def _activation(program: Program, layer: ast.Call) -> str:
    given = argument(layer, 1, "activation")
    if given is None:
        return "" if has_star(layer) else "linear"
    return _named(program, given)


def _named(program: Program, given: ast.expr | None) -> str:
    value = constant(program, given)
    if isinstance(value, str):
        return value.lower()
    if isinstance(given, ast.Constant) and given.value is None:
        return "linear"
    name = program.name_of(given) if given is not None else ""
    return name.rpartition(".")[2].lower()


class Loss:
    """A summary of a loss: snake_case name, and whether it expects logits (``None`` if not known)."""

    __slots__ = ("from_logits", "name", "node")

    def __init__(self, name: str, from_logits: bool | None, node: ast.expr) -> None:
        self.name = name
        self.from_logits = from_logits
        self.node = node


def loss_of(program: Program, compile_call: ast.Call) -> Loss | None:
    """The one library loss that a model is compiled with; ``None`` for several, or for a custom loss."""
    given = argument(compile_call, 1, "loss")
    if isinstance(given, ast.Name):
        bound = program.binding(given.id, given)
        given = bound.value if bound and bound.how == "value" else None
    value = constant(program, given)
    if isinstance(value, str) and given is not None:
        return Loss(_snake(value), False, given)
    if isinstance(given, ast.Call):
        name = program.callee(given)
        if name.startswith("keras.losses."):
            position = 0 if name.endswith("Crossentropy") else None
            logits = argument(given, position, "from_logits")
            flag = constant(program, logits) if logits is not None else None if has_star(given) else False
            return Loss(_snake(name.rpartition(".")[2]), flag if isinstance(flag, bool) else None, given)
    elif given is not None and program.name_of(given).startswith("keras.losses."):
        return Loss(_snake(program.name_of(given).rpartition(".")[2]), False, given)
    return None


def _snake(name: str) -> str:
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
    return snake.replace("cross_entropy", "crossentropy")
