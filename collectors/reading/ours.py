"""Signs in a text's words that the text is about TensorFlow or Keras."""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.origin import of_file, of_package
from tfhelp.kb import origin_names
from tfhelp.kb.chosen_names import is_chosen
from tfhelp.kb.text import Record

# The ends of a text and the area around its failures show what it is about; a long log need not be read in full.
_EDGE = 100  # records
_BESIDE = 5  # records
_READ = 4_000  # characters of a record
_TRIED = 200  # places of a name

_NAMES = ("tensorflow", "keras")
_SHORT = Pattern(r"\btf(?:\.[a-z]|\b(?! ?lite\b))")
# What TensorFlow and Keras print and other programs do not, and their names that people write in questions, in lower case.
_FORMS = (
    "xla_gpu",
    "xla_cpu",
    "local_xla",
    "physical_device:",
    "/job:localhost",
    "/job:worker",
    "/job:chief",
    "/job:ps",
    "tfrecord",
    "savedmodel",
    "saved_model",
    "mirroredstrategy",
    "[[node",
    "[[{{node",
    "{{node",
    "[op:",
    "nodedef",
    "graphdef",
    "train_on_batch",
    "fit_generator",
    "evaluate_generator",
    "predict_generator",
    "model.evaluate",
    "errors_impl",
    "load_weights",
    "save_weights",
    "backupandrestore",
    "imagedatagenerator",
    "flow_from_directory",
    "image_dataset_from_directory",
    "steps_per_epoch",
    "validation_steps",
    "categorical_crossentropy",
    "binary_crossentropy",
    "model.compile",
    "tf_config",
    "gpu_0_bfc",
    "no opkernel",
)
# Another framework may have classes of these names, so they do not count below its frames.
_CLASSES = (
    "invalidargumenterror",
    "resourceexhaustederror",
    "failedpreconditionerror",
    "unimplementederror",
    "datalosserror",
    "outofrangeerror",
)
# Other libraries have this method too, so it does not count where one of them raised an error, or where code imports only them.
_SHARED_FORM = "model.fit"
# In a user's own words, lines of code are joined.
_IMPORT = Pattern(
    r"(?m)(?:^|[\s>])(?:import ([A-Za-z]\w{1,60}) as |from ([A-Za-z]\w{1,60})[.\w]{0,120} import )"
    r"|^(?:>>> )?import ([A-Za-z]\w{1,60})[ \t]{0,8}$"
)
# jaxlib is built from TensorFlow's repository, as its log lines and hints show; TensorFlow in a browser or on a phone is
# different software.
_NOT_OURS = Pattern(
    r"org_tensorflow/(?:tensorflow)?|\(set tf_cpp\w*|tensorflow ?[./_-]?(?:js|lite|serving)\b|tensorflow/(?:go|java|rust)\b|\btfjs\b|\btf[ -]?lite\b"
)


def signs_in(records: list[Record], known: typing.Container[int] = ()) -> int:
    """How many kinds of signs the words hold, 0 to 2: a name, and a form that only TensorFlow or Keras prints.

    A package that runs on nothing else also counts as a name.

    Args:
        records: of the text.
        known: ``id()`` of the records that a signature matches.
    """
    near = records if len(records) <= 2 * _EDGE else _records_to_search(records, known)
    small = "\n".join([record.text[:_READ] for record in near]).lower()
    if "t" in small:
        small = _NOT_OURS.sub(" ", small)
    named = any(_has(small, name) for name in _NAMES) or bool(_SHORT.search(small)) or any(map(_runs_on_ours, near))
    formed = any(form in small for form in _FORMS) or any(map(_is_bar_of_keras, near))
    if not formed and any(name in small for name in _CLASSES):
        formed = not _in_another_framework(near)
    if not formed and _SHARED_FORM in small:
        raised = any(record.exception and record.origin.startswith("library:") for record in near)
        formed = not raised and (named or not imports_others(near))
    return named + formed


def imports_others(records: list[Record]) -> bool:
    """Return whether code in a text imports another library than Python's and those that TensorFlow needs."""
    names = [found[1] or found[2] or found[3] for record in records[:_EDGE] for found in _IMPORT.finditer(record.text[:_READ])]
    return any(of_package(name).startswith("library:") for name in names)


def _in_another_framework(records: list[Record]) -> bool:
    """Return whether the calls of the text are in another library, and none is in TensorFlow, Keras or what runs on them."""
    origins = {of_file(frame.file) for record in records for frame in record.frames}
    libraries = {origin.partition(":")[2] for origin in origins if origin.startswith("library:")}
    return (
        bool(libraries - origin_names.DEPENDENTS)
        and not libraries & origin_names.DEPENDENTS
        and origins.isdisjoint(("tensorflow", "keras"))
    )


def _is_bar_of_keras(record: Record) -> bool:
    """Return whether a record is a progress bar that gives the time of a step, as only Keras' bars do."""
    return record.kind == "progress" and record.origin == "keras" and "s/step" in record.text


def _has(small: str, name: str) -> bool:
    """Return whether a name occurs, other than in a folder or file that the user named."""
    place = small.find(name)
    tried = 0
    while place >= 0 and tried < _TRIED and is_chosen(small, place):
        place = small.find(name, place + len(name))
        tried += 1
    return place >= 0 and tried < _TRIED


def _records_to_search(records: list[Record], known: typing.Container[int]) -> list[Record]:
    """The ends of a long text, and the surroundings of records that were raised or that a signature matches."""
    places = [place for place, record in enumerate(records) if record.exception or id(record) in known]
    around = {near for place in [*places[:_EDGE], *places[-_EDGE:]] for near in range(place - _BESIDE, place + _BESIDE + 1)}
    around.update(range(_EDGE), range(len(records) - _EDGE, len(records)))
    return [records[place] for place in sorted(around) if 0 <= place < len(records)]


def _runs_on_ours(record: Record) -> bool:
    return record.origin.startswith("library:") and record.origin.partition(":")[2] in origin_names.DEPENDENTS
