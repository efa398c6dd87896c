"""The lines that every run prints when it starts, and the frames of every fit, are no evidence for a cause."""

import re2

from tfhelp.collectors.reading import read
from tfhelp.kb.load import load_entries

START_UP = """\
WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1795731660.691224    8059 port.cc:153] oneDNN custom operations are on. You may see slightly different numerical \
results due to floating-point round-off errors from different computation orders. To turn them off, set the environment variable \
`TF_ENABLE_ONEDNN_OPTS=0`.
I0000 00:00:1795731660.751451    8059 cpu_feature_guard.cc:227] This TensorFlow binary is optimized to use available CPU \
instructions in performance-critical operations.
To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags.
W0000 00:00:1795731662.167547    8059 gpu_bfc_allocator.cc:47] Overriding orig_value setting because the \
TF_FORCE_GPU_ALLOW_GROWTH environment variable is set. Original config value was false.
I0000 00:00:1795731662.168558    8059 gpu_device.cc:2043] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 140829 MB \
memory:  -> device: 0, name: NVIDIA H200, pci bus id: 0000:00:06.0, compute capability: 9.0a
I0000 00:00:1795731663.621948    8059 service.cc:153] XLA service 0x21215fc0 initialized for platform CUDA (this does not guarantee \
that XLA will be used). Devices:
I0000 00:00:1795731663.667996    8059 cuda_dnn.cc:461] Loaded cuDNN version 91900
I0000 00:00:1795731663.907912    8059 device_compiler.h:208] Compiled cluster using XLA!  This line is logged at most once for the \
lifetime of the process.
"""
# Causes for which such a line is evidence: the program uses XLA, the card has this name, or the log ends there.
EVIDENCE = {
    "cuda-illegal-address/kernel-or-version-bug": "XLA",
    "cuda-launch-failed/kernel-or-version-bug": "XLA",
    "nan-loss/label-out-of-range-on-gpu": "XLA",
    "fit-hangs/first-step-compiles": "XLA, cuDNN",
    "native-crash/gpu-library-or-driver": "GPU, cuDNN",
    "gpu-architecture-unsupported/gpu-newer-than-build": "H200",
    "gpu-memory-all-taken/default-preallocation": "the memory of the device",
}


FIT = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 16, in <module>
    model.fit(x, y, epochs=3)
  File "/home/user/venv/lib/python3.12/site-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/home/user/venv/lib/python3.12/site-packages/keras/src/backend/tensorflow/trainer.py", line 399, in fit
    logs = self.train_function(iterator)
  File "/home/user/venv/lib/python3.12/site-packages/keras/src/backend/tensorflow/trainer.py", line 241, in function
    opt_outputs = multi_step_on_iterator(iterator)
  File "/home/user/venv/lib/python3.12/site-packages/tensorflow/python/framework/ops.py", line 6027, in raise_from_not_ok_status
    raise core._status_to_exception(e) from None  # pylint: disable=protected-access
  File "/home/user/venv/lib/python3.10/site-packages/keras/engine/training.py", line 1146, in step_function
    outputs = model.distribute_strategy.run(run_step, args=(data,))
  File "/home/user/venv/lib/python3.10/site-packages/tensorflow/python/eager/execute.py", line 53, in quick_execute
    tensors = pywrap_tfe.TFE_Py_Execute(ctx._handle, device_name, op_name,
tensorflow.python.framework.errors_impl.InternalError: Graph execution error:
"""
# Causes for which the call of fit, or Keras 3 itself, is evidence.
EVIDENCE_IN_FIT = {
    "layer-input-incompatible/unbatched-dataset": "fit",
    "no-gradients/missing-labels": "fit",
    "replica-context-misuse/called-inside-run": "fit",
    "replica-context-misuse/step-not-run-in-replica-context": "fit",
    "tensor-as-python-value/keras3-no-autograph": "Keras 3",
    "xla-compilation-failed/xla-on-by-default": "the step of Keras 3",
}


def causes_held(text: str, least: int) -> set[str]:
    """The causes of failures of which a text alone holds a check."""
    entries, faults = load_entries()
    assert faults == []
    records = read(text).records
    assert len(records) >= least
    return {
        f"{loaded.entry.id}/{cause.id}"
        for loaded in entries
        if loaded.entry.severity != "benign"
        for cause in loaded.entry.causes
        for check in cause.checks
        if check.text and any(re2.search(check.text, record.text) for record in records)
    }


def test_start_up_lines_hold_no_check_of_a_failure() -> None:
    held = causes_held(START_UP, 8)
    assert held - set(EVIDENCE) == set()
    assert set(EVIDENCE) - held == set(), "an exception that no check needs any more"


def test_frames_of_fit_hold_no_check_of_a_failure() -> None:
    held = causes_held(FIT, 1)
    assert held - set(EVIDENCE_IN_FIT) == set()
    assert set(EVIDENCE_IN_FIT) - held == set(), "an exception that no check needs any more"
