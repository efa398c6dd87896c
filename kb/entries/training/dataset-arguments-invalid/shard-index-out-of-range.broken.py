# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# ///
import tensorflow as tf

workers = ["worker-1", "worker-2", "worker-3"]
rows = tf.data.Dataset.range(9)
# --- shown
shards = [rows.shard(len(workers), number) for number, name in enumerate(workers, start=1)]
# --- end
parts = [list(shard.as_numpy_iterator()) for shard in shards]
