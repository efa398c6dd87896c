"""Which lines of a text the page marks as those that decided."""

from tfhelp.service.doors.web.excerpts import Lines, excerpts_of

TEXT = """Detected at node sequential/embedding/GatherV2 defined at (most recent call last):
  File "/home/ada/train.py", line 4, in <module>

  File "/usr/lib/python3/site-packages/keras/src/layers/core/embedding.py", line 196, in call

indices[0,0] = 37 is not in [0, 10)"""


def test_frames_inside_a_message_are_not_marked() -> None:
    _, excerpts = excerpts_of(TEXT, [1])
    assert Lines(excerpts).of_message(1, TEXT) == {1, 6}
    assert Lines(excerpts).of_message(4, TEXT) == {1, 4, 6}  # the line that the answer names is marked, whatever it is
