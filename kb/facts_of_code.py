"""Facts that are read from the training script (``code.*``). One field per finding; each is true, false or unknown."""

from pydantic import BaseModel, ConfigDict, Field


class Code(BaseModel):
    """What the training script does, as far as its text shows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model_outside_scope: bool | None = Field(None, description="a model, optimizer or metric is created outside strategy.scope()")
    load_outside_scope: bool | None = Field(None, description="a model is loaded outside strategy.scope()")
    numpy_input_without_cast: bool | None = Field(
        None, description="float64 or integer NumPy data reach TensorFlow without a cast"
    )
    mixed_precision: bool | None = Field(None, description="a mixed-precision policy is set")
    set_floatx: bool | None = Field(None, description="keras.backend.set_floatx or keras.config.set_floatx is called")
    model_built_in_loop: bool | None = Field(None, description="a model is built, loaded or compiled inside a loop")
    tensors_appended: bool | None = Field(
        None, description="a loop appends tensors (losses, outputs) to a list without float() or numpy()"
    )
    predict_in_loop: bool | None = Field(None, description="predict, evaluate or a *_on_batch method is called inside a loop")
    function_in_loop: bool | None = Field(
        None, description="tf.function is applied inside a loop or in a function that is called again and again"
    )
    python_arguments_to_function: bool | None = Field(
        None, description="a tf.function is called with Python numbers or strings that change from call to call"
    )
    variables_in_function: bool | None = Field(
        None, description="an optimizer, layer, metric or tf.Variable is created inside a tf.function"
    )
    function_shared_by_models: bool | None = Field(
        None, description="one tf.function is called with more than one model or optimizer"
    )
    function_returns_nothing: bool | None = Field(
        None, description="a metric, a layer's call, train_step or a function for map has no return"
    )
    loss_returns_nothing: bool | None = Field(None, description="the loss that compile gets has no return")
    python_value_of_tensor: bool | None = Field(
        None, description="bool(), int(), float(), .numpy() or NumPy is applied to a tensor in code that is traced"
    )
    tf_op_on_keras_input: bool | None = Field(
        None, description="a tf.* function is applied to the output of keras.Input or of a layer called on it"
    )
    loss_outside_tape: bool | None = Field(
        None, description="the loss is computed or changed outside the with block of the GradientTape"
    )
    non_differentiable_loss: bool | None = Field(
        None, description="argmax, round, a comparison or a cast to integers is between the predictions and the loss"
    )
    optimizer_reused: bool | None = Field(
        None, description="one optimizer object serves more than one model or list of variables"
    )
    lr_argument: bool | None = Field(None, description="an optimizer is given lr= instead of learning_rate=")
    decay_argument: bool | None = Field(None, description="an optimizer is given decay=")
    optimizer_lr_attribute: bool | None = Field(None, description="the attribute lr of an optimizer is read or set")
    multiprocessing_workers: bool | None = Field(
        None,
        description="worker processes are requested (use_multiprocessing=True, a process pool) in a program that uses TensorFlow",
    )
    main_guard_missing: bool | None = Field(
        None, description='worker processes are started without an if __name__ == "__main__" guard'
    )
    compile_missing: bool | None = Field(
        None, description="fit, evaluate or train_on_batch is called on a model that is never compiled"
    )
    model_without_input_shape: bool | None = Field(
        None, description="a Sequential or subclassed model gets no input shape and is not called before it is used"
    )
    step_not_run_by_strategy: bool | None = Field(
        None, description="the batches of a distributed data set go to a training step that strategy.run does not run"
    )
    assign_in_replica_context: bool | None = Field(
        None, description="a variable without aggregation is assigned to in a function that strategy.run runs"
    )
    drop_remainder_missing: bool | None = Field(
        None, description="a data set is batched without drop_remainder for a strategy, and its batches may be uneven"
    )
    batch_below_replicas: bool | None = Field(None, description="the global batch is smaller than the number of replicas, or 1")
    collective_call_on_one_worker: bool | None = Field(
        None, description="only one of several workers calls fit, evaluate or predict"
    )
    clear_session_in_loop: bool | None = Field(None, description="clear_session is called between the batches of a training run")
    dataset_built_in_loop: bool | None = Field(None, description="a tf.data data set is created inside a loop")
    tensor_kept_by_function: bool | None = Field(None, description="a traced function keeps a tensor in an attribute")
    numpy_in_tape: bool | None = Field(
        None, description=".numpy() is called on a part of the loss inside a GradientTape's with block"
    )
    gradients_not_zipped: bool | None = Field(
        None, description="apply_gradients gets what tape.gradient returns, without the variables"
    )
    learning_rate_high: bool | None = Field(
        None, description="a learning rate above 0.1 (Adam, RMSprop) or of at least 0.5 (SGD)"
    )
    exit_in_callback: bool | None = Field(None, description="a callback ends the process with exit()")
    early_stopping: bool | None = Field(None, description="the program uses keras.callbacks.EarlyStopping")
    terminate_on_nan: bool | None = Field(None, description="the program uses keras.callbacks.TerminateOnNaN")
    monitor_not_reported: bool | None = Field(None, description="a callback monitors a name that fit does not report")
    monitor_without_validation: bool | None = Field(
        None, description="a callback monitors a name that begins with val_, and fit gets no validation data"
    )
    generator_without_signature: bool | None = Field(
        None, description="Dataset.from_generator is called without output_signature (or output_types)"
    )
    dataset_not_batched: bool | None = Field(
        None, description="a data set that is not batched is given to fit, evaluate or predict"
    )
    repeat_missing: bool | None = Field(
        None,
        description="fit has steps_per_epoch and several epochs, or a loop counts steps, and the data set or generator runs out",
    )
    generator_ends: bool | None = Field(
        None, description="a generator that ends after one pass is given to fit for several epochs"
    )
    inputs_scaled_differently: bool | None = Field(
        None, description="inputs are scaled for fit but not for predict or evaluate, or vice versa"
    )
    inputs_scaled_twice: bool | None = Field(
        None, description="the program scales pixels and gives them to a pretrained network that scales them, too"
    )
    steps_exceed_data: bool | None = Field(None, description="steps_per_epoch is larger than the number of batches in one pass")
    large_shuffle_buffer: bool | None = Field(None, description="shuffle keeps a large number of decoded elements in memory")
    converted_copy_of_array: bool | None = Field(
        None, description="a whole array is converted to a wider type in memory before a data set is created from it"
    )
    integer_labels_with_categorical_loss: bool | None = Field(
        None, description="integer labels are trained with categorical_crossentropy"
    )
    one_hot_labels_with_sparse_loss: bool | None = Field(
        None, description="one-hot labels are trained with sparse_categorical_crossentropy"
    )
    single_unit_with_categorical_loss: bool | None = Field(
        None, description="a last layer with one unit has softmax or a categorical loss"
    )
    activation_with_from_logits: bool | None = Field(
        None, description="the last layer has softmax or sigmoid and the loss has from_logits=True"
    )
    logits_without_from_logits: bool | None = Field(
        None, description="the last layer has no activation and a cross-entropy gets logits without from_logits=True"
    )
    last_layer_smaller_than_labels: bool | None = Field(None, description="the last layer has fewer units than there are classes")
    labels_beyond_last_layer: bool | None = Field(
        None, description="integer labels for a sparse loss have more classes than the last layer has units"
    )
    activation_before_logits_loss: bool | None = Field(
        None, description="a tf.nn loss that expects logits gets the output of softmax or sigmoid"
    )
    softmax_then_log: bool | None = Field(
        None, description="the logarithm of softmax or sigmoid is computed instead of log_softmax or a loss on logits"
    )
    unguarded_log: bool | None = Field(None, description="a logarithm or square root in a loss has no guard against zero")
    unguarded_division: bool | None = Field(
        None, description="a division by a standard deviation or sum that may be zero has no guard"
    )
    memory_growth_too_late: bool | None = Field(None, description="set_memory_growth is called after TensorFlow was used")
    memory_growth_for_some_gpus: bool | None = Field(None, description="set_memory_growth is called for only one of several GPUs")
    tf1_names: bool | None = Field(
        None, description="names from TensorFlow 1 that TensorFlow 2 does not have (tf.Session, tf.placeholder, tf.contrib)"
    )
    compat_v1: bool | None = Field(None, description="the program uses tf.compat.v1")
    keras2_names: bool | None = Field(
        None, description="names from Keras 2 and earlier that Keras 3 does not have (fit_generator, predict_classes, np_utils)"
    )
    save_without_extension: bool | None = Field(
        None, description="a model is saved to or loaded from a path without .keras or .h5"
    )
    decoded_data_cached: bool | None = Field(None, description="cache() without a file keeps decoded data in memory")
    condition_without_autograph: bool | None = Field(
        None,
        description="a Python if or while tests a tensor in a loss, metric or layer, which Keras 3 traces without AutoGraph",
    )
    written_for: str | None = Field(
        None, description="releases that have every name and argument that the program uses, for example 'tensorflow 2.4 to 2.10'"
    )
    activation_not_of_loss: bool | None = Field(
        None, description="the last activation gives no probabilities, and the cross-entropy expects them"
    )
    binary_loss_for_several_classes: bool | None = Field(
        None, description="labels of three or more classes are trained with binary_crossentropy"
    )
    hidden_layers_linear: bool | None = Field(None, description="no hidden Dense layer has an activation")
    flatten_missing: bool | None = Field(None, description="feature maps go into Dense without Flatten or pooling")
    axis_over_samples: bool | None = Field(None, description="softmax, or argmax of predictions, is taken over axis 0")
    model_frozen: bool | None = Field(None, description="the model that fit trains has trainable = False")
    trainable_set_after_compile: bool | None = Field(None, description="trainable is changed after compile and before fit")
    learning_rate_low: bool | None = Field(None, description="a learning rate at which weights hardly move")
    shuffled_apart: bool | None = Field(None, description="inputs and labels are shuffled separately")
    labels_in_another_order: bool | None = Field(
        None, description="predictions and labels are read in separate passes over a data set that is reshuffled in each pass"
    )
    random_number_while_traced: bool | None = Field(
        None, description="a function that TensorFlow traces draws a random number of Python or NumPy"
    )
    side_effect_while_traced: bool | None = Field(
        None, description="a function that TensorFlow traces changes a Python variable outside it"
    )
    dataset_result_unused: bool | None = Field(
        None, description="the data set that map, batch or another method returns is not used"
    )
    sorted_not_shuffled: bool | None = Field(
        None, description="samples that are sorted by class are trained with shuffle=False, or split before they are shuffled"
    )
    validation_is_training: bool | None = Field(None, description="the validation data are the training data")
    inputs_not_scaled: bool | None = Field(
        None, description="images with values from 0 to 255 go into a model that does not scale them"
    )
    step_not_traced: bool | None = Field(
        None, description="a loop applies gradients in a training step that is not a tf.function"
    )
    notes: list[str] | None = Field(
        None, description="paths of the facts above that are true in places that are neither right nor wrong in themselves"
    )
