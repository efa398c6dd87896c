# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "nvidia-cublas-cu12", "nvidia-cuda-cupti-cu12", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cudnn-cu12", "nvidia-cufft-cu12", "nvidia-curand-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12", "nvidia-nccl-cu12", "nvidia-nvjitlink-cu12"]
#
# [tool.tfhelp]
# timeout = 180
# exit = 1
# isolated = true
# rate = 0.5  # a CUDA toolkit in /usr/local has the files too
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true", XLA_FLAGS = "--xla_gpu_unsafe_fallback_to_driver_on_ptxas_not_found=true" }
# needs = ["nvidia-smi"]
# ///
import tensorflow as tf


@tf.function(jit_compile=True)
def gamma_correction(values):
    return tf.math.pow(values, 2.2) + tf.math.sin(values)


with tf.device("/GPU:0"):
    total = float(tf.reduce_sum(gamma_correction(tf.ones((1000, 1000)))))
print(total)
