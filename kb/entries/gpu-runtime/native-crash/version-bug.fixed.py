# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import numpy as np
import tensorflow as tf

photo = tf.constant(np.random.default_rng(0).integers(0, 256, size=(120, 160, 3), dtype=np.uint8))
boxes = [(10, 10, 60, 80), (130, 20, 150, 90)]  # top, left, bottom, right; the second lies below the picture

saved = []
for top, left, bottom, right in boxes:
    crop = photo[top:bottom, left:right]
    # --- shown
    if 0 in crop.shape:
        print("no pixels in the box", (top, left, bottom, right))
        continue
    print("saving", crop.shape)
    # --- end
    saved.append(tf.io.encode_png(crop))
assert len(saved) == 1
