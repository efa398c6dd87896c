"""Images are turned into features by a pool."""

import multiprocessing


def features(side):
    import numpy as np
    import tensorflow as tf

    image = tf.ones((side, side, 3))
    return np.asarray(tf.reduce_mean(image, axis=(0, 1)))


def main():
    print("computing features", flush=True)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(features, [32, 64, 512, 16], chunksize=1)
    print("features of", len(found), "images", flush=True)


if __name__ == "__main__":
    main()
