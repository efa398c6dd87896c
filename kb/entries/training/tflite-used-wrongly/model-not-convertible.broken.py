# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(2.0)

    @tf.function
    def score(self, rows):
        return tf.reduce_sum(rows, axis=1) * self.weight


scorer = Scorer()
# --- shown
converter = tf.lite.TFLiteConverter.from_concrete_functions([scorer.score], scorer)
# --- end
content = converter.convert()
