"""Each reader with real program output: old and new layouts, the facts that they give, and near misses."""

import doctest
import importlib
import pkgutil
import shutil
import subprocess
import typing

import pytest

from tfhelp.collectors import text_facts
from tfhelp.collectors.reading import read as read_text
from tfhelp.collectors.text_facts import read
from tfhelp.collectors.text_facts.disk_and_memory import read as read_disk_and_memory
from tfhelp.collectors.text_facts.limits import read as read_limits
from tfhelp.collectors.text_facts.statements import values_of


def facts(text: str) -> dict[str, typing.Any]:
    return read(read_text(text)).values


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(text_facts.__path__)])
def test_the_samples_in_the_docstrings_are_true(name: str) -> None:
    module = importlib.import_module(f"tfhelp.collectors.text_facts.{name}")
    assert doctest.testmod(module).failed == 0


NVIDIA_SMI_OLD = """\
Mon Mar  4 10:11:12 2019
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 410.78       Driver Version: 410.78       CUDA Version: 10.0     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla V100-SXM2...  On   | 00000000:06:00.0 Off |                    2 |
| N/A   42C    P0    58W / 300W |  15512MiB / 16130MiB |     97%   E. Process |
+-------------------------------+----------------------+----------------------+
|   1  Tesla V100-SXM2...  On   | 00000000:07:00.0 Off |                    0 |
| N/A   40C    P0    43W / 300W |     11MiB / 16130MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                       GPU Memory |
|  GPU       PID   Type   Process name                             Usage      |
|=============================================================================|
|    0      4242      C   python                                     15501MiB |
|    1      5353    C+G   /usr/lib/xorg/Xorg -core                      11MiB |
+-----------------------------------------------------------------------------+
"""

NVIDIA_SMI_NEW = """\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA A100-SXM4-40GB          Off |   00000000:07:00.0 Off |                    0 |
| N/A   31C    P0             51W /  400W |   39000MiB /  40960MiB |      0%      Default |
|                                         |                        |              Enabled |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A   1234567      C   /opt/conda/bin/python3                      38990MiB |
+-----------------------------------------------------------------------------------------+
"""


def test_the_old_table_of_nvidia_smi() -> None:
    found = facts(NVIDIA_SMI_OLD)
    assert (found["driver.version"], found["driver.cuda_version"], found["driver.state"]) == ("410.78", "10.0", "ok")
    assert "cuda.version" not in found  # the table names the newest CUDA that the driver supports
    first, second = found["gpus"]
    assert (first["name"], first["memory_used_mib"], first["memory_total_mib"]) == ("Tesla V100-SXM2...", 15512.0, 16130.0)
    assert (first["ecc_uncorrected"], first["compute_mode"], first["utilization_percent"]) == (2, "exclusive-process", 97.0)
    assert first["temperature_celsius"] == 42.0
    assert first["processes"] == [{"pid": 4242, "name": "python", "memory_mib": 15501.0}]
    assert second["processes"] == [{"pid": 5353, "name": "/usr/lib/xorg/Xorg -core", "memory_mib": 11.0}]
    assert second["compute_mode"] == "default"


def test_the_new_table_of_nvidia_smi() -> None:
    gpu = facts(NVIDIA_SMI_NEW)["gpus"][0]
    assert (gpu["name"], gpu["memory_used_mib"], gpu["mig_mode"]) == ("NVIDIA A100-SXM4-40GB", 39000.0, True)
    assert gpu["processes"] == [{"pid": 1234567, "name": "/opt/conda/bin/python3", "memory_mib": 38990.0}]


def test_quoted_tables_and_repeated_ones() -> None:
    quoted = "\n".join("> " + line for line in NVIDIA_SMI_NEW.split("\n"))
    assert facts(quoted)["gpus"] == facts(NVIDIA_SMI_NEW)["gpus"]
    later = NVIDIA_SMI_NEW.replace("39000MiB", "40000MiB")
    assert facts(NVIDIA_SMI_NEW + later)["gpus"][0]["memory_used_mib"] == 40000.0


