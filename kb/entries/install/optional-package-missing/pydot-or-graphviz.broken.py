# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="score")])
graph = keras.utils.model_to_dot(model, show_shapes=True)
