"""Whether the text shows output of TensorFlow 1 itself.

Such a text may contain names of TensorFlow 1 for a good reason: they exist there. TensorFlow before 1.5 wrote its log lines without
a time, and a session that Python prints was made by a TensorFlow that has sessions.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "I tensorflow/core/common_runtime/local_device.cc:40] Local device intra op parallelism threads: 24")
{'log.tensorflow_1_ran': True}
>>> values_of(read, "2024-02-01 10:00:00.1: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary")
{}
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_RAN = Pattern(r"^[IWEF] tensorflow/\S{1,200}\.cc:\d+\] |<tensorflow\.python\.client\.session\.\w*Session object at ")


@reads(words="tensorflow", says=("log.tensorflow_1_ran",))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State that TensorFlow 1 ran, from the first line that shows it."""
    for number in at:
        if _RAN.search(lines[number][:400]):
            said.say("log.tensorflow_1_ran", True, number)
            return