def test_tensorflows_log_adds_the_compute_capability_to_the_table() -> None:
    line = "Created device /job:localhost/replica:0/task:0/device:GPU:0 with 500 MB memory:  -> device: 0, name: NVIDIA A100-SXM4-40GB, pci bus id: 0000:07:00.0, compute capability: 8.0\n"
    found = facts(line + NVIDIA_SMI_NEW)
    assert (found["gpus"][0]["compute_capability"], found["gpus"][0]["memory_total_mib"]) == ("8.0", 40960.0)
    assert (found["log.gpu_created"], found["log.gpu_device_memory_mib"]) == (True, 500.0)


def test_nvidia_smi_that_cannot_answer() -> None:
    assert facts("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.183") == {
        "driver.state": "mismatch",
        "driver.library_version": "535.183",
        "log.library_version": "535.183",
    }
    assert facts("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.")["driver.state"] == "absent"
    assert facts("$ nvidia-smi\nNo devices were found")["gpus"] == []


QUERY = """\
==============NVSMI LOG==============

Timestamp                                 : Mon Mar  4 10:11:12 2024
Driver Version                            : 535.104.05
CUDA Version                              : 12.2

Attached GPUs                             : 1
GPU 00000000:01:00.0
    Product Name                          : NVIDIA GeForce RTX 3090
    MIG Mode
        Current                           : N/A
    FB Memory Usage
        Total                             : 24576 MiB
        Reserved                          : 300 MiB
        Used                              : 1200 MiB
        Free                              : 23000 MiB
    BAR1 Memory Usage
        Total                             : 256 MiB
    Compute Mode                          : Exclusive_Process
    Utilization
        Gpu                               : 7 %
    Temperature
        GPU Current Temp                  : 45 C
"""


def test_the_long_query() -> None:
    found = facts(QUERY)
    assert (found["driver.version"], found["driver.cuda_version"]) == ("535.104.05", "12.2")
    assert found["gpus"] == [
        {
            "name": "NVIDIA GeForce RTX 3090",
            "memory_total_mib": 24576.0,
            "memory_used_mib": 1200.0,
            "compute_mode": "exclusive-process",
            "utilization_percent": 7.0,
            "temperature_celsius": 45.0,
        }
    ]


def test_device_lines_of_all_ages() -> None:
    tf1 = "I tensorflow/core/common_runtime/gpu/gpu_device.cc:885] Found device 0 with properties: \nname: GeForce GTX 960\nmajor: 5 minor: 2 memoryClockRate (GHz) 1.304\npciBusID 0000:01:00.0\nTotal memory: 3.94GiB\nFree memory: 3.60GiB"
    assert facts(tf1)["gpus"][0]["compute_capability"] == "5.2"
    tf2 = "Found device 0 with properties: \npciBusID: 0000:01:00.0 name: GeForce RTX 2080 Ti computeCapability: 7.5\ncoreClock: 1.65GHz coreCount: 68 deviceMemorySize: 10.76GiB deviceMemoryBandwidth: 573.69GiB/s"
    assert facts(tf2)["gpus"] == [{"name": "GeForce RTX 2080 Ti", "compute_capability": "7.5", "memory_total_mib": 11018.24}]
    ignored = "Ignoring visible gpu device (device: 1, name: GeForce GT 730, pci bus id: 0000:02:00.0, compute capability: 3.5) with core count: 2."
    assert facts(ignored)["log.gpu_ignored"] is True
    assert facts("Skipping registering GPU devices...")["log.gpu_created"] is False


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (">>> tf.config.list_physical_devices('GPU')\n2024-03-01 10:00:00.000001: W tensorflow/x.cc:1] y\n[]", []),
        ("Num GPUs Available:  2", ["/physical_device:GPU:0", "/physical_device:GPU:1"]),
        ("[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]", ["/physical_device:GPU:0"]),
        ("tf.config.list_physical_devices('GPU') returns []", []),
    ],
)
def test_what_tensorflow_lists(text: str, names: list[str]) -> None:
    assert facts(text)["tensorflow.visible_gpus"] == names


