"""Tables that the text readers already understand, so they are only named here: nvidia-smi, pip, conda."""

from tfhelp.collectors.intake import Intake
from tfhelp.collectors.lazy_pattern import Pattern

_MULTILINE = 1 << 3  # re.MULTILINE
_SIGNS = (
    ("nvidia-smi", "an nvidia-smi table", Pattern(r"NVIDIA-SMI [0-9][0-9.]{1,20} {1,60}Driver Version:", _MULTILINE)),
    ("nvidia-smi -q", "the output of nvidia-smi -q", Pattern(r"^={4,40}NVSMI LOG={4,40}", _MULTILINE)),
    ("pip list", "a pip list", Pattern(r"^Package {1,80}Version.{0,60}\r?\n-{5,120} -{5,120}", _MULTILINE)),
    ("conda list", "a conda list", Pattern(r"^# packages in environment at", _MULTILINE)),
    (
        "pip freeze",
        "a pip freeze",
        Pattern(r"(?:^[A-Za-z0-9][A-Za-z0-9._-]{0,80}==[0-9][A-Za-z0-9.+!-]{0,40}\r?(?:\n|\Z)){3}", _MULTILINE),
    ),
)


def name_kinds(intake: Intake) -> None:
    """Add the kinds of tables in the text, each with a note that says where the table is."""
    for kind, what, sign in _SIGNS:
        found = sign.search(intake.text)
        if found:
            intake.kinds.append(kind)
            intake.notes.append(f"Read {what} at line {intake.text.count(chr(10), 0, found.start()) + 1}.")
