# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.20.*", "tf-keras==2.15.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tf_keras

model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=(4,))])
model.summary()
