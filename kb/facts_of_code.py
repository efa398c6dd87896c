"""Facts that are read from the training script (``code.*``). One field a finding; each is true, false or unknown."""

from pydantic import BaseModel, ConfigDict, Field


class Code(BaseModel):
    """What the training script does, as far as its text shows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model_outside_scope: bool | None = Field(None, description="a model, optimizer or metric is made outside strategy.scope()")
    load_outside_scope: bool | None = Field(None, description="a model is loaded outside strategy.scope()")
    numpy_input_without_cast: bool | None = Field(
        None, description="NumPy data that is float64 or integer enters TensorFlow uncast"
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
        None, description="a tf.function is called with Python numbers or texts that change from call to call"
    )
    variables_in_function: bool | None = Field(
        None, description="an optimizer, layer, metric or tf.Variable is created inside a tf.function"
    )
    function_shared_by_models: bool | None = Field(
        None, description="one tf.function is called with more than one model or optimizer"
    )
    python_value_of_tensor: bool | None = Field(
        None, description="a Python if, while, bool(), int(), float() or .numpy() is applied to a tensor in code that is traced"
    )
    tf_op_on_keras_input: bool | None = Field(
        None, description="a tf.* function is applied to the output of keras.Input or of a layer called on it"
    )
    loss_outside_tape: bool | None = Field(
        None, description="the loss is computed or changed outside the with block of the GradientTape"
    )
    non_differentiable_loss: bool | None = Field(
        None, description="argmax, round, a comparison or a cast to integers stands between the predictions and the loss"
    )
    optimizer_reused: bool | None = Field(
        None, description="one optimizer object serves more than one model or list of variables"
    )
    lr_argument: bool | None = Field(None, description="an optimizer is given lr= instead of learning_rate=")
    decay_argument: bool | None = Field(None, description="an optimizer is given decay=")
    optimizer_lr_attribute: bool | None = Field(None, description="the attribute lr of an optimizer is read or set")
    multiprocessing_workers: bool | None = Field(
        None, description="worker processes are asked for (use_multiprocessing=True, a process pool) beside TensorFlow"
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
