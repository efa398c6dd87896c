# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import keras
import numpy as np

keras.utils.set_random_seed(0)
images = np.random.default_rng(0).integers(0, 256, size=(600, 16, 16, 1)).astype("uint8")
images[::2] //= 2  # every second picture is darker
labels = np.arange(600) % 2
model = keras.Sequential(
    [
        keras.Input((16, 16, 1)),
        keras.layers.Flatten(),
        keras.layers.Dense(32, activation="tanh"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(images / 255.0, labels, epochs=20, verbose=2)
model.save("darker.keras")

classifier = keras.models.load_model("darker.keras")
# --- shown
loss, accuracy = classifier.evaluate(images, labels, verbose=0)
# --- end
print(f"of the saved file: loss {loss:.3f}, accuracy {accuracy:.3f}")
