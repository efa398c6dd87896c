"""Maps names as a program's imports spell them to the one dotted name that the checks know.

``tf.keras.layers.Dense``, ``keras.layers.Dense`` and ``Dense`` after ``from tensorflow.keras.layers import Dense`` are
all ``keras.layers.Dense``; the original is kept as well, for the checks of old names.
"""

import ast

_DEEPEST = 12  # attributes in a dotted name; a longer one is not a name that the checks know

# What people mean by a name that a pasted piece of code uses but does not import.
USUAL = {
    "tf": "tensorflow",
    "tensorflow": "tensorflow",
    "keras": "keras",
    "np": "numpy",
    "numpy": "numpy",
    "pd": "pandas",
    "layers": "keras.layers",
    "optimizers": "keras.optimizers",
    "multiprocessing": "multiprocessing",
    "os": "os",
    "sys": "sys",
    "Sequential": "keras.Sequential",
    "Model": "keras.Model",
    "Input": "keras.Input",
    "Dense": "keras.layers.Dense",
    "Conv2D": "keras.layers.Conv2D",
    "Flatten": "keras.layers.Flatten",
    "Dropout": "keras.layers.Dropout",
    "LSTM": "keras.layers.LSTM",
    "Adam": "keras.optimizers.Adam",
    "SGD": "keras.optimizers.SGD",
    "RMSprop": "keras.optimizers.RMSprop",
    "load_model": "keras.models.load_model",
    "to_categorical": "keras.utils.to_categorical",
    "EarlyStopping": "keras.callbacks.EarlyStopping",
    "ModelCheckpoint": "keras.callbacks.ModelCheckpoint",
    "ReduceLROnPlateau": "keras.callbacks.ReduceLROnPlateau",
}

_PREFIXES = (
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.keras.", "keras."),
    ("tensorflow.compat.v1.keras.", "keras."),
    ("tf_keras.", "keras."),
    ("keras.src.", "keras."),
    ("keras.api.", "keras."),
    ("tensorflow.math.", "tensorflow."),
    ("tensorflow.linalg.matmul", "tensorflow.matmul"),
    ("keras.models.Model", "keras.Model"),
    ("keras.engine.training.Model", "keras.Model"),
    ("keras.models.Sequential", "keras.Sequential"),
    ("keras.layers.Input", "keras.Input"),
    ("keras.optimizers.legacy.", "keras.optimizers."),
    ("keras.optimizers.experimental.", "keras.optimizers."),
    ("tensorflow.experimental.numpy.", "tnp."),
)
_WHOLE = {
    "tensorflow.keras": "keras",
    "tf_keras": "keras",
    "tensorflow.python.keras": "keras",
    "tensorflow.compat.v2": "tensorflow",
}


def canonical(name: str) -> str:
    """The one spelling of a dotted name."""
    if name in _WHOLE:
        return _WHOLE[name]
    for old, new in _PREFIXES:
        if name.startswith(old):
            name = new + name[len(old) :]
    return name


def imported(nodes: list[ast.AST]) -> tuple[dict[str, str], list[str], bool]:
    """What a program imports.

    Args:
        nodes: a module's Import and ImportFrom nodes.

    Returns:
        local name -> dotted name as written, modules imported with a star, whether a relative import is among them.
    """
    names: dict[str, str] = {}
    stars: list[str] = []
    relative = False
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = alias.name if alias.asname else alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            relative = relative or node.level > 0
            module = ("." * node.level) + (node.module or "")
            for alias in node.names:
                if alias.name == "*":
                    stars.append(module)
                else:
                    names[alias.asname or alias.name] = f"{module}.{alias.name}"
    return names, stars, relative


def parts(node: ast.AST) -> list[str]:
    """``a.b.c`` as its parts; empty for anything else, and for a name deeper than any known one."""
    found: list[str] = []
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Attribute):
            found.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            found.append(node.id)
            return found[::-1]
        else:
            return []
    return []
