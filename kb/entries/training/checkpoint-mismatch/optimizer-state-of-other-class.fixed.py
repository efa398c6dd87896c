# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf


def make_model():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])


features, labels = np.ones((16, 4)), np.ones((16, 2))
trained = make_model()
trained.compile(optimizer="adam", loss="mse")
trained.fit(features, labels, verbose=0)
saved = tf.train.Checkpoint(model=trained).save("checkpoints/ckpt")

# --- shown
model = make_model()
tf.train.Checkpoint(model=model).restore(saved).assert_existing_objects_matched().expect_partial()
model.compile(optimizer=keras.optimizers.SGD(momentum=0.9), loss="mse")
# --- end
assert np.array_equal(model.get_weights()[0], trained.get_weights()[0])
model.fit(features, labels, verbose=0)
