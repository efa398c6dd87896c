"""A loop with metrics, summaries and early stopping by hand."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
writer = tf.summary.create_file_writer("logs")
dataset = tf.data.Dataset.from_tensor_slices((np.zeros((320, 10), "float32"), np.zeros(320, "int32"))).batch(32)


@tf.function(reduce_retracing=True)
def step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits) + tf.add_n([0.001 * tf.nn.l2_loss(v) for v in model.trainable_variables])
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    accuracy.update_state(y, logits)
    return loss


best, waited, losses = np.inf, 0, []
for epoch in range(100):
    for number, (x, y) in enumerate(dataset):
        loss = step(x, y)
        if number % 10 == 0:
            losses.append(loss.numpy())
    with writer.as_default():
        tf.summary.scalar("accuracy", accuracy.result(), step=epoch)
    if float(loss) < best:
        best, waited = float(loss), 0
    else:
        waited += 1
    if waited > 5:
        break
    accuracy.reset_state()
