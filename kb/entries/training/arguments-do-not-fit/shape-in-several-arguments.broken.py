# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
from keras import ops

pixels = ops.arange(12)
# --- shown
image = ops.reshape(pixels, 3, 4)
turned = ops.transpose(image, 1, 0)
# --- end
print(turned.shape)
