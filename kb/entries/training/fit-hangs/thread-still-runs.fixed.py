# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import queue
import threading

import keras
import numpy as np

batches = queue.Queue(maxsize=4)


def load():
    random = np.random.default_rng(1)
    while True:
        features = random.normal(size=(16, 8)).astype("float32")
        batches.put((features, features.sum(axis=1, keepdims=True)))


# --- shown
loader = threading.Thread(target=load, daemon=True)  # Python does not wait for a daemon thread
# --- end
loader.start()

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
for step in range(20):
    loss = model.train_on_batch(*batches.get())
print("training is over, the loss is", loss)
assert all(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())
