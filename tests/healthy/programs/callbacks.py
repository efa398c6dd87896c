# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Callbacks that talk: checkpoint, schedule, log file."""

import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(96, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(
    features,
    features.sum(axis=1),
    epochs=4,
    verbose=2,
    validation_split=0.25,
    callbacks=[
        keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True, verbose=1),
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9, verbose=1),
        keras.callbacks.CSVLogger("history.csv"),
        keras.callbacks.TerminateOnNaN(),
        keras.callbacks.BackupAndRestore("backup"),
    ],
)
with open("history.csv") as history:
    print(history.read())
