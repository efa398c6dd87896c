"""TFH1: training on several devices or machines."""

from tfhelp.service.lint.pages import Page

PAGES = {
    "TFH101": Page(
        "The variables of such a model belong to no strategy. The strategy has no copies of them on its devices, "
        "so compile, fit or the first step raises a ValueError.",
        "Create the model, the optimizer and the metrics inside one `with strategy.scope():`.",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
with strategy.scope():
    model.compile("sgd", "mse")
""",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
""",
    ),
    "TFH102": Page(
        "Loading a model creates its variables, just as building it does. Outside the scope they belong to no strategy.",
        "Load the model inside `with strategy.scope():`.",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = keras.models.load_model("model.keras")
with strategy.scope():
    model.compile("sgd", "mse")
""",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.models.load_model("model.keras")
    model.compile("sgd", "mse")
""",
    ),
    "TFH103": Page(
        "A distributed data set gives one value for each replica (PerReplica). Only strategy.run gives each "
        "replica its part, so a step that you call directly fails or runs on one device.",
        "Call the step through `strategy.run(step, args=(batch,))`.",
        """\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(8).batch(4, drop_remainder=True))


def step(batch):
    with tf.GradientTape() as tape:
        loss = model(batch)


for batch in data:
    step(batch)
""",
        """\
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(8).batch(4, drop_remainder=True))


def step(batch):
    with tf.GradientTape() as tape:
        loss = model(batch)


for batch in data:
    strategy.run(step, args=(batch,))
""",
    ),
    "TFH104": Page(
        "Each replica has its own copy of the variable. TensorFlow does not know how to combine the values that "
        "the replicas assign: it raises an error, or the copies silently become different.",
        "Create the variable with `aggregation=tf.VariableAggregation.SUM` or another aggregation.",
        """\
import tensorflow as tf

strategy = tf.distribute.experimental.CentralStorageStrategy()
with strategy.scope():
    seen = tf.Variable(0.0)


def step(batch):
    seen.assign_add(1.0)


strategy.run(step, args=(1,))
""",
        """\
import tensorflow as tf

strategy = tf.distribute.experimental.CentralStorageStrategy()
with strategy.scope():
    seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)


def step(batch):
    seen.assign_add(1.0)


strategy.run(step, args=(1,))
""",
    ),
    "TFH105": Page(
        "If the number of samples is not a multiple of the batch size, the replicas get parts of different sizes "
        "in the last batch, and one of them may get nothing. A TPU rejects that, and the mean of an empty part is "
        "NaN.",
        "Pass `drop_remainder=True` to batch in training. In evaluation, sum over all replicas and divide once.",
        """\
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices(np.zeros((65, 4))).batch(16)
model.fit(data)
""",
        """\
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices(np.zeros((65, 4))).batch(16, drop_remainder=True)
model.fit(data)
""",
    ),
    "TFH106": Page(
        "If a batch has fewer samples than there are replicas, some replicas get no data in any step.",
        "Choose the batch size for one replica, and multiply it by `strategy.num_replicas_in_sync`.",
        """\
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1", "GPU:2", "GPU:3"])
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros(8), batch_size=2)
""",
        """\
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1", "GPU:2", "GPU:3"])
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros(8), batch_size=8)
""",
    ),
    "TFH107": Page(
        "fit, evaluate and predict exchange data among all workers. If only one of them calls the method, it "
        "waits for the others forever.",
        "Call the method on every worker. Only work that needs no other worker, such as printing or moving files, "
        "belongs on the first worker alone.",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
if worker_index == 0:
    model.evaluate(x, y)
""",
        """\
import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
loss = model.evaluate(x, y)
if worker_index == 0:
    print(loss)
""",
    ),
}
