# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 240
# limits = {group_memory_mib = 1200}
# ///
import keras
import tensorflow as tf

SIDE, BATCH = 128, 32
BATCH_BYTES = BATCH * SIDE * SIDE * 3 * 4


def simulated_batch(number):
    pictures = tf.fill((BATCH, SIDE, SIDE, 3), tf.cast(number, "float32") / 300)
    return pictures, tf.reduce_mean(pictures, axis=(1, 2, 3))


dataset = tf.data.Dataset.range(300).map(simulated_batch)
# --- shown
memory = 128 * 2**20  # bytes of what the container was given; the machine has more, and that does not count
options = tf.data.Options()
options.autotune.ram_budget = memory
dataset = dataset.with_options(options).prefetch(memory // BATCH_BYTES)
# --- end
model = keras.Sequential(
    [
        keras.Input((SIDE, SIDE, 3)),
        keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
        keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="adam", loss="mse")
history = model.fit(dataset, epochs=2, steps_per_epoch=150, verbose=2)
assert len(history.epoch) == 2
