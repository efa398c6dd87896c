# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np

# --- shown


@keras.saving.register_keras_serializable(package="my_package")
def twice(inputs):
    return inputs * 2


double = keras.layers.Lambda(twice)
# --- end
trained = keras.Sequential([keras.Input((4,)), double])
trained.save("model.keras")

model = keras.models.load_model("model.keras")
assert model.predict(np.ones((1, 4)), verbose=0).tolist() == [[2, 2, 2, 2]]
model.predict(np.ones((1, 4)), verbose=0)
