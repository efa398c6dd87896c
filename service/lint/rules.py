"""The rules of ``tfhelp lint``: one line gives a fact of ``tfhelp.collectors.code`` a code, a title and an automatic fix.

A code never changes its meaning. A removed rule moves to ``RETIRED``, and its code is not used again. The knowledge base defines
the entry of a rule (``entries_by_fact``); its page is in ``tfhelp.service.lint.pages``.
"""

import typing

from tfhelp.service.errors import InputError

PREFIX = "TFH"
FAMILIES = {
    "1": "several devices or machines",
    "2": "models, how they are built and saved",
    "3": "loops and memory",
    "4": "functions that TensorFlow traces",
    "5": "gradients and optimizers",
    "6": "last layers, losses and labels",
    "7": "data sets and inputs",
    "8": "processes, callbacks, and how training ends",
    "9": "names from old releases, and settings for the whole program",
}
SAFE_FIXES = frozenset(("learning-rate-argument", "learning-rate-attribute", "generator-method"))
"""Fixes that keep what the program computes; all others change it."""


class Rule(typing.NamedTuple):
    """One rule.

    Attributes:
        code: for example ``TFH101``; the first digit is the family's.
        fact: the fact without the prefix ``code.``.
        title: what the program does, in words.
        fix: name of the automatic fix (``tfhelp.service.lint.edits``), or empty.
        only_note: it is not a complaint, so it is only shown with ``--notes``.
        entry: the entry to read if no entry of the knowledge base names the fact.
    """

    code: str
    fact: str
    title: str
    fix: str = ""
    only_note: bool = False
    entry: str = ""

    @property
    def safety(self) -> str:
        """The safety of the fix: ``safe``, ``unsafe``, or empty if there is none."""
        return safety(self.fix)


