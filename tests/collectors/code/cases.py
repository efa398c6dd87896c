"""Small programs, each with the facts that it must show and their lines, or the facts that must be false."""

import textwrap

IMPORTS = "import keras\nimport numpy as np\nimport tensorflow as tf\n"
MODEL = 'model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\nmodel.compile("adam", "mse")\n'
STEP = (
    "optimizer = keras.optimizers.Adam()\n"
    "{head}def train_step(x, y):\n"
    "    with tf.GradientTape() as tape:\n"
    "        loss = tf.reduce_mean((model(x) - y) ** 2)\n"
    "    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights)){mark}\n"
)


def program(body: str) -> str:
    """The body after the usual imports, which take the first three lines."""
    return IMPORTS + textwrap.dedent(body)


# fact -> programs that show it; the line with "# <-" is where it must be found.
SHOWN: dict[str, tuple[str, ...]] = {
    "model_outside_scope": (
        (
            "strategy = tf.distribute.MirroredStrategy()\nmodel = keras.Sequential([keras.layers.Dense(1)])  # <-\n"
            'with strategy.scope():\n    model.compile("sgd", "mse")\n'
        ),
        (
            "def build():\n    return keras.Sequential([keras.layers.Dense(1)])  # <-\n"
            'strategy = tf.distribute.MirroredStrategy()\nmodel = build()\nmodel.compile("sgd", "mse")\nmodel.fit(x)\n'
        ),
        (
            "strategy = tf.distribute.MirroredStrategy()\noptimizer = keras.optimizers.Adam()  # <-\n"
            "with strategy.scope():\n    model = keras.Sequential([keras.layers.Dense(1)])\n"
        ),
    ),
    "load_outside_scope": (
        (
            'strategy = tf.distribute.MirroredStrategy()\nmodel = keras.models.load_model("m.keras")  # <-\n'
            'with strategy.scope():\n    model.compile("sgd", "mse")\n'
        ),
    ),
    "step_not_run_by_strategy": (
        (
            "strategy = tf.distribute.MirroredStrategy()\n"
            "data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(8).batch(4, drop_remainder=True))\n"
            "def step(batch):\n    with tf.GradientTape() as tape:\n        loss = model(batch)\n"
            "for batch in data:\n    step(batch)  # <-\n"
        ),
    ),
    "assign_in_replica_context": (
        (
            "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope():\n    seen = tf.Variable(0.0)\n"
            "def step(batch):\n    seen.assign_add(1.0)  # <-\nstrategy.run(step, args=(1,))\n"
        ),
    ),
    "drop_remainder_missing": (
        (
            "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope():\n    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n"
            '    model.compile("sgd", "mse")\ndata = tf.data.Dataset.from_tensor_slices(np.zeros((65, 4))).batch(16)  # <-\nmodel.fit(data)\n'
        ),
    ),
    "batch_below_replicas": (
        (
            'strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1", "GPU:2", "GPU:3"])\nwith strategy.scope():\n'
            '    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n    model.compile("sgd", "mse")\n'
            "model.fit(np.zeros((8, 4)), np.zeros(8), batch_size=2)  # <-\n"
        ),
    ),
    "collective_call_on_one_worker": (
        (
            "strategy = tf.distribute.MultiWorkerMirroredStrategy()\nwith strategy.scope():\n    model = keras.Sequential([keras.layers.Dense(1)])\n"
            '    model.compile("sgd", "mse")\nif worker_index == 0:\n    model.evaluate(x)  # <-\n'
        ),
    ),
    "compile_missing": ("model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\nmodel.fit(x, y)  # <-\n",),
    "model_without_input_shape": (
        "model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])\nmodel.summary()  # <-\n",
        "model = keras.Sequential([keras.layers.Dense(1)])\nmodel(x)\nother = keras.Model(model.inputs, y)  # <-\n",
    ),
    "model_built_in_loop": (
        'def build():\n    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])  # <-\nfor trial in range(100):\n    model = build()\n    model.compile("sgd", "mse")\n    model.fit(x, y)\n',
    ),
    "tensors_appended": (
        "losses = []\nfor x in range(100):\n    loss = tf.reduce_mean(tf.zeros(4))\n    losses.append(loss)  # <-\n",
        MODEL + "kept = []\nfor x in batches:\n    out = model(x)\n    kept.append((1, out))  # <-\n",
    ),
    "predict_in_loop": (MODEL + "for x in rows:\n    model.predict(x)  # <-\n",),
    "clear_session_in_loop": (
        MODEL + "for x, y in batches:\n    model.train_on_batch(x, y)\n    keras.backend.clear_session()  # <-\n",
    ),
    "function_in_loop": (
        "for x in rows:\n    @tf.function\n    def step(v):  # <-\n        return v + 1\n    step(x)\n",
        "def f(v):\n    return v\nwhile True:\n    g = tf.function(f)  # <-\n    g(1.0)\n",
    ),
    "step_not_traced": (
        STEP.format(head="", mark="  # <-") + "for x, y in data:\n    train_step(x, y)\n",
        "optimizer = keras.optimizers.Adam()\nfor step in range(100):\n    optimizer.apply(gradients(step), weights)  # <-\n",
    ),
    "dataset_built_in_loop": ("for x in rows:\n    data = tf.data.Dataset.from_tensor_slices(x)  # <-\n",),
    "python_value_of_tensor": (
        "@tf.function\ndef step(x):\n    return x.numpy()  # <-\n",
        "def loss(y_true, y_pred):\n    return np.mean(y_pred)  # <-\n" + MODEL.replace('"mse"', "loss"),
    ),
    "condition_without_autograph": (
        "class Scale(keras.layers.Layer):\n    def call(self, inputs):\n        if tf.reduce_sum(inputs) > 0:  # <-\n            return inputs\n        return -inputs\n",
    ),
    "tensor_kept_by_function": (
        "class Smoother(tf.Module):\n    @tf.function\n    def step(self, value):\n        self.last = value  # <-\n        return value\n",
    ),
    "tf_op_on_keras_input": ("inputs = keras.Input((4,))\nx = tf.reduce_mean(inputs, axis=1)  # <-\n",),
    "variables_in_function": (
        "@tf.function\ndef step(x):\n    v = tf.Variable(1.0)  # <-\n    return v * x\n",
        "class Block(keras.layers.Layer):\n    def call(self, x):\n        return keras.layers.Dense(4)(x)  # <-\n",
    ),
    "function_shared_by_models": (
        (
            "@tf.function\ndef step(model, x):\n    return model(x)\n"
            "a = keras.Sequential([keras.layers.Dense(1)])\nb = keras.Sequential([keras.layers.Dense(1)])\nstep(a, x)\nstep(b, x)  # <-\n"
        ),
    ),
    "python_arguments_to_function": (
        "@tf.function\ndef f(x, n):\n    return x * n\nfor n in range(100):\n    f(tf.zeros(3), n)  # <-\n",
        "@tf.function\ndef f(x):\n    return x\nrate = 1.0\nfor s in rows:\n    rate *= 0.9\n    f(rate)  # <-\n",
    ),
    "loss_outside_tape": (
        MODEL
        + "with tf.GradientTape() as tape:\n    out = model(x)\nloss = tf.reduce_mean(out)  # <-\ntape.gradient(loss, model.trainable_variables)\n",
    ),
    "non_differentiable_loss": (
        MODEL
        + "with tf.GradientTape() as tape:\n    out = tf.argmax(model(x), axis=1)\n    loss = tf.reduce_mean(tf.cast(out, tf.float32))\n"
        "g = tape.gradient(loss, model.trainable_variables)  # <-\n",
        "def loss(y_true, y_pred):\n    return tf.reduce_mean(tf.cast(tf.round(y_pred) == y_true, tf.float32))  # <-\n"
        + MODEL.replace('"mse"', "loss"),
    ),
    "optimizer_reused": (
        (
            "opt = keras.optimizers.Adam()\na = keras.Sequential([keras.layers.Dense(1)])\nb = keras.Sequential([keras.layers.Dense(1)])\n"
            'a.compile(opt, "mse")\nb.compile(opt, "mse")  # <-\n'
        ),
    ),
    "numpy_in_tape": (MODEL + "with tf.GradientTape() as tape:\n    out = model(x)\n    value = out.numpy()  # <-\n",),
    "loss_returns_nothing": (
        MODEL + "def error(y_true, y_pred):  # <-\n    value = keras.ops.mean(keras.ops.square(y_true - y_pred))\n"
        "model.compile('adam', loss=error)\n",
    ),
    "function_returns_nothing": (
        "def scale(image):  # <-\n    image = tf.cast(image, tf.float32) / 255\ndata = tf.data.Dataset.range(9).map(scale)\n",
    ),
    "gradients_not_zipped": (
        MODEL + "opt = keras.optimizers.Adam()\nwith tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(x))\n"
        "grads = tape.gradient(loss, model.trainable_variables)\nopt.apply_gradients(grads)  # <-\n",
        MODEL + "opt = keras.optimizers.Adam()\nwith tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(x))\n"
        "opt.apply_gradients(tape.gradient(loss, model.trainable_variables), model.trainable_variables)  # <-\n",
    ),
    "lr_argument": (
        "opt = keras.optimizers.Adam(lr=1e-3)  # <-\n",
        "from keras.optimizers import SGD\nopt = SGD(lr=0.1)  # <-\n",
    ),
    "decay_argument": ("opt = keras.optimizers.SGD(learning_rate=0.1, decay=1e-6)  # <-\n",),
    "optimizer_lr_attribute": (MODEL + "print(model.optimizer.lr)  # <-\n",),
    "learning_rate_high": ("RATE = 5 * 10**-1\nopt = keras.optimizers.Adam(RATE)  # <-\n",),
    "mixed_precision": ('keras.mixed_precision.set_global_policy("mixed_float16")  # <-\n',),
    "set_floatx": ('tf.keras.backend.set_floatx("float64")  # <-\n',),
    "numpy_input_without_cast": (
        "w = tf.Variable(tf.zeros((4, 1)))\nx = np.random.rand(3, 4)\ny = tf.matmul(x, w)  # <-\n",
        "w = tf.Variable(0.0)\n@tf.function\ndef f(x):\n    return w * x\nf(np.random.rand(3))  # <-\n",
    ),
    "multiprocessing_workers": (
        "model.fit(data, workers=4, use_multiprocessing=True)  # <-\n",
        'import multiprocessing\nif __name__ == "__main__":\n    pool = multiprocessing.Pool(4)  # <-\n',
    ),
    "main_guard_missing": (
        'import multiprocessing as mp\nmp.set_start_method("spawn")\nworker = mp.Process(target=print)  # <-\n',
    ),
    "exit_in_callback": (
        "import sys\nclass Stop(keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n        sys.exit()  # <-\n",
    ),
    "early_stopping": ("stop = keras.callbacks.EarlyStopping()  # <-\n",),
    "terminate_on_nan": ("stop = keras.callbacks.TerminateOnNaN()  # <-\n",),
    "monitor_not_reported": (
        MODEL + 'stop = keras.callbacks.EarlyStopping("val_mae")  # <-\n',
        'model.compile("adam", "mse", metrics=["mae", keras.metrics.AUC(name="roc")])\n'
        'stop = keras.callbacks.ReduceLROnPlateau(monitor="val_auc")  # <-\n',
        'stop = keras.callbacks.EarlyStopping(monitor="value_loss")  # <-\n',
        'def mine(y, p):\n    return y\nmodel.compile("adam", "mse", metrics=mine)\n'
        'best = keras.callbacks.ModelCheckpoint("b.keras", "val_my", save_best_only=True)  # <-\n',
        'model.compile("adam", "mse", metrics=["accuracy"])\nstop = keras.callbacks.EarlyStopping("val_acc")  # <-\n',
        'def far(y, p):\n    return y\nmodel.compile("adam", far)\nstop = keras.callbacks.EarlyStopping("val_far")  # <-\n',
    ),
    "monitor_without_validation": (
        MODEL + "model.fit(x, y, callbacks=[keras.callbacks.EarlyStopping()])  # <-\n",
        'stop = keras.callbacks.EarlyStopping(monitor="val_loss")\nuse = [stop]\nmodel.fit(x, y, callbacks=use)  # <-\n',
    ),
    "generator_without_signature": ("data = tf.data.Dataset.from_generator(rows)  # <-\n",),
    "dataset_not_batched": (MODEL + "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9)\nmodel.fit(data)  # <-\n",),
    "repeat_missing": (
        MODEL
        + "data = tf.data.Dataset.from_tensor_slices(np.zeros((320, 4))).batch(32)\nmodel.fit(data, steps_per_epoch=5, epochs=4)  # <-\n",
        "def rows():\n    for i in range(9):\n        yield i\n"
        + MODEL
        + "model.fit(rows(), steps_per_epoch=9, epochs=2)  # <-\n",
        "STEPS = 40\ndata = tf.data.Dataset.range(320).batch(32)\nfor step, x in zip(range(1, STEPS + 1), data):  # <-\n    print(step)\n",
    ),
    "generator_ends": (
        "def rows():\n    for i in range(9):\n        yield i\n"
        + MODEL
        + "model.fit(rows(), steps_per_epoch=9, epochs=2)  # <-\n",
    ),
    "inputs_scaled_differently": (
        "images = np.random.default_rng(0).integers(0, 256, size=(9, 4))\n"
        + MODEL
        + "model.fit(images / 255.0, y)\nmodel.save('a.keras')\nother = keras.models.load_model('a.keras')\nother.evaluate(images, y)  # <-\n",
        "(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()\nx_train = x_train.astype('float32')\nx_train /= 255\n"
        + MODEL
        + "model.fit(x_train, y_train)\nmodel.predict(x_test[:9])  # <-\n",
    ),
    "inputs_scaled_twice": (
        "(x, y), _ = keras.datasets.cifar10.load_data()\nx = x / 255.0\nbase = keras.applications.EfficientNetB0(include_top=False)\n"
        "model = keras.Sequential([base, keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(10)])\n"
        "model.compile('adam', 'mse')\nmodel.fit(x, y)  # <-\n",
        "from keras.preprocessing.image import ImageDataGenerator\nbase = keras.applications.MobileNetV3Small(include_top=False)\n"
        "train = ImageDataGenerator(rescale=1.0 / 255)  # <-\n",
        "base = keras.applications.ConvNeXtTiny(include_top=False)\n"
        "model = keras.Sequential([keras.layers.Rescaling(1 / 255), base])  # <-\n",
    ),
    "labels_in_another_order": (
        "data = keras.utils.image_dataset_from_directory('test')\n"
        + MODEL
        + "p = model.predict(data)  # <-\ny = np.concatenate([y for x, y in data])\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(8)\n"
        + MODEL
        + "p = model.predict(data)  # <-\nlabels = []\nfor _, label in data:\n    labels.extend(label.numpy())\n",
        "from keras.preprocessing.image import ImageDataGenerator\ntest = ImageDataGenerator().flow_from_directory('test', batch_size=8)\n"
        + MODEL
        + "p = model.predict(test)  # <-\nright = p.argmax(-1) == test.classes\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(8)\nlabels = data.map(lambda x, y: y)\n"
        + MODEL
        + "p = model.predict(data)  # <-\n",
    ),
    "random_number_while_traced": (
        "data = tf.data.Dataset.range(9).map(lambda x: x + np.random.randint(5))  # <-\n",
        "import random\n@tf.function\ndef step(x):\n    return x * random.random()  # <-\nstep(tf.ones(3))\n",
    ),
    "side_effect_while_traced": (
        "calls = 0\n@tf.function\ndef step(x):\n    global calls\n    calls += 1  # <-\n    return x\nstep(tf.ones(3))\n",
    ),
    "dataset_result_unused": (
        "data = tf.data.Dataset.range(9)\ndata.batch(3)  # <-\n",
        "data = tf.data.Dataset.range(9)\ndata.map(lambda x: x + 1)  # <-\nfor x in data:\n    print(x)\n",
    ),
    "steps_exceed_data": (MODEL + "data = tf.data.Dataset.range(320).batch(32)\nmodel.fit(data, steps_per_epoch=11)  # <-\n",),
    "large_shuffle_buffer": (
        (
            "def load(path):\n    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))\n"
            "data = tf.data.Dataset.list_files('*.jpg').map(load).shuffle(50_000)  # <-\n"
        ),
    ),
    "decoded_data_cached": (
        "def load(path):\n    return tf.io.decode_jpeg(tf.io.read_file(path))\ndata = tf.data.Dataset.list_files('*.jpg').map(load).cache()  # <-\n",
    ),
    "converted_copy_of_array": ('data = tf.data.Dataset.from_tensor_slices((images.astype("float32") / 255, labels))  # <-\n',),
    "integer_labels_with_categorical_loss": (
        (
            "y = np.arange(90) % 3\nmodel = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='softmax')])\n"
            "model.compile('adam', 'categorical_crossentropy')  # <-\nmodel.fit(x, y)\n"
        ),
    ),
    "one_hot_labels_with_sparse_loss": (
        (
            "y = keras.utils.to_categorical(labels)\nmodel = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='softmax')])\n"
            "model.compile('adam', 'sparse_categorical_crossentropy')  # <-\nmodel.fit(x, y)\n"
        ),
    ),
    "single_unit_with_categorical_loss": (
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, activation='softmax')])  # <-\nmodel.compile('adam', 'binary_crossentropy')\n",
    ),
    "activation_with_from_logits": (
        (
            "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='softmax')])\n"
            "model.compile('adam', keras.losses.CategoricalCrossentropy(from_logits=True))  # <-\n"
        ),
    ),
    "logits_without_from_logits": (
        "i = keras.Input((4,))\nmodel = keras.Model(i, keras.layers.Dense(3)(i))\nmodel.compile('adam', loss='categorical_crossentropy')  # <-\n",
    ),
    "last_layer_smaller_than_labels": (
        (
            "y = keras.utils.to_categorical(np.arange(12), 12)\n"
            "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(10, activation='softmax')])  # <-\n"
            "model.compile('adam', 'categorical_crossentropy')\nmodel.fit(np.zeros((12, 4)), y)\n"
        ),
    ),
    "labels_beyond_last_layer": (
        (
            "(x, y), _ = keras.datasets.cifar100.load_data()\n"
            "model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Flatten(), keras.layers.Dense(10, activation='softmax')])  # <-\n"
            "model.compile('adam', 'sparse_categorical_crossentropy')\nmodel.fit(x, y)\n"
        ),
    ),
    "activation_before_logits_loss": (
        "p = tf.nn.softmax(logits)\nloss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=p)  # <-\n",
    ),
    "softmax_then_log": ("def my_loss(y, z):\n    p = tf.nn.softmax(z)\n    return -tf.reduce_sum(y * tf.math.log(p))  # <-\n",),
    "unguarded_log": ("def loss(y_true, y_pred):\n    return -tf.math.log(y_pred)  # <-\n" + MODEL.replace('"mse"', "loss"),),
    "unguarded_division": ("x = x / x.std(axis=0)  # <-\n",),
    "memory_growth_too_late": (
        "x = tf.zeros(3)\nfor gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)  # <-\n",
    ),
    "memory_growth_for_some_gpus": (
        "gpus = tf.config.list_physical_devices('GPU')\ntf.config.experimental.set_memory_growth(gpus[0], True)  # <-\n",
    ),
    "tf1_names": ("session = tf.Session()  # <-\n", "from tensorflow.contrib import rnn  # <-\n"),
    "compat_v1": ("tf.compat.v1.disable_eager_execution()  # <-\n",),
    "keras2_names": (
        MODEL + "model.fit_generator(rows)  # <-\n",
        "from keras.utils import np_utils  # <-\n",
        "flip = tf.keras.layers.experimental.preprocessing.RandomFlip()  # <-\n",
    ),
    "save_without_extension": (MODEL + 'model.save("my_model")  # <-\n',),
    "activation_not_of_loss": (
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='sigmoid')])  # <-\nmodel.compile('adam', 'categorical_crossentropy')\n",
        "i = keras.Input((4,))\no = keras.layers.Dense(1, activation='relu')(i)  # <-\nmodel = keras.Model(i, o)\nmodel.compile('adam', loss='binary_crossentropy')\n",
        "model = keras.Sequential()\nmodel.add(keras.layers.Dense(5, 'tanh'))  # <-\nmodel.compile('adam', 'sparse_categorical_crossentropy')\n",
    ),
    "binary_loss_for_several_classes": (
        "(x, y), _ = keras.datasets.mnist.load_data()\n"
        + MODEL
        + "model.compile('adam', 'binary_crossentropy')  # <-\nmodel.fit(x / 255, y)\nmodel.fit(x, y)\n",
    ),
    "hidden_layers_linear": (
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(8), keras.layers.Dense(1)])  # <-\nmodel.compile('adam', 'mse')\n",
    ),
    "flatten_missing": (
        (
            "model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3), keras.layers.MaxPooling2D(),\n"
            "    keras.layers.Dense(3, activation='softmax')])  # <-\nmodel.compile('adam', 'sparse_categorical_crossentropy')\n"
        ),
        (
            "model = keras.Sequential([keras.Input((20, 3)), keras.layers.Conv1D(4, 3), keras.layers.MaxPooling1D(),\n"
            "    keras.layers.Dense(3, activation='softmax')])  # <-\nmodel.compile('adam', 'sparse_categorical_crossentropy')\n"
        ),
    ),
    "axis_over_samples": (
        "p = tf.nn.softmax(tf.zeros((4, 3)), axis=0)  # <-\n",
        MODEL + "classes = np.argmax(model.predict(x), axis=0)  # <-\n",
        MODEL + "p = model.predict(x)\nclasses = p.argmax(0)  # <-\n",
        "layer = keras.layers.Softmax(axis=0)  # <-\n",
    ),
    "model_frozen": (MODEL + "model.trainable = False  # <-\nmodel.compile('adam', 'mse')\nmodel.fit(x, y)\n",),
    "trainable_set_after_compile": (
        MODEL + "for layer in model.layers[:-1]:\n    layer.trainable = False  # <-\nmodel.fit(x, y)\n",
        MODEL + "model.trainable = True  # <-\nmodel.fit(x, y)\n",
    ),
    "learning_rate_low": ("opt = keras.optimizers.Adam(learning_rate=1e-9)  # <-\n", "opt = keras.optimizers.SGD(1e-7)  # <-\n"),
    "shuffled_apart": (
        MODEL + "np.random.shuffle(x)\nnp.random.shuffle(y)  # <-\nmodel.fit(x, y)\n",
        MODEL + "rng = np.random.default_rng(0)\nrng.shuffle(x)\nrng.shuffle(y)  # <-\nmodel.fit(x[:9], y[:9])\n",
    ),
    "sorted_not_shuffled": (
        "x = np.zeros((9, 4))\ny = np.repeat([0, 1, 2], 3)\n" + MODEL + "model.fit(x, y, shuffle=False)  # <-\n",
        "x = np.zeros((9, 4))\ny = np.concatenate([np.zeros(4), np.ones(5)])\n"
        + MODEL
        + "model.fit(x, y, validation_split=0.2)  # <-\n",
    ),
    "validation_is_training": (MODEL + "model.fit(x, y, validation_data=(x, y))  # <-\n",),
    "inputs_not_scaled": (
        (
            "(x, y), _ = keras.datasets.mnist.load_data()\nmodel = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])\n"
            "model.compile('adam', keras.losses.SparseCategoricalCrossentropy(from_logits=True))\nmodel.fit(x, y)  # <-\n"
        ),
    ),
}

