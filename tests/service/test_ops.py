"""Errors of C++ that name an operation: which one, what does not fit, where there are kernels, whose line it was."""

import io
import json
import pathlib
import subprocess
import sys
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.collectors.reading import read
from tfhelp.kb.atlas import ops
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import explained, explained_ops, op_messages, op_words
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.doors.slack.blocks import answer_blocks

RECORDED = [json.loads(line) for line in (pathlib.Path(__file__).with_name("wrong_ops.jsonl")).read_text().splitlines()]
IN_PYTHON = ("decode_jpeg(tf.constant([1.0]))", "strings.split", "tf.int8")
"""Calls that Python refuses before any operation is named."""
MISSING = (
    "NotFoundError: Could not find device for node: {{node Unique}} = Unique[T=DT_COMPLEX128, out_idx=DT_INT32]\n"
    "All kernels registered for op Unique:\n  device='CPU'; T in [DT_STRING]; out_idx in [DT_INT64]\n [Op:Unique]"
)


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def named(call: str) -> str:
    """The text that a recorded call printed."""
    return next(row["text"] for row in RECORDED if call in row["call"])


def seen(text: str) -> explained_ops.OpFound | None:
    found = [explained_ops.find(record.text) for record in read(text).records]
    return next(filter(None, found), None)


def said(call: str) -> str:
    found = seen(named(call))
    assert found is not None
    return " ".join(op_words.misfit(found.op, found.message))


@pytest.mark.parametrize(
    "row", [row for row in RECORDED if not any(call in row["call"] for call in IN_PYTHON)], ids=lambda row: row["call"][:50]
)
def test_the_operation_is_the_one_that_refused(row: dict[str, str]) -> None:
    found = seen(row["text"])
    assert found is not None
    assert found.op.name == row["op"]


@pytest.mark.parametrize("call", IN_PYTHON)
def test_a_message_without_an_operation_gets_no_sentence_about_one(call: str) -> None:
    assert seen(named(call)) is None


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("tf.constant([1, 2]) + ", "The input y of AddV2 is float32, but int32 is expected."),
        ("tf.constant([1, 2]) + ", "tf.cast(x, tf.float32) gives both the same type without losing fractions."),
        ("tf.constant([1.0], tf.float64)", "tf.cast(y, tf.float32) gives both the same type."),
        ("tf.concat(", "Input 1 of ConcatV2, counted from 0, is int32, but float32 is expected."),
        ("tf.nn.softmax(", "The input logits of Softmax is int32. Accepted: float32, float64, float16 or bfloat16."),
        (
            "tf.gather(tf.constant([1, 2]), tf.constant([0.5]))",
            "tf.cast(indices, tf.int32) gives it an accepted type, which drops fractions.",
        ),
        ("tf.constant([['a']])", "tf.strings.to_number(a) converts the text to numbers."),
        ("FusedBatchNormV3(", "The input x of FusedBatchNormV3 is float64."),
        ("tf.ones([2, 2], tf.float64))", "The input b of MatMul is float64, but float32 is expected."),
        ("tf.linalg.cholesky", "In your build of TensorFlow, Cholesky with T = float16 has no kernel on any device."),
        (
            "tf.raw_ops.CudnnRNN(input=tf",
            "In your build of TensorFlow, CudnnRNN with T = float32 has a kernel on a GPU. It has none on the CPU.",
        ),
        ("tf.raw_ops.CudnnRNN(input=x", "None of the devices that the program sees (the CPU) has a kernel for it."),
        ("unique_with_counts", "XLA cannot compile UniqueWithCounts: TensorFlow 2.21 has no kernel for it on XLA_CPU_JIT."),
        ("unique_with_counts", "Without XLA it runs on the CPU and a GPU."),
        ("tf.ones([2, 2], tf.uint8)", "XLA cannot compile MatMul with T = uint8"),
        ("decode_jpeg(b), jit", "An argument of type string is passed to the compiled function"),
    ],
)
def test_a_misfit_is_named_in_a_sentence(call: str, sentence: str) -> None:
    assert sentence in said(call)


@pytest.mark.parametrize(
    ("wanted", "got", "cast"),
    [
        ("double", "float", "tf.cast(x, tf.float32) gives both the same type."),
        ("float", "double", "tf.cast(y, tf.float32) gives both the same type."),
        ("half", "float", "tf.cast(y, tf.float16) gives both the same type."),
        ("int32", "float", "tf.cast(x, tf.float32) gives both the same type without losing fractions."),
        ("float", "int64", "tf.cast(y, tf.float32) gives both the same type."),
    ],
)
def test_the_cast_keeps_fractions_and_the_models_type(wanted: str, got: str, cast: str) -> None:
    found = explained_ops.find(
        f"cannot compute Mul as input #1(zero-based) was expected to be a {wanted} tensor but is a {got} tensor [Op:Mul]"
    )
    assert found is not None
    assert cast in op_words.misfit(found.op, found.message)


