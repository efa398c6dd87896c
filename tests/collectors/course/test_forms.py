"""The forms of output that are recognised, and which of them are failures by form."""

import pytest

from tests.collectors.course.reading import course_of

TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 30, in <module>
    main()
  File "train.py", line 12, in main
    raise ValueError("no data")
ValueError: no data
"""
STARTUP = """2024-01-02 10:11:12.123456: I tensorflow/core/util/port.cc:113] oneDNN custom operations are on. You may see slightly different numerical results.
2024-01-02 10:11:12.523456: E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:9261] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered
2024-01-02 10:11:14.000001: E external/local_xla/xla/stream_executor/cuda/cuda_driver.cc:282] failed call to cuInit: UNKNOWN ERROR (303)
"""
NVIDIA_SMI = """+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  NVIDIA A100-SXM4-40GB          Off |   00000000:00:04.0 Off |                    0 |
| N/A   34C    P0             46W /  400W |       0MiB /  40960MiB |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
"""

COMPLETED = {
    "Keras 2 bars": "Epoch 1/2\n10/10 [==============================] - 1s 3ms/step - loss: 0.5\nEpoch 2/2\n"
    " 4/10 [===========>..................] - ETA: 0s - loss: 0.5\r10/10 [==============================] - 0s 3ms/step - loss: 0.4",
    "Keras 3 lines": "Epoch 1/2\n10/10 - 1s - 103ms/step - loss: 0.5\nEpoch 2/2\n10/10 - 0s - 3ms/step - loss: 0.4",
    "one line an epoch": "Epoch [1/3], loss: 0.9\nEpoch [2/3], loss: 0.5\nEpoch [3/3], loss: 0.4",
    "epochs from 0": "epoch 0/3 loss 0.9\nepoch 1/3 loss 0.5\nepoch 2/3 loss 0.4",
    "steps": "step 100/300: loss=0.9\nstep 200/300: loss=0.8\nstep 300/300: loss=0.7",
    "a logger": "2024-05-01 10:00:00,123 INFO train: Epoch 1/2 loss 0.9\n2024-05-01 10:10:00,123 INFO train: Epoch 2/2 loss 0.8",
    "an Estimator": "INFO:tensorflow:loss = 0.9, step = 0\nINFO:tensorflow:loss = 0.25, step = 100 (3.2 sec)\n"
    "INFO:tensorflow:Saving checkpoints for 200 into ./m/model.ckpt.\nINFO:tensorflow:Loss for final step: 0.2.",
    "pip": "Collecting absl-py\n  Downloading absl_py-2.1.0-py3-none-any.whl (133 kB)\nInstalling collected packages: absl-py\n"
    "Successfully installed absl-py-2.1.0",
    "pip with a conflict": "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.\n"
    "tensorboard 2.16 requires protobuf>=3.19, but you have protobuf 3.6 which is incompatible.\nSuccessfully installed protobuf-3.6",
    "conda": "Solving environment: done\n\nPreparing transaction: done\nVerifying transaction: done\nExecuting transaction: done",
    "unittest": "...\n----------------------------------------------------------------------\nRan 3 tests in 0.012s\n\nOK",
    "sacct": "JobID           JobName      State ExitCode\n------------ ---------- ---------- --------\n"
    "4711              train  COMPLETED      0:0\n4711.batch        batch  COMPLETED      0:0",
    "an IDE": "2.16.1\n\nProcess finished with exit code 0",
    "docker compose": "trainer-1  | Epoch 1/1\ntrainer-1  | 5/5 - 1s - loss: 0.2\ntrainer-1 exited with code 0",
    "its own word": "loss 0.31\nloss 0.30\nTraining finished in 31.2 s",
    "an error before a success": "ValueError: cannot read a.png\nstep 1/2 loss 0.3\nstep 2/2 loss 0.2",
}


@pytest.mark.parametrize("name", COMPLETED)
def test_finished_output_is_completed(name: str) -> None:
    found = course_of(COMPLETED[name])
    assert (found["end"], found["failures"], found["words"]) == ("completed", 0, False)


@pytest.mark.parametrize("name", COMPLETED)
def test_a_healthy_startup_before_it_changes_nothing(name: str) -> None:
    alone, with_startup = course_of(COMPLETED[name]), course_of(STARTUP + COMPLETED[name])
    for fact in ("end", "failures", "done_epochs", "planned_epochs", "done_steps", "planned_steps", "survived"):
        assert alone.get(fact) == with_startup.get(fact)


@pytest.mark.parametrize("name", COMPLETED)
@pytest.mark.parametrize(
    ("end", "tail"),
    [("exception", TRACEBACK), ("aborted", "Aborted (core dumped)\n"), ("signal", "Segmentation fault (core dumped)\n")],
)
def test_completed_is_never_said_where_a_failure_ends_the_text(name: str, end: str, tail: str) -> None:
    found = course_of(f"{COMPLETED[name]}\n{tail}")
    assert found["end"] == end
    assert found["failures"] >= 1


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("silent", "Epoch 17/300\n40/40 - 1s - loss: 0.5\nEpoch 18/300"),
        ("silent", "Epoch 18/300\n13/40 [========>.....................] - ETA: 3s - loss: 0.5"),
        ("silent", "step 20/400 loss 0.7\nstep 40/400 loss 0.6\n$ "),
        ("waiting", "INFO: Waiting for 1/2 tasks to connect.\nKilled"),
        ("waiting", "Epoch 3/9\n5/5 - 1s - loss: 0.1\nWaiting for the other workers ...\n^C"),
        ("signal", "Epoch 3/50\nKilled"),
        ("signal", "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)"),
        ("aborted", "Process finished with exit code 134 (interrupted by signal 6: SIGABRT)"),
        ("interrupted", "Epoch 3/50\n3/40 [=>............] - ETA: 3s - loss: 0.5\n^C"),
        ("interrupted", "step 3 loss 0.2\n" + TRACEBACK.replace("ValueError: no data", "KeyboardInterrupt")),
        ("aborted", "F0000 00:00:1795172904.247783   10256 tensor.cc:153] Check failed: 1 == dims() (1 vs. 2)\n"),
        ("exception", 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    main()'),
        ("exception", "make: *** [Makefile:12: train] Error 1"),
        ("exception", "train.py: error: the following arguments are required: --data"),
        ("exception", "JobID State ExitCode\n4711 TIMEOUT 0:0"),
        ("exception", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."),
        ("unknown", "2.16.1"),
        ("unknown", STARTUP),
        ("completed", NVIDIA_SMI),
        ("silent", "step 20/400 loss 0.7\nstep 40/400 loss 0.6\n" + NVIDIA_SMI),
        ("exception", TRACEBACK.replace("in <module>", "in load") + NVIDIA_SMI),
    ],
)
def test_how_it_ended(end: str, text: str) -> None:
    assert course_of(text)["end"] == end


def test_level_e_alone_is_not_a_failure_by_form() -> None:
    found = course_of(STARTUP + "ERROR:tensorflow:something is odd\nWARNING:tensorflow:and this too")
    assert found["failures"] == 0


def test_what_python_ignores_is_no_failure() -> None:
    found = course_of("Epoch 1/1\n5/5 - 1s - loss: 0.2\nException ignored in: <function Pool.__del__ at 0x7f>\n" + TRACEBACK)
    assert (found["end"], found["failures"]) == ("completed", 0)


def test_healthy_table_is_a_table_without_a_failure() -> None:
    found = course_of(NVIDIA_SMI)
    assert (found["kind"], found["started"], found["failures"]) == ("tool-table", "nvidia-smi", 0)
    assert course_of(NVIDIA_SMI.replace("34C", "ERR!"))["failures"] >= 1


def test_buffered_output_behind_an_uncaught_traceback_does_not_hide_it() -> None:
    found = course_of(TRACEBACK + "Epoch 1/2 loss 0.5\nEpoch 2/2 loss 0.4\n")
    assert (found["end"], found["failures"], found["failure_line"]) == ("exception", 1, 6)


def test_the_same_error_again_at_the_end_is_a_failure() -> None:
    caught = TRACEBACK.replace("in <module>", "in load")
    found = course_of(f"step 1/9 loss 0.3\n{caught}step 2/9 loss 0.2\n{TRACEBACK}")
    assert (found["end"], found["failures"], found["failure_line"], found["survived"]) == ("exception", 1, 14, 1)


def test_chain_of_exceptions_is_one_failure() -> None:
    chained = TRACEBACK + "\nDuring handling of the above exception, another exception occurred:\n\n" + TRACEBACK
    assert course_of(chained)["failures"] == 1


def test_worker_that_fails_decides_though_the_parent_exits_with_0() -> None:
    text = "\n".join(
        [
            "[worker-0]: Epoch 1/2",
            "[worker-1]: Epoch 1/2",
            *(f"[worker-1]: {line}" for line in TRACEBACK.splitlines()),
            "[worker-0]: 5/5 - 1s - loss: 0.3",
            "[worker-0]: Epoch 2/2",
            "[worker-0]: 5/5 - 1s - loss: 0.2",
            "launcher exited with code 0",
        ]
    )
    found = course_of(text)
    assert (found["end"], found["workers_failed"], found["failure_line"], found["parent_exit"]) == (
        "exception",
        ["worker-1"],
        8,
        0,
    )


def test_names_the_task_that_srun_names() -> None:
    found = course_of("0: step 10 loss 0.1\nsrun: error: node07: task 1: Exited with exit code 1")
    assert (found["workers_failed"], found["failures"]) == (["1"], 1)


def test_persons_words_are_told_apart_from_a_programs() -> None:
    assert course_of("Why does my loss not fall?\n\nEpoch 1/1\n5/5 - 1s - loss: 0.2")["words"] is True
    assert course_of("Training stops after some epochs and nothing is printed.")["kind"] == "prose"


def test_devices_are_named() -> None:
    text = "INFO:tensorflow:Using MirroredStrategy with devices ('/job:localhost/replica:0/task:0/device:GPU:0', '/job:localhost/replica:0/task:0/device:GPU:1')"
    assert course_of(text)["devices"] == ["GPU:0", "GPU:1"]


def test_failure_in_the_middle_of_a_long_log_is_found() -> None:
    noise = [f"loaded shard {number} from part {chr(97 + number % 26) * (number % 7 + 1)}" for number in range(9_000)]
    text = "\n".join([*noise[:4_500], TRACEBACK, *noise[4_500:]])
    assert course_of(text)["failures"] == 1


def test_a_kill_after_the_program_waited_for_something_else_is_a_signal() -> None:
    waited = "$ python train.py\nWaiting for the dataset to load...\nLoaded 120000 images\nKilled"
    assert course_of(waited)["end"] == "signal"
    assert course_of("$ python train.py\nINFO: Waiting for 1/2 tasks to connect.\nKilled")["end"] == "waiting"


def test_a_bar_of_keras_3_without_a_length_is_no_whole_epoch() -> None:
    text = "Epoch 1/5\n     12/Unknown 3s 22ms/step - loss: 0.5\n     13/Unknown 3s 22ms/step - loss: 0.5"
    assert course_of(text)["done_epochs"] == 0
