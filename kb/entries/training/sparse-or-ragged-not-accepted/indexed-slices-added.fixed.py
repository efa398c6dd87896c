# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

model = keras.Sequential(
    [keras.Input((10,), dtype="int32"), keras.layers.Embedding(100, 8), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)]
)
optimizer = keras.optimizers.SGD(0.1)


def gradients_of(tokens, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(tokens) - targets) ** 2)
    return tape.gradient(loss, model.trainable_variables)


# --- shown
total = None
for step in range(4):
    gradients = gradients_of(tf.random.uniform([4, 10], 0, 100, tf.int32), tf.random.normal([4, 1]))
    gradients = [tf.convert_to_tensor(gradient) for gradient in gradients]
    total = gradients if total is None else [before + new for before, new in zip(total, gradients)]
# --- end
optimizer.apply_gradients(zip(total, model.trainable_variables))
assert optimizer.iterations == 1 and [gradient.shape for gradient in total] == [variable.shape for variable in model.trainable_variables]
