"""Who wrote a record or raised its exception, derived from structure."""

import pytest

from tfhelp.collectors.reading import read
from tfhelp.kb import origins
from tfhelp.kb.text import ORIGINS

SITE = "/home/me/venv/lib/python3.11/site-packages"


def stack(*files: str, exception: str = "ValueError: no") -> str:
    frames = "".join(f'  File "{file}", line 3, in f\n    f()\n' for file in files)
    return f"Traceback (most recent call last):\n{frames}{exception}"


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        (stack("train.py", f"{SITE}/keras/src/layers/layer.py"), "keras"),
        (stack("train.py", f"{SITE}/tensorflow/python/eager/execute.py"), "tensorflow"),
        (stack("train.py", f"{SITE}/keras/src/saving/x.py", f"{SITE}/h5py/_hl/files.py", "h5py/h5f.pyx"), "keras"),
        (stack("train.py", f"{SITE}/torch/nn/modules/module.py"), "library:torch"),
        (stack("train.py", f"{SITE}/keras/src/trainer.py", "/home/me/data.py"), "user"),
        (stack("train.py", "/usr/lib/python3.11/json/decoder.py"), "user"),
        (stack("train.py", f"{SITE}/numpy/core/numeric.py"), "user"),
        (stack("train.py", exception="tensorflow.python.framework.errors_impl.InternalError: no"), "tensorflow"),
        (stack(r"C:\work\train.py", r"C:\Python311\Lib\site-packages\tf_keras\a.py", r"C:\Python311\Lib\queue.py"), "keras"),
        (stack("train.py", f"{SITE}/google/protobuf/descriptor.py"), "user"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory.", "library:torch"),
        ("json.decoder.JSONDecodeError: Expecting value", "unknown"),
        ("ValueError: no", "unknown"),
        ("ValueError: loss is tensor(nan, device='cuda:0', grad_fn=<AddBackward0>)", "library:torch"),
        ("ValueError: loss is tf.Tensor(nan, device='cuda:0')", "unknown"),
        (
            "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 6.00 GiB total; 1.24 GiB reserved in total by PyTorch)",
            "library:torch",
        ),
        ("`Tried to allocate 2.00 GiB (GPU 0; 6.00 GiB total capacity; 1.24 GiB reserved in total by PyTorch)`", "library:torch"),
        (
            "Cell In[3], line 2\n----> 2 fit(x)\n\nFile ~/venv/lib/python3.11/site-packages/keras/src/x.py:12, in f(a)\n---> 12 raise",
            None,
        ),
        ("2026-11-20 02:11:09.713204: W tensorflow/core/a.cc:3] slow", "tensorflow"),
        ("2026-11-20 02:11:09.713204: E external/local_xla/xla/a.cc:3] no", "tensorflow"),
        ("2026-11-20 02:11:09.713204: E external/xla/xla/a.cc:3] no", "program:xla"),
        ("E0000 00:00:1795172612.101368    8215 cuda_platform.cc:52] failed call to cuInit", "unknown"),
        ("WARNING:tensorflow:Your input ran out of data", "tensorflow"),
        ("WARNING:torch.distributed.run:Setting OMP_NUM_THREADS", "library:torch"),
        ("WARNING (zorb.cuda.device): no device", "library:zorb"),
        ("INFO:__main__:done", "user"),
        (f"{SITE}/keras/src/a.py:74: UserWarning: `shuffle` is ignored.", "keras"),
        ("Out of memory: Killed process 123 (ffmpeg) total-vm:1kB", "program:ffmpeg"),
        ("Out of memory: Killed process 123 (python3) total-vm:1kB", "kernel"),
        ("NVRM: Xid (PCI:0000:01:00): 79, pid=1234", "kernel"),
        ("Process 4711 (zorb) of user 1000 dumped core.", "program:zorb"),
        ("Process 4711 (python3.11) of user 1000 dumped core.", "kernel"),
        ('Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat a.b.C.d(C.java:12)', "program:java"),
        ("Error: no\n    at main (/srv/zorb/index.js:12:9)", "program:javascript"),
        ("panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/zorb/main.go:12 +0x1d", "program:go"),
        ("thread 'main' panicked at src/main.rs:14:23:\nindex out of bounds", "program:rust"),
        ("Unhandled exception. System.Exception: no\n   at Zorb.Main() in /srv/Zorb.cs:line 12", "program:dotnet"),
        ("Traceback of zorb.rb:12:in `call': no (RuntimeError)", "program:ruby"),
        ("Killed", "shell"),
        ("./run.sh: line 3: 4711 Killed   ffmpeg -i a.mp4", "program:ffmpeg"),
        ("./run.sh: line 3: 4711 Killed   python train.py", "shell"),
        ("Segmentation fault (core dumped) ./zorb --fast", "program:zorb"),
        ("Segmentation fault (core dumped) python3 train.py", "shell"),
        ("[1]    7861 abort (core dumped)  ./zorb --fast", "program:zorb"),
        ("[2]  + 7861 segmentation fault  ./zorb", "program:zorb"),
        ("zsh: bus error  /opt/zorb/bin/zorb", "program:zorb"),
        ("[1]    4171 segmentation fault  python train.py", "shell"),
        ("zsh: illegal hardware instruction  python3", "shell"),
        ("slurmstepd: error: *** JOB 811 ON gpu07 CANCELLED AT 2024-03-01T10:00:00 DUE TO TIME LIMIT ***", "scheduler"),
        ("ERROR: Could not find a version that satisfies the requirement tensorflow", "installer"),
        ("ffmpeg: error while loading shared libraries: libx264.so", "program:ffmpeg"),
        ("bash: nvcc: command not found", "shell"),
        ("10/10 [==============================] - 1s 2ms/step", "keras"),
        ("Mar 14 09:26:53 host17 zorbd[4711]: Segmentation fault", "program:zorbd"),
        ("2026-03-14T09:26:53.124+00:00 host17 zorbd[4711]: I could not find the file that you asked for.", "program:zorbd"),
        ("zorbd[4711]: worker failed", "program:zorbd"),
        ("Mar 14 09:26:53 host17 python3[4711]: Segmentation fault", "shell"),
        ("Mar 14 09:26:53 host17 train.py[4711]: ValueError: no", "unknown"),
        ("Mar 14 09:26:53 host17 3f2a1b9c0d4e[811]: ValueError: no", "unknown"),
        ("Mar 14 09:26:53 host17 dockerd[811]: WARNING:tensorflow:slow", "tensorflow"),
        ("Mar 14 09:26:53 host17 zorbd[811]: WARNING:tensorflow:slow", "tensorflow"),
        ("Mar 14 09:26:53 host17 kernel: Out of memory: Killed process 12 (python3)", "kernel"),
        ("INTERNAL: Failed to call DoRnnForward", "unknown"),
        ("[1]+  Segmentation fault      (core dumped) ./zorb --fast", "program:zorb"),
        ("[2]-  Killed                  zorb --fast", "program:zorb"),
        ("[1]+  Killed                  python3 train.py", "shell"),
        ("[1]+  Killed                  env OMP_NUM_THREADS=4 python3 train.py", "shell"),
        ("zorb: ./src/main.c:36: check: Assertion `0' failed.", "program:zorb"),
        ("python3: ./src/main.c:36: check: Assertion `0' failed.", "unknown"),
        (f"ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by {SITE}/zorb/_zorb.so)", "library:zorb"),
        (f"ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by {SITE}/h5py/_h5.so)", "unknown"),
        (f"ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by {SITE}/tensorflow/x.so)", "tensorflow"),
        ("OMP: Error #15: Initializing libomp.so", "unknown"),
        ("docker: Error response from daemon: no such image", "scheduler"),
        ("I train a model on two machines and it is slow.", "person"),
    ],
)
def test_origin(text: str, origin: str | None) -> None:
    records = read(text).records
    assert records[-1].origin == (origin or "keras")
    assert all(record.origin in ORIGINS or record.origin.startswith(("library:", "program:")) for record in records)


