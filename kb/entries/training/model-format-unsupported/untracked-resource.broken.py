# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

scale = tf.Variable(2.0)


# --- shown
class Scaler(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec((None,))])
    def __call__(self, x):
        return x * scale


# --- end
scaler = Scaler()
print(scaler(tf.constant([1.0, 2.0])))
tf.saved_model.save(scaler, "scaler")
