# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import pathlib

import tensorflow as tf

pathlib.Path("passengers.csv").write_text("age,fare,Survived\n22,7.25,0\n38,71.2,1\n")
# --- shown
rows = tf.data.experimental.make_csv_dataset(
    "passengers.csv", batch_size=2, label_name="survived", num_epochs=1
)
# --- end
features, labels = next(iter(rows))
