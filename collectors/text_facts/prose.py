"""Facts that a person states in a sentence: ``I use TF 2.10 on Windows 11 with an RTX 3060 and CUDA 11.2``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> facts = values_of(read, "I use TF 2.10 on Windows 11 with an RTX 3060 and CUDA 11.2, cuDNN 8.1 and Python 3.9")
>>> facts["packages.tensorflow"], facts["os.release"], facts["cuda.version"], facts["cudnn.version"], facts["python.version"]
('2.10', 'Windows 11', '11.2', '8.1', '3.9')
>>> facts["gpus"]
[{'name': 'RTX 3060'}]
>>> values_of(read, "It worked with TensorFlow 2.9 before I upgraded from Python 3.8.")
{}

>>> values_of(read, "I saved the model using Keras 2.15 and load it with Keras 3.0.4.")
{'packages.keras': '3.0.4'}

>>> values_of(read, "my tensorflow-gpu==1.13.1 with keras=2.2.4 stops"), values_of(read, "pip install tensorflow==1.15")
({'packages.tensorflow': '1.13.1', 'packages.keras': '2.2.4'}, {})

Only plain forms count. A version that the sentence marks as a different one (worked with, saved with, upgraded from, requires,
instead of) is left out, and so is another person's machine.
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.hardware_names import gpu_name, operating_system
from tfhelp.collectors.text_facts.reader import OF_A_MACHINE, Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import PROSE, Statements

_NUMBER = r"(?: version)?(?: is| was)?[ :=-]{0,3}(?:version |v)?([0-9]{1,3}(?:\.[0-9]{1,4}){0,3}(?:rc[0-9])?)(?![\w%]|-\w|\.[0-9]|[ -]?(?:GB|MB|x\b))(\s?(?:\+|or (?:later|newer|higher|above)|and (?:later|above)|onwards?|was the last))?"
_VERSIONS = (
    (
        "packages.tensorflow",
        Pattern(rf"\b(?:TF|tensorflow)(?:[ -]?gpu)?{_NUMBER}", re.ASCII | re.IGNORECASE, ("tf", "tensorflow")),
    ),
    ("packages.keras", Pattern(rf"\bkeras{_NUMBER}", re.ASCII | re.IGNORECASE, ("keras",))),
    ("packages.numpy", Pattern(rf"\bnumpy{_NUMBER}", re.ASCII | re.IGNORECASE, ("numpy",))),
    ("packages.protobuf", Pattern(rf"\bprotobuf{_NUMBER}", re.ASCII | re.IGNORECASE, ("protobuf",))),
    ("python.version", Pattern(rf"\bpython{_NUMBER}", re.ASCII | re.IGNORECASE, ("python",))),
    ("cuda.version", Pattern(rf"\bcuda(?: ?toolkit)?{_NUMBER}", re.ASCII | re.IGNORECASE, ("cuda",))),
    ("cudnn.version", Pattern(rf"\bcudnn{_NUMBER}", re.ASCII | re.IGNORECASE, ("cudnn",))),
    ("driver.version", Pattern(rf"\b(?:nvidia )?driver{_NUMBER}", re.ASCII | re.IGNORECASE, ("driver",))),
)
_PLAUSIBLE = {
    "packages.tensorflow": Pattern(r"[0-2]\.[0-9]{1,2}\b|2$"),
    "packages.keras": Pattern(r"[0-3]\.[0-9]{1,2}\b"),
    "packages.numpy": Pattern(r"[12]\.[0-9]{1,2}\b"),
    "packages.protobuf": Pattern(r"[3-9]\.[0-9]{1,2}\b"),
    "python.version": Pattern(r"2\.7|3\.[0-9]{1,2}\b"),
    "cuda.version": Pattern(r"(?:[7-9]|1[0-4])(?:\.[0-9]{1,2})?"),
    "cudnn.version": Pattern(r"[4-9](?:\.[0-9])?"),
    "driver.version": Pattern(r"[3-9][0-9]{2}(?:\.[0-9]{1,3})?"),
}
_ANOTHER = Pattern(
    r"\b(?:starting(?: with| from)?|work(?:s|ed|ing)?(?: \w+){0,2} (?:with|on|in|under|for)|(?:up|down)grad\w+(?: \w+){0,2}(?: from| to)?|from|before|until|since|requires?|needs?|"
    r"needed|supports?|supported|compiled (?:with|against|for)|built (?:with|for|against)|instead of|not|without|try|tried|trying|try(?:ing)? to install|"
    r"(?:sav|export|pickl|serializ|convert)ed(?: \w+){0,4} (?:with|using|in|on|under|by)|switch\w*(?: \w+){0,2} to|than|unlike|after|like|either|should(?: \w+){0,3}|recommend\w*|if|no|another|other|old|previous(?:ly)?|install(?:ing)?)"
    r"\s(?:\w+\s){0,1}$",
    re.ASCII | re.IGNORECASE,
)
# "tensorflow==1.15" next to these is what somebody asks pip for, not what is installed.
_ASKED = Pattern(
    r"\b(?:requirements?|requires?|no matching|find a version|install|collecting|download)\b",
    re.IGNORECASE,
    one_of=("require", "matching", "version", "install", "collecting", "download"),
)
_EXAMPLE = Pattern(r"\(e\.g\.[^)]{0,100}\)")
_THEIR_SYSTEM = Pattern(r"\b(?:on|using|under) (?:my )?(?:linux|windows|mac)", re.IGNORECASE, one_of=("linux", "windows", "mac"))
_WORKS_ON = Pattern(r"works? (?:fine )?(?:on|under|in) ", re.IGNORECASE)
_COLAB = Pattern(r"\b(?:on|in|using|use) (?:google )?colab\b", one_of=("colab",))
_KAGGLE = Pattern(r"\b(?:on|in|using) (?:a )?kaggle\b", one_of=("kaggle",))
_DOCKER = Pattern(r"\b(?:in|inside|using|with) (?:a |the |my )?docker(?: container| image)?\b", one_of=("docker",))
_HEAD_OF_NVIDIA_SMI = "Driver Version:"
_LOOK_BACK = 60
_RAM = Pattern(
    r"\b([0-9]{1,4}) ?(GB|GiB|G|TB)(?: of)?(?: system| DDR[345])? (?:RAM|memory)\b(?! (?:gpu|card|vram))",
    re.ASCII | re.IGNORECASE,
    one_of=("ram", "memory"),
)
_ON_GPU = Pattern(r"\s{0,2}(?:on|of|in|per) (?:the |my |each |a )?(?:gpu|card|graphics|video)", re.IGNORECASE)
_GPU_CONTEXT = Pattern(r"gpu|card|vram|rtx|gtx|tesla|quadro|nvidia|geforce|titan|[avhtp][0-9]{1,3}\b", re.IGNORECASE)


@reads(
    words="""a centos colab conda cu cuda cudnn debian docker driver fedora gb geforce gpu gpus gtx h k kaggle keras l
        linux m mac macos memory numpy nvidia p protobuf py python quadro ram rtx slurm t tensorflow tesla tf ti titan
        ubuntu v win windows wsl""",
    says=(*OF_A_MACHINE, "python.environment", "os.container", "log.hosted_notebook"),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what sentences clearly say, with the lowest rank."""
    for number in at:
        line = lines[number]
        if _HEAD_OF_NVIDIA_SMI in line:
            continue  # its CUDA Version is the newest that the driver supports, not an installed CUDA
        if "(e.g." in line:
            line = _EXAMPLE.sub(" ", line)
        for path, pattern in _VERSIONS:
            _version(path, pattern, line, number, said)
        _machine(line, number, said)


