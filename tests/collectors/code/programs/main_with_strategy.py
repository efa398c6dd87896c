"""A script with main, arguments, and a strategy handed from function to function."""

import argparse

import tensorflow as tf


def build_model(units):
    model = tf.keras.Sequential(
        [tf.keras.layers.InputLayer(input_shape=(32,)), tf.keras.layers.Dense(units, "relu"), tf.keras.layers.Dense(1)]
    )
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse", metrics=[tf.keras.metrics.MeanAbsoluteError()])
    return model


def make_dataset(path, batch_size):
    dataset = tf.data.TFRecordDataset(tf.io.gfile.glob(path))
    dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.shuffle(1000).batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def parse(record):
    example = tf.io.parse_single_example(
        record, {"x": tf.io.FixedLenFeature((32,), tf.float32), "y": tf.io.FixedLenFeature((), tf.float32)}
    )
    return example["x"], example["y"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--batch-size", type=int, default=256)
    arguments = parser.parse_args()
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = build_model(128)
    callbacks = [tf.keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True, monitor="loss")]
    model.fit(make_dataset(arguments.data, arguments.batch_size), epochs=10, callbacks=callbacks)


if __name__ == "__main__":
    main()
