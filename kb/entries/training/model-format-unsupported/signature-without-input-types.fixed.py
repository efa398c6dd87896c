# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


class Scaler(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0)

    # --- shown
    @tf.function(input_signature=[tf.TensorSpec((None,), tf.float32)])
    def serve(self, x):
        return x * self.scale

    # --- end


scaler = Scaler()
print(scaler.serve(tf.constant([1.0, 2.0])))
tf.saved_model.save(scaler, "scaler", signatures=scaler.serve)
assert "serving_default" in tf.saved_model.load("scaler").signatures
