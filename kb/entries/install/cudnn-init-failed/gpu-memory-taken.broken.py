# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow[and-cuda]==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
# needs = ["nvidia-smi"]
#
# [tool.tfhelp.files]
# "other.py" = '''
# import ctypes
# import time
#
# cuda = ctypes.CDLL("libcuda.so.1")
# context, block = ctypes.c_void_p(), ctypes.c_uint64()
# cuda.cuInit(0)
# cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
# cuda.cuCtxSetCurrent(context)
# for mib in (1024, 64, 2):
#     while cuda.cuMemAlloc_v2(ctypes.byref(block), ctypes.c_size_t(mib << 20)) == 0:
#         pass
# print("started", flush=True)
# time.sleep(100)
# '''
# ///
import subprocess
import sys

import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
images, kernels = tf.random.normal((8, 64, 64, 3)), tf.random.normal((3, 3, 3, 16))



@tf.function(jit_compile=True)
def encode(images):
    return tf.nn.conv2d(images, kernels, 2, "SAME")


other = subprocess.Popen([sys.executable, "other.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
print("The other program:", other.stdout.readline().strip())
try:
    features = encode(images)
finally:
    other.kill()
print(features.shape)
