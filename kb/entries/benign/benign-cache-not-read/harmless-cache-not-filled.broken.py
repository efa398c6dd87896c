# /// script
# requires-python = "==3.8.*"
# dependencies = ["tensorflow-cpu==2.9.*"]
#
# [tool.tfhelp]
# timeout = 120
# exit = 0
# ///
import tensorflow as tf

numbers = tf.data.Dataset.range(100)
# --- shown
dataset = numbers.cache().take(8)
# --- end
total = sum(int(number) for number in dataset)
print("sum", total)
