# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# ///
import pathlib
import subprocess
import sys
import tempfile

import keras
import tensorflow as tf

folder = str(pathlib.Path(tempfile.mkdtemp()) / "scorer")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
# --- shown
tf.saved_model.save(model, folder)
# --- end
signature = tf.saved_model.load(folder).signatures["serving_default"]
(name,) = signature.structured_input_signature[1]
command = [sys.executable, "-m", "tensorflow.python.tools.saved_model_cli", "run", "--dir", folder, "--tag_set", "serve"]
command += ["--signature_def", "serving_default", "--input_exprs", f"{name}=[[1.0, 1.0, 1.0]]"]
finished = subprocess.run(command, check=True)
