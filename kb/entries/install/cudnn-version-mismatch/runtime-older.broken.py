# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*", "nvidia-cublas-cu12", "nvidia-cuda-cupti-cu12", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cudnn-cu12==9.1.*", "nvidia-cufft-cu12", "nvidia-curand-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12", "nvidia-nccl-cu12", "nvidia-nvjitlink-cu12"]
#
# [tool.tfhelp]
# timeout = 180
# isolated = true
# env = { TF_FORCE_GPU_ALLOW_GROWTH = "true" }
# needs = ["nvidia-smi"]
# ///
import tensorflow as tf

# --- shown
images, kernel = tf.ones([8, 64, 64, 8]), tf.ones([3, 3, 8, 8])
result = tf.nn.conv2d(images, kernel, 1, "SAME")
# --- end
print(result.shape)
