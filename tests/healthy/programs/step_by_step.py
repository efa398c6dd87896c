# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
"""Everything eager, one step at a time, with the ordinary logging module."""

import logging

import keras
import numpy as np

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("trainer")
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", run_eagerly=True)
log.info("starting with %d parameters, out of 1024 allowed", model.count_params())
for epoch in range(2):
    for start in range(0, 64, 16):
        error = model.train_on_batch(features[start : start + 16], features[start : start + 16].sum(axis=1))
    log.info("epoch %d: squared error %.4f, 0 failures, 0 retries", epoch, error)
log.warning("validation is skipped: no validation data given")
log.info("done, exit")
