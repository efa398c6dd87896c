"""Whether TensorFlow gave up on the GPU, and whether the user wants one.

Every healthy run on a machine without a GPU reports that it found no CUDA driver; this matters only to a user who wants a
GPU. ``log.gpu_unused`` and ``log.gpu_wanted`` tell the two cases apart.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "I tensorflow/cudart_stub.cc:28] Could not find cuda drivers on your machine, GPU will not be used.")
{'log.gpu_unused': True}
>>> values_of(read, ">>> tf.config.list_physical_devices('GPU')")
{'log.gpu_wanted': True}
>>> values_of(read, "Why is my GPU not used?")
{'log.gpu_wanted': True}
>>> values_of(read, "My machine has no GPU, and I do not want to use CUDA.")
{}
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
# What a user writes. Log lines say "GPU will not be used", and give their source.
_ASKED = Pattern(
    r"(?i)\bgpus?\b(?: [\w']{1,20}){0,2} not (?:being |yet )?(?:us|detect|found|recogni[sz]|work|utili[sz]|seen|visible)"
    r"|\b(?:not|n.t|never|unable to|fail(?:s|ed)? to) (?:be able to )?(?:detect|find|recogni[sz]|see|pick)\w{0,5} (?:up )?(?:[\w']{1,20} ){0,3}gpus?\b"
    r"|\b(?:tensorflow|tf|keras|it) (?:\w{1,6} )?(?:not|\w{0,6}n.t|never|no longer) (?:us|get|find|access|utili[sz])\w{0,6} (?:[\w']{1,20} ){0,3}(?:gpus?|cuda)\b"
    r"|\b(?:i|we|have|already|just|after) (?:\w{1,20} ){0,2}install(?:ed|ing) (?:[\w.,-]{1,30} ){0,6}(?:cuda|cudnn|nvidia)"
    r"|\bdevice ?query\b|\bintel\W{0,3} ?arc\b|\barc\W{0,2} ?[ab]\d{3}m?\b|\bitex\b|intel\W{0,3} extension for tensorflow"
    r"|\bnvidia\W{0,3} (?:tesla )?[ahlptv]\d{1,3}s?\b"
)
_SOURCE = Pattern(r"\.(?:cc|py):\d")
_UNUSED_SIGNS = ("cuda drivers", "cuInit", "GPU")


@reads(
    words="""arc cuda cudnn cuinit device devices devicequery docker get_available_gpus gpu gpu_device_name gpus intel
        is_built_with_cuda is_gpu_available itex list_logical_devices list_physical_devices nvidia query
        set_visible_devices""",
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
        if not wanted and (_WANTED.search(line[:2_000]) or _asks(line[:2_000])):
            said.say("log.gpu_wanted", True, number)
            wanted = True
        if unused and wanted:
            return


def _asks(line: str) -> bool:
    return bool(_ASKED.search(line)) and not _SOURCE.search(line)
