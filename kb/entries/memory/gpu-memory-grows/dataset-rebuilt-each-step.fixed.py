# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 300
# exit = 0
# ///
import resource

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
images = np.random.default_rng(0).normal(size=(16, 24, 24, 3)).astype("float32")


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


used = []
with tf.compat.v1.Session() as session:
    # --- shown
    dataset = tf.data.Dataset.from_tensor_slices(images).repeat().batch(8)
    batch = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
    batch_mean = tf.reduce_mean(batch)
    for step in range(30):
        mean = session.run(batch_mean)
        # --- end
        if step % 3 == 0:
            used.append(memory())
            print(
                f"round {step}: {len(session.graph.get_operations())} operations in the graph, memory {used[-1]} MB (+{used[-1] - used[0]} MB)"
            )
assert used[-1] - used[2] < 20, used
