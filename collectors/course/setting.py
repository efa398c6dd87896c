"""What kind of output a text is, what started first, and on which devices."""

from tfhelp.collectors.course.events import PROGRESS
from tfhelp.collectors.course.scan import Stories
from tfhelp.kb.text import Record, Text

_MOST_RECORDS = 400
_TOOLS = {"pip": "pip", "pip3": "pip", "conda": "conda", "mamba": "conda", "pytest": "pytest", "make": "make", "git": "git"}
_TOOLS |= {"nvidia-smi": "nvidia-smi", "sacct": "slurm", "squeue": "slurm", "srun": "slurm", "sbatch": "slurm"}
_NOTEBOOK = ("In [", "Out[", "Cell In[", "Input In [", "Cell In [", "<ipython-input", "!pip")
_KINDS = {"pip": "installer", "conda": "installer", "pytest": "tests", "unittest": "tests", "nvidia-smi": "tool-table"}
_KINDS |= {"slurm": "scheduler", "make": "build", "git": "build", "notebook": "notebook"}
_RESULTS = {"installed": "installer", "satisfied": "installer", "passed": "tests", "job completed": "scheduler"}
_FAILURES = {"installer": "installer", "tests": "tests", "scheduler": "scheduler", "nvidia-smi": "tool-table"}


def kind(text: Text, stories: Stories) -> str:
    """The kind, as one of the values of ``course.kind``."""
    events = [event for story in stories.values() for event in story]
    for names, what in ((_RESULTS, "result"), (_FAILURES, "failure")):
        for event in events:
            if event.kind == what and event.name in names:
                return names[event.name]
    if any(event.kind in PROGRESS for event in events):
        return "training"
    began = started(text, stories)
    if began and began[0] in _KINDS:
        return _KINDS[began[0]]
    only_words = all(record.kind in ("prose", "output") for record in text.records)
    spoken = any(record.kind == "prose" or record.origin == "person" for record in text.records)
    told = any(event.kind not in ("metric", "wait") for event in events)
    return "prose" if only_words and spoken and not told else "program"


def started(text: Text, stories: Stories) -> tuple[str, int] | None:
    """What started first, and the line that shows it."""
    found = [(event.line, event.name) for story in stories.values() for event in story if event.kind == "start"]
    for record in text.records[:_MOST_RECORDS]:
        if what := _by_record(record):
            found.append((record.first_line, what))
            break
    if not found:
        return None
    line, what = min(found)
    return what, line


def _by_record(record: Record) -> str | None:
    if record.kind == "command":
        return _by_command(record.text)
    if record.kind in ("output", "traceback") and record.text.startswith(_NOTEBOOK):
        return "notebook"
    return "make" if record.text.startswith(("make: ", "make[")) else None


def _by_command(command: str) -> str | None:
    if command.startswith("In ["):
        return "notebook"
    words = [word.rpartition("/")[2] for word in command.lstrip("$>!%. ").split()]
    for word in words[:6]:
        if word in _TOOLS:
            return _TOOLS[word]
    return "program" if any(word.startswith("python") or word.endswith(".py") for word in words) else None


def devices(text: Text) -> tuple[list[str], int] | None:
    """The devices that TensorFlow reports using, and the first line that names one."""
    named: dict[str, int] = {}
    for record in text.records:
        if "device:" in record.text and ("Created " in record.text or "Strategy with devices" in record.text):
            for part in record.text.split("device:")[1:]:
                name, _, rest = part.partition(":")
                number = rest[: len(rest) - len(rest.lstrip("0123456789"))]
                if name in ("GPU", "CPU", "TPU") and number:
                    named.setdefault(f"{name}:{number}", record.first_line)
    return (sorted(named), min(named.values())) if named else None
