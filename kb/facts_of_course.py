"""Facts of the course of the run (``course.*``): what started, how far it got and how it ended, as the text shows."""

import typing

from pydantic import BaseModel, ConfigDict, Field


class Course(BaseModel):
    """What the text as a whole shows about the run, without interpretation."""

    model_config = ConfigDict(extra="forbid", strict=True)

    kind: (
        typing.Literal["training", "installer", "tests", "notebook", "tool-table", "scheduler", "build", "program", "prose"]
        | None
    ) = Field(None, description="what kind of output the text is; prose if it is only a person's words")
    started: (
        typing.Literal[
            "import", "program", "pip", "conda", "pytest", "unittest", "notebook", "nvidia-smi", "slurm", "make", "git"
        ]
        | None
    ) = Field(None, description="what the text first shows to have begun")
    words: bool | None = Field(None, description="the user's own words are in the text: an account, a complaint, a question")
    devices: list[str] | None = Field(None, description="devices that TensorFlow says it uses, as 'GPU:0'")
    planned_epochs: int | None = Field(None, description="epochs that the training announces")
    done_epochs: int | None = Field(None, description="epochs that the text shows to be complete")
    planned_steps: int | None = Field(
        None, description="steps that a loop without epochs announces, such as 400 in 'step 80/400'"
    )
    done_steps: int | None = Field(None, description="last step of such a loop that the text shows")
    last: typing.Literal["import", "build", "first-step", "step", "validation", "save", "collective", "wait", "exit"] | None = (
        Field(None, description="what the run did last, or before its failure")
    )
    end: typing.Literal["completed", "exception", "signal", "aborted", "silent", "waiting", "interrupted", "unknown"] | None = (
        Field(
            None,
            description="how it ended; silent: the text breaks off before what was announced is done; exception: also any other "
            "error that a program reports as its end; for several workers, the end of the first that failed",
        )
    )
    failures: int | None = Field(None, description="failures by form that nothing after them shows to have been survived")
    failure_line: int | None = Field(None, description="line of the first of them, counted from 1")
    survived: int | None = Field(None, description="errors after which the same process went on with its work")
    workers_failed: list[str] | None = Field(None, description="processes that failed, if the text tells several apart")
    parent_exit: int | None = Field(None, description="exit code that the launcher, or the only process, ended with")