RULES = (
    Rule("TFH101", "model_outside_scope", "a model, optimizer or metric is created outside strategy.scope()"),
    Rule("TFH102", "load_outside_scope", "a model is loaded outside strategy.scope()"),
    Rule("TFH103", "step_not_run_by_strategy", "strategy.run does not run the step that gets distributed batches"),
    Rule("TFH104", "assign_in_replica_context", "a variable without aggregation is assigned to in a replica"),
    Rule("TFH105", "drop_remainder_missing", "the last batch may be uneven among the replicas", "drop-remainder"),
    Rule("TFH106", "batch_below_replicas", "the global batch is smaller than the number of replicas"),
    Rule("TFH107", "collective_call_on_one_worker", "only one of several workers calls fit, evaluate or predict"),
    Rule("TFH201", "compile_missing", "a model is trained or evaluated but never compiled"),
    Rule("TFH202", "model_without_input_shape", "a model without an input shape is used before its first batch"),
    Rule("TFH203", "tf_op_on_keras_input", "a tf.* function gets the output of keras.Input or of a layer called on it"),
    Rule("TFH204", "save_without_extension", "the path of a saved model ends in neither .keras nor .h5", only_note=True),
    Rule("TFH205", "hidden_layers_linear", "no hidden Dense layer has an activation", entry="model-does-not-learn"),
    Rule("TFH206", "flatten_missing", "feature maps go into Dense without Flatten or pooling"),
    Rule("TFH207", "model_frozen", "all weights of the model that fit trains are frozen"),
    Rule("TFH208", "trainable_set_after_compile", "trainable is changed after compile and before fit"),
    Rule("TFH301", "model_built_in_loop", "a model is built, loaded or compiled in a loop"),
    Rule("TFH302", "tensors_appended", "a loop keeps tensors in a list", "append-number"),
    Rule("TFH303", "predict_in_loop", "predict, evaluate or a *_on_batch method is called in a loop"),
    Rule("TFH304", "clear_session_in_loop", "clear_session is called between the batches of a training run"),
    Rule("TFH305", "dataset_built_in_loop", "a data set is created in a loop"),
    Rule("TFH306", "memory_growth_too_late", "set_memory_growth is called after TensorFlow was used"),
    Rule("TFH307", "memory_growth_for_some_gpus", "set_memory_growth is called for only one of several GPUs"),
    Rule("TFH401", "function_in_loop", "tf.function is applied repeatedly"),
    Rule("TFH402", "python_arguments_to_function", "a tf.function gets Python values that change", "constant-argument"),
    Rule("TFH403", "variables_in_function", "an optimizer, layer, metric or variable is created in a traced function"),
    Rule("TFH404", "function_shared_by_models", "one tf.function is called with more than one model or optimizer"),
    Rule("TFH405", "python_value_of_tensor", "a tensor is used as a Python value in traced code"),
    Rule("TFH406", "tensor_kept_by_function", "a traced function keeps a tensor in an attribute"),
    Rule("TFH407", "condition_without_autograph", "a Python if or while tests a tensor where Keras 3 does not use AutoGraph"),
    Rule("TFH408", "random_number_while_traced", "a random number is drawn only while the function is traced"),
    Rule("TFH409", "side_effect_while_traced", "Python code changes a variable only while the function is traced"),
    Rule("TFH410", "step_not_traced", "a training step in a loop is not a tf.function", only_note=True),
    Rule("TFH411", "function_returns_nothing", "a metric, layer or function for map returns nothing"),
    Rule("TFH412", "loss_returns_nothing", "the loss returns nothing"),
    Rule("TFH501", "loss_outside_tape", "the loss is computed or changed outside the tape"),
    Rule("TFH502", "non_differentiable_loss", "the loss has no useful derivative"),
    Rule("TFH503", "numpy_in_tape", ".numpy() is called on a part of the loss"),
    Rule("TFH504", "optimizer_reused", "one optimizer serves more than one model or list of variables"),
    Rule("TFH505", "lr_argument", "an optimizer is given lr= instead of learning_rate=", "learning-rate-argument"),
    Rule("TFH506", "decay_argument", "an optimizer is given decay="),
    Rule("TFH507", "optimizer_lr_attribute", "the attribute lr of an optimizer is used", "learning-rate-attribute"),
    Rule("TFH508", "learning_rate_high", "the learning rate is very high"),
    Rule("TFH509", "learning_rate_low", "the learning rate is very low"),
    Rule("TFH510", "gradients_not_zipped", "apply_gradients gets gradients without their variables"),
    Rule("TFH601", "integer_labels_with_categorical_loss", "integer labels with categorical_crossentropy", "sparse-loss"),
    Rule("TFH602", "one_hot_labels_with_sparse_loss", "one-hot labels with sparse_categorical_crossentropy", "one-hot-loss"),
    Rule("TFH603", "single_unit_with_categorical_loss", "a last layer with one unit has softmax or a categorical loss"),
    Rule("TFH604", "activation_with_from_logits", "softmax or sigmoid together with from_logits=True", "drop-from-logits"),
    Rule("TFH605", "logits_without_from_logits", "a cross-entropy gets logits without from_logits=True", "from-logits"),
    Rule("TFH606", "last_layer_smaller_than_labels", "the last layer has fewer units than there are classes"),
    Rule("TFH607", "labels_beyond_last_layer", "labels are larger than the number of units in the last layer"),
    Rule(
        "TFH608",
        "activation_before_logits_loss",
        "a loss that expects logits gets the output of softmax or sigmoid",
        entry="model-does-not-learn",
    ),
    Rule("TFH609", "softmax_then_log", "the logarithm of softmax or sigmoid is computed"),
    Rule("TFH610", "unguarded_log", "a logarithm or square root in a loss has no guard against zero"),
    Rule("TFH611", "unguarded_division", "a division by a standard deviation or sum has no guard against zero", only_note=True),
    Rule("TFH612", "activation_not_of_loss", "the last activation does not match the loss"),
    Rule("TFH613", "binary_loss_for_several_classes", "labels of three or more classes with binary_crossentropy"),
    Rule("TFH614", "axis_over_samples", "softmax or argmax is taken over the samples of a batch"),
    Rule("TFH701", "numpy_input_without_cast", "float64 or integer NumPy data reach TensorFlow without a cast"),
    Rule("TFH702", "generator_without_signature", "Dataset.from_generator is called without output_signature"),
    Rule("TFH703", "dataset_not_batched", "a data set that is not batched is given to fit, evaluate or predict"),
    Rule("TFH704", "repeat_missing", "the data end before the epochs do"),
    Rule("TFH705", "generator_ends", "a generator that ends is given to fit for several epochs", only_note=True),
    Rule("TFH706", "steps_exceed_data", "steps_per_epoch is larger than the number of batches"),
    Rule("TFH707", "large_shuffle_buffer", "shuffle keeps many decoded elements in memory"),
    Rule("TFH708", "decoded_data_cached", "cache() keeps decoded data in memory", only_note=True),
    Rule("TFH709", "converted_copy_of_array", "a whole array is converted to a wider type in memory", only_note=True),
    Rule("TFH710", "inputs_scaled_differently", "inputs are scaled for training but not for prediction, or vice versa"),
    Rule("TFH711", "shuffled_apart", "inputs and labels are shuffled separately"),
    Rule("TFH712", "sorted_not_shuffled", "samples that are sorted by class are not shuffled"),
    Rule("TFH713", "validation_is_training", "the validation data are the training data", entry="validation-worse-than-training"),
    Rule("TFH714", "inputs_not_scaled", "images with values from 0 to 255 go into a model that does not scale them"),
    Rule("TFH715", "labels_in_another_order", "predictions and labels are read in separate passes over reshuffled data"),
    Rule("TFH716", "dataset_result_unused", "the data set that a method returns is not used"),
    Rule("TFH717", "inputs_scaled_twice", "pixels are scaled before a network that scales them itself"),
    Rule("TFH801", "multiprocessing_workers", "worker processes are started in a program that uses TensorFlow"),
    Rule("TFH802", "main_guard_missing", 'worker processes are started without if __name__ == "__main__"'),
    Rule("TFH803", "exit_in_callback", "a callback ends the process with exit()"),
    Rule("TFH804", "early_stopping", "the program uses EarlyStopping", only_note=True),
    Rule("TFH805", "terminate_on_nan", "the program uses TerminateOnNaN", only_note=True),
    Rule("TFH806", "monitor_not_reported", "a callback monitors a name that fit does not report"),
    Rule("TFH807", "monitor_without_validation", "a callback monitors a validation metric, and fit gets no validation data"),
    Rule("TFH901", "tf1_names", "names from TensorFlow 1 that TensorFlow 2 does not have"),
    Rule("TFH902", "compat_v1", "the program uses tf.compat.v1", only_note=True),
    Rule("TFH903", "keras2_names", "names from Keras 2 that Keras 3 does not have", "generator-method"),
    Rule("TFH904", "mixed_precision", "a mixed-precision policy is set", only_note=True),
    Rule("TFH905", "set_floatx", "the dtype of all weights is set", only_note=True),
)
RETIRED: frozenset[str] = frozenset()
"""Codes of removed rules."""
UNNAMED = "TFH000"
"""The code of a finding whose fact has no code."""