def _version(path: str, pattern: Pattern, line: str, number: int, said: Statements) -> None:
    for found in pattern.finditer(line):
        if found[2] or not _PLAUSIBLE[path].match(found[1]) or _is_another(line, found.start()):
            continue
        if "=" in found[0] and _ASKED.search(line):
            continue
        said.say(path, found[1], number, PROSE)
        return


def _is_another(line: str, start: int) -> bool:
    return bool(_ANOTHER.search(line[max(0, start - _LOOK_BACK) : start]))


def _machine(line: str, number: int, said: Statements) -> None:
    name = gpu_name(line)
    if name and not _is_another(line, max(line.lower().find(name[0].lower()), 0)):
        said.say("gpus", [{"name": name[0]} for _ in range(name[1])], number, PROSE)
    system = dict(operating_system(line))
    # "Linux" or "Windows" alone may refer to anything; with a release it is somebody's machine.
    if ("os.release" in system or "os.wsl" in system or _THEIR_SYSTEM.search(line)) and not _WORKS_ON.search(line):
        for path, value in system.items():
            said.say(path, value, number, PROSE)
    ram = _RAM.search(line)
    amount = mib(ram[1], ram[2]) if ram else None
    # "a Tesla K40c with 12GB of RAM" and "12 GB of memory on the card" are about the GPU.
    if (
        ram
        and amount
        and not _GPU_CONTEXT.search(line[max(0, ram.start() - 30) : ram.start()])
        and not _ON_GPU.match(line, ram.end())
    ):
        said.say("host.memory_total_mib", amount, number, PROSE)
    small = line.lower()
    if _COLAB.search(small):
        said.say("log.hosted_notebook", "colab", number, PROSE)
    elif _KAGGLE.search(small):
        said.say("log.hosted_notebook", "kaggle", number, PROSE)
    if _DOCKER.search(small) and "without" not in small and "outside" not in small:
        said.say("os.container", True, number, PROSE)
