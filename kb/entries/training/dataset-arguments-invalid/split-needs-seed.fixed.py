# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import tensorflow as tf

for number in range(10):
    pixels = tf.fill((8, 8, 3), tf.cast(number, tf.uint8))
    tf.io.write_file(f"photos/{'cat' if number < 5 else 'dog'}/{number}.png", tf.io.encode_png(pixels))
# --- shown
options = {"validation_split": 0.2, "seed": 42, "image_size": (8, 8), "batch_size": 4}
train = keras.utils.image_dataset_from_directory("photos", subset="training", **options)
validation = keras.utils.image_dataset_from_directory("photos", subset="validation", **options)
# --- end
assert len(set(train.file_paths) | set(validation.file_paths)) == 10
assert not set(train.file_paths) & set(validation.file_paths)
