"""What a check inspects: the program with its kinds and models, and the report that the check writes to."""

import ast

from tfhelp.collectors.code import models, tracing
from tfhelp.collectors.code.finding import Report
from tfhelp.collectors.code.kinds import Kinds
from tfhelp.collectors.code.places import Function, Place
from tfhelp.collectors.code.program import Program, method

RUNS = frozenset(("run", "experimental_run_v2"))
_DEEPEST = 6  # how many calls are followed back from a function to its callers


class Subject:
    """One program under examination.

    Attributes:
        program, kinds: the model of the text.
        handed_on: names that a function returns, passes to TensorFlow or Keras, or unpacks with a star: (function, name).
        loops_with_models: loops that create a model in each iteration.
        run_by_strategy: functions that are passed to ``strategy.run``.
        traced: functions that TensorFlow traces, with the reason.
        models: the models that the program creates.
        report: where the checks write their findings.
    """

    __slots__ = (
        "_bodies",
        "_methods",
        "handed_on",
        "kinds",
        "loops_with_models",
        "models",
        "program",
        "report",
        "run_by_strategy",
        "traced",
    )

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = Kinds(program)
        self.traced = tracing.find_traced(program, self.kinds)
        self.kinds.take_for_tensors(tracing.tensor_parameters(self.traced))
        self.models = models.find_models(program, self.kinds)
        self.report = Report()
        self._bodies: dict[Function, list[ast.Call]] = {}
        self._methods: dict[ast.AST, frozenset[str]] = {}
        self.handed_on = self._find_handed_on()
        made = (call for call in program.of(ast.Call) if self.kinds.of(call) == "model")
        self.loops_with_models = {loop for call in made for loop in program.place(call).loops}
        self.run_by_strategy = self._find_run_by_strategy()

    def _find_handed_on(self) -> set[tuple[Function | None, str]]:
        found: set[tuple[Function | None, str]] = set()
        for node in self.program.of(ast.Name):
            parent = self.program.parents.get(node)
            given = isinstance(parent, ast.Call) and self.program.callee(parent).startswith(("tensorflow.", "keras."))
            if given or isinstance(parent, (ast.Return, ast.Starred)):
                found.add((self.program.place(node).function, node.id))
        return found

    def _find_run_by_strategy(self) -> set[Function]:
        """Functions that are passed to ``strategy.run``."""
        calls = [call for call in self.program.of(ast.Call) if method(call) in RUNS and call.args]
        found = [self.program.function_of(call.args[0]) for call in calls]
        return {function for function in found if function is not None}

    def repeated(self, place: Place, depth: int = 0) -> ast.AST | None:
        """The loop that runs a place repeatedly, its own or a caller's; ``None`` if there is none."""
        if place.loops:
            return place.loops[-1]
        if place.function is None or depth > _DEEPEST:
            return None
        for call in place.function.calls_to[:50]:
            loop = self.repeated(self.program.place(call), depth + 1)
            if loop is not None:
                return loop
        return None

    def tensor(self, node: ast.AST | None) -> bool:
        """Return whether an expression is a tensor or a variable, as far as the text shows it."""
        return self.kinds.of(node) in ("tensor", "keras_tensor", "variable")

    def within(self, place: Place, callee: str) -> ast.expr | None:
        """The ``with`` item around a place that calls a library function."""
        for item in place.withs:
            if isinstance(item, ast.Call) and self.program.callee(item) == callee:
                return item
        return None

    def body_calls(self, function: Function) -> list[ast.Call]:
        """Calls in a function's body, including those of nested functions."""
        if function not in self._bodies:
            self._bodies[function] = [node for node in ast.walk(function.node) if isinstance(node, ast.Call)]
        return self._bodies[function]

    def methods_in(self, node: ast.AST, depth: int = 0) -> frozenset[str]:
        """Last names of all callees under a node (a loop, for example) and in the functions that are called there."""
        if node in self._methods:
            return self._methods[node]
        self._methods[node] = frozenset()
        found: set[str] = set()
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                found.add(method(call) or getattr(call.func, "id", ""))
                called = self.program.function_of(call.func)
                if called is not None and depth < _DEEPEST:
                    found |= self.methods_in(called.node, depth + 1)
        self._methods[node] = frozenset(found)
        return self._methods[node]
