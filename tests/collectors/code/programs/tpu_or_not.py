"""A strategy that depends on what there is."""

import tensorflow as tf

try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
except ValueError:
    strategy = tf.distribute.get_strategy()

batch_size = 16 * strategy.num_replicas_in_sync
with strategy.scope():
    model = tf.keras.Sequential(
        [tf.keras.layers.Conv2D(8, 3, input_shape=(32, 32, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)]
    )
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
(x, y), _ = tf.keras.datasets.cifar10.load_data()
dataset = (
    tf.data.Dataset.from_tensor_slices((x.astype("float32") / 255, y))
    .shuffle(5000)
    .repeat()
    .batch(batch_size, drop_remainder=True)
)
model.fit(dataset, steps_per_epoch=100, epochs=5)
