import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(14)
rng = np.random.default_rng(14)
x = rng.normal(size=(512, 20)).astype("float32")
y = (np.abs(x[:, :1]) > 0.7).astype("float32")

backbone = keras.Sequential(
    [keras.Input((20,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(32, activation="relu")]
)
top = keras.layers.Dense(1, activation="sigmoid")
model = keras.Sequential([backbone, top])
model.build((None, 20))
optimizer = keras.optimizers.Adam(0.01)
entropy = keras.losses.BinaryCrossentropy()


@tf.function
def step(features, labels):
    with tf.GradientTape() as tape:
        loss = entropy(labels, model(features, training=True))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for epoch in range(20):
    for start in range(0, 512, 64):
        loss = step(x[start : start + 64], y[start : start + 64])
print("last loss", float(loss) < 10)
