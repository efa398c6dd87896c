# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf
import tf_keras

lines, letters = np.random.rand(2, 24, 8).astype("float32"), tf.constant([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
# --- shown
model = tf_keras.Sequential([
    tf_keras.Input((24, 8)),
    tf_keras.layers.MaxPooling1D(2),  # 12 steps are left for 5 letters
    tf_keras.layers.Dense(7, "softmax"),
])
# --- end
steps = model.output_shape[1]
assert steps == 12
loss = tf_keras.backend.ctc_batch_cost(letters, model(lines), tf.fill((2, 1), steps), tf.fill((2, 1), 5))
print(loss.shape)
