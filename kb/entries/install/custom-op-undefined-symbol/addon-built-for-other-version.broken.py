# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.20.*", "tensorflow-io==0.37.1"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf
import tensorflow_io as tfio

tone = tf.sin(tf.linspace(0.0, 50.0, 800))[:, tf.newaxis]
print(tfio.audio.resample(tone, rate_in=8000, rate_out=4000).shape)