@pytest.mark.parametrize(
    ("command", "origin"),
    [
        ("$ ./zorb", "program:zorb"),
        ("me@host:~/games$ /opt/zorb/bin/zorb --fast", "program:zorb"),
        ("/opt/zorb/build # ./zorb", "program:zorb"),
        ("/opt/zorb/build # cat notes", "shell"),
        ("$ ./train.sh", "shell"),
        ("$ python train.py", "shell"),
        ("$ /usr/bin/time python train.py", "shell"),
        ("$ torchrun train.py", "shell"),
        ('$ python3 -X faulthandler -c "import zorb"', "library:zorb"),
        ("# python -c 'from zorb import fast; fast()'", "library:zorb"),
        ('$ /usr/bin/python3 -c "import zorb"', "library:zorb"),
        ('$ python -c "import tensorflow"', "shell"),
        ('$ python -c "import os; os.abort()"', "shell"),
    ],
)
def test_a_signal_ends_the_command_before_it(command: str, origin: str) -> None:
    assert read(f"{command}\nSegmentation fault (core dumped)").records[-1].origin == origin


def test_what_the_cpp_runtime_says_belongs_to_the_program_that_has_just_failed() -> None:
    text = 'CUDA error at src/solver.cu:212 code=700(cudaErrorIllegalAddress) "cudaFree(field)"\nterminate called without an active exception'
    assert [record.origin for record in read(text).records] == ["program:src", "program:src"]


