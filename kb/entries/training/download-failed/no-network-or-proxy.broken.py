# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
origin = "http://127.0.0.1:9/models/classes.json"
# --- end
print(keras.utils.get_file("classes.json", origin, cache_dir="."))
