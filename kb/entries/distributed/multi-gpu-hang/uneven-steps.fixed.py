# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 90
# workers = 2
# ///
import faulthandler
import json
import os
import pathlib
import time

import numpy as np
import tensorflow as tf

faulthandler.dump_traceback_later(15)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
print("Number of devices:", strategy.num_replicas_in_sync)
rank = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

features = np.random.default_rng(rank).normal(size=(64, 8)).astype("float32")
labels = features.sum(axis=1, keepdims=True)

with strategy.scope():
    weights = tf.Variable(tf.zeros((8, 1)))


def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((inputs @ weights - targets) ** 2)
    gradient = tape.gradient(loss, weights)
    weights.assign_sub(0.05 * tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.MEAN, gradient))
    return loss


@tf.function
def distributed_step(inputs, targets):
    return strategy.run(train_step, args=(inputs, targets))


# --- shown
steps = 10  # the same on all workers: the batches of the one that has the fewest
for step in range(steps):
    loss = distributed_step(features, labels)
# --- end
assert loss < 8
print(f"worker {rank} did {steps} steps, loss {loss:.3f}", flush=True)

pathlib.Path(f"done-{rank}").touch()
while not all(pathlib.Path(f"done-{other}").exists() for other in range(2)):  # results are merged when all are done
    time.sleep(0.2)
