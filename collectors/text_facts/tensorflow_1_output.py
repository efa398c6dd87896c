"""Whether the text shows that a session of TensorFlow 1 was made.

Such a text may contain names of TensorFlow 1 for a good reason: they exist there. A session writes log lines of its own, and Python
prints it with its class.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "I tensorflow/core/common_runtime/local_device.cc:40] Local device intra op parallelism threads: 24")
{'log.tensorflow_1_ran': True}
>>> values_of(read, "I tensorflow/core/util/port.cc:153] oneDNN custom operations are on.")
{}
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_RAN = Pattern(r"(?:direct_session|local_device)\.cc:\d+\] |<tensorflow\.python\.client\.session\.\w*Session object at ")


@reads(words="tensorflow", says=("log.tensorflow_1_ran",))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State that a session was made, from the first line that shows it."""
    for number in at:
        if _RAN.search(lines[number][:400]):
            said.say("log.tensorflow_1_ran", True, number)
            return
