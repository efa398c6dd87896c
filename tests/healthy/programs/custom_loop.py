# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""A custom training loop with clipped gradients and checkpoints."""

import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.AdamW(1e-2)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
manager = tf.train.CheckpointManager(checkpoint, "checkpoints", max_to_keep=2)
features = tf.random.stateless_normal((128, 4), seed=(1, 2))
data = tf.data.Dataset.from_tensor_slices((features, tf.reduce_sum(features, axis=1, keepdims=True))).batch(32)


@tf.function
def train_step(batch, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - targets))
    gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss, norm


for epoch in range(4):
    for batch, targets in data:
        loss, norm = train_step(batch, targets)
    print(f"epoch {epoch} step {int(optimizer.iterations)} loss {float(loss):.4f} gradient norm {float(norm):.3f}")
    print("saved", manager.save())
status = checkpoint.restore(manager.latest_checkpoint)
status.assert_existing_objects_matched()
