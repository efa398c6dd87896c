# /// script
# requires-python = "==3.9.*"
# dependencies = ["tensorflow-cpu==2.8.*", "numpy<1.24", "protobuf<3.21"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tensorflow as tf

layer = tf.keras.layers.UnitNormalization()
print(layer(tf.constant([[3.0, 4.0]])))
optimizer = tf.keras.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4)
