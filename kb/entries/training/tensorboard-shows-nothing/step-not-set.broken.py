# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import glob
import tempfile

import tensorflow as tf
from tensorflow.core.util import event_pb2

folder = tempfile.mkdtemp()
writer = tf.summary.create_file_writer(folder)

# --- shown
with writer.as_default():
    for loss in (0.9, 0.5, 0.4):
        tf.summary.write("loss", loss)
# --- end
writer.close()
events = [event_pb2.Event.FromString(data.numpy()) for data in tf.data.TFRecordDataset(glob.glob(f"{folder}/*"))]
steps = [event.step for event in events if event.summary.value]
