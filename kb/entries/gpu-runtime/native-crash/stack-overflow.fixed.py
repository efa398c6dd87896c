# /// script
# requires-python = ">=3.10,<3.12"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
#
# [tool.tfhelp.env]
# PYTHONFAULTHANDLER = "1"
# ///
import sys

import tensorflow as tf

sys.setrecursionlimit(1_000_000)
cell = tf.Variable(tf.random.normal((16, 8), seed=1))
tree = 1.0
for value in range(40_000):
    tree = (tree, float(value % 7))


def merge(left, right):
    return tf.tanh(tf.matmul(tf.concat([left, right], axis=1), cell))


def leaf(value):
    return tf.fill((1, 8), value)


# --- shown
def encode(node):
    waiting = []
    while not isinstance(node, float):
        node, right = node
        waiting.append(right)
    state = leaf(node)
    while waiting:
        state = merge(state, leaf(waiting.pop()))
    return state


# --- end
code = encode(tree)
print(code.shape)
assert code.shape == (1, 8)
