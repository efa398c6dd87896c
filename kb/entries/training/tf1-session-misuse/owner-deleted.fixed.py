# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.2.*", "numpy==1.19.*", "protobuf==3.20.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
model = tf.Module()
model.scale = tf.Variable([2.0])
model.serve = tf.function(lambda x: {"y": x * model.scale}, input_signature=[tf.TensorSpec([None], tf.float32)])
tf.saved_model.save(model, folder, signatures=model.serve)
# --- shown
loaded = tf.saved_model.load(folder)  # keep it as long as you call the signature
predict = loaded.signatures["serving_default"]
# --- end
result = predict(tf.constant([1.0]))
assert result["y"].numpy().tolist() == [2.0]
