"""Data sets of a program: the chain of tf.data methods that made one, and how many elements it has."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.program import Program, argument, method

_LONGEST = 60  # methods followed back


class Chain:
    """How a data set was made.

    Attributes:
        root: the call that begins it (``Dataset.from_tensor_slices(...)``), ``None`` if the text does not show it.
        steps: (method, call) from the root on.
        known: whether the root was found; the steps may have any names.
    """

    __slots__ = ("known", "root", "steps")

    def __init__(self) -> None:
        self.root: ast.Call | None = None
        self.steps: list[tuple[str, ast.Call]] = []
        self.known = True

    def has(self, *names: str) -> bool:
        """Return whether one of the methods is among the steps."""
        return any(name in names for name, _ in self.steps)


def chain_of(program: Program, node: ast.AST | None) -> Chain:
    """Follow a data set back to its first call, through names and through functions of the program that return one."""
    chain = Chain()
    back: list[tuple[str, ast.Call]] = []
    arguments: list[ast.Call] = []
    for _ in range(_LONGEST):
        if isinstance(node, ast.Name):
            node = _behind_name(program, node, arguments)
        elif isinstance(node, ast.Call) and program.callee(node):
            chain.root = node
            break
        elif isinstance(node, ast.Call) and (called := program.function_of(node.func)) is not None:
            arguments.append(node)
            node = called.returns[0] if len(called.returns) == 1 else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            distributed = node.func.attr.startswith("experimental_distribute_")
            back.append(("distribute" if distributed else node.func.attr, node))
            node = argument(node, 0, "dataset") if distributed else node.func.value
        else:
            break
    chain.steps = back[::-1]
    chain.known = chain.root is not None
    return chain


def _behind_name(program: Program, node: ast.Name, arguments: list[ast.Call]) -> ast.AST | None:
    bound = program.binding(node.id, node)
    if bound is None:
        return None
    if bound.how == "value":
        return bound.value
    if bound.how == "parameter" and arguments:
        return argument(arguments.pop(), bound.index, node.id)
    return None


def root_name(program: Program, chain: Chain) -> str:
    """Last part of the root's name: ``from_tensor_slices``, ``TFRecordDataset``; empty when it is not known."""
    return program.callee(chain.root).rpartition(".")[2] if chain.root is not None else ""


def length(program: Program, node: ast.AST | None, depth: int = 0) -> int | None:
    """Number of samples of an array expression if the text shows it (``np.zeros((320, 16))``, ``np.arange(320)``)."""
    for _ in range(12):
        if not isinstance(node, ast.Name):
            break
        bound = program.binding(node.id, node)
        node = bound.value if bound and bound.how == "value" else None
    if isinstance(node, ast.Tuple):
        return length(program, node.elts[0], depth + 1) if node.elts and depth < 6 else None
    if isinstance(node, ast.BinOp) and depth < 6:
        return length(program, node.left, depth + 1) or length(program, node.right, depth + 1)
    if not isinstance(node, ast.Call) or depth > 6:
        return None
    if method(node) in ("astype", "copy") and isinstance(node.func, ast.Attribute):
        return length(program, node.func.value, depth + 1)
    name = program.callee(node)
    last = name.rpartition(".")[2] or method(node)
    if (
        last in ("array", "asarray", "constant", "convert_to_tensor", "to_categorical", "one_hot", "float32", "cast")
        and node.args
    ):
        return length(program, node.args[0], depth + 1)
    if last == "arange" and len(node.args) == 1:
        return _whole(constant(program, node.args[0]))
    return _first_of_shape(program, node, last)


_SHAPE_AT = {
    "zeros": 0,
    "ones": 0,
    "empty": 0,
    "full": 0,
    "random": 0,
    "random_sample": 0,
    "normal": 2,
    "uniform": 2,
    "integers": 2,
    "randint": 2,
}


def _first_of_shape(program: Program, node: ast.Call, last: str) -> int | None:
    if last in ("rand", "randn") and node.args:
        return _whole(constant(program, node.args[0]))
    if last not in _SHAPE_AT:
        return None
    shape = argument(node, None, "size") or argument(node, None, "shape") or argument(node, _SHAPE_AT[last], "size")
    if shape is None and program.callee(node).startswith("tensorflow."):
        shape = argument(node, 0, "shape")
    if isinstance(shape, (ast.Tuple, ast.List)):
        return _whole(constant(program, shape.elts[0])) if shape.elts else None
    return _whole(constant(program, shape))


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else None


def samples(program: Program, chain: Chain) -> int | None:
    """Number of elements that a chain yields in one pass, before batching; ``None`` if not known."""
    root = root_name(program, chain)
    if root == "from_tensor_slices" and chain.root is not None:
        return length(program, argument(chain.root, 0, "tensors"))
    if root == "range" and chain.root is not None and len(chain.root.args) == 1:
        return _whole(constant(program, chain.root.args[0]))
    return None


def batches(program: Program, chain: Chain) -> int | None:
    """Number of batches in one pass, if every step after the root keeps the count or is ``batch`` or ``take``."""
    count = samples(program, chain)
    for name, call in chain.steps:
        if count is None:
            return None
        size = _whole(constant(program, argument(call, 0, "batch_size" if name == "batch" else "count")))
        if name == "batch":
            if not size:
                return None
            count = count // size if constant(program, argument(call, 1, "drop_remainder")) is True else -(-count // size)
        elif name == "take":
            if size is None:
                return None
            count = min(count, size)
        elif name not in ("map", "shuffle", "prefetch", "cache", "with_options", "distribute"):
            return None
    return count
