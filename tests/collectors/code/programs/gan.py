"""Two models, two optimizers, one step."""

import time

import tensorflow as tf
from tensorflow.keras import layers

BATCH_SIZE, NOISE = 256, 100
(images, _), (_, _) = tf.keras.datasets.mnist.load_data()
images = (images.reshape(images.shape[0], 28, 28, 1).astype("float32") - 127.5) / 127.5
dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(60000).batch(BATCH_SIZE)


def make_generator():
    model = tf.keras.Sequential()
    model.add(layers.Dense(7 * 7 * 64, use_bias=False, input_shape=(NOISE,)))
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((7, 7, 64)))
    model.add(layers.Conv2DTranspose(1, 5, strides=4, padding="same", activation="tanh"))
    return model


def make_discriminator():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(64, 5, strides=2, padding="same", input_shape=[28, 28, 1]))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator, discriminator = make_generator(), make_discriminator()
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-4)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)


def discriminator_loss(real, fake):
    return cross_entropy(tf.ones_like(real), real) + cross_entropy(tf.zeros_like(fake), fake)


@tf.function
def train_step(batch):
    noise = tf.random.normal([BATCH_SIZE, NOISE])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fakes = generator(noise, training=True)
        real_output = discriminator(batch, training=True)
        fake_output = discriminator(fakes, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))


def train(epochs):
    for epoch in range(epochs):
        start = time.time()
        for batch in dataset:
            train_step(batch)
        print(f"Time for epoch {epoch + 1} is {time.time() - start} sec")


train(50)
