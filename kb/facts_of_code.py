"""Facts that are read from the training script (``code.*``). One field a finding; each is true, false or unknown."""

from pydantic import BaseModel, ConfigDict, Field


class Code(BaseModel):
    """What the training script does, as far as its text shows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model_outside_scope: bool | None = Field(None, description="a model, optimizer or metric is made outside strategy.scope()")
    load_outside_scope: bool | None = Field(None, description="a model is loaded outside strategy.scope()")
    numpy_input_without_cast: bool | None = Field(None, description="NumPy data that is float64 or integer enters TensorFlow uncast")
    mixed_precision: bool | None = Field(None, description="a mixed-precision policy is set")
    set_floatx: bool | None = Field(None, description="keras.backend.set_floatx or keras.config.set_floatx is called")
    model_built_in_loop: bool | None = Field(None, description="a model is built, loaded or compiled inside a loop")
    tensors_appended: bool | None = Field(None, description="a loop appends tensors (losses, outputs) to a list without float() or numpy()")
    predict_in_loop: bool | None = Field(None, description="predict, evaluate or a *_on_batch method is called inside a loop")
