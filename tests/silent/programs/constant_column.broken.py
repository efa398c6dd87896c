import keras
import numpy as np

keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)
table = rng.normal(5.0, 2.0, (400, 6)).astype("float32")
table[:, 4] = 1.0  # every row has the same unit
group = (table[:, 0] > table[:, 1]).astype("float32")
with np.errstate(all="ignore"):
    table = (table - table.mean(axis=0)) / (table.std(axis=0))

inputs = keras.Input((6,))
hidden = keras.layers.Dense(16, activation="gelu")(inputs)
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(hidden))
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(table, group, epochs=10, verbose=0)
print("finished", model.predict(table[:2], verbose=0).shape)
