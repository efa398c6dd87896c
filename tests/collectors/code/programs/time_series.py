"""Windows over a series."""

import pandas as pd
import tensorflow as tf

frame = pd.read_csv("series.csv", parse_dates=["time"], index_col="time")
mean, spread = frame.mean(), frame.std()
values = ((frame - mean) / (spread + 1e-7)).to_numpy().astype("float32")


def split_window(window):
    return window[:, :-1, :], window[:, -1, :1]


dataset = tf.keras.utils.timeseries_dataset_from_array(values, targets=None, sequence_length=25, batch_size=32, shuffle=True)
dataset = dataset.map(split_window).cache()
model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(1)])
schedule = tf.keras.optimizers.schedules.ExponentialDecay(1e-3, 1000, 0.9)
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=schedule), loss=tf.keras.losses.Huber(), metrics=["mae"])
model.fit(dataset, epochs=20, callbacks=[tf.keras.callbacks.TensorBoard("logs"), tf.keras.callbacks.ReduceLROnPlateau("loss")])
