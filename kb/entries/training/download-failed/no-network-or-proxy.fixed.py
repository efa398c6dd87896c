# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras

# --- shown
with open("classes.json", "w") as copied:  # stands for the file that you copied from another machine
    copied.write("{}")
origin = "file:classes.json"
# --- end
assert origin.startswith("file:")
print(keras.utils.get_file("classes.json", origin, cache_dir="."))
