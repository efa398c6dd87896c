"""Facts about learning (``learning.*``): the data of a watched training run, and how its loss, weights and layers developed.

``tfhelp run --watch-learning`` reads them inside the program. They describe one model: the one with a fault, else the one that
was trained longest. Numbers are finite; ``first_bad_step`` shows that a loss became infinite or NaN.
"""

import typing

from pydantic import BaseModel, ConfigDict, Field


class Learning(BaseModel):
    """How a model learned, as values and gradients show."""

    model_config = ConfigDict(extra="forbid", strict=True)

    steps: int | None = Field(None, description="training steps that were done")
    epochs: int | None = Field(None, description="epochs of fit that were done")
    own_loop: bool | None = Field(None, description="the program trains in a custom training loop instead of fit")
    loss: str | None = Field(None, description="name of the loss")
    own_loss: bool | None = Field(None, description="the loss is a function of the program")
    from_logits: bool | None = Field(None, description="the loss has from_logits=True")
    loss_first: float | None = Field(None, description="loss of the first step")
    loss_last: float | None = Field(None, description="loss of the last epoch, or of the last steps of a loop")
    loss_before_bad: float | None = Field(None, description="last finite loss before the first that was infinite or NaN")
    loss_of_constant: float | None = Field(
        None, description="loss of the best constant prediction for the targets, if it is a Keras loss"
    )
    accuracy: float | None = Field(None, description="accuracy of the last epoch")
    first_bad_step: int | None = Field(None, description="first step after which the loss or a weight was infinite or NaN")
    first_bad_epoch: int | None = Field(None, description="its epoch")
    first_bad: typing.Literal["inputs", "targets", "layer", "prediction", "loss", "gradient", "unknown"] | None = Field(
        None, description="what was infinite or NaN first, in the order of computation"
    )
    first_bad_layer: str | None = Field(
        None, description="first layer with an infinite or NaN output, or variable with such a gradient"
    )
    first_bad_dtype: str | None = Field(None, description="dtype that this layer computes in")
    weights_grew: float | None = Field(
        None, description="largest weight before the first bad step, as a multiple of that at the start"
    )
    activations_largest: float | None = Field(None, description="largest output of a layer at the first bad step")
    gradient_largest: float | None = Field(None, description="largest norm of a variable's gradient that was seen")
    gradients_missing: list[str] | None = Field(None, description="trainable variables that the loss does not depend on")
    gradient_zero_share: float | None = Field(None, description="share of the trainable variables whose gradient is zero")
    dead_share: float | None = Field(None, description="largest share of units of a ReLU layer that give 0 for every sample")
    dead_layer: str | None = Field(None, description="layer with the most such units")
    saturated_share: float | None = Field(None, description="largest share of outputs of a sigmoid or tanh layer at their ends")
    saturated_layer: str | None = Field(None, description="layer with the most such outputs, except the last layer")
    update_ratio: float | None = Field(None, description="largest change of a weight in a step, as a share of the largest weight")
    unchanged: list[str] | None = Field(None, description="trainable variables that still have their initial values")
    not_given: list[str] | None = Field(None, description="trainable variables that the loop passes to no optimizer")
    trainable_share: float | None = Field(None, description="share of the weights that are trainable and given to an optimizer")
    learning_rate: float | None = Field(None, description="learning rate that the optimizer had at the end")
    optimizer: str | None = Field(None, description="class of the optimizer")
    clips_gradients: bool | None = Field(None, description="the optimizer clips gradients")
    half_precision: bool | None = Field(None, description="a layer computes in float16")
    loss_scaling: bool | None = Field(None, description="the optimizer scales the loss for float16")
    last_activation: str | None = Field(None, description="activation of the last layer, 'linear' for none")
    hidden_layers_linear: bool | None = Field(
        None, description="there are hidden Dense layers, and nothing before the last layer has an activation"
    )
    last_layer: str | None = Field(None, description="class of the last layer")
    output_units: int | None = Field(None, description="size of the last axis of the predictions")
    predictions_minimum: float | None = None
    predictions_maximum: float | None = None
    predictions_same: bool | None = Field(None, description="the prediction is the same for all samples")
    predictions_are_shares: bool | None = Field(None, description="each prediction is not negative and sums to one over its axis")
    leading_class_share: float | None = Field(None, description="share of the samples that get the class that is predicted most")
    input_minimum: float | None = None
    input_maximum: float | None = None
    input_spread: float | None = Field(None, description="standard deviation of all input values")
    input_offset: float | None = Field(
        None, description="mean of a feature, as a multiple of its own deviation; median of the features"
    )
    input_dtype: str | None = None
    input_column_ratio: float | None = Field(
        None, description="largest value of the largest feature, as a multiple of the smallest feature's"
    )
    input_nonfinite: int | None = Field(None, description="batches with an infinite or NaN input")
    input_columns_bad: int | None = Field(None, description="features with an infinite or NaN value")
    inputs_same: bool | None = Field(None, description="all inputs are the same")
    target_form: typing.Literal["integer", "binary", "one-hot", "several", "real"] | None = Field(
        None, description="what the targets look like; several: zeros and ones in several columns"
    )
    target_classes: int | None = Field(None, description="different classes among the targets")
    target_minimum: float | None = None
    target_maximum: float | None = None
    target_spread: float | None = Field(None, description="standard deviation of the targets")
    target_nonfinite: int | None = Field(None, description="batches with an infinite or NaN target")
    target_largest_share: float | None = Field(None, description="share of the largest class among the targets")
    targets_beyond_units: bool | None = Field(None, description="an integer target is negative or not below the number of units")
    classes_weighted: bool | None = Field(None, description="fit has class_weight")
    labels_sorted: bool | None = Field(
        None, description="nearly every batch holds only one class, and the classes follow each other"
    )
    shuffled: bool | None = Field(None, description="fit shuffles arrays")
    loss_in_training: float | None = Field(None, description="loss of some training batches, computed as in training")
    loss_in_inference: float | None = Field(None, description="loss of the same batches, computed as in inference")
    validation_loss_best: float | None = None
    validation_loss_last: float | None = None
    validation_loss_first: float | None = None
    validation_overlap: float | None = Field(None, description="share of the validation rows that are also training rows")
    validation_classes_unseen: int | None = Field(
        None, description="classes among the validation targets that are absent from training"
    )
    validation_classes_differ: float | None = Field(
        None,
        description="share of the validation samples that would have to change class to match the class shares of training; 0 means identical",
    )
    validation_scale_ratio: float | None = Field(
        None, description="spread of validation inputs as a multiple of training's, or its inverse"
    )
    asked_scale_ratio: float | None = Field(
        None, description="size of the inputs of predict or evaluate as a multiple of training's, or its inverse"
    )
    replicas_made: int | None = Field(None, description="replicas of the largest strategy that the program created")
    replicas_used: int | None = Field(None, description="replicas of the strategy that the model was trained under")
    unrestored: list[str] | None = Field(
        None, description="variables of a model that a checkpoint should have restored but did not"
    )
    restored_from_nothing: bool | None = Field(None, description="a checkpoint was restored from no path at all")
