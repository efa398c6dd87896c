# /// script
# requires-python = "==3.7.*"
# dependencies = ["tensorflow-cpu==1.15.*", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
"""A classifier as scripts for TensorFlow 1 had it: placeholders, a graph, a session, a saver, summaries, flags."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib.framework import nest

flags = tf.app.flags
flags.DEFINE_float("rate", 0.05, "learning rate")
flags.DEFINE_integer("steps", 60, "steps of training")
FLAGS = flags.FLAGS

tf.logging.set_verbosity(tf.logging.ERROR)


def network(features, units, keep):
    """Two layers with variables of their own."""
    hidden = tf.get_variable(
        "hidden",
        shape=[4, units],
        initializer=tf.contrib.layers.xavier_initializer(seed=3),  # as most did
    )
    output = tf.get_variable("output", shape=[units, 2], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=3))
    inner = tf.nn.relu(tf.matmul(features, hidden))
    inner = tf.nn.dropout(inner, keep_prob=keep)
    return tf.matmul(inner, output)


def main(_):
    tf.set_random_seed(7)
    values = np.random.RandomState(0).randn(120, 4).astype("float32")
    labels = (values.sum(axis=1) > 0).astype("int32")
    dataset = tf.data.Dataset.from_tensor_slices((values, labels)).shuffle(120, seed=1).repeat().batch(30)
    batch = dataset.make_one_shot_iterator().get_next()

    features = tf.placeholder(tf.float32, [None, 4], name="features")
    targets = tf.placeholder(tf.int32, [None], name="targets")
    keep = tf.placeholder_with_default(1.0, [])
    with tf.variable_scope("network", reuse=tf.AUTO_REUSE):
        logits = network(features, 8, keep)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits), keep_dims=False)
    right = tf.reduce_mean(tf.to_float(tf.equal(tf.argmax(logits, dimension=1), tf.to_int64(targets))))
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(FLAGS.rate).minimize(loss, global_step=step)
    tf.summary.scalar("loss", loss)
    merged = tf.summary.merge_all()
    saver = tf.train.Saver(max_to_keep=1)
    folder = tempfile.mkdtemp()

    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        writer = tf.summary.FileWriter(folder, session.graph)
        for number in range(FLAGS.steps):
            inputs, wanted = session.run(batch)
            _, summary = session.run([train, merged], {features: inputs, targets: wanted, keep: 0.9})
            writer.add_summary(summary, number)
        writer.close()
        saver.save(session, os.path.join(folder, "model"), global_step=step)
        accuracy = session.run(right, {features: values, targets: labels})
    names = [variable.op.name for variable in tf.trainable_variables()]
    assert nest.flatten({"a": [1, 2]}) == [1, 2]
    assert tf.gfile.Exists(os.path.join(folder, "checkpoint"))
    print("variables: %s" % ", ".join(names))
    print("accurate: %s" % (accuracy > 0.9))


if __name__ == "__main__":
    tf.app.run()
