# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow-cpu==2.21.*", "pandas", "pillow"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pandas as pd
import tensorflow as tf

for number in range(4):
    tf.io.write_file(f"{number}.png", tf.io.encode_png(tf.fill((8, 8, 3), tf.cast(number, tf.uint8))))
table = pd.DataFrame({"file": ["0.png", "1.png", "2.png", "3.png"], "label": [0, 1, 0, 1]})
generator = tf.keras.preprocessing.image.ImageDataGenerator()
# --- shown
options = {"x_col": "file", "y_col": "label", "class_mode": "binary", "target_size": (8, 8), "batch_size": 4}
# --- end
batches = generator.flow_from_dataframe(table, **options)
