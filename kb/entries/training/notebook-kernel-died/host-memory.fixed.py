# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "ipykernel==7.*", "nbclient==0.10.*"]
#
# [tool.tfhelp]
# python = "3.11"
# timeout = 180
# limits = {group_memory_mib = 1200}
# ///
import nbclient
import nbformat

LOAD = """
import keras
import numpy as np

images = np.random.default_rng(0).integers(0, 256, size=(2000, 128, 128, 3), dtype=np.uint8)
labels = images.mean(axis=(1, 2, 3)) / 255
"""
TRAIN = """
# --- shown
inputs = images  # bytes, as they were stored; the model scales each batch
first = [keras.layers.Rescaling(1 / 255)]
model = keras.Sequential([keras.Input((128, 128, 3)), *first, keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
# --- end
model.compile(optimizer="adam", loss="mse")
history = model.fit(inputs, labels, epochs=1, verbose=2)
"""

cells = [nbformat.v4.new_code_cell(source) for source in (LOAD, TRAIN)]
notebook = nbformat.v4.new_notebook(cells=cells)
nbclient.NotebookClient(notebook, timeout=150).execute()
assert notebook.cells[-1].execution_count == 2
