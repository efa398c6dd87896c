# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import subprocess
import sys

import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
model.save_weights("model.weights.h5")

viewer = "import h5py, sys; f = h5py.File('model.weights.h5', 'r+'); print('open', flush=True); sys.stdin.read()"
other = subprocess.Popen([sys.executable, "-c", viewer], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
other.stdout.readline()

model.load_weights("model.weights.h5")
