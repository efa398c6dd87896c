# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow-cpu==2.21.*", "keras-tuner", "pillow", "pydot", "tensorboard"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import keras

# --- shown
import pydot

print(pydot.__version__)
# --- end
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="score")])
graph = keras.utils.model_to_dot(model, show_shapes=True)
assert "score" in graph.to_string()
