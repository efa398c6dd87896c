# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# memory_mib = 1200
# ///
import resource

import keras
import numpy as np

images = np.random.default_rng(0).normal(size=(64, 64, 64, 3)).astype("float32")
model = keras.Sequential(
    [keras.Input((64, 64, 3)), keras.layers.Conv2D(16, 3, padding="same"), keras.layers.Conv2D(3, 3, padding="same")]
)
model.compile(optimizer="adam", loss="mse")
history = []


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


start = memory()
for epoch in range(40):
    loss = model.train_on_batch(images, images)
    # --- shown
    history.append([float(layer(images).numpy().mean()) for layer in model.layers[:1]])
    # --- end
    print(f"Epoch {epoch + 1}/40 - loss: {loss:.4f} - memory: {memory()} MB (+{memory() - start} MB)")
assert len(history) == 40 and memory() - start < 400
