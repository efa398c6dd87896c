"""The readers of machine data: libraries, files of /proc, packages' metadata, the driver's answers, the kernel's log."""

import json
import os
import pathlib
import struct
import tempfile
import typing

from tests.fuzz.target import Target
from tests.fuzz.text_targets import fact_types
from tfhelp.collectors import environment, gpu
from tfhelp.collectors.environment.installed import folders, source, versions
from tfhelp.collectors.environment.probe import loader_path, packages, shadowing, tensorflow_files
from tfhelp.collectors.environment.probe.findings import Findings
from tfhelp.collectors.gpu import kernel_log
from tfhelp.collectors.machine import read_machine
from tfhelp.collectors.probe_child import MARKER, Outcome, answers
from tfhelp.collectors.run.phases import crash_place, phase_of
from tfhelp.collectors.run.python_stacks import read_dumps, read_spy
from tfhelp.collectors.run.waiting_calls import wait_of
from tfhelp.kb.fact_sheet import FactSheet, read_document

_SCRATCH = tempfile.TemporaryDirectory(prefix="tfhelp-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
_ROOT = pathlib.Path(_SCRATCH.name)


def _file(name: str, content: bytes) -> str:
    path = _ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return str(path)


def _valid(sheet: FactSheet) -> object:
    document = sheet.document()
    json.dumps(document, allow_nan=False).encode()
    read_document(document, fact_types())
    return document


def _elf(data: bytes) -> object:
    """A shared library, and the loader's cache."""
    found = loader_path.run_path(_file("library.so", data))
    "".join(found[1]).encode()
    cache = loader_path._loader_cache(_file("ld.so.cache", data))
    assert not found[2] or not found[1]
    return found, sorted(cache.items())


def library(tag: int = 29, run_path: bytes = b"$ORIGIN/../nvidia/cudnn/lib:/opt/cuda/lib64\0") -> bytes:
    """The smallest shared library with a run path: a header, two segments, a dynamic section and its strings."""
    strings = b"\0" + run_path
    place = 64 + 2 * 56
    text = place + 3 * 16
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    segments = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, text + len(strings), text + len(strings), 4096)
    segments += struct.pack("<IIQQQQQQ", 2, 6, place, place, place, 48, 48, 8)
    return head + segments + struct.pack("<QQQQQQ", 5, text, tag, 1, 0, 0) + strings


def _parts(data: bytes) -> list[bytes]:
    return data.split(b"\xff\xfe\xfd")


_MACHINE = ("proc/meminfo", "proc/cpuinfo", "proc/self/cgroup", "etc/os-release", "proc/sys/kernel/osrelease", "proc/self/mounts")
_MACHINE += ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current", "sys/fs/cgroup/memory.events", "proc/1/cgroup")
_MACHINE += ("proc/driver/nvidia/version", "proc/modules")


def _proc(data: bytes) -> object:
    """Files of a machine, one after another."""
    parts = _parts(data)
    for number, name in enumerate(_MACHINE):
        _file(f"machine/{name}", parts[number] if number < len(parts) else b"")
    sheet = FactSheet()
    root = str(_ROOT / "machine")
    read_machine(sheet, root)
    gpu._put_kernel(sheet, root)
    broken = [about for about in sheet.about.values() if about["state"] == "not-readable" and "Error" in about["source"]]
    assert not broken, broken
    for name in [name for name in sheet.values if name.endswith(("_free_mib", "_available_mib", "_used_mib", "_kills"))]:
        del sheet.values[name], sheet.about[name]  # values of the real machine: they change in between
    return _valid(sheet)


def _machine_files() -> typing.Iterator[bytes]:
    files = [
        b"MemTotal: 16384 kB\nMemAvailable: 8192 kB\n",
        b"model name\t: Xeon\nflags\t\t: fpu avx avx2 fma hypervisor\n",
        b"0::/a/b\n",
    ]
    files += [
        b'NAME="Debian"\nVERSION_ID="12"\n',
        b"6.1-microsoft\n",
        b"overlay / overlay rw 0 0\n",
        b"1073741824\n",
        b"1024\n",
        b"oom_kill 3\n",
    ]
    files += [b"0::/docker/1\n", b"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat\n", b"nouveau 1 0 - Live\n"]
    yield b"\xff\xfe\xfd".join(files)
    yield b"\xff\xfe\xfd".join([*files[:2], b"4:memory:/x\n", *files[3:]])


def _packages(data: bytes) -> object:
    """Metadata of packages, TensorFlow's build information, ``pyvenv.cfg`` and a module, one after another."""
    parts = [*_parts(data), b"", b"", b"", b"", b""]
    site = _ROOT / "env/lib/python3.11/site-packages"
    _file("env/bin/python", b"")
    _file("env/pyvenv.cfg", parts[0])
    for number, name in enumerate(("numpy-1.26.0.dist-info/METADATA", "keras.egg-info", "tensorflow-.dist-info/METADATA")):
        _file(f"env/lib/python3.11/site-packages/{name}", parts[number + 1])
    _file("env/lib/python3.11/site-packages/tensorflow/__init__.py", parts[4])
    _file("env/lib/python3.11/site-packages/tensorflow/python/platform/build_info.py", parts[4])
    findings = Findings()
    packages.read_packages(findings, [str(site)])
    place = tensorflow_files.read_tensorflow(findings, [str(site)])
    cuda, cudnn = (findings.values.get(f"tensorflow.built_{name}_version") for name in ("cuda", "cudnn"))
    tensorflow_files.wanted_libraries(str(cuda or ""), str(cudnn or ""))
    shadowing.find_shadowing(str(site), [str(site)])
    json.dumps(findings.document()).encode()
    sheet = FactSheet()
    environment._put_document(sheet, findings.document())
    roots = folders(str(_ROOT / "env/bin/python"))
    versions(("tensorflow", "numpy", "keras"), roots)
    found = source("tensorflow.python.platform.build_info", roots)
    return place, _valid(sheet), found


