"""Custom layers with attention."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.feed = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.first, self.second = layers.LayerNormalization(epsilon=1e-6), layers.LayerNormalization(epsilon=1e-6)
        self.dropout = layers.Dropout(rate)

    def call(self, inputs, training=None):
        attended = self.dropout(self.attention(inputs, inputs), training=training)
        out = self.first(inputs + attended)
        return self.second(out + self.feed(out))


class Positions(layers.Layer):
    def __init__(self, length, size, dim):
        super().__init__()
        self.tokens, self.positions = layers.Embedding(size, dim), layers.Embedding(length, dim)

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, x):
        return self.scale * self.tokens(x) + self.positions(tf.range(start=0, limit=tf.shape(x)[-1], delta=1))


inputs = layers.Input(shape=(200,))
x = Positions(200, 20000, 32)(inputs)
x = TransformerBlock(32, 2, 32)(x)
x = layers.GlobalAveragePooling1D()(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs=inputs, outputs=outputs)
(x_train, y_train), (x_val, y_val) = keras.datasets.imdb.load_data(num_words=20000)
x_train = keras.utils.pad_sequences(x_train, maxlen=200)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=32, epochs=2)
