# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# tmpfs_mib = 12
# ///
import keras
import numpy as np

features = np.random.default_rng(0).normal(size=(64, 512)).astype("float32")
model = keras.Sequential([keras.Input((512,)), keras.layers.Dense(512, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# --- shown
checkpoints = keras.callbacks.ModelCheckpoint("model-{epoch:02d}.keras")
# --- end
model.fit(features, features[:, :1], validation_split=0.25, epochs=6, callbacks=[checkpoints], verbose=2)
