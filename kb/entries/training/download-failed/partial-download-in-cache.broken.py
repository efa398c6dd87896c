# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib

import keras

whole = b"label,text\n" * 1000
pathlib.Path("server").mkdir()
pathlib.Path("server/reviews.csv").write_bytes(whole[:4096])
expected = "e691920e8ad94bdc19c86e360f77869d"
# --- shown
source = pathlib.Path("server/reviews.csv")
# --- end
print(keras.utils.get_file("reviews.csv", source.resolve().as_uri(), file_hash=expected, cache_dir="."))
