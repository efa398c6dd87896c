# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf


# --- shown
class Smoother(tf.Module):
    def __init__(self):
        super().__init__()
        self.last = tf.Variable(0.0)
        self.started = tf.Variable(False)

    @tf.function
    def __call__(self, value):
        smoothed = tf.where(self.started, 0.5 * (self.last + value), value)
        self.started.assign(True)
        return self.last.assign(smoothed)


# --- end
smoother = Smoother()
assert float(smoother(tf.constant(2.0))) == 2.0
smoother(tf.constant(1.0))
print(0.5 * smoother.last)