@pytest.mark.parametrize(
    ("line", "code", "signal"),
    [
        ("Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)", 139, "SIGSEGV"),
        ("Process finished with exit code -1073740791 (0xC0000409)", -1073740791, None),
        ("subprocess.CalledProcessError: Command '['python', 'a.py']' returned non-zero exit status 1.", 1, None),
        ("subprocess.CalledProcessError: Command 'x' died with <Signals.SIGKILL: 9>.", None, "SIGKILL"),
        ("worker exited with code 137", 137, None),
        ("The training task exited with status code 137", 137, None),
        ("Process finished with exit code 247", 247, None),
        ("Process finished with exit code 0", 0, None),
        ("The process exited with exit code: 0xC000001D", 0xC000001D, None),
        ("rc=-9", -9, None),
        ("Killed", None, "SIGKILL"),
        ("[1]    4242 killed     python train.py", None, "SIGKILL"),
        ("zsh: segmentation fault  python train.py", None, "SIGSEGV"),
        ("Illegal instruction (core dumped)", None, "SIGILL"),
        ("/var/spool/job: line 12: 4242 Bus error               (core dumped) python train.py", None, "SIGBUS"),
        ("Fatal Python error: Aborted", None, "SIGABRT"),
        ("srun: error: node7: task 0: Exited with exit code 1", 1, None),
        ("mpirun noticed that process rank 0 with PID 5 on node x exited on signal 9 (Killed).", None, "SIGKILL"),
        ("Killed the old process by hand and tried again", None, None),
        ("Terminated because of an error in the input", None, None),
        ("E tensorflow/stream_executor: failed with code 999", None, None),
        ("Illegal instruction set was requested by the user", None, None),
    ],
)
def test_endings(line: str, code: int | None, signal: str | None) -> None:
    found = facts(line)
    assert (found.get("run.exit_code"), found.get("run.signal")) == (code, signal)


@pytest.mark.parametrize(
    ("line", "scheduler", "verdict"),
    [
        ("slurmstepd: error: *** STEP 12.0 ON n1 CANCELLED AT 2024-03-01T00:00:00 ***", "slurm", "cancelled"),
        ("slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2024-03-01T00:00:00 DUE TO PREEMPTION ***", "slurm", "preempted"),
        ("srun: error: n1: task 0: Out Of Memory", "slurm", "memory-limit"),
        ("12  train  gpu  NODE_FAIL  0:0", "slurm", "node-failed"),
        ("The node was low on resource: ephemeral-storage.", "kubernetes", "disk-limit"),
        ("    Reason:    OOMKilled", "kubernetes", "memory-limit"),
        ("TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.", "lsf", "memory-limit"),
        ("=>> PBS: job killed: walltime 3612 exceeded limit 3600", "pbs", "time-limit"),
    ],
)
def test_schedulers(line: str, scheduler: str, verdict: str) -> None:
    found = facts(line)
    assert (found["log.scheduler"], found["log.scheduler_verdict"]) == (scheduler, verdict)


def test_a_job_that_timed_out_is_not_only_cancelled() -> None:
    text = (
        "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2024-03-01T00:00:00 DUE TO TIME LIMIT ***\nsrun: Force Terminated job 1"
    )
    assert facts(text)["log.scheduler_verdict"] == "time-limit"


