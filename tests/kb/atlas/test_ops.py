"""The table of operations: its sources, how rows are merged, and that it agrees with TensorFlow's registry."""

import itertools
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.atlas import build_ops
from tfhelp.kb.atlas.op_rows import Row, merged
from tfhelp.kb.atlas.ops import PATH, Op, Ops, python_name
from tfhelp.kb.atlas.store import AtlasError, Store

TYPES = ("float32", "float64", "int32")


@pytest.fixture(scope="module")
def ops() -> Ops:
    return Ops()


def known(ops: Ops, name: str) -> Op:
    found = ops.get(name)
    assert found is not None
    return found


def test_it_says_which_wheel_it_was_made_from(ops: Ops) -> None:
    store = Store(PATH)
    assert store.get("about", "wheel").startswith(f"tensorflow-{ops.release}-")
    assert len(store.get("about", "sha256")) == 64
    assert len(store.keys("ops")) > 1500
    assert pathlib.Path(PATH).stat().st_size < 400_000


def test_an_operation_has_inputs_types_and_kernels(ops: Ops) -> None:
    matmul = known(ops, "MatMul")
    assert [(one.name, one.type) for one in matmul.inputs] == [("a", "T"), ("b", "T")]
    assert matmul.inputs_of("T") == ["a", "b"]
    assert "string" not in matmul.accepted("T")
    assert matmul.attributes["transpose_a"].default == "False"
    assert matmul.runs_on("GPU", {"T": "float32"})
    assert not matmul.runs_on("GPU", {"T": "int32"})
    assert matmul.runs_on("CPU", {"T": "int32"})
    assert not matmul.runs_on("XLA_GPU_JIT", {"T": "uint8"})


def test_a_list_of_tensors_says_so(ops: Ops) -> None:
    values = known(ops, "ConcatV2").inputs[0]
    assert (values.type, values.of) == ("N*T", "T")


def test_an_operation_for_gpus_alone_has_no_kernel_elsewhere(ops: Ops) -> None:
    rnn = known(ops, "CudnnRNN")
    assert rnn.types_on("GPU", "T") == ("bfloat16", "float16", "float32", "float64")
    assert rnn.types_on("CPU", "T") == ()
    assert not rnn.runs_on("CPU", {})


def test_a_kernel_for_every_device_counts_for_a_gpu_but_not_for_xla() -> None:
    op = Op("Any", "2.21.0", (), (), {}, {"DEFAULT": [{"T": ["int32"]}]})
    assert op.runs_on("GPU", {"T": "int32"})
    assert op.runs_on("CPU", {"T": "int32"})
    assert not op.runs_on("XLA_CPU_JIT", {"T": "int32"})


def test_an_unknown_operation_is_not_found(ops: Ops) -> None:
    assert ops.get("NoSuchOp") is None
    assert ops.get("") is None


@pytest.mark.parametrize(("written", "name"), [("float", "float32"), ("DT_BFLOAT16", "bfloat16"), ("DT_FLOAT_REF", "float32")])
def test_types_get_the_names_that_python_gives_them(written: str, name: str) -> None:
    assert python_name(written) == name


@given(
    st.lists(
        st.dictionaries(st.sampled_from("TUV"), st.sets(st.sampled_from(TYPES), min_size=1).map(sorted).map(tuple)), max_size=6
    )
)
def test_fewer_rows_take_the_same_types(rows: list[Row]) -> None:
    fewer = merged(rows)
    assert len(fewer) <= len(rows)
    for values in itertools.product(TYPES, repeat=3):
        asked = dict(zip("TUV", values, strict=True))
        assert takes(rows, asked) == takes(fewer, asked)


def takes(rows: list[Row], asked: dict[str, str]) -> bool:
    return any(all(asked[name] in row[name] for name in row) for row in rows)


def test_a_missing_table_names_what_makes_it(tmp_path: pathlib.Path) -> None:
    with pytest.raises(AtlasError, match=r"ops\.bin cannot be read"):
        Ops(str(tmp_path / "ops.bin"))


@pytest.mark.slow
def test_the_table_is_what_the_installed_tensorflow_registers(ops: Ops) -> None:
    import importlib.metadata

    if importlib.metadata.version("tensorflow") != ops.release:
        pytest.skip(f"the table is of TensorFlow {ops.release}")
    registered = build_ops.rows()
    store = Store(PATH)
    assert sorted(registered) == store.keys("ops")
    for name in ("MatMul", "Conv2D", "Cast", "Unique", "CudnnRNN", "ConcatV2", "FusedBatchNormV3", "NoOp"):
        inputs, outputs, attributes, kernels = registered[name]
        assert store.get("ops", name)[:2] == [inputs, outputs]
        assert store.get("ops", name)[2] == attributes
        assert {device: len(rows) for device, rows in store.get("ops", name)[3].items()} == {
            d: len(r) for d, r in kernels.items()
        }
