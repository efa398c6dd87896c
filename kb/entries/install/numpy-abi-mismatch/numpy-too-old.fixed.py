# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.files]
# "labels.npy" = { base64 = "k05VTVBZAQB2AHsnZGVzY3InOiAnfE8nLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqABJWYAAAAAAAAAIwWbnVtcHkuX2NvcmUubXVsdGlhcnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwOFlGgDjAVkdHlwZZSTlIwCTziUiYiHlFKUKEsDjAF8lE5OTkr/////Sv////9LP3SUYoldlCiMA2NhdJSMA2RvZ5RoE2V0lGIu" }
# ///
# --- shown
import numpy as np
import tensorflow as tf

print(np.__version__, np.__file__)
# --- end
assert np.lib.NumpyVersion(np.__version__) >= "2.0.0"

labels = np.load("labels.npy", allow_pickle=True)
codes = tf.keras.layers.StringLookup(vocabulary=["cat", "dog"], num_oov_indices=0)(labels.astype(str))
