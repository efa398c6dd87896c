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
concrete = scorer.score.get_concrete_function(tf.TensorSpec([1, 3], tf.float32))
converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete], scorer)
# --- end
content = converter.convert()
assert tf.lite.Interpreter(model_content=content).get_input_details()[0]["shape"].tolist() == [1, 3]
