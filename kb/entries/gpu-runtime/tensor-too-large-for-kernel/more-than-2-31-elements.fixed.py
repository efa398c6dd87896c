# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import keras
import numpy as np

volumes = np.zeros((2, 260, 260, 260, 1), dtype="float32")
model = keras.Sequential([keras.Input((260, 260, 260, 1)), keras.layers.Conv3D(64, 3, padding="same"), keras.layers.GlobalMaxPooling3D()])
# --- shown
features = [model(volume[None]) for volume in volumes]
# --- end
print(features[0].shape)
assert len(features) == 2