def test_package_lists() -> None:
    conda = "# packages in environment at /opt/miniconda3/envs/tf:\n#\n# Name                    Version                   Build  Channel\ncudatoolkit               11.2.2               he111cf0_8    conda-forge\ncudnn                     8.1.0.77             h90431f1_0    conda-forge\npython                    3.9.7           hb7a2778_3_cpython    conda-forge\ntensorflow                2.10.0                   pypi_0    pypi\nzlib  1.2.11 0\n"
    found = facts(conda)
    assert (found["cuda.version"], found["cudnn.version"], found["python.version"]) == ("11.2.2", "8.1.0.77", "3.9.7")
    assert (found["packages.tensorflow"], found["python.environment"], "packages.zlib" in found) == ("2.10.0", "conda", False)
    assert facts("Name: tensorflow\nVersion: 2.15.0\nSummary: x")["packages.tensorflow"] == "2.15.0"
    assert facts("numpy==2.0.1\ntensorflow==2.10.0 ; python_version < '3.11'") == {
        "packages.numpy": "2.0.1",
        "packages.tensorflow": "2.10.0",
    }
    assert facts("tensorflow (1.4.0)\nnumpy (1.13.3)") == {"packages.tensorflow": "1.4.0", "packages.numpy": "1.13.3"}
    assert facts("ERROR: No matching distribution found for tensorflow==2.10.0") == {}
    assert facts("Collecting tensorflow==2.10.0\n  Downloading tensorflow-2.10.0-cp39-cp39-win_amd64.whl") == {}


