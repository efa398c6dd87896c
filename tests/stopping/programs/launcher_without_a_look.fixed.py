"""Starts two trainings with a log each and waits for both."""

import os
import subprocess
import sys
import tempfile


def train(rank):
    import numpy as np
    import tensorflow as tf

    weights = tf.Variable(tf.ones((8, 1)))
    rows = tf.constant(np.random.default_rng(rank).normal(size=(32, 8)), tf.float32)
    for step in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(rows, weights)))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        print("rank", rank, "loss", float(loss))


def main():
    print("launching", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        workers = []
        for rank in range(2):
            with open(os.path.join(folder, f"worker{rank}.log"), "w") as log:
                workers.append(subprocess.Popen([sys.executable, __file__, str(rank)], stdout=log, stderr=log))
        for worker in workers:
            worker.wait()
    print("both are done", flush=True)


if __name__ == "__main__":
    train(int(sys.argv[1])) if sys.argv[1:] else main()
