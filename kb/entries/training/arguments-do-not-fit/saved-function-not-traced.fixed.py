# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


# --- shown
class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(tf.ones((4, 1)))

    @tf.function(input_signature=[tf.TensorSpec((None, 4), tf.float32)])
    def __call__(self, rows):
        return rows @ self.weights


# --- end
scorer = Scorer()
scorer(tf.ones((32, 4)))
tf.saved_model.save(scorer, "exported")

loaded = tf.saved_model.load("exported")
scores = loaded(tf.ones((5, 4)))
assert scores.shape == (5, 1)