@pytest.mark.parametrize(
    ("thrown", "origin"),
    [("zorb::SolverError", "library:zorb"), ("std::bad_alloc", "unknown"), ("tensorflow::Status", "unknown"), ("int", "unknown")],
)
def test_an_uncaught_exception_belongs_to_the_namespace_of_its_class(thrown: str, origin: str) -> None:
    text = f"terminate called after throwing an instance of '{thrown}'\n  what():  no\nAborted (core dumped)"
    after = "shell" if origin == "unknown" else origin
    assert [record.origin for record in read(text).records] == [origin, after]


def test_a_numbered_stack_of_calls_belongs_to_its_namespace() -> None:
    text = "Traceback (most recent call last):\n0   {0}::Solver::Step(int, int)\n1   {1}::Run()\nFatalError: a signal ended the process"
    assert read(text.format("zorb", "zorb")).records[-1].origin == "library:zorb"
    assert read(text.format("zorb", "tensorflow")).records[-1].origin == "unknown"


def test_a_program_that_initialised_its_logging_is_not_tensorflow() -> None:
    crash = "{} 17:10:32.502630 12401 init.cc:234] *** SIGSEGV (@0x0) received by PID 12401 ***\nSegmentation fault (core dumped)"
    assert [record.origin for record in read(crash.format("W1119")).records] == ["program:", "program:"]
    assert [record.origin for record in read(crash.format("W0000")).records] == ["unknown", "shell"]


def test_a_signal_ends_the_program_that_has_just_failed() -> None:
    text = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\nAborted (core dumped)"
    assert [record.origin for record in read(text).records] == ["program:javascript", "program:javascript"]
    text = f"{stack('a.py', f'{SITE}/zorb/core.py')}\nSegmentation fault"
    assert read(text).records[-1].origin == "library:zorb"
    text = "step 3 loss 0.2\nAborted (core dumped)"
    assert read(text).records[-1].origin == "shell"


def test_a_title_that_repeats_another_librarys_exception_has_its_origin() -> None:
    message = "ValueError: the loss of iteration 27 is not finite"
    title, other = f"{message}, why?\n\n", "ValueError: the data set has no rows\n\n"
    traceback = stack("train.py", f"{SITE}/torch/nn/modules/module.py", exception=message)
    assert [record.origin for record in read(title + other + traceback).records] == ["library:torch", "unknown", "library:torch"]


def test_the_stack_of_a_crash_has_its_innermost_call_first() -> None:
    text = (
        'Fatal Python error: Segmentation fault\n\nThread 0x02 (most recent call first):\n  File "/a/other.py", line 1 in wait\n\n'
        f'Current thread 0x01 (most recent call first):\n  File "{SITE}/tensorflow/python/x.py", line 5 in call\n  File "train.py", line 1 in f'
    )
    (record,) = read(text).records
    assert record.origin == "tensorflow"
    assert [frame.function for frame in record.frames] == ["f", "call"]


def test_what_the_builds_of_tensorflow_and_jax_both_print_is_jaxs_where_jax_runs() -> None:
    log = "2022-11-20 02:11:09.713204: E external/org_tensorflow/tensorflow/compiler/xla/a.cc:3] no"
    assert read(log).records[0].origin == "tensorflow"
    assert read(f"{log}\n{stack('a.py', f'{SITE}/jax/_src/api.py')}").records[0].origin == "library:jax"


def test_the_names_are_current() -> None:
    assert origins.TARGET.read_text(encoding="utf-8") == origins.module_text()
