# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow-cpu==2.21.*", "keras-tuner", "pillow", "pydot", "tensorboard"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

photo = tf.io.encode_jpeg(tf.zeros((32, 32, 3), tf.uint8)).numpy()
tf.io.write_file("photo.jpg", photo[:-2] + bytes(30) + photo[-2:])
# --- shown
from PIL import Image

with Image.open("photo.jpg") as image:
    image.convert("RGB").save("photo.jpg", quality=95)
# --- end
pixels = tf.io.decode_jpeg(tf.io.read_file("photo.jpg"), channels=3)
assert pixels.shape == (32, 32, 3)
print(pixels.shape)
