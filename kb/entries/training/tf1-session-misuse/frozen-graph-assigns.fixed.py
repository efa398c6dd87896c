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
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2), keras.layers.BatchNormalization()])
batch = np.random.rand(8, 3).astype("float32")
# --- shown
infer = tf.function(lambda x: model(x, training=False))
concrete = infer.get_concrete_function(tf.TensorSpec([None, 3], tf.float32))
frozen = convert_variables_to_constants_v2(concrete)
# --- end
result = np.array(frozen(tf.constant(batch)))
assert np.allclose(result, model.predict(batch, verbose=0), atol=1e-5)
