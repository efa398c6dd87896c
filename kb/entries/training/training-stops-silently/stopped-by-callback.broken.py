# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(256, 16)).astype("float32")
labels = (features.sum(axis=1, keepdims=True) > 0).astype("float32")
model = keras.Sequential(
    [keras.Input((16,)), keras.layers.Dense(256, activation="relu"), keras.layers.Dense(1, activation="sigmoid")]
)
model.compile(optimizer=keras.optimizers.Adam(0.05), loss="binary_crossentropy")

# --- shown
stop = keras.callbacks.EarlyStopping(monitor="val_loss")
# --- end
history = model.fit(features, labels, validation_split=0.25, epochs=30, verbose=2, callbacks=[stop])
