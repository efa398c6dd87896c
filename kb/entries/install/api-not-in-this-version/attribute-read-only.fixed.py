# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import keras
import numpy as np


# --- shown
class CompareWithTeacher(keras.callbacks.Callback):
    def __init__(self, teacher, probe):
        super().__init__()
        self.teacher = teacher
        self.probe = probe
        self.distances = []

    def on_epoch_end(self, epoch, logs=None):
        wanted = self.teacher.predict(self.probe, verbose=0)
        self.distances.append(float(np.mean(np.abs(self.model.predict(self.probe, verbose=0) - wanted))))


# --- end
def network():
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, name="head"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


data = np.ones((8, 3), "float32")
teacher, student = network(), network()
compare = CompareWithTeacher(teacher, data)
student.fit(data, np.zeros((8, 1), "float32"), epochs=2, verbose=0, callbacks=[compare])
assert len(compare.distances) == 2 and min(compare.distances) > 0, compare.distances
