# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np
import tensorflow as tf

trained = keras.Sequential([keras.Input((4,), name="features"), keras.layers.Dense(1)])
trained.export("exported", verbose=False)

batch = np.ones((2, 4), "float32")
# --- shown
model = tf.saved_model.load("exported")
predict = model.signatures["serving_default"]
print(predict.structured_input_signature, predict.structured_outputs)
predictions = predict(tf.constant(batch))["output_0"]
# --- end
assert np.allclose(predictions, trained.predict(batch, verbose=0))
print(predictions)
