# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tf_keras

small, large = tf_keras.Input((16, 16, 3)), tf_keras.Input((64, 64, 3))
convolution = tf_keras.layers.Conv2D(4, 3, padding="same")
outputs = [convolution(small), convolution(large)]
# --- shown
shape = convolution.output_shape
# --- end
pooled = tf_keras.layers.AveragePooling2D(shape[1:3])(outputs[1])
