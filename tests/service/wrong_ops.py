"""Ask TensorFlow's operations for something impossible, and write down the output.

    python -m tests.service.wrong_ops > tests/service/wrong_ops.jsonl

Each line: the call, the operation that refuses it, and the traceback as a reader would paste it, with the calling file
named ``train.py`` and the path of the installed packages shortened. It takes about 20 seconds.
"""

import contextlib
import json
import linecache
import re
import traceback
import typing

CALLS = (
    # Two inputs of different types.
    ("AddV2", "tf.constant([1, 2]) + tf.constant([1.0, 2.0])"),
    ("Mul", "tf.constant([1.0]) * tf.constant([1.0], tf.float64)"),
    ("MatMul", "tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.int32))"),
    ("ConcatV2", "tf.concat([tf.ones([2]), tf.ones([2], tf.int32)], 0)"),
    ("Equal", "tf.equal(tf.constant([1]), tf.constant([1.0]))"),
    # A type that the operation does not accept.
    ("Softmax", "tf.nn.softmax(tf.constant([1, 2]))"),
    ("Relu", "tf.nn.relu(tf.constant([True]))"),
    ("Sqrt", "tf.sqrt(tf.constant([4, 9]))"),
    ("MatMul", "tf.matmul(tf.constant([['a']]), tf.constant([['b']]))"),
    ("Conv2D", "tf.nn.conv2d(tf.ones([1, 4, 4, 3], tf.int64), tf.ones([2, 2, 3, 1], tf.int64), 1, 'SAME')"),
    ("DecodeJpeg", "tf.io.decode_jpeg(tf.constant([1.0]))"),
    ("Mean", "tf.reduce_mean(tf.constant(['a', 'b']))"),
    ("GatherV2", "tf.gather(tf.constant([1, 2]), tf.constant([0.5]))"),
    ("OneHot", "tf.one_hot(tf.constant([1.5]), 3)"),
    ("StringSplitV2", "tf.strings.split(tf.constant([1, 2])).to_tensor()"),
    ("LogicalAnd", "tf.logical_and(tf.constant([1]), tf.constant([0]))"),
    ("BitwiseAnd", "tf.bitwise.bitwise_and(tf.constant([1.0]), tf.constant([2.0]))"),
    ("FusedBatchNormV3", "tf.raw_ops.FusedBatchNormV3(x=tf.ones([1, 2, 2, 1], tf.float64), scale=[1.0], offset=[0.0], mean=[0.0], variance=[1.0])"),
    # A type that the operation accepts but no kernel here supports.
    ("Cast", "tf.cast(tf.constant(['1']), tf.int32)"),
    ("SparseSoftmaxCrossEntropyWithLogits", "tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=tf.ones([2, 3]), labels=tf.constant([0.0, 1.0]))"),
    ("Cumsum", "tf.cumsum(tf.constant([True]))"),
    ("Multinomial", "tf.random.categorical(tf.constant([[1, 2]], tf.uint16), 1)"),
    ("Cholesky", "tf.linalg.cholesky(tf.ones([2, 2], tf.float16))"),
    ("MaxPool", "tf.raw_ops.MaxPool(input=tf.ones([1, 2, 2, 1]), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='VALID', data_format='NCHW')"),
    ("CudnnRNN", "tf.raw_ops.CudnnRNN(input=tf.ones([1, 1, 1]), input_h=tf.ones([1, 1, 1]), input_c=tf.ones([1, 1, 1]), params=tf.ones([8]))"),
    ("Unique", "tf.raw_ops.Unique(x=tf.constant([1 + 2j]))"),
    ("TopKV2", "tf.math.top_k(tf.constant([1 + 2j]))"),
    # Values that do not fit.
    ("MatMul", "tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))"),
    ("AddV2", "tf.ones([2]) + tf.ones([3])"),
    ("Reshape", "tf.reshape(tf.ones([3]), [2])"),
    ("GatherV2", "tf.gather(tf.constant([1, 2]), [5])"),
    ("StridedSlice", "tf.ones([2])[1, 2]"),
    # In a graph: the node is named.
    ("MatMul", "tf.function(lambda a, b: tf.matmul(a, b))(tf.ones([2, 2]), tf.ones([2, 2], tf.float64))"),
    ("GatherV2", "tf.function(lambda i: tf.gather(tf.constant([1, 2]), i))(tf.constant([7]))"),
    ("MatMul", "tf.function(lambda a, b: tf.matmul(a, b), input_signature=[tf.TensorSpec(None)] * 2)(tf.ones([2, 3]), tf.ones([2, 3]))"),
    ("DecodeJpeg", "tf.function(lambda b: tf.io.decode_jpeg(b))(tf.constant('no picture'))"),
    ("CudnnRNN", "tf.function(lambda x: tf.raw_ops.CudnnRNN(input=x, input_h=x, input_c=x, params=tf.ones([8])))(tf.ones([1, 1, 1]))"),
    ("Reshape", "tf.function(lambda x: tf.reshape(x, tf.reduce_sum(x, keepdims=True)), jit_compile=True)(tf.constant([2, 1]))"),
    ("_Arg", "tf.function(lambda b: tf.io.decode_jpeg(b), jit_compile=True)(tf.constant('no picture'))"),
    ("AsString", "tf.function(lambda x: tf.strings.as_string(x), jit_compile=True)(tf.constant(1))"),
    ("MatMul", "tf.function(lambda x: tf.matmul(x, x), jit_compile=True)(tf.ones([2, 2], tf.uint8))"),
    ("UniqueWithCounts", "tf.function(lambda b: tf.unique_with_counts(b), jit_compile=True)(tf.constant([1, 1]))"),
    ("MatMul", "graph_session(lambda v1: v1.matmul(v1.ones([2, 2], tf.int8), v1.ones([2, 2], tf.int8)))"),
    ("CudnnRNN", "graph_session(lambda v1: v1.raw_ops.CudnnRNN(input=v1.ones([1, 1, 1]), input_h=v1.ones([1, 1, 1]), input_c=v1.ones([1, 1, 1]), params=v1.ones([8])))"),
    ("Conv2D", "graph_session(lambda v1: v1.nn.conv2d(v1.ones([1, 3, 4, 4]), v1.ones([2, 2, 3, 1]), 1, 'SAME', data_format='NCHW'))"),
    ("MatMul", "graph_session(lambda v1: on_gpu(v1))"),
)  # fmt: skip
_PACKAGES = re.compile(r'"[^"\n]*/site-packages/')
_HERE = re.compile(r'"[^"\n]*/tests/service/')
_STARTED = re.compile(r' *File "(?:<frozen runpy>|/home/me/wrong_ops.py)", line \d+, in (?:main|said|<module>|_run_\w+)\n')


