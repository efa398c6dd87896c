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
        self.last = None

    @tf.function
    def __call__(self, value):
        self.last = value if self.last is None else 0.5 * (self.last + value)
        return self.last


# --- end
smoother = Smoother()
smoother(tf.constant(1.0))
print(0.5 * smoother.last)