# fact -> programs close to those above in which it is false: the construct is there, and correct.
RIGHT: dict[str, tuple[str, ...]] = {
    "monitor_not_reported": (
        MODEL + 'stop = keras.callbacks.EarlyStopping("val_loss")\n',
        'model.compile("adam", "mse", metrics=["acc", keras.metrics.MeanIoU(2)])\n'
        'stop = keras.callbacks.EarlyStopping("val_mean_io_u")\n',
        'def mine(y, p):\n    return y\nmodel.compile("adam", "mse", metrics=[mine])\nstop = keras.callbacks.EarlyStopping("mine")\n',
    ),
    "monitor_without_validation": (
        MODEL + "stop = keras.callbacks.EarlyStopping()\nmodel.fit(x, y, validation_split=0.2, callbacks=[stop])\n",
    ),
    "model_outside_scope": (
        "strategy = tf.distribute.MirroredStrategy()\nscope = strategy.scope()\nwith scope:\n    model = keras.Sequential([keras.layers.Dense(1)])\n",
        (
            "def build():\n    return keras.Sequential([keras.layers.Dense(1)])\nstrategy = tf.distribute.MirroredStrategy()\n"
            "with strategy.scope():\n    model = build()\n"
        ),
    ),
    "drop_remainder_missing": (
        (
            "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope():\n    model = keras.Sequential([keras.layers.Dense(1)])\n"
            "data = tf.data.Dataset.range(65).batch(16, drop_remainder=True)\nmodel.fit(data)\n"
        ),
    ),
    "compile_missing": (
        "def build():\n    model = keras.Sequential([keras.layers.Dense(1)])\n    model.compile('sgd', 'mse')\n    return model\nmodel = build()\nmodel.fit(x, y)\n",
    ),
    "tensors_appended": ("losses = []\nfor x in rows:\n    losses.append(float(tf.reduce_mean(x)))\n",),
    "optimizer_reused": (
        "opt = keras.optimizers.Adam()\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile(opt, 'mse')\n",
    ),
    "lr_argument": ("opt = keras.optimizers.Adam(learning_rate=1e-3)\n",),
    "learning_rate_high": ("opt = keras.optimizers.SGD(0.1)\n",),
    "repeat_missing": (
        "def rows():\n    while True:\n        yield 1\n" + MODEL + "model.fit(rows(), steps_per_epoch=9, epochs=2)\n",
        MODEL + "data = tf.data.Dataset.range(320).batch(32).repeat()\nmodel.fit(data, steps_per_epoch=5, epochs=4)\n",
        "data = tf.data.Dataset.range(320).batch(32)\nfor step, x in zip(range(10), data):\n    print(step)\n",
    ),
    "inputs_scaled_twice": (
        "(x, y), _ = keras.datasets.cifar10.load_data()\nbase = keras.applications.EfficientNetB0(include_top=False)\n"
        "model = keras.Sequential([base, keras.layers.Dense(10)])\nmodel.compile('adam', 'mse')\nmodel.fit(x, y)\n",
    ),
    "inputs_scaled_differently": (
        "(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()\nx_train = x_train / 255.0\nx_test = x_test / 255.0\n"
        + MODEL
        + "model.fit(x_train, y_train)\nmodel.evaluate(x_test, y_test)\n",
    ),
    "dataset_not_batched": (
        "def prepare(data):\n    return data.shuffle(9).batch(32)\n" + MODEL + "model.fit(prepare(tf.data.Dataset.range(320)))\n",
    ),
    "unguarded_log": (
        "def loss(y_true, y_pred):\n    return -tf.math.log(tf.clip_by_value(y_pred, 1e-7, 1.0))\n"
        + MODEL.replace('"mse"', "loss"),
    ),
    "memory_growth_too_late": (
        "for gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)\nx = tf.zeros(3)\n",
    ),
    "memory_growth_for_some_gpus": (
        (
            "gpus = tf.config.list_physical_devices('GPU')\ntf.config.set_visible_devices(gpus[0], 'GPU')\n"
            "tf.config.experimental.set_memory_growth(gpus[0], True)\n"
        ),
    ),
    "save_without_extension": (MODEL + 'model.save("my_model.keras")\n',),
    "numpy_input_without_cast": (
        'w = tf.Variable(tf.zeros((4, 1)))\nx = np.random.rand(3, 4).astype("float32")\ny = tf.matmul(x, w)\n',
    ),
    "activation_not_of_loss": (
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='softmax')])\nmodel.compile('adam', 'categorical_crossentropy')\n",
    ),
    "hidden_layers_linear": (
        "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.ReLU(), keras.layers.Dense(8), keras.layers.Dense(1)])\nmodel.compile('adam', 'mse')\n",
    ),
    "flatten_missing": (
        (
            "model = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3), keras.layers.GlobalAveragePooling2D(),\n"
            "    keras.layers.Dense(3, activation='softmax')])\nmodel.compile('adam', 'sparse_categorical_crossentropy')\n"
        ),
    ),
    "axis_over_samples": (MODEL + "classes = np.argmax(model.predict(x), axis=-1)\n",),
    "trainable_set_after_compile": (
        MODEL + "for layer in model.layers[:-1]:\n    layer.trainable = False\nmodel.compile('adam', 'mse')\nmodel.fit(x, y)\n",
    ),
    "labels_in_another_order": (
        "data = keras.utils.image_dataset_from_directory('test', shuffle=False)\n"
        + MODEL
        + "p = model.predict(data)\ny = np.concatenate([y for x, y in data])\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100, reshuffle_each_iteration=False).batch(8)\n"
        + MODEL
        + "p = model.predict(data)\ny = np.concatenate([y for x, y in data])\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).cache().batch(8)\n"
        + MODEL
        + "p = model.predict(data)\ny = np.concatenate([y for x, y in data])\n",
    ),
    "learning_rate_low": ("opt = keras.optimizers.Adam(2e-5)\n",),
    "step_not_traced": (
        STEP.format(head="@tf.function\n", mark="") + "for x, y in data:\n    train_step(x, y)\n",
        STEP.format(head="", mark="") + "fast = tf.function(train_step)\nfor x, y in data:\n    fast(x, y)\n",
        STEP.format(head="", mark="")
        + "@tf.function\ndef epoch(data):\n    for x, y in data:\n        train_step(x, y)\nepoch(data)\n",
    ),
    "validation_is_training": (MODEL + "model.fit(x, y, validation_data=(v, w))\n",),
}

