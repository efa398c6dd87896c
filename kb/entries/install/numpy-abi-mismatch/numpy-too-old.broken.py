# /// script
# requires-python = "==3.10.*"
# dependencies = ["tensorflow-cpu==2.13.*", "numpy==1.22.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.files]
# "labels.npy" = { base64 = "k05VTVBZAQB2AHsnZGVzY3InOiAnfE8nLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqABJWYAAAAAAAAAIwWbnVtcHkuX2NvcmUubXVsdGlhcnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwOFlGgDjAVkdHlwZZSTlIwCTziUiYiHlFKUKEsDjAF8lE5OTkr/////Sv////9LP3SUYoldlCiMA2NhdJSMA2RvZ5RoE2V0lGIu" }
# ///
import numpy as np
import tensorflow as tf

labels = np.load("labels.npy", allow_pickle=True)
codes = tf.keras.layers.StringLookup(vocabulary=["cat", "dog"], num_oov_indices=0)(labels.astype(str))
