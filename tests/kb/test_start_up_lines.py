"""The lines that every run prints when it starts are no evidence for a cause."""

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


def test_start_up_lines_hold_no_check_of_a_failure() -> None:
    entries, faults = load_entries()
    assert faults == []
    records = read(START_UP).records
    assert len(records) >= 8
    held = {
        f"{loaded.entry.id}/{cause.id}"
        for loaded in entries
        if loaded.entry.severity != "benign"
        for cause in loaded.entry.causes
        for check in cause.checks
        if check.text and any(re2.search(check.text, record.text) for record in records)
    }
    assert held - set(EVIDENCE) == set()
    assert set(EVIDENCE) - held == set(), "an exception that no check needs any more"
