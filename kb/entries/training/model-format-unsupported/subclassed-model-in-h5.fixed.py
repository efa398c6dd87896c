# /// script
# requires-python = "==3.11.*"
# dependencies = ["tensorflow-cpu==2.15.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
from tensorflow import keras


class Rater(keras.Model):
    def __init__(self, units=8, **options):
        super().__init__(**options)
        self.units = units
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.score = keras.layers.Dense(1)

    def call(self, inputs):
        return self.score(self.hidden(inputs))

    def get_config(self):
        return {**super().get_config(), "units": self.units}


rows = np.ones((8, 4), "float32")
model = Rater()
model.compile(optimizer="adam", loss="mse")
model.fit(rows, np.ones((8, 1)), verbose=0)

# --- shown
model.save("rater.keras")
loaded = keras.models.load_model("rater.keras", custom_objects={"Rater": Rater})
# --- end
assert np.allclose(loaded.predict(rows, verbose=0), model.predict(rows, verbose=0))
model.predict(rows, verbose=0)