# Programs that look like a mistake and are none: the fact is not true, though the text may not settle it.
ALIKE: dict[str, tuple[str, ...]] = {
    "step_not_traced": (
        STEP.format(head="", mark="") + "train_step(x, y)\n",
        "def train(optimizer):\n    for name in names:\n        optimizer.apply(name)\n",
    ),
    "monitor_not_reported": (
        'model.compile("adam", "mse", metrics=given)\nstop = keras.callbacks.EarlyStopping("val_mae")\n',
        'def build(loss):\n    model.compile("adam", loss)\n    return keras.callbacks.EarlyStopping("val_left_loss")\n',
        'model.compile("adam", ["mse", "mae"])\nstop = keras.callbacks.EarlyStopping("val_left_loss")\n',
        'value = keras.layers.Dense(1, name="value")(x)\nstop = keras.callbacks.EarlyStopping("value_loss")\n',
        'class Add(keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n        logs["f1"] = 1\n'
        + MODEL
        + 'stop = keras.callbacks.EarlyStopping("f1")\n',
        MODEL + 'every = keras.callbacks.ModelCheckpoint("b.keras", monitor="val_mae")\n',
    ),
    "monitor_without_validation": (
        MODEL + "stop = keras.callbacks.EarlyStopping()\nmodel.fit(x, y, callbacks=[stop], **options)\n",
        MODEL + 'model.fit(x, y, callbacks=[keras.callbacks.EarlyStopping("loss")])\n',
    ),
    "random_number_while_traced": (
        "data = tf.data.Dataset.range(9).map(lambda x: x + tf.random.uniform((), 0, 5, tf.int64))\n",
        "def noise(x):\n    return x + np.random.rand()\n"
        "data = tf.data.Dataset.range(9).map(lambda x: tf.numpy_function(noise, [x], tf.float64))\n",
        "def noise(x):\n    return x + np.random.rand()\nprint(noise(1))\ndata = tf.data.Dataset.range(9)\n",
    ),
    "side_effect_while_traced": (
        "calls = 0\ndef step(x):\n    global calls\n    calls += 1\n    return x\nstep(tf.ones(3))\n",
        "@tf.function\ndef step(x):\n    total = 0\n    total += 1\n    return x + total\nstep(tf.ones(3))\n",
    ),
    "dataset_result_unused": (
        "data = tf.data.Dataset.range(9)\ndata = data.batch(3)\n",
        "rows = [1, 2]\nlist(map(str, rows))\nqueue.batch(3)\n",
    ),
    "labels_in_another_order": (
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(8)\n"
        + MODEL
        + "labels, found = [], []\nfor x, y in data:\n    labels.extend(y)\n    found.extend(model.predict_on_batch(x))\nmodel.predict(data)\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100, reshuffle_each_iteration=again()).batch(8)\n"
        + MODEL
        + "p = model.predict(data)\ny = np.concatenate([y for x, y in data])\n",
        "from keras.preprocessing.image import ImageDataGenerator\nreader = ImageDataGenerator()\ntrain = reader.flow_from_directory('train')\n"
        "test = reader.flow_from_directory('test', shuffle=False)\n"
        + MODEL
        + "print(len(train.classes))\np = model.predict(test)\nright = p.argmax(-1) == test.classes\n",
        "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)\n"
        + MODEL
        + "model.fit(data.shuffle(10))\np = model.predict(data)\ny = np.concatenate([y for x, y in data])\n",
    ),
    "inputs_scaled_twice": (
        "(x, y), _ = keras.datasets.cifar10.load_data()\nbase = keras.applications.VGG16(include_top=False)\n"
        "model = keras.Sequential([base, keras.layers.Dense(10)])\nmodel.compile('adam', 'mse')\nmodel.fit(x / 255.0, y)\n",
        "base = keras.applications.MobileNetV3Small(include_top=False, include_preprocessing=False)\n"
        "model = keras.Sequential([keras.layers.Rescaling(1 / 255), base])\n",
        "base = keras.applications.EfficientNetB0(include_top=False, weights=None)\n"
        "model = keras.Sequential([keras.layers.Rescaling(1 / 255), base])\n",
    ),
    "inputs_scaled_differently": (
        "images = np.random.default_rng(0).integers(0, 256, size=(9, 4))\nbase = keras.applications.EfficientNetB0(include_top=False)\n"
        + MODEL
        + "features = base.predict(images)\nmodel.fit(images / 255.0, y)\n",
    ),
    "numpy_input_without_cast": (
        "w = tf.Variable(np.random.randn(4, 1))\ny = tf.matmul(np.random.randn(3, 4), w)\n",
        "w = tf.Variable(0.5, dtype=tf.float64)\ny = np.random.randn(3) * w\n",
        "w = tf.Variable(0.0)\nx = np.random.rand(9)\ny = w * x + 1\n",
    ),
    "optimizer_lr_attribute": ("opt = keras.optimizers.Adam(settings.optimizer.lr)\n",),
    "keras2_names": (
        "from sklearn.ensemble import RandomForestClassifier\nforest_model = RandomForestClassifier().fit(x, y)\n"
        + MODEL
        + "print(forest_model.predict_proba(x)[:, 1])\n",
    ),
    "load_outside_scope": (
        "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope():\n    "
        + MODEL.replace("\nmodel", "\n    model")
        + "model.fit(data)\nmodel.save('m.keras')\nagain = keras.models.load_model('m.keras')\nagain.compile('adam', 'mse')\nagain.evaluate(data)\n",
    ),
    "model_outside_scope": (
        (
            "def build():\n    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n"
            "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope():\n    model = build()\n    model.compile('adam', 'mse')\n"
            "model.fit(data)\nplain = build()\nplain.compile('adam', 'mse')\nplain.evaluate(x, y)\n"
        ),
    ),
    "binary_loss_for_several_classes": (
        (
            "(x, y), _ = keras.datasets.mnist.load_data()\nkeep = y < 2\nx, y = x[keep] / 255.0, y[keep]\n"
            "model = keras.Sequential([keras.Input((28, 28)), keras.layers.Flatten(), keras.layers.Dense(1, activation='sigmoid')])\n"
            "model.compile('adam', 'binary_crossentropy')\nmodel.fit(x, y)\n"
        ),
    ),
    "labels_beyond_last_layer": (
        (
            "(x, y), _ = keras.datasets.cifar100.load_data(label_mode='coarse')\nx = x / 255.0\n"
            "model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Flatten(), keras.layers.Dense(20, activation='softmax')])\n"
            "model.compile('adam', 'sparse_categorical_crossentropy')\nmodel.fit(x, y)\n"
        ),
    ),
    "variables_in_function": (
        (
            "class Block(keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.inner = keras.layers.Dense(4)\n"
            "    def call(self, inputs):\n        x = keras.layers.Add()([self.inner(inputs), inputs])\n"
            "        return keras.layers.Activation('relu')(x)\n"
        ),
    ),
    "tensors_appended": (
        (
            "def encoder(x):\n    skips = []\n    for level in range(3):\n        x = keras.layers.Conv2D(8, 3, padding='same')(x)\n"
            "        skips.append(x)\n    return x, skips\n"
        ),
    ),
}
