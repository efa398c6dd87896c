# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

photo = tf.io.encode_jpeg(tf.zeros((32, 32, 3), tf.uint8)).numpy()
tf.io.write_file("photo.jpg", photo[:-2] + bytes(30) + photo[-2:])
pixels = tf.io.decode_jpeg(tf.io.read_file("photo.jpg"), channels=3)
print(pixels.shape)
