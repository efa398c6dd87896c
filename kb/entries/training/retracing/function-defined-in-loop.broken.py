# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import keras
import numpy as np

batch = np.random.default_rng(0).random((4, 8), dtype="float32")
keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)]).save("model.keras")

# --- shown


def handle(request):
    model = keras.models.load_model("model.keras")
    return model.predict(request, verbose=0)


# --- end
for _ in range(7):
    answer = handle(batch)