def test_pip_list_of_this_interpreter() -> None:
    import sys

    output = subprocess.run([sys.executable, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[0].lower().replace("_", "-"): line.split()[1] for line in output.split("\n")[2:] if line}
    found = facts(output)
    assert found["packages.numpy"] == shown["numpy"]
    assert found["python.pip_version"] == shown["pip"]
    assert {path: value for path, value in found.items() if path.startswith("packages.")}.items() <= {
        f"packages.{name}": version for name, version in shown.items()
    }.items()


def test_df_free_and_ulimit_of_this_machine() -> None:
    """The programs' own numbers, requested in two units, must agree."""
    if not (shutil.which("free") and shutil.which("df") and shutil.which("bash")):
        pytest.skip("free, df or bash is not here")

    def run(command: str) -> str:
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout

    kibi, mebi = (values_of(read_disk_and_memory, run(f"LC_ALL=C free {option}")) for option in ("-k", "-m"))
    assert kibi["host.memory_total_mib"] == pytest.approx(mebi["host.memory_total_mib"], abs=2)
    assert kibi["host.swap_total_mib"] == pytest.approx(mebi["host.swap_total_mib"], abs=2)
    root = values_of(read_disk_and_memory, run("LC_ALL=C df -k /"))["host.disk_free_mib"]
    blocks = int(run("LC_ALL=C df -k --output=avail /").split()[-1])
    assert root == pytest.approx(blocks / 1024, rel=0.05, abs=64)
    limits = values_of(read_limits, run("ulimit -a"))
    files = run("ulimit -n").strip()
    assert str(limits.get("host.open_files_limit", "unlimited")) == files


def test_dmesg() -> None:
    text = "[1.5] Memory cgroup out of memory: Killed process 77 (python) total-vm:1kB, anon-rss:2097152kB, file-rss:0kB\n[2.5] NVRM: Xid (PCI:0000:3b:00): 13, pid=1\n[3.5] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."
    found = facts(text)
    assert (found["host.oom_killed"], found["host.cgroup_oom_kills"], found["log.killed_resident_mib"]) == ("python", 1, 2048.0)
    assert found["driver.xid"] == [13, 79]


FORM = """\
**System information**
- Have I written custom code: yes
- OS Platform and Distribution (e.g., Linux Ubuntu 16.04): Ubuntu 20.04
- TensorFlow installed from (source or binary): binary
- TensorFlow version (use command below): v2.4.0-rc4-71-g582c8d236cb 2.4.0
- Python version: 3.8.5
- Bazel version (if compiling from source): N/A
- CUDA/cuDNN version: CUDA 11.0, cuDNN 8.0.4
- GPU model and memory: 2x GeForce RTX 2080 Ti 11GB
- RAM: 64 GB
"""


def test_the_issue_form() -> None:
    assert facts(FORM) == {
        "os.name": "linux",
        "os.release": "Ubuntu 20.04",
        "log.installed_from": "binary",
        "packages.tensorflow": "2.4.0",
        "python.version": "3.8.5",
        "cuda.version": "11.0",
        "cudnn.version": "8.0.4",
        "gpus": [{"name": "GeForce RTX 2080 Ti", "memory_total_mib": 11264.0}] * 2,
        "host.memory_total_mib": 65536.0,
    }


@pytest.mark.parametrize(
    ("text", "cuda", "cudnn"),
    [
        ("- CUDA/cuDNN version: 11.2/8.1", "11.2", "8.1"),
        ("### CUDA/cuDNN version\n\nCUDA v11.2, cudnn-11.2-windows-x64-v8.1.0.77", "11.2", "8.1.0.77"),
        ("- CUDA/cuDNN version: `Cuda compilation tools, release 10.1, V10.1.243`", "10.1", None),
        ("- CUDA/cuDNN version: 10.0", "10.0", None),
        ("Cuda = 9.0 with patches\ncuDNN = 7.4.2.24", "9.0", "7.4.2.24"),
        ("- CUDA/cuDNN version: N/A", None, None),
    ],
)
def test_the_ways_to_write_cuda_and_cudnn(text: str, cuda: str | None, cudnn: str | None) -> None:
    found = facts(text)
    assert (found.get("cuda.version"), found.get("cudnn.version")) == (cuda, cudnn)


def test_the_environment_script_of_tensorflow() -> None:
    report = "== check python ====\npython version: 3.5.6\n\n== check os platform ====\nos platform: Linux-4.9.184-x86_64-with-debian\narchitecture: ('64bit', '')\n\n== are we in docker ====\nYes\n\n== check pips ====\nnumpy               1.17.3   \nprotobuf            3.10.0   \n\n== tensorflow import ====\ntf.version.VERSION = 1.15.0\n"
    found = facts(report)
    assert (found["python.version"], found["python.bits"], found["os.name"], found["os.container"]) == (
        "3.5.6",
        64,
        "linux",
        True,
    )
    assert (found["packages.numpy"], found["packages.protobuf"], found["packages.tensorflow"]) == ("1.17.3", "3.10.0", "1.15.0")


def test_what_was_printed_beats_the_form_and_the_loser_is_shown() -> None:
    text = (
        FORM
        + '\n  File "/usr/lib/python3.7/site-packages/keras/x.py", line 1, in f\n\nPackage    Version\n---------- -------\ntensorflow 2.5.0\n'
    )
    sheet = read(read_text(text))
    assert (sheet.get("packages.tensorflow"), sheet.source("packages.tensorflow")) == (
        "2.5.0",
        f"log line {text.split(chr(10)).index('tensorflow 2.5.0') + 1}",
    )
    assert sheet.get("python.version") == "3.7"
    assert {(path, value) for path, value, _, _ in sheet.lost} == {("packages.tensorflow", "2.4.0"), ("python.version", "3.8.5")}


def test_the_last_banner_wins_and_the_first_sentence() -> None:
    assert facts("Loaded cuDNN version 8100\nLoaded cuDNN version 8600")["cudnn.version"] == "8.6.0"
    assert facts("I use TensorFlow 2.10 here.\nWith my other PC I use TensorFlow 2.4.")["packages.tensorflow"] == "2.10"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I use TF 2.10 on Windows 11 with an RTX 3060 and CUDA 11.2",
            {"packages.tensorflow": "2.10", "os.name": "windows", "cuda.version": "11.2"},
        ),
        ("My job on Ubuntu 22.04 with 32GB RAM dies", {"os.release": "Ubuntu 22.04", "host.memory_total_mib": 32768.0}),
        ("I am on WSL2 with an RTX 4090", {"os.wsl": True, "os.name": "linux", "gpus": [{"name": "RTX 4090"}]}),
        ("I train in Google Colab with python 3.10", {"python.version": "3.10"}),
        ("My server has 64 GB RAM and 2x A100", {"host.memory_total_mib": 65536.0, "gpus": [{"name": "A100"}, {"name": "A100"}]}),
        ("We train on 3 Tesla K80 cards", {"gpus": [{"name": "Tesla K80"}] * 3}),
        ("My cuDNN version is 7.6.5 and python version is 3.8.", {"cudnn.version": "7.6.5", "python.version": "3.8"}),
        ("I have a MacBook with M1 and macOS 13.4", {"os.name": "macos", "os.architecture": "arm64"}),
    ],
)
def test_sentences(text: str, expected: dict[str, typing.Any]) -> None:
    assert expected.items() <= facts(text).items()


