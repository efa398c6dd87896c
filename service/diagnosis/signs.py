"""Signs that a text is about TensorFlow or Keras at all."""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.index.signatures import Hit
from tfhelp.kb.fact_sheet import FactSheet
from tfhelp.kb.text import Record

# What a text is about is said at its ends and around its failures; a long log has more than need be read.
_EDGE = 100  # records
_BESIDE = 5  # records
_READ = 4_000  # characters of a record

_NAMES = ("tensorflow", "keras")
_SHORT = Pattern(r"\btf(?:\.[a-z]|\b(?! ?lite\b))")
# What they print and others do not, in small letters.
_FORMS = (
    *(
        "xla_gpu",
        "xla_cpu",
        "local_xla",
        "physical_device:",
        "/job:localhost",
        "/job:worker",
        "/job:chief",
        "/job:ps",
        "tfrecord",
    ),
    *("savedmodel", "saved_model", "mirroredstrategy", "[[node", "[[{{node", "{{node", "[op:", "nodedef", "graphdef"),
    *("train_on_batch", "fit_generator", "model.fit", "errors_impl", "invalidargumenterror", "resourceexhaustederror"),
    *("failedpreconditionerror", "unimplementederror", "datalosserror", "outofrangeerror", "no opkernel", "gpu_0_bfc"),
)
# jaxlib is built from TensorFlow's repository, and its log lines and hints say so; TensorFlow in a browser or on a phone is
# other software.
_NOT_OURS = Pattern(
    r"org_tensorflow/(?:tensorflow)?|\(set tf_cpp\w*|tensorflow ?[._-]?(?:js|lite|serving)\b|\btfjs\b|\btf[ -]?lite\b"
)


def of_ours(records: list[Record], hits: list[Hit], sheet: FactSheet) -> int:
    """How many kinds of signs there are, 0 to 3: a name, a form that only TensorFlow or Keras prints, a fact of its version.

    Without any text, nothing speaks of anything else: 1.
    """
    if not records:
        return 1
    near = records if len(records) <= 2 * _EDGE else _telling(records, hits)
    small = "\n".join([record.text[:_READ] for record in near]).lower()
    if "t" in small:
        small = _NOT_OURS.sub(" ", small)
    named = any(name in small for name in _NAMES) or bool(_SHORT.search(small))
    return named + any(form in small for form in _FORMS) + bool(sheet.known("derived.tensorflow_version"))


def _telling(records: list[Record], hits: list[Hit]) -> list[Record]:
    """Of a long text the ends, and what stands around the records that were raised or that a signature knows."""
    known = {id(hit.record) for hit in hits}
    places = [place for place, record in enumerate(records) if record.exception or id(record) in known]
    around = {near for place in [*places[:_EDGE], *places[-_EDGE:]] for near in range(place - _BESIDE, place + _BESIDE + 1)}
    around.update(range(_EDGE), range(len(records) - _EDGE, len(records)))
    return [records[place] for place in sorted(around) if 0 <= place < len(records)]
