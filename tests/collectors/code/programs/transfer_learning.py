"""Trains a new head on a frozen pretrained model, and then unfreezes the model."""

import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory("data/train", image_size=(160, 160), batch_size=32)
validation = tf.keras.utils.image_dataset_from_directory("data/validation", image_size=(160, 160), batch_size=32)
train = train.cache().shuffle(1000).prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.MobileNetV2(input_shape=(160, 160, 3), include_top=False, weights="imagenet")
base.trainable = False
augmentation = tf.keras.Sequential([tf.keras.layers.RandomFlip("horizontal"), tf.keras.layers.RandomRotation(0.2)])

inputs = tf.keras.Input(shape=(160, 160, 3))
x = augmentation(inputs)
x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(x)
x = base(x, training=False)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
x = tf.keras.layers.Dropout(0.2)(x)
outputs = tf.keras.layers.Dense(1)(x)
model = tf.keras.Model(inputs, outputs)
model.compile(tf.keras.optimizers.Adam(1e-4), loss=tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(train, epochs=10, validation_data=validation)

base.trainable = True
model.compile(tf.keras.optimizers.RMSprop(1e-5), loss=tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=20, initial_epoch=history.epoch[-1], validation_data=validation)