@pytest.mark.parametrize(
    "text",
    [
        "TensorFlow 2.10 was the last TensorFlow release that supported GPU on native-Windows.",
        "My code worked with TensorFlow 2.4 and I upgraded from Python 3.7.",
        "Starting with TensorFlow 2.11, you will need to install TensorFlow in WSL2",
        "I need CUDA 11.2 or later, it says",
        "The card has a lot of memory, 12GB of RAM on the GPU",
        "Why does my training stop after a while?",
        "The loss is 2.10 after 3.8 epochs and I do not know why",
    ],
)
def test_sentences_about_other_machines(text: str) -> None:
    assert not {path for path in facts(text) if path.split(".")[0] in ("packages", "python", "cuda", "cudnn", "gpus")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Reason: DeadlineExceeded", {"log.scheduler_verdict": "time-limit"}),
        (
            "JobId=811 JobName=train\n   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)\n   Requeue=1 Restarts=0 ExitCode=0:15",
            {"run.exit_code": 143, "run.signal": "SIGTERM", "log.scheduler_verdict": "time-limit"},
        ),
        ("JobId=4 JobName=x\n   JobState=COMPLETED Reason=None\n   Requeue=1 ExitCode=0:0", {"run.exit_code": 0}),
        (
            "print(tf.__version__)\nprint(np.__version__)\n2.10.0\n1.23.5\nImportError: numpy.core.multiarray failed to import",
            {"packages.tensorflow": "2.10.0", "packages.numpy": "1.23.5"},
        ),
        ("TF does not see my GPU on Windows 11. I do not want to use WSL2.", {"os.name": "windows"}),
        ("I am using windows and my model architecture is a ResNet.", {"os.name": "windows"}),
        ("Description: GPU not detected after the update\nOS: Windows 11\nTensorFlow version: 2.15", {"os.name": "windows"}),
        ("TF does not see my GPU in WSL2", {"os.wsl": True}),
        ("Description:\tUbuntu 20.04.6 LTS", {"os.name": "linux"}),
        ("#PBS -v CUDA_VISIBLE_DEVICES=0", {"env.CUDA_VISIBLE_DEVICES": "0"}),
        ("NCCL_P2P_DISABLE=1 python train.py", {"env.NCCL_P2P_DISABLE": "1"}),
        (
            "h5py==3.1.0\ntf_keras==2.18.0\nml_dtypes==0.4.0\ntensorflow==2.18.0",
            {"packages.h5py": "3.1.0", "packages.tf-keras": "2.18.0"},
        ),
        ("[100] total_loss: nan", {"log.loss_is_nan": True}),
        ("Epoch 1/5\n     12/Unknown 3s 22ms/step - loss: 0.5", {"log.epochs_done": 0, "log.steps_done": 12}),
        ("Epoch 1/5\n     12/Unknown - 3s 22ms/step - loss: 0.5", {"log.epochs_done": 0, "log.steps_done": 12}),
    ],
)
def test_lines_that_were_read_wrongly_once(text: str, expected: dict[str, typing.Any]) -> None:
    assert expected.items() <= facts(text).items()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("tensorflow.python.framework.errors_impl.DeadlineExceededError: Deadline Exceeded", "log.scheduler"),
        (
            "".join(
                f"W bfc_allocator.cc:245] Allocator (GPU_0_bfc) ran out of memory trying to allocate {size}GiB with freed_by_count=0.\n"
                for size in (1.09, 2.13, 3.41)
            ),
            "log.memory_rises",
        ),
        ('#os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "env.CUDA_VISIBLE_DEVICES"),
        ("#export TF_USE_LEGACY_KERAS=1", "env.TF_USE_LEGACY_KERAS"),
        (" 2. Set PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION=python (but", "env.PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"),
        ("because envvar TF_XLA_FLAGS=--tf_xla_cpu_global_jit was not set", "env.TF_XLA_FLAGS"),
        ("I do not want to use WSL2 on Windows 11.", "os.wsl"),
        ("step 3: best_val_loss: inf", "log.loss_is_nan"),
    ],
)
def test_lines_that_only_look_like_a_fact(text: str, path: str) -> None:
    assert path not in facts(text)


