"""Programs that hang, are ended or lose a worker without a usable message, each with its fixed twin, and the expected findings.

``programs/NAME.broken.py`` and ``programs/NAME.fixed.py``; ``recordings/NAME.json`` holds the readings of the broken one and how
the fixed one ended. The programs in ``BLIND`` were written from the names of causes alone, before any rule was read.
"""

import typing


class Wanted(typing.NamedTuple):
    """The entry, its cause, and a part of the user's own line that must be named (empty if there is none)."""

    entry: str
    cause: str
    line: str = ""


HANGS: dict[str, Wanted] = {
    "reader_of_a_queue": Wanted("fit-hangs", "input-never-yields", "shard = ahead.get()"),
    "check_after_the_epoch": Wanted("fit-hangs", "validation-never-ends", "model.fit(train"),
    "journal_with_a_lock": Wanted("fit-hangs", "deadlock-in-python", "with self.guard:"),
    "scored_in_parallel": Wanted("worker-processes-deadlock", "fork-with-tensorflow", "model.predict(part"),
    "rows_of_a_class_that_is_not_there": Wanted("fit-hangs", "input-never-yields", "model.fit(data"),
    "steps_by_rows_of_each_worker": Wanted("multi-gpu-hang", "uneven-steps", "mean = step("),
    "cluster_of_yesterday": Wanted("multi-worker-cannot-connect", "tf-config-wrong", "strategy = tf.distribute"),
    "steps_written_out": Wanted("fit-hangs", "first-step-compiles", "simulate(tf.ones"),
}
KILLS: dict[str, Wanted] = {
    "ended_by_a_cleaner": Wanted("training-stops-silently", "killed-from-outside"),
    "decoded_once": Wanted("host-out-of-memory", "cache-or-shuffle-too-large"),
    "depth_of_a_tree": Wanted("native-crash", "stack-overflow", "return 1 + max("),
    "own_filter_in_c": Wanted("native-crash", "custom-op-or-addon", "library.memcpy("),
    "history_of_all_outputs": Wanted("host-out-of-memory", "host-memory-leak"),
    "checkpoint_larger_than_allowed": Wanted("disk-full", "checkpoints-or-logs"),
}
WORKERS: dict[str, Wanted] = {
    "folds_in_processes": Wanted("labels-logits-mismatch", "sparse-versus-categorical", "model.fit(rows, classes"),
    "worker_of_two_is_killed": Wanted("training-stops-silently", "killed-from-outside"),
    "pool_at_top_level": Wanted("worker-processes-deadlock", "spawn-needs-main-guard", "pool.map(train"),
    "launcher_without_a_look": Wanted("dtype-mismatch", "numpy-float64-input", "tf.matmul("),
    "worker_zero_waits": Wanted("multi-worker-cannot-connect", "worker-died", "strategy = tf.distribute"),
    "pool_loses_a_worker": Wanted("worker-processes-deadlock", "worker-died", "found = pool.map("),
}
WANTED = HANGS | KILLS | WORKERS
# From Python 3.12 on, calls through C have a recursion limit of their own, so these end with a RecursionError and not in a crash.
UNTIL_311 = frozenset(("depth_of_a_tree",))
BLIND = frozenset(
    (
        "reader_of_a_queue",
        "check_after_the_epoch",
        "journal_with_a_lock",
        "scored_in_parallel",
        "ended_by_a_cleaner",
        "decoded_once",
        "depth_of_a_tree",
        "folds_in_processes",
        "worker_of_two_is_killed",
        "pool_at_top_level",
    )
)
