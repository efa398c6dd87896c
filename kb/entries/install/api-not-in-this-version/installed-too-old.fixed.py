# /// script
# requires-python = "==3.9.*"
# dependencies = ["tensorflow-cpu==2.12.*", "numpy<1.24", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tensorflow as tf

# --- shown
major, minor = map(int, tf.__version__.split(".")[:2])
assert (major, minor) >= (2, 11), tf.__version__
# --- end
layer = tf.keras.layers.UnitNormalization()
print(layer(tf.constant([[3.0, 4.0]])))
optimizer = tf.keras.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4)
