"""Names that TensorFlow 2 or Keras 3 no longer have, and file formats that Keras 3 no longer writes."""

import ast

from tfhelp.collectors.code.kinds import constant
from tfhelp.collectors.code.program import argument, method
from tfhelp.collectors.code.subject import Subject

FACTS = ("tf1_names", "compat_v1", "keras2_names", "save_without_extension")

# As of 2026-11-20: https://www.tensorflow.org/guide/migrate, and the modules of the releases themselves.
_TF1 = frozenset(
    (
        "Session",
        "InteractiveSession",
        "ConfigProto",
        "GPUOptions",
        "Print",
        "placeholder",
        "placeholder_with_default",
        "get_variable",
        "variable_scope",
        "global_variables_initializer",
        "local_variables_initializer",
        "initialize_all_variables",
        "trainable_variables",
        "global_variables",
        "reset_default_graph",
        "get_default_graph",
        "set_random_seed",
        "random_normal",
        "random_uniform",
        "truncated_normal",
        "to_float",
        "to_int32",
        "to_int64",
        "log",
        "ceil",
        "py_func",
        "assign",
        "assign_add",
        "enable_eager_execution",
        "disable_eager_execution",
        "sparse_placeholder",
        "matrix_inverse",
        "count_nonzero",
        "diag",
        "mod",
        "div",
        "read_file",
        "decode_raw",
        "parse_single_example",
        "parse_example",
        "FixedLenFeature",
        "VarLenFeature",
    )
)
_TF1_MODULES = ("contrib", "app", "flags", "logging", "layers", "gfile", "python_io")
_TF1_TRAIN = frozenset(
    (
        "AdamOptimizer",
        "GradientDescentOptimizer",
        "MomentumOptimizer",
        "AdagradOptimizer",
        "RMSPropOptimizer",
        "FtrlOptimizer",
        "Saver",
        "SessionRunHook",
        "MonitoredTrainingSession",
        "get_or_create_global_step",
        "string_input_producer",
        "start_queue_runners",
        "exponential_decay",
        "import_meta_graph",
    )
)
_TF1_SUMMARY = frozenset(("FileWriter", "merge_all", "merge"))
_KERAS2_MODULES = (
    "keras.layers.experimental",
    "keras.utils.np_utils",
    "keras.layers.advanced_activations",
    "keras.layers.core",
    "keras.layers.convolutional",
    "keras.layers.normalization",
    "keras.layers.merge",
    "keras.layers.recurrent",
    "keras.layers.pooling",
    "keras.layers.embeddings",
    "keras.layers.wrappers",
    "keras.layers.CuDNNLSTM",
    "keras.layers.CuDNNGRU",
    "keras.wrappers.scikit_learn",
    "keras.objectives",
    "keras.engine",
    "keras.backend.tensorflow_backend",
    "keras.utils.multi_gpu_model",
    "keras.utils.generic_utils",
    "keras.mixed_precision.experimental",
    "keras.experimental",
)
_KERAS2_METHODS = {
    "fit_generator": "fit",
    "evaluate_generator": "evaluate",
    "predict_generator": "predict",
    "predict_classes": "predict and argmax",
    "predict_proba": "predict",
}
_EXTENSIONS = (".keras", ".h5", ".hdf5", ".weights.h5")


def check(subject: Subject) -> None:
    """Check every imported name, dotted name and method."""
    for kind in (ast.Attribute, ast.Name):
        for node in subject.program.of(kind):
            if not isinstance(subject.program.parents.get(node), ast.Attribute):
                _check_name(subject, node)
    for imported in subject.program.of(ast.ImportFrom):
        _check_import(subject, imported)
    for call in subject.program.of(ast.Call):
        if method(call) in _KERAS2_METHODS and not subject.program.callee(call):
            _check_method(subject, call)
        elif method(call) == "save" or subject.kinds.loads(call):
            _check_path(subject, call)


def _check_name(subject: Subject, node: ast.AST) -> None:
    if isinstance(node, ast.Name) and node.id not in subject.program.imports:
        return
    written = subject.program.written_name(node)
    if written.startswith(("tensorflow.", "tf_keras.", "keras.")):
        _judge(subject, node, written)


def _check_import(subject: Subject, node: ast.ImportFrom) -> None:
    for alias in node.names:
        _judge(subject, node, f"{node.module or ''}.{alias.name}")


def _judge(subject: Subject, node: ast.AST, written: str) -> None:
    if written.startswith("tensorflow.compat.v1"):
        subject.report.found("compat_v1", node, "The program uses the TensorFlow 1 API through tf.compat.v1.", "note")
        return
    if _of_tensorflow_1(written):
        short = written.replace("tensorflow.", "tf.", 1)
        message = f"{short} exists in TensorFlow 1 but not in TensorFlow 2; tf.compat.v1 still has most of the old names."
        subject.report.found("tf1_names", node, message, "error" if not _tried(subject, node) else "note")
        return
    plain = written.replace("tensorflow.python.keras.", "keras.").replace("tensorflow.keras.", "keras.")
    for module in _KERAS2_MODULES:
        if plain == module or plain.startswith(module + "."):
            short = written.replace("tensorflow.", "tf.", 1)
            message = f"{short} exists in Keras 2 but not in Keras 3 (TensorFlow 2.16 and later)."
            subject.report.found("keras2_names", node, message, "warning" if not _tried(subject, node) else "note")
            return


def _of_tensorflow_1(written: str) -> bool:
    first, _, rest = written.partition(".")
    if first != "tensorflow":
        return False
    name, _, inner = rest.partition(".")
    if name in _TF1_MODULES:
        return True
    if name == "train":
        return inner.partition(".")[0] in _TF1_TRAIN
    if name == "summary":
        return inner in _TF1_SUMMARY
    return name in _TF1 and not inner


def _tried(subject: Subject, node: ast.AST) -> bool:
    """Return whether a name is in a ``try``: the program then expects that it may be missing."""
    parent = subject.program.parents.get(node)
    for _ in range(12):
        if parent is None:
            return False
        if isinstance(parent, ast.Try):
            return True
        parent = subject.program.parents.get(parent)
    return False


def _check_method(subject: Subject, call: ast.Call) -> None:
    receiver, name = getattr(call.func, "value", None), method(call)
    if any(name in klass.methods for klass in subject.program.classes.values()):
        return
    # predict_proba is also a method of scikit-learn's and XGBoost's models.
    named = name != "predict_proba" and isinstance(receiver, ast.Name) and "model" in receiver.id.lower()
    if subject.kinds.of(receiver) == "model" or named:
        message = f"{name} was removed in TensorFlow 2.6; use {_KERAS2_METHODS[name]}."
        subject.report.found("keras2_names", call, message, "error", "generator-method" if name.endswith("_generator") else "")


def _check_path(subject: Subject, call: ast.Call) -> None:
    """Keras 3 saves to and loads from ``.keras`` and ``.h5`` only; it refuses a folder (SavedModel)."""
    program = subject.program
    loaded = program.callee(call) in ("keras.models.load_model", "keras.saving.load_model")
    if not loaded and subject.kinds.of(getattr(call.func, "value", None)) != "model":
        return
    path = constant(program, argument(call, 0, "filepath"))
    if not isinstance(path, str) or argument(call, None, "save_format") is not None:
        return
    if path.endswith(_EXTENSIONS):
        subject.report.fine("save_without_extension", call)
    elif program.parents.get(call) is not None:
        message = f"{path!r} does not end in .keras or .h5: Keras 3 neither saves nor loads a folder; add .keras, or use export and tf.saved_model."
        subject.report.found("save_without_extension", call, message, "note")
