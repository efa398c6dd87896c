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
import tensorflow as tf


def make_model():
    keras.utils.set_random_seed(1)
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])


features = np.random.default_rng(0).normal(size=(256, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
trained = make_model()
trained.compile(optimizer=keras.optimizers.Adam(0.1), loss="mse")
trained.fit(features, labels, epochs=10, verbose=0)
tf.train.CheckpointManager(tf.train.Checkpoint(net=trained), "checkpoints", max_to_keep=3).save()

# --- shown
prefix = tf.train.latest_checkpoint("checkpoints")
model = make_model()
assert prefix, "there is no checkpoint"
tf.train.Checkpoint(net=model).restore(prefix).assert_existing_objects_matched().expect_partial()
# --- end
model.compile(loss="mse")
assert model.evaluate(features, labels, verbose=0) < 0.01
print("loss in training", trained.evaluate(features, labels, verbose=0))
print("loss after restoring", model.evaluate(features, labels, verbose=0))
