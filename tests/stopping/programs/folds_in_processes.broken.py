"""Cross-validation: each fold trains in a process of its own, whose output nobody keeps."""

import subprocess
import sys


def train():
    import numpy as np
    import tensorflow as tf

    rows = np.random.default_rng(5).normal(size=(90, 7)).astype("float32")
    classes = np.arange(90) % 3
    model = tf.keras.Sequential([tf.keras.layers.Input((7,)), tf.keras.layers.Dense(3, activation="softmax")])
    model.compile("adam", "categorical_crossentropy")
    model.fit(rows, classes, epochs=1, verbose=0)


def main():
    for fold in range(2):
        print("fold", fold, flush=True)
        done = subprocess.run([sys.executable, __file__, "fold"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode:
            sys.exit("a fold failed")
    print("all folds trained", flush=True)


if __name__ == "__main__":
    train() if sys.argv[1:] else main()
