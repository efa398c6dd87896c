"""TFH8: worker processes, callbacks, and how training ends."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH801": Page(
        "A forked process has a copy of TensorFlow without its threads. In some runs, a TensorFlow call in it waits forever.",
        'Use threads or tf.data. If you need processes, start them with "spawn", and do not use TensorFlow in them.',
        """\
import multiprocessing

import tensorflow as tf

if __name__ == "__main__":
    pool = multiprocessing.Pool(4)
""",
        """\
import concurrent.futures

import tensorflow as tf

if __name__ == "__main__":
    pool = concurrent.futures.ThreadPoolExecutor(4)
""",
    ),
    "TFH802": Page(
        "A spawned process imports your script again. Without the guard, the import starts training and tries to "
        "start more processes, which Python does not allow.",
        'Put everything that runs under `if __name__ == "__main__":`.',
        """\
import multiprocessing as mp

import tensorflow as tf

mp.set_start_method("spawn")
worker = mp.Process(target=print)
""",
        """\
import multiprocessing as mp

import tensorflow as tf

if __name__ == "__main__":
    mp.set_start_method("spawn")
    worker = mp.Process(target=print)
""",
    ),
    "TFH803": Page(
        "exit() in a callback ends the whole process in the middle of fit: nothing after fit runs, and the exit "
        "code reports success.",
        "Set `self.model.stop_training = True` in the callback.",
        """\
import sys

import keras


class Stop(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        sys.exit()
""",
        """\
import keras


class Stop(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.stop_training = True
""",
    ),
    "TFH804": Page(
        "EarlyStopping ends fit when its metric has not improved for `patience` epochs, and prints nothing. This "
        "is not a fault. It explains why training ends before its last epoch.",
        "Pass verbose=1 so that it says when it stops.",
        """\
import keras

stop = keras.callbacks.EarlyStopping(patience=3)
""",
        """\
import keras

stop = keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)
""",
    ),
    "TFH805": Page(
        "TerminateOnNaN ends fit at the first loss that is not a number. This is not a fault. It explains why "
        "training ends before its last epoch.",
        "If training ends early, look for a NaN in the loss first.",
        """\
import keras

stop = keras.callbacks.TerminateOnNaN()
""",
        """\
import keras

stop = keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)
""",
    ),
    "TFH806": Page(
        "A callback that monitors a name which fit does not report does nothing except print a warning: EarlyStopping never stops, "
        "and ModelCheckpoint with save_best_only never saves. fit reports loss and the metrics of compile, and the same names with "
        "val_ in front if there is validation.",
        "Monitor a name that fit reports; `history.history.keys()` lists these names. Give a metric a name with `name=`.",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", patience=3)
""",
        """\
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
stop = keras.callbacks.EarlyStopping(monitor="val_mae", patience=3)
""",
    ),
    "TFH807": Page(
        "Names that begin with val_ exist only if fit validates. Without validation data, the callback prints a warning in each epoch "
        "and does nothing else.",
        "Pass validation_split or validation_data to fit, or monitor the loss of training.",
        """\
import keras
import numpy as np

x, y = np.zeros((8, 4)), np.zeros((8, 1))
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3)
model.fit(x, y, callbacks=[stop])
""",
        """\
import keras
import numpy as np

x, y = np.zeros((8, 4)), np.zeros((8, 1))
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3)
model.fit(x, y, validation_split=0.25, callbacks=[stop])
""",
    ),
}
