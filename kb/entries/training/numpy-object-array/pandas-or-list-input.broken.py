# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import csv
import io

import keras

table = "rooms,area,price\n" + "3,70,210\n2,55,180\n4,96,300\n1,30,95\n" * 8
rows = [[float(cell) for cell in row] for row in list(csv.reader(io.StringIO(table)))[1:]]
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# --- shown
features = [row[:2] for row in rows]
prices = [row[2] for row in rows]
# --- end
model.fit(features, prices, epochs=1)