def test_a_frame_in_a_windows_folder_with_n_is_one_line() -> None:
    text = read_text('  File "C:\\Users\\nick\\notebooks\\train.py", line 3, in <module>')
    assert [line.text for line in text.lines] == ['  File "C:\\Users\\nick\\notebooks\\train.py", line 3, in <module>']


@pytest.mark.parametrize(
    ("text", "system"),
    [
        (r'  File "D:\work\train.py", line 4, in <module>', "windows"),
        ('  File "/Users/user/p/train.py", line 4, in <module>', "macos"),
        ('  File "/home/user/p/train.py", line 4, in <module>' + "\n" + r"I also tried C:\Users\me\x\y.py there", "linux"),
        (r"C:\Users\me\x\y.py and /home/user/x/ both", None),
    ],
)
def test_the_system_of_the_paths(text: str, system: str | None) -> None:
    assert facts(text).get("os.name") == system


def test_lines_are_counted_as_pasted() -> None:
    notebook = '{"cells": 1}\n   "text": "Epoch 1/3\\n2/2 [==] - 1s\\nKilled\\nexit code 137\\n"\nLoaded cuDNN version 8600'
    sheet = read(read_text(notebook))
    assert (sheet.get("run.exit_code"), sheet.source("run.exit_code")) == (137, "log line 2")
    assert sheet.source("cudnn.version") == "log line 3"


def test_progress_bars_that_overwrite_themselves() -> None:
    bar = "\r".join(f" {step}/9 [====>.....] - ETA: 1s - loss: 0.{step}" for step in range(1, 6))
    found = facts(f"Epoch 2/4\n\x1b[1m{bar}\x1b[0m\nKilled\n")
    assert (found["log.steps_done"], found["log.epochs_done"], found["log.epochs_announced"]) == (14, 1, 4)
    keras3 = facts(
        "Epoch 1/2\n\x1b[1m3/8\x1b[0m \x1b[32m━━━━━━━\x1b[0m\x1b[37m━━━━━━\x1b[0m \x1b[1m0s\x1b[0m 4ms/step - loss: nan"
    )
    assert (keras3["log.steps_done"], keras3["log.loss_is_nan"], keras3["log.loss_finite_before_nan"]) == (3, True, False)


def test_a_cluster_over_several_lines() -> None:
    text = 'os.environ["TF_CONFIG"] = json.dumps({\n  "cluster": {"worker": ["a:1", "b:1"], "ps": ["c:1"]},\n  "task": {"type": "ps", "index": 0}\n})'
    found = facts(text)
    assert (found["log.cluster_workers"], found["log.task"]) == (2, "ps:0")


