# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
#
# [tool.tfhelp.files]
# "other.py" = '''
# import time
#
# import tensorflow as tf
#
# tf.zeros(1)
# print("started", flush=True)
# time.sleep(100)
# '''
# ///
import subprocess
import sys

other = subprocess.Popen([sys.executable, "other.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
print("The other program:", other.stdout.readline().strip())

import keras
import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).random((64, 1024), dtype="float32")
labels = features.sum(axis=1)
try:
    model = keras.Sequential([keras.Input((1024,)), *[keras.layers.Dense(8192, activation="relu") for _ in range(6)], keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(features, labels, epochs=1, verbose=2)
finally:
    other.kill()
