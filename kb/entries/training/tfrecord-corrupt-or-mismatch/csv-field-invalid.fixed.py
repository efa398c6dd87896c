# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

tf.io.write_file("people.csv", "age,height,label\n31,1.75,1\n24,,0\n50,NA,1\n")
# --- shown
rows = tf.data.experimental.CsvDataset(
    "people.csv",
    [tf.float32, [-1.0], tf.int32],  # a dtype: the field must be there; a value: it stands for a missing field
    header=True,
    na_value="NA",
)
# --- end
read = list(rows.as_numpy_iterator())
assert [round(float(height), 2) for _, height, _ in read] == [1.75, -1.0, -1.0]
