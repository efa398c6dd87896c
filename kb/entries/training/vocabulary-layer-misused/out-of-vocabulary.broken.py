# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

# --- shown
lookup = keras.layers.StringLookup(vocabulary=["cat", "dog"], num_oov_indices=0)
# --- end
dataset = tf.data.Dataset.from_tensor_slices(["cat", "bird", "dog"]).batch(3)
for words in dataset:
    print(lookup(words))
