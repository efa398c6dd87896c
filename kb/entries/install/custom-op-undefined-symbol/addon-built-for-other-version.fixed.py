# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.16.*", "tensorflow-io==0.37.1"]
#
# [tool.tfhelp]
# timeout = 120
# ///
# --- shown
import tensorflow as tf
import tensorflow_io as tfio

print(tf.__version__, tfio.__version__)
assert (tf.__version__[:4], tfio.__version__) == ("2.16", "0.37.1")  # the two that belong together
# --- end

tone = tf.sin(tf.linspace(0.0, 50.0, 800))[:, tf.newaxis]
print(tfio.audio.resample(tone, rate_in=8000, rate_out=4000).shape)
