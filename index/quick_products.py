"""A vector's products with the rows or the columns of a mapped matrix, computed by ONNX Runtime: a cold ``ask`` has no NumPy."""

from __future__ import annotations

import array
import os
import typing

from tfhelp.index.encoder import DIMENSION

if typing.TYPE_CHECKING:
    from tfhelp.index.onnx_c import Map, Runtime, Value

BY_ROWS, BY_COLUMNS = "by_rows", "by_columns"
"""The names of the two graphs."""


class Products:
    """The two products.

    Args:
        runtime: the library.
        graph: gives a graph of ``graphs`` by its name, mapped.
    """

    __slots__ = ("_graph", "_runtime", "_sessions")

    def __init__(self, runtime: Runtime, graph: typing.Callable[[str], Map]) -> None:
        self._runtime = runtime
        self._graph = graph
        self._sessions: dict[str, typing.Any] = {}

    def with_rows(self, vector: Value, rows: Map, count: int) -> array.array[float]:
        """float32 [count]: ``vector``, [1, dimension], times each row of ``rows``, float32 [count, dimension]."""
        return self._product(BY_ROWS, vector, rows, (count, DIMENSION), count)

    def with_columns(self, vector: Value, columns: Map, count: int) -> array.array[float]:
        """float32 [count]: ``vector``, [1, dimension], times each column of ``columns``, float32 [dimension, count]."""
        return self._product(BY_COLUMNS, vector, columns, (DIMENSION, count), count)

    def _product(self, name: str, vector: Value, matrix: Map, shape: tuple[int, int], count: int) -> array.array[float]:
        if name not in self._sessions:
            self._sessions[name] = self._runtime.session(self._graph(name))
        inputs = {"vector": vector, "matrix": self._runtime.floats(matrix, shape)}
        [found] = self._runtime.run(self._sessions[name], inputs, ["products"])
        return self._runtime.numbers(found, count)


def graphs() -> dict[str, bytes]:
    """The two graphs in ORT's format."""
    from onnx import helper

    return {
        BY_ROWS: _graph(helper.make_node("Gemm", ["vector", "matrix"], ["products"], transB=1), ["count", DIMENSION]),
        BY_COLUMNS: _graph(helper.make_node("MatMul", ["vector", "matrix"], ["products"]), [DIMENSION, "count"]),
    }


def _graph(node: typing.Any, shape: list[typing.Any]) -> bytes:
    import tempfile

    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    floats = TensorProto.FLOAT
    graph = helper.make_graph(
        [node],
        "product",
        [
            helper.make_tensor_value_info("vector", floats, [1, DIMENSION]),
            helper.make_tensor_value_info("matrix", floats, shape),
        ],
        [helper.make_tensor_value_info("products", floats, [1, "count"])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "product.ort")
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.optimized_model_filepath = path
        options.log_severity_level = 3
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        with open(path, "rb") as file:
            return file.read()
