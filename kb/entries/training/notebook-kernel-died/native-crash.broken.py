# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "ipykernel==7.*", "nbclient==0.10.*"]
#
# [tool.tfhelp]
# python = "3.11"
# timeout = 180
# observed = true
# ///
import nbclient
import nbformat

LOAD = """
import numpy as np
import tensorflow as tf

photo = tf.constant(np.random.default_rng(0).integers(0, 256, size=(120, 160, 3), dtype=np.uint8))
boxes = [(10, 10, 60, 80), (130, 20, 150, 90)]  # top, left, bottom, right; the second lies below the picture
crops = [photo[top:bottom, left:right] for top, left, bottom, right in boxes]
"""
SAVE = """
# --- shown
saved = [tf.io.encode_png(crop) for crop in crops]
# --- end
"""

cells = [nbformat.v4.new_code_cell(source) for source in (LOAD, SAVE)]
notebook = nbformat.v4.new_notebook(cells=cells)
nbclient.NotebookClient(notebook, timeout=150).execute()