def _package_files() -> typing.Iterator[bytes]:
    built = b"build_info = {'cuda_version': '12.2', 'cudnn_version': '8', 'is_cuda_build': True}\n"
    yield b"\xff\xfe\xfd".join(
        [b"home = /usr\nversion = 3.11.7\n", b"Name: numpy\nVersion: 1.26.0\n", b"Version: 3.0\n", b"Version: 2.15.0\n", built]
    )


def _driver(data: bytes) -> object:
    """The output of a driver probe, from any program."""
    outcome = Outcome()
    outcome.output, outcome.exit_code = data.decode("utf-8", "replace"), 0
    sheet = FactSheet()
    gpu._put_answers(sheet, outcome)
    return _valid(sheet)


def _driver_answers() -> typing.Iterator[bytes]:
    card = {
        "name": "A100",
        "compute_capability": "8.0",
        "memory_total_mib": 81920.0,
        "processes": [{"pid": 1, "name": "p", "memory_mib": 1.0}],
    }
    told = [{"driver": "550.1"}, {"cuda": 12040}, {"count": 1}, {"gpu": card}, {"done": True}]
    yield "".join(f"\n{MARKER}{json.dumps(one)}\n" for one in told).encode()
    yield "".join(f"\n{MARKER}{json.dumps(one)}\n" for one in [{"error": 999, "at": "init"}, {"unusable": "no"}]).encode()


def _interpreter(data: bytes) -> object:
    """The output of an interpreter probe: any program may call itself Python."""
    outcome = Outcome()
    outcome.output, outcome.exit_code = data.decode("utf-8", "replace"), 0
    sheet = FactSheet()
    plans = [environment._put_document(sheet, told) for told in answers(outcome)]
    assert all(isinstance(part, str) for plan in plans for pair in plan for part in pair)
    return plans, _valid(sheet)


def _interpreter_answers() -> typing.Iterator[bytes]:
    told = {"_about": {"python.version": {"source": "interpreter", "state": "ok"}}, "python": {"version": "3.11.7", "bits": 64}}
    told |= {"packages": {"numpy": "1.26.0"}, "cuda": {"libraries": ["/a/libcudart.so.12"]}, "_plan": [["libcudart.so.12", "/a"]]}
    yield f"\n{MARKER}{json.dumps(told)}\n".encode()


def _kernel(data: bytes) -> object:
    lines = kernel_log.read_kernel_log(_file("kmsg", data))
    assert lines is not None
    return kernel_log.xid_codes(lines), kernel_log.oom_killed(lines)


def _kernel_logs() -> typing.Iterator[bytes]:
    yield b"4,1,1,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n SUBSYSTEM=pci\n"
    yield b"4,2,2,-;Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9000kB\n6,3,3,-;Killed process 1, (a)\n"


def _stacks(data: bytes) -> object:
    """Stacks of the fault handler and of py-spy."""
    text = data.decode("utf-8", "replace")
    spied = read_spy(text)
    dumps = [*read_dumps(text), *([spied] if spied else [])]
    for dump in dumps:
        for thread in dump.threads:
            wait_of(thread), phase_of(thread), crash_place(thread), thread.own_line(), thread.is_main()
    return dumps


def _dumps() -> typing.Iterator[bytes]:
    yield b'Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f17 [python] (most recent call first):\n  File "a.py", line 3 in f\n  File "a.py", line ??? in <module>\n'
    yield b'Process 12: python train.py\nPython v3.11.7\n\nThread 12 (idle): "MainThread"\n    wait (threading.py:327)\n    <module> (train.py:3)\n'


_ANSWER_WORDS = (MARKER, '{"gpu": {', '"error": ', '"_about": {', '"_plan": [[', "null", "1e999", "\n", "\\ud800", "[[[[")

TARGETS = (
    Target("elf", _elf, lambda: [library(), library(15), b"\0libcudart.so.12\0/usr/lib/libcudart.so.12\0"], 2_048, pumped=False),
    Target(
        "proc", _proc, _machine_files, words=("\xff\xfe\xfd", "MemTotal:", "max", "oom_kill ", "::/", "memory:"), pumped=False
    ),
    Target(
        "packages",
        _packages,
        _package_files,
        words=("\xff\xfe\xfd", "Version: ", "cuda_version", "version = 3.", "'12.2'"),
        pumped=False,
    ),
    Target("driver", _driver, _driver_answers, words=_ANSWER_WORDS),
    Target("interpreter", _interpreter, _interpreter_answers, words=_ANSWER_WORDS),
    Target(
        "kernel-log",
        _kernel,
        _kernel_logs,
        words=("NVRM: Xid (", "): 79", "Killed process ", "oom-kill", "4,1,1,-;"),
        pumped=False,
    ),
    Target(
        "stacks",
        _stacks,
        _dumps,
        words=('  File "', "Thread 0x1 (most recent call first):", "Stack (most recent", ", line ??? in f"),
    ),
)
