# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


def input_fn():
    features = tf.random.stateless_normal((256, 1), seed=(1, 2))
    return tf.data.Dataset.from_tensor_slices(({"x": features}, 3 * features)).batch(32).repeat(20)


# --- shown
model = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x")])
model.train(input_fn)
scores = model.evaluate(input_fn)
# --- end
print(scores)
