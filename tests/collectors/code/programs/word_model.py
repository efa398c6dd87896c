"""Text to a binary answer."""

import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.imdb.load_data(num_words=10000)
x_train = tf.keras.utils.pad_sequences(x_train, maxlen=200)
x_test = tf.keras.utils.pad_sequences(x_test, maxlen=200)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(10000, 64),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(32)),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
stop = tf.keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True)
model.fit(x_train, y_train, batch_size=64, epochs=5, validation_data=(x_test, y_test), callbacks=[stop])
model.summary()
