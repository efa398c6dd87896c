"""The place of each node of a program, and its functions, classes and bindings."""

import ast

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_MOST_WITHS = 60  # remembered around a node


class Place:
    """Where a node is.

    Attributes:
        function: innermost function or lambda, ``None`` at module level.
        loops: loops and comprehensions around it within that function, outermost first.
        withs: expressions of the ``with`` statements around it within that function.
        tests: conditions of the ``if`` statements whose body (not ``else``) it is in, within that function.
        klass: class whose body or method it is in.
    """

    __slots__ = ("function", "klass", "loops", "tests", "withs")

    def __init__(
        self,
        function: "Function | None" = None,
        loops: tuple[ast.AST, ...] = (),
        withs: tuple[ast.expr, ...] = (),
        tests: tuple[ast.expr, ...] = (),
        klass: "Class | None" = None,
    ) -> None:
        self.function = function
        self.loops = loops
        self.withs = withs
        self.tests = tests
        self.klass = klass

    def inside(self, *, loop: ast.AST | None = None, item: ast.expr | None = None, test: ast.expr | None = None) -> "Place":
        """This place, one loop, ``with`` or condition deeper."""
        return Place(
            self.function,
            (*self.loops, loop) if loop is not None else self.loops,
            (*self.withs[-_MOST_WITHS:], item) if item is not None else self.withs,
            (*self.tests, test) if test is not None else self.tests,
            self.klass,
        )


class Function:
    """A function, method or lambda of the program."""

    __slots__ = ("calls_to", "klass", "name", "node", "parameters", "place", "returns")

    def __init__(self, node: FunctionNode, place: Place) -> None:
        self.node = node
        self.place = place
        self.name = "" if isinstance(node, ast.Lambda) else node.name
        # A function within a method is not a method.
        self.klass: Class | None = (
            place.klass if place.klass is not None and place.klass.place.function is place.function else None
        )
        arguments = node.args
        self.parameters = [item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.returns: list[ast.expr] = [node.body] if isinstance(node, ast.Lambda) else []
        self.calls_to: list[ast.Call] = []

    @property
    def decorators(self) -> list[ast.expr]:
        """The decorators, outermost first."""
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


class Class:
    """A class of the program, with its methods by name."""

    __slots__ = ("methods", "name", "node", "place")

    def __init__(self, node: ast.ClassDef, place: Place) -> None:
        self.node = node
        self.name = node.name
        self.place = place
        self.methods: dict[str, Function] = {}


class Binding:
    """A value given to a name.

    Attributes:
        value: the expression; for an element or a part, the whole that it comes from; ``None`` for a parameter.
        how: ``value``, ``changed`` (by ``+=``), ``element`` (of a loop), ``part`` (of an unpacked value), ``element part``, ``with`` or ``parameter``.
        line: the last line on which the name does not have the value yet.
        index: position of a part or a parameter.
    """

    __slots__ = ("how", "index", "line", "place", "value")

    def __init__(self, value: ast.expr | None, how: str, line: int, place: Place, index: int = 0) -> None:
        self.value = value
        self.how = how
        self.line = line
        self.place = place
        self.index = index
