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
lookup = keras.layers.StringLookup(vocabulary=["cat", "dog"], num_oov_indices=1)
print(lookup.vocabulary_size())  # 3: index 0 is for every other word
# --- end
dataset = tf.data.Dataset.from_tensor_slices(["cat", "bird", "dog"]).batch(3)
for words in dataset:
    indices = lookup(words)
assert indices.numpy().tolist() == [1, 0, 2]
assert lookup.vocabulary_size() == 3
