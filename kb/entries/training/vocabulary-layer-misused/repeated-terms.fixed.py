# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

rows = ["cat", "dog", "cat", "bird"]
# --- shown
lookup = keras.layers.StringLookup(vocabulary=list(dict.fromkeys(rows)))  # each word once, in the same order
# --- end
assert lookup.get_vocabulary() == ["[UNK]", "cat", "dog", "bird"]