def test_a_kernel_that_only_this_build_lacks_is_not_denied() -> None:
    text = (
        "No OpKernel was registered to support Op 'NcclAllReduce' used by {{node NcclAllReduce}} with these attrs: [reduction=\"sum\", "
        "T=DT_FLOAT, num_devices=2]\nRegistered devices: [CPU, GPU]\nRegistered kernels:\n  <no registered kernels>"
    )
    found = explained_ops.find(text)
    assert found is not None
    says = " ".join(op_words.misfit(found.op, found.message))
    assert "TensorFlow 2.21 for Linux has a kernel for NcclAllReduce with T = float32 on a GPU" in says
    assert "It has none" not in says


def test_a_failure_without_an_entry_is_explained_by_its_operation(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(named("tf.linalg.cholesky"))
    assert (answer["verdict"], answer["abstained"], answer["matches"]) == ("explained", True, [])
    found = answer["explained"]
    assert (found["function"], found["public"], found["weak"]) == ("Cholesky", "tf.raw_ops.Cholesky", False)
    assert (found["op"]["kind"], found["op"]["name"]) == ("kernel", "Cholesky")
    assert found["says"][0] == "TensorFlow raises this NotFoundError before it runs the operation Cholesky."
    assert found["says"][-1] == "Your line /home/me/train.py:1 called tf.linalg.cholesky."
    assert found["releases"][0]["package"] == "tensorflow"


def test_an_entry_leads_and_the_operation_is_added(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(named("tf.nn.softmax("))
    assert answer["verdict"] == "diagnosed"
    assert answer["matches"][0]["op_says"][0].startswith("The input logits of Softmax is int32.")
    assert "op_says" not in diagnoser.diagnose(named("tf.ones([2]) + tf.ones([3])"))["matches"][0], "no type is wrong there"


def test_an_entry_shows_the_line_that_made_the_node(diagnoser: Diagnoser) -> None:
    graph = (
        'Traceback (most recent call last):\n  File "/home/me/train.py", line 90, in <module>\n    model.fit(data)\n'
        '  File "/usr/lib/python3/site-packages/keras/src/utils/traceback_utils.py", line 70, in error_handler\n'
        "    raise e.with_traceback(filtered_tb) from None\n"
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:\n\n"
        "Detected at node 'my_layer/MatMul' defined at (most recent call last):\n"
        '    File "/home/me/train.py", line 90, in <module>\n      model.fit(data)\n'
        '    File "/home/me/layers.py", line 12, in call\n      return tf.matmul(x, self.kernel)\n'
        "Node: 'my_layer/MatMul'\nMatrix size-incompatible: In[0]: [32,10], In[1]: [8,4]\n"
        "\t [[{{node my_layer/MatMul}}]] [Op:__inference_train_function_600]"
    )
    answer = diagnoser.diagnose(graph)
    assert answer["verdict"] == "diagnosed"
    assert answer["matches"][0]["op_says"] == ["Your line /home/me/layers.py:12 created the operation MatMul."]
    same = graph.replace('    File "/home/me/layers.py", line 12, in call\n      return tf.matmul(x, self.kernel)\n', "")
    assert "op_says" not in diagnoser.diagnose(same)["matches"][0], "the traceback shows this line"


def test_the_line_that_made_the_node_is_the_readers() -> None:
    record = Record("exception", named("on_gpu(v1)").rpartition("Graph execution error:")[2], 1, 1)
    record.exception = "InvalidArgumentError"
    found = explained_ops.explain(record, None)
    assert found is not None
    assert found["your_line"]["file"].endswith("wrong_ops.py"), "the innermost of the reader's files"
    assert not found["confirmed"], "only the node's name tells the operation"
    assert "known from the node's name" in found["says"][0]


def test_a_line_of_a_log_is_enough(diagnoser: Diagnoser) -> None:
    line = "2024-05-01 10:00:00.000000: E tensorflow/core/x.cc:99] " + MISSING.partition(": ")[2].replace("\n", " ")
    found = explained.explain(read(line).records)
    assert found is not None
    assert (found["op"]["name"], found["op"]["kind"]) == ("Unique", "kernel")


@pytest.mark.parametrize(
    "text",
    [
        "InvalidArgumentError: strange things happened [Op:NoSuchOperation]",
        "InvalidArgumentError: it went wrong\n\t [[{{node my_model/my_layer/walrus}}]]",
        "InvalidArgumentError: it went wrong [[{{node PyFunc}}]] [Op:IteratorGetNext]",
        "InvalidArgumentError: cannot compute Walrus as input #1(zero-based) was expected to be a float tensor but is a int32 tensor [Op:Walrus]",
        "No OpKernel was registered to support Op 'Walrus' used by {{node Walrus}} with these attrs: [T=DT_FLOAT]",
        "RuntimeError: walrus [Op:__inference_train_function_123]",
    ],
)
def test_an_unknown_operation_is_not_explained(text: str) -> None:
    assert all(explained_ops.find(record.text) is None for record in read(text).records)
    found = explained.explain_message(text)
    assert found is None or "op" not in found


def test_a_text_without_an_operation_does_not_open_the_table(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    monkeypatch.setattr(explained_ops, "shared", lambda: opened.append(1) or ops.shared())
    diagnoser.diagnose("ValueError: Shapes (None, 1) and (None, 10) are incompatible")
    diagnoser.diagnose('ValueError: `subset` must be either "training" or "validation", received: both')
    assert opened == []
    diagnoser.diagnose(MISSING)
    assert opened == [1]


def test_the_cold_path_loads_nothing_of_operations_without_one() -> None:
    script = (
        "import sys; from tfhelp.service.diagnosis.diagnoser import Diagnoser\n"
        "Diagnoser.load().diagnose('ValueError: Shapes (None, 1) and (None, 10) are incompatible')\n"
        "print([name for name in sys.modules if name.endswith(('.ops', '.op_messages', '.op_words', '.explained_ops'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=120, check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_damaged_table_costs_only_what_it_says(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> typing.NoReturn:
        raise AtlasError("damaged")

    monkeypatch.setattr(explained_ops, "shared", damaged)
    assert "op_says" not in diagnoser.diagnose(named("tf.nn.softmax("))["matches"][0]
    found = diagnoser.diagnose(named("tf.linalg.cholesky"))
    assert found["verdict"] != "explained" and "explained" not in found


def test_every_door_says_it_and_escapes_what_was_pasted(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(named("tf.nn.softmax("))
    page = io.StringIO()
    show_answer(answer, page)
    assert "The input logits of Softmax is int32." in page.getvalue()
    assert "The input logits of Softmax is int32." in json.dumps(answer_blocks(answer)[1])
    forged = "InvalidArgumentError: it failed [[{{node <!channel>\x1b[31m/MatMul}}]] [Op:__inference_x_1]"
    answer = diagnoser.diagnose(forged)
    assert answer["verdict"] == "explained"
    page = io.StringIO()
    show_answer(answer, page)
    assert "\x1b" not in page.getvalue()
    assert "<!channel>" not in json.dumps(answer_blocks(answer)[1])


def test_the_command_explains_an_operation_by_either_name(capsys: pytest.CaptureFixture[str]) -> None:
    from tfhelp.service.doors.cli.command_line import main

    for name in ("CudnnRNN", "tf.raw_ops.CudnnRNN"):
        assert main(["explain", name]) == 0
        page = " ".join(capsys.readouterr().out.split())
        assert "CudnnRNN takes input, input_h, input_c and params" in page
        assert "It has no kernel for the CPU" in page
        assert "tf.raw_ops.CudnnRNN exists in TensorFlow 1.15 or older" in page
    assert main(["explain", "--json", "MatMul"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in document["op"]["inputs"]] == ["a", "b"]
    assert main(["explain", "NoSuchOp"]) == 1


WORDS = st.sampled_from(
    [
        "cannot compute ",
        "MatMul",
        " as input #",
        "1",
        "(zero-based) was expected to be a ",
        "float",
        " tensor but is a ",
        "int32",
        " tensor",
    ]
    + [
        "Value for attr '",
        "T",
        "' of ",
        " is not in the list of allowed values: ",
        "half, bfloat16",
        "; NodeDef: {{node ",
        "}}; Op<name=",
        ";",
    ]
    + [
        "No OpKernel was registered to support Op '",
        "'",
        " with these attrs: [",
        "T=DT_FLOAT, ",
        "Registered devices: [",
        "CPU",
        "]",
        "[Op:",
    ]
    + [
        "Could not find device for node: {{node ",
        "}} = ",
        "[",
        "{{function_node __wrapped__",
        "_device_/job:a/device:CPU:0}}",
        "_Arg",
        "\n",
    ]
    + [
        "No registered '",
        "' OpKernel for XLA_CPU_JIT devices compatible with node ",
        "Requested Attributes: ",
        " (most recent call last)",
        "x" * 90,
    ]
)


@given(st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=24).map("".join))
def test_any_mixture_of_the_words_is_read_without_a_fault(text: str) -> None:
    message = op_messages.read(text)
    found = explained_ops.find(text)
    if message is None:
        assert found is None
    else:
        assert message.named
    if found is not None:
        assert found.op.name in {one.op for one in found.message.named}
        assert all(says.endswith(".") for says in explained_ops.sentences(found))


TYPES = st.sampled_from(["float", "double", "half", "int32", "int64", "bool", "string", "complex64"])


@given(st.sampled_from(["MatMul", "AddV2", "ConcatV2", "GatherV2", "Conv2D", "NoOp"]), st.integers(0, 99), TYPES, TYPES)
def test_values_of_a_message_come_back_as_they_were_put_in(op: str, number: int, wanted: str, got: str) -> None:
    text = (
        f"cannot compute {op} as input #{number}(zero-based) was expected to be a {wanted} tensor but is a {got} tensor [Op:{op}]"
    )
    message = op_messages.read(text)
    assert message is not None
    assert (message.named[0].op, message.input) == (op, str(number))
    assert (message.wanted, message.got) == ((ops.python_name(wanted),), ops.python_name(got))
    found = explained_ops.find(text)
    assert found is not None
    assert ops.python_name(got) in op_words.misfit(found.op, found.message)[0]
