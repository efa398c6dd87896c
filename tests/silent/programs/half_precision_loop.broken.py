import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(9)
keras.mixed_precision.set_global_policy("mixed_float16")
rng = np.random.default_rng(9)
x = rng.uniform(0, 255, (512, 64)).astype("float32")
y = (x.mean(axis=1) > 127.5).astype("int32")
model = keras.Sequential(
    [
        keras.Input((64,)),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(2),
    ]
)
scale = 1.0
optimizer = keras.optimizers.SGD(0.01)
entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for epoch in range(4):
    for start in range(0, 512, 64):
        with tf.GradientTape() as tape:
            scores = model(x[start : start + 64], training=True)
            loss = entropy(y[start : start + 64], scores) + scale * tf.cast(tf.reduce_sum(scores**2), "float32")
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print("end of training")
