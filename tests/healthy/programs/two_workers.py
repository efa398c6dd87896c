# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# workers = 2
# ///
"""Two worker processes train one model with a loop of their own."""

import json
import os

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
print(f"worker {index}: {strategy.num_replicas_in_sync} replicas in sync")
with strategy.scope():
    weights = tf.Variable(tf.zeros((4, 1)))

features = tf.random.stateless_normal((64, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((features, tf.reduce_sum(features, axis=1, keepdims=True))).batch(16)
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
data = strategy.experimental_distribute_dataset(data.with_options(options))


@tf.function
def train_step(batch):
    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
        gradient = tf.distribute.get_replica_context().all_reduce("mean", tape.gradient(loss, weights))
        weights.assign_sub(0.1 * gradient)
        return loss

    return strategy.reduce("mean", strategy.run(replica_step, args=batch), axis=None)


for epoch in range(3):
    for batch in data:
        loss = train_step(batch)
    print(f"worker {index}: epoch {epoch + 1} loss {float(loss):.4f}")
