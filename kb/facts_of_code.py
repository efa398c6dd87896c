"""Facts that are read from the training script (``code.*``). One field a finding; each is true, false or unknown."""

from pydantic import BaseModel, ConfigDict


class Code(BaseModel):
    """What the training script does, as far as its text shows."""

    model_config = ConfigDict(extra="forbid", strict=True)
