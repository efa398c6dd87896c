# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

class Stack(tf.Module):
    def __init__(self):
        super().__init__()
        # --- shown
        scales = [tf.Variable(1.0), tf.Variable(2.0)]
        scales[0] = tf.Variable(3.0)
        self.scales = scales  # assign the list when it is complete
        # --- end


stack = Stack()
print([float(scale) for scale in stack.scales])
assert len(stack.variables) == 2
tf.train.Checkpoint(stack=stack).save("stack")
