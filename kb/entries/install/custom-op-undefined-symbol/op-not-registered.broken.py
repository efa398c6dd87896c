# /// script
# requires-python = ">=3.10,<3.13"
# dependencies = ["tensorflow==2.20.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import tensorflow as tf

graph = tf.compat.v1.GraphDef()
words = graph.node.add(name="words", op="Placeholder")
words.attr["dtype"].type = tf.string.as_datatype_enum
folded = graph.node.add(name="folded", op="CaseFoldUTF8")
folded.input.append("words")

with tf.Graph().as_default() as loaded:
    tf.import_graph_def(graph, name="")
with tf.compat.v1.Session(graph=loaded) as session:
    result = session.run("folded:0", {"words:0": ["TEXT"]})
