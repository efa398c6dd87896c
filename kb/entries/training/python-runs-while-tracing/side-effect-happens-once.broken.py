# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# observed = true
# exit = 0
# ///
import tensorflow as tf

# --- shown
steps = 0


@tf.function
def train_step(x):
    global steps
    steps += 1
    print("step", steps)
    return tf.square(x)


# --- end
for number in range(5):
    loss = train_step(tf.constant(float(number)))
print("counted:", steps)
