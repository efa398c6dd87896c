# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib
import tempfile

import tensorflow as tf

folder = pathlib.Path(tempfile.mkdtemp())
for name, lines in {"a.txt": "one\ntwo\n", "b.txt": "three\nfour\nfive\n"}.items():
    (folder / name).write_text(lines)
files = tf.data.Dataset.list_files(str(folder / "*.txt"))
# --- shown
def read(path):
    return tf.strings.split(tf.strings.strip(tf.io.read_file(path)), "\n")


lines = files.interleave(read)
# --- end
found = sorted(lines.as_numpy_iterator())
