"""Facts from experiments (``tried.*``): what a training run did when one thing was changed.

``kb/experiments.yaml`` describes what each experiment changes; each fact here belongs to the experiment of the same name.
"""

import typing

from pydantic import BaseModel, ConfigDict, Field

Outcome = typing.Literal["passes", "same", "other"]
"""It passed the point where it had failed; it failed in the same way; it failed differently."""


class Tried(BaseModel):
    """The results of ``tfhelp try``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    cpu_only: Outcome | None = Field(None, description="outcome with every GPU hidden")
    one_device: Outcome | None = Field(None, description="outcome with one GPU and without TF_CONFIG")
    eager: Outcome | None = Field(None, description="outcome with tf.function run eagerly")
    without_xla: Outcome | None = Field(None, description="outcome with XLA off")
    without_onednn: Outcome | None = Field(None, description="outcome with the oneDNN kernels off")
    float32: Outcome | None = Field(None, description="outcome with mixed precision off")
    low_learning_rate: Outcome | None = Field(None, description="outcome with a hundredth of the learning rate")
    half_batch: Outcome | None = Field(None, description="outcome with half the batch size")
    made_up_data: Outcome | None = Field(None, description="outcome with random numbers in place of the inputs")
    one_process: Outcome | None = Field(None, description="outcome with the data read in the training process itself")
    numerics_checked: typing.Literal["found", "nothing"] | None = Field(
        None, description="whether an op was found that produces the first NaN or Inf"
    )
    bad_op: str | None = Field(None, description="type of the op that produced the first NaN or Inf, for example 'Log'")
    data_alone: typing.Literal["finite", "not-finite", "stops", "fails"] | None = Field(
        None, description="what the training data do when nothing is trained: deliver, deliver NaN or Inf, stop or fail"
    )
    one_batch: typing.Literal["learned", "not-learned"] | None = Field(None, description="whether the model memorizes one batch")