def test_environment_reports() -> None:
    report = "CUDA runtime version: 11.8.89\nGPU models and configuration: \nGPU 0: NVIDIA RTX A6000\nGPU 1: NVIDIA RTX A6000\n\nNvidia driver version: 525.60.13\ncuDNN version: Probably one of the following:\n/usr/lib/x86_64-linux-gnu/libcudnn.so.8.7.0\nLibc version: glibc-2.31\n"
    found = facts(report)
    assert (found["cuda.version"], found["cudnn.version"], found["driver.version"], found["os.glibc"]) == (
        "11.8",
        "8.7.0",
        "525.60.13",
        "2.31",
    )
    assert found["gpus"] == [{"name": "NVIDIA RTX A6000"}] * 2


@pytest.mark.parametrize(
    ("listed", "shape"),
    [
        (
            "Arguments received by Net.call():\n  \u2022 x=tf.Tensor(shape=(None, 8), dtype=float32)\n  \u2022 training=True",
            "(None, 8)",
        ),
        (
            'Call arguments received by layer "net" (type Net):\n  \u2022 x=tf.Tensor(shape=(4, 28, 28), dtype=float64)',
            "(4, 28, 28)",
        ),
        ("Arguments received by Net.call():\n  \u2022 x={'age': 'tf.Tensor(shape=(None, 3), dtype=float32)'}", None),
        ("Arguments received by Net.call():", None),
        ("  \u2022 x=tf.Tensor(shape=(None, 8), dtype=float32)", None),
    ],
)
def test_the_input_of_the_call_that_failed_is_the_first_argument_that_keras_lists(listed: str, shape: str | None) -> None:
    assert (
        facts(f"ValueError: Exception encountered when calling Net.call().\n\nIt failed.\n\n{listed}").get("log.call_shape")
        == shape
    )


RANKS = "ValueError: Input 0 of layer 'conv2d' is incompatible with the layer: expected min_ndim=4, found ndim=3."


@pytest.mark.parametrize(
    ("above", "chained"),
    [
        ('  File "model.py", line 6, in <module>\n    x = layers.Conv2D(8, 3)(x)\n        ^^^^^^^^^^^^^^^^^^^^^^', True),
        ('  File "model.py", line 6, in <module>\n    out = Conv2D(8, 3)(out, training=True)', True),
        ("Cell In[3], line 6\n      5 x = LSTM(16)(inputs)\n----> 6 x = Conv2D(8, 3)(x)\n      7 x = Flatten()(x)", True),
        ('  File "model.py", line 6, in <module>\n    x = layers.Conv2D(8, 3)(inputs)', None),
        ('  File "model.py", line 6, in <module>\n    y = layers.Conv2D(8, 3)(x)', None),
        ("x = layers.Conv2D(8, 3)(x)\nx = layers.Flatten()(x)", None),
    ],
)
def test_the_line_that_failed_tells_whether_a_layer_follows_another(above: str, chained: bool | None) -> None:
    assert facts(f"Traceback (most recent call last):\n{above}\n{RANKS}").get("log.layer_in_chain") is chained


@pytest.mark.parametrize(
    ("code", "shape"),
    [
        ("model = keras.Sequential([keras.Input((16, 16, 3)), Conv2D(4, 3)])", "(16, 16, 3)"),
        ("inputs = tf.keras.layers.Input(shape=(None,), name='words')", "(None,)"),
        ("model.add(LSTM(32, input_shape=[20, 8]))", "[20, 8]"),
        ("a = Input((4,))\nb = Input((6,))", "(6,)"),
        ("picture = Input((32, 32, 3))\nage = Input((1,))", None),
        ("model.add(Dense(8, input_shape=x.shape[1:]))", None),
        ("model.build(input_shape=(None, 28, 28))", None),
        ("Input(()", None),
    ],
)
def test_the_input_of_the_model_is_what_the_code_declares(code: str, shape: str | None) -> None:
    assert facts(code).get("log.input_shape") == shape