_BY_FACT = {f"code.{rule.fact}": rule for rule in RULES}
_BY_CODE = {rule.code: rule for rule in RULES}


def safety(fix: str) -> str:
    """The safety of a fix: ``safe``, ``unsafe``, or empty if there is none."""
    return "" if not fix else "safe" if fix in SAFE_FIXES else "unsafe"


def rule_of(fact: str) -> Rule:
    """The rule of a fact such as ``code.model_outside_scope``."""
    return _BY_FACT.get(fact) or Rule(UNNAMED, fact.removeprefix("code."), fact.removeprefix("code.").replace("_", " "))


def named(word: str) -> Rule:
    """The rule with a code or a fact, ignoring case.

    Raises:
        InputError: there is none; the message names similar ones.
    """
    rule = _BY_CODE.get(word.upper()) or _BY_FACT.get("code." + word.lower().removeprefix("code.").replace("-", "_"))
    if rule is None:
        raise InputError(f"there is no rule {word!r}{_near(word)}; 'tfhelp lint --rules' lists them")
    return rule


def _near(word: str) -> str:
    import difflib

    near = difflib.get_close_matches(word.upper(), _BY_CODE, 2, 0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class Selection:
    """The selected rules."""

    __slots__ = ("_ignored", "_selected")

    def __init__(self, select: typing.Sequence[str] = (), ignore: typing.Sequence[str] = ()) -> None:
        """Args: select, ignore: codes, or beginnings of codes; ``ALL`` is every rule. If nothing is selected, every rule is.

        Raises:
            InputError: no rule's code begins with one of them.
        """
        self._selected = _prefixes(select, "select")
        self._ignored = _prefixes(ignore, "ignore")

    def takes(self, code: str) -> bool:
        """Return whether a rule is selected. If two prefixes match its code, the longer one wins; of equal ones, ``select``
        wins.
        """
        chosen = max((len(prefix) for prefix in self._selected if code.startswith(prefix)), default=-1)
        left_out = max((len(prefix) for prefix in self._ignored if code.startswith(prefix)), default=-1)
        return chosen >= 0 and chosen >= left_out if self._selected else left_out < 0


def _prefixes(words: typing.Sequence[str], where: str) -> list[str]:
    prefixes = []
    for word in words:
        prefix = "" if word.upper() == "ALL" else word.strip().upper()
        if word.strip() == "" or not any(code.startswith(prefix) for code in (*_BY_CODE, *RETIRED)):
            raise InputError(f"{where}: no rule's code begins with {word!r}; 'tfhelp lint --rules' lists them")
        prefixes.append(prefix)
    return prefixes
