"""Whether TensorFlow gave up on the GPU, and whether the user wants one.

Every healthy run on a machine without a GPU reports that it found no CUDA driver; this matters only to a user who wants a
GPU. ``log.gpu_unused`` and ``log.gpu_wanted`` tell the two cases apart.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "I tensorflow/cudart_stub.cc:28] Could not find cuda drivers on your machine, GPU will not be used.")
{'log.gpu_unused': True}
>>> values_of(read, ">>> tf.config.list_physical_devices('GPU')")
{'log.gpu_wanted': True}
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_UNUSED = Pattern(
    r"Could not find cuda drivers|failed call to cuInit|Cannot dlopen some GPU libraries|Skipping registering GPU devices"
    r"|GPU will not be used|no NVIDIA GPU device is present"
)
_WANTED = Pattern(
    r"list_(?:physical|logical)_devices\W{1,3}(?:device_type ?= ?)?.?GPU|is_gpu_available|is_built_with_cuda|gpu_device_name"
    r"|set_visible_devices\(.{0,20}gpu|get_available_gpus|device\(.{0,3}/?(?:device:)?(?:GPU|gpu):\d|tensorflow\[and-cuda\]|tensorflow-gpu"
    r"|--gpus?[ =]|:latest-gpu|docker.{0,40}-gpu\b",
    one_of=(
        "_devices",
        "is_gpu_available",
        "is_built_with_cuda",
        "gpu_device_name",
        "get_available_gpus",
        "device(",
        "tensorflow",
    )
    + ("--gpu", ":latest-gpu", "docker"),
)
_UNUSED_SIGNS = ("cuda drivers", "cuInit", "GPU")


@reads(
    words="""cuda cuinit device devices docker get_available_gpus gpu gpu_device_name gpus is_built_with_cuda
        is_gpu_available list_logical_devices list_physical_devices set_visible_devices""",
    says=(
        "log.gpu_unused",
        "log.gpu_wanted",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State that TensorFlow gave up on the GPU, and that the user wants one, each from the first line that shows it."""
    unused = wanted = False
    for number in at:
        line = lines[number]
        if not unused and any(sign in line for sign in _UNUSED_SIGNS) and _UNUSED.search(line):
            said.say("log.gpu_unused", True, number)
            unused = True
        if not wanted and _WANTED.search(line[:2_000]):
            said.say("log.gpu_wanted", True, number)
            wanted = True
        if unused and wanted:
            return
