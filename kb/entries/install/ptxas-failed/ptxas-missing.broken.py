# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "nvidia-cublas-cu12", "nvidia-cuda-cupti-cu12", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cudnn-cu12", "nvidia-cufft-cu12", "nvidia-curand-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12", "nvidia-nccl-cu12", "nvidia-nvjitlink-cu12"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# rate = 0.5  # a CUDA toolkit in /usr/local has a ptxas too
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import tensorflow as tf


# --- shown
@tf.function(jit_compile=True)
def activate(values):
    return tf.math.tanh(values) + tf.math.exp(values)


# --- end
with tf.device("/GPU:0"):
    total = float(tf.reduce_sum(activate(tf.ones((1000, 1000)))))
print(total)
