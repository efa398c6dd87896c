# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow.compat.v1 as tf

graph = tf.Graph()
with graph.as_default():
    pixels = tf.placeholder(tf.float32, (None, 4), name="pixels")
    tf.reduce_sum(pixels, axis=1, name="score")
# --- shown
print([operation.name for operation in graph.get_operations()])
images = graph.get_tensor_by_name("pixels:0")
scores = graph.get_tensor_by_name("score:0")
# --- end
with tf.Session(graph=graph) as session:
    result = session.run(scores, {images: [[1.0, 2.0, 3.0, 4.0]]})
assert result.tolist() == [10.0]