def graph_session(build: typing.Callable[[typing.Any], typing.Any]) -> None:
    """Run an operation as TensorFlow 1 programs do."""
    import tensorflow as tf

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        session.run(build(tf.compat.v1))


def on_gpu(v1: typing.Any) -> typing.Any:
    """A product on a device that this machine may not have."""
    with v1.device("/GPU:0"):
        return v1.matmul(v1.ones([2, 2]), v1.ones([2, 2]))


def said(call: str) -> str:
    """The traceback of a call, as a reader would paste it; empty if the call does not fail."""
    import tensorflow as tf

    scope = {"tf": tf, "graph_session": graph_session, "on_gpu": on_gpu}
    linecache.cache["/home/me/train.py"] = (len(call), None, [f"{call}\n"], "/home/me/train.py")
    try:
        exec(compile(call, "/home/me/train.py", "exec"), scope)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is written down
        text = "".join(traceback.format_exception(error.with_traceback(error.__traceback__.tb_next)))  # type: ignore[union-attr]
        text = _PACKAGES.sub('"/usr/lib/python3/site-packages/', text)
        return _STARTED.sub("", _HERE.sub('"/home/me/', text))
    return ""


def main() -> None:
    """Print the lines."""
    for op, call in CALLS:
        with contextlib.redirect_stdout(None):
            text = said(call)
        if text:
            print(json.dumps({"op": op, "call": call, "text": text}))


if __name__ == "__main__":
    main()
