"""Typed questions: how a fact is asked for, and how a reply is understood."""

import os
import pty
import select
import subprocess
import sys
import termios
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfhelp.kb import compiled
from tfhelp.kb.derived import registry
from tfhelp.kb.fact_sheet import read_document
from tfhelp.service.diagnosis import asking
from tfhelp.service.diagnosis.asking import made_of
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.replies import read_replies, read_reply
from tfhelp.service.diagnosis.reply_values import ReplyError

Json = dict[str, typing.Any]
KNOWLEDGE = compiled.load()
TYPES = KNOWLEDGE.fact_types
CHECKS = [
    check
    for entry in KNOWLEDGE.entries()
    for cause in KNOWLEDGE.entry(entry)["causes"]
    for check in cause["checks"]
    if "fact" in check and "if_unknown" in check
]
SMI = """\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.14              Driver Version: 550.54.14      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  NVIDIA GeForce RTX 3060        Off |   00000000:01:00.0  On |                  N/A |
|  0%   45C    P8             12W /  170W |     512MiB /  12288MiB |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
"""
NO_KERAS = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
ModuleNotFoundError: No module named 'keras'
"""
FREE = """\
               total        used        free      shared  buff/cache   available
Mem:           31996        5107       21000         100        6000       26400
Swap:           2047           0        2047
"""
NO_DRIVER = {"driver": {"state": "absent", "version": None}}


def facts_of(path: str, written: str, command: str = "") -> Json:
    reply = read_reply(path, written, TYPES, command)
    assert reply is not None and reply.text == "", reply and reply.text
    return reply.facts


def test_each_question_of_the_knowledge_base_can_be_asked_and_each_of_its_options_answers_it() -> None:
    assert len(CHECKS) > 100
    for check in CHECKS:
        question = asking.question_of(check, TYPES)
        assert question["question"].endswith("?") and question["question"].count("?") == 1, question
        assert question["options"] or question["type"] in ("number", "output"), question
        assert question["hint"] or question["type"] in ("boolean", "choice"), question
        for option in question["options"]:
            facts = facts_of(check["fact"], option["reply"])
            read_document(facts, TYPES)
            assert facts, question


def test_a_computed_fact_is_asked_by_a_fact_that_somebody_can_say() -> None:
    computed = {check["fact"] for check in CHECKS if asking.made_of(check["fact"]) != check["fact"]}
    assert len(computed) > 20
    for path in computed:
        assert path in registry._facts
        assert asking.type_of(asking.made_of(path), TYPES) != "output", path


@pytest.mark.parametrize(("wanted", "yes"), [(True, "true"), (False, "false")])
def test_yes_confirms_the_statement_of_the_check_even_if_it_is_negative(wanted: bool, yes: str) -> None:
    check: typing.Any = {
        "says": "the build has GPU code" if wanted else "the build has no GPU code",
        "fact": "tensorflow.cuda_build",
        "is": wanted,
        "if_unknown": {"ask": "Does this build have GPU code?"},
    }
    question = asking.question_of(check, TYPES)
    assert question["question"] == f"Is this true: {check['says']}?"
    assert question["options"][0] == {"label": "yes", "reply": yes}
    assert facts_of("tensorflow.cuda_build", question["options"][0]["reply"]) == {"tensorflow": {"cuda_build": wanted}}


def test_only_what_may_be_absent_offers_not_there() -> None:
    def labels(path: str) -> list[str]:
        check: typing.Any = {"says": "x", "fact": path, "if_unknown": {"ask": "Which?"}}
        return [option["label"] for option in asking.question_of(check, TYPES)["options"]]

    assert labels("packages.keras") == ["not installed"]
    assert labels("env.LD_LIBRARY_PATH") == labels("derived.gpu_hidden_by_env") == ["not set"]
    assert labels("driver.version") == ["no driver"]
    assert labels("cuda.ptxas") == ["not there"]
    assert labels("run.exit_code") == []
    assert labels("os.wsl") == ["yes", "no"]
    assert labels("os.name") == ["linux", "windows", "macos"]


@pytest.mark.parametrize(
    ("path", "written", "command", "facts"),
    [
        ("driver.version", "550.54.14", "nvidia-smi", {"driver": {"version": "550.54.14"}}),
        ("driver.version", "not there", "nvidia-smi", NO_DRIVER),
        ("driver.version", "no driver", "nvidia-smi", NO_DRIVER),
        ("driver.version", "command not found", "nvidia-smi", NO_DRIVER),
        ("driver.version", "bash: nvidia-smi: command not found", "nvidia-smi", NO_DRIVER),
        ("driver.version", "zsh: command not found: nvidia-smi", "nvidia-smi", NO_DRIVER),
        ("driver.version", "'nvidia-smi' is not recognized as an internal or external command,", "nvidia-smi", NO_DRIVER),
        (
            "driver.version",
            "Failed to initialize NVML: Driver/library version mismatch",
            "nvidia-smi",
            {"driver": {"state": "mismatch"}},
        ),
        ("packages.keras", "ImportError: No module named keras", "python -c 'import keras'", {"packages": {"keras": None}}),
        ("packages.keras", NO_KERAS, "python -c 'import keras'", {"packages": {"keras": None}}),
        ("derived.keras_major", NO_KERAS, "python -c 'import keras'", {"packages": {"keras": None}}),
        ("packages.h5py", "WARNING: Package(s) not found: h5py", "pip show h5py", {"packages": {"h5py": None}}),
        ("packages.h5py", "Name: h5py\nVersion: 3.11.0\nSummary: x", "pip show h5py", {"packages": {"h5py": "3.11.0"}}),
        ("derived.protobuf_too_new", "5.26.1 /usr/lib/google/protobuf/__init__.py", "", {"packages": {"protobuf": "5.26.1"}}),
        ("derived.numpy_major", "1.26.4 C:\\env\\numpy\\__init__.py", "", {"packages": {"numpy": "1.26.4"}}),
        ("derived.killed", "137", "", {"run": {"exit_code": 137}}),
        ("derived.killed", "exit code 137", "", {"run": {"exit_code": 137}}),
        ("derived.native_crash", "0xC0000005", "", {"run": {"exit_code": 0xC0000005}}),
        ("derived.gpu_hidden_by_env", "-1", "", {"env": {"CUDA_VISIBLE_DEVICES": "-1"}}),
        ("derived.gpu_hidden_by_env", "not set", "", {"env": {"CUDA_VISIBLE_DEVICES": None}}),
        ("derived.gpu_present", "no NVIDIA GPU", "", {"gpus": []}),
        ("derived.gpu_present", "NVIDIA GeForce RTX 3060, Tesla T4", "", {"gpus": [{"name": "NVIDIA GeForce RTX 3060"}, {"name": "Tesla T4"}]}),
        ("derived.gpu_count", "2", "", {"gpus": [{}, {}]}),
        ("derived.gpu_newer_than_build", "12.0", "", {"gpus": [{"compute_capability": "12.0"}]}),
        ("derived.gpu_present", "nvidia-smi: command not found", "nvidia-smi", NO_DRIVER),
        ("derived.shm_small", "64M", "df -h /dev/shm", {"host": {"shm_total_mib": 64.0}}),
        ("derived.container_limits_memory", "no limit", "", {"host": {"cgroup_limit_mib": None}}),
        ("host.memory_available_mib", "2 GiB", "free -m", {"host": {"memory_available_mib": 2048.0}}),
        ("os.wsl", "no", "cat /proc/version", {"os": {"wsl": False}}),
        ("python.version", "Python 3.11.7", "python --version", {"python": {"version": "3.11.7"}}),
        ("python.shadowing_file", "/v/lib/python3.11/site-packages/tensorflow/__init__.py", "python -c x", {"python": {"shadowing_file": None}}),
        ("derived.gpu_present", "No devices were found", "nvidia-smi", {"gpus": []}),
        ("derived.gpu_count", "2x RTX 3090", "nvidia-smi -L", {"gpus": [{"name": "RTX 3090"}, {"name": "RTX 3090"}]}),
        ("derived.gpu_count", "GPU 0: NVIDIA A100 (UUID: GPU-1)", "nvidia-smi -L", {"gpus": [{"name": "NVIDIA A100"}]}),
        ("derived.gpu_hidden_by_env", './train.py:3:os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "grep", {"env": {"CUDA_VISIBLE_DEVICES": "-1"}}),
        ("derived.keras_major", "keras    3.3.3\ntensorflow   2.16.1", "python -m pip list | grep -iE x", {"packages": {"keras": "3.3.3", "tensorflow": "2.16.1"}}),
        ("derived.driver_satisfies_tensorflow", "driver_version\r\n470.82.01\r\n", "nvidia-smi --query-gpu=driver_version --format=csv", {"driver": {"version": "470.82.01"}}),
        ("host.cgroup_limit_mib", "2147483648", "cat /sys/fs/cgroup/memory.max", {"host": {"cgroup_limit_mib": 2048.0}}),
        ("host.cgroup_limit_mib", "max", "cat /sys/fs/cgroup/memory.max", {"host": {"cgroup_limit_mib": None}}),
        ("host.cgroup_limit_mib", "4096", "", {"host": {"cgroup_limit_mib": 4096}}),
        ("derived.disk_full", "12,288", "", {"host": {"disk_free_mib": 12288.0}}),
        ("derived.disk_full", "1,5 GB", "", {"host": {"disk_free_mib": 1536.0}}),
        ("derived.training_started", "1,200", "", {"log": {"steps_done": 1200}}),
    ],
)  # fmt: skip
def test_a_reply_becomes_facts(path: str, written: str, command: str, facts: Json) -> None:
    assert facts_of(path, written, command) == facts


@pytest.mark.parametrize("path", ["driver.version", "derived.gpu_present", "derived.driver_satisfies_tensorflow"])
def test_nvidia_smis_table_is_read_whole(path: str) -> None:
    facts = facts_of(path, SMI, "nvidia-smi")
    assert facts["driver"] == {"version": "550.54.14", "state": "ok", "cuda_version": "12.4"}
    assert facts["gpus"][0]["name"] == "NVIDIA GeForce RTX 3060"
    assert "cuda" not in facts  # the table's CUDA Version is what the driver can run, not what is installed


def test_the_amount_of_an_output_is_found_in_its_table() -> None:
    assert facts_of("host.memory_available_mib", FREE, "free -m")["host"]["memory_available_mib"] == 26400.0


@pytest.mark.parametrize(
    ("path", "written", "said"),
    [
        ("driver.version", "no", "expected a version such as 550.54.14, got 'no'; say 'not there' if it is absent"),
        ("driver.version", "yes", "expected a version such as 550.54.14"),
        ("driver.version", "12.4", "nvidia-smi's CUDA Version is not the driver's"),
        ("python.version", "2.16.1", "expected one such as 3.11.9"),
        ("packages.tensorflow", "550.54", "expected one such as 2.16.1"),
        ("derived.tensorflow_version", "yes", "packages.tensorflow: expected a version such as 2.16.1"),
        ("os.wsl", "maybe", "expected yes or no"),
        ("os.wsl", "not there", "expected yes or no"),
        ("os.name", "beos", "expected one of linux, windows, macos"),
        ("run.exit_code", "many", "expected an integer"),
        ("host.memory_available_mib", "-4", "of at least 0"),
        ("derived.gpu_present", "no", "expected the name of the GPU"),
        ("derived.gpu_count", "9000", "a number of GPUs up to 64"),
        ("derived.xid", "no", "paste what the command prints, not 'no'"),
    ],
)
def test_a_value_that_the_fact_cannot_have_is_refused_with_what_would_do(path: str, written: str, said: str) -> None:
    with pytest.raises(ReplyError) as error:
        read_reply(path, written, TYPES, "some-command")
    assert said in str(error.value)


def test_an_output_that_says_another_thing_stays_with_the_text() -> None:
    reply = read_reply("packages.keras", "Traceback:\nAttributeError: partially initialized", TYPES, "python -c 'import keras'")
    assert reply is not None and reply.facts == {}
    assert reply.text.startswith("$ python -c 'import keras'\nTraceback")


def test_several_replies_are_one_and_an_unknown_fact_is_named() -> None:
    reply = read_replies({"os.wsl": ("no", ""), "derived.xid": ("NVRM: Xid 79", "dmesg"), "os.name": ("", "")}, TYPES)
    assert (reply.facts, reply.text) == ({"os": {"wsl": False}}, "$ dmesg\nNVRM: Xid 79")
    with pytest.raises(ReplyError, match="nonsense: no answer asks for this fact"):
        read_replies({"nonsense": ("1", "")}, TYPES)


@settings(max_examples=150)
@given(
    st.sampled_from(sorted({check["fact"] for check in CHECKS})), st.text(max_size=80) | st.sampled_from([SMI, FREE, NO_KERAS])
)
def test_whatever_is_written_becomes_facts_that_fit_or_is_refused(path: str, written: str) -> None:
    try:
        reply = read_reply(path, written, TYPES, "some-command --flag")
    except ReplyError as error:
        assert str(error).startswith(asking.made_of(path))
        return
    if reply is not None:
        read_document(reply.facts, TYPES)
        assert reply.facts or reply.text


def test_the_terminal_asks_again_after_a_wrong_reply_and_reads_a_pasted_list() -> None:
    text = "tf.config.list_physical_devices('GPU') returns [] on Linux, the card is an RTX 3060"
    pasted = "Package         Version\n--------------- -------\ntensorflow-cpu  2.16.1\n\n"
    said = _in_a_terminal([sys.executable, "-m", "tfhelp.service", "ask", "--no-collect", text], ["yes\n", pasted])
    assert "paste what the command prints, not 'yes'" in said
    assert said.count("Enter to skip") == 2  # it asked again
    before, after = said.split("not 'yes'")
    assert "tensorflow-cpu 2.16.1" not in before and "tensorflow-cpu" in after.partition(pasted.replace("\n", "\r\n"))[2]


def _in_a_terminal(command: list[str], replies: list[str]) -> str:
    """The output of a program that is run in a terminal; a reply is typed at each prompt."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (50, 100))
    environment = {**os.environ, "PAGER": "cat"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        said = ""
        try:
            while select.select([ours], [], [], 60)[0]:
                said += os.read(ours, 65536).decode("utf-8", "replace")
                if replies and said.endswith("skip): "):
                    os.write(ours, replies.pop(0).encode())
        except OSError:
            pass  # Linux says so when the program has closed the terminal
        process.wait(timeout=60)
    os.close(ours)
    return said


@pytest.mark.parametrize("path", ["driver.version", "derived.gpu_present", "packages.numpy", "env.LD_LIBRARY_PATH"])
@pytest.mark.parametrize("written", ["not sure", "no idea", "unknown", "I don't know", "?"])
def test_do_not_know_is_not_a_reply(path: str, written: str) -> None:
    assert read_reply(path, written, TYPES) is None


def test_what_nvidia_smi_says_in_words_is_a_text_and_no_card() -> None:
    said = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    reply = read_reply("derived.gpu_present", said, TYPES, "nvidia-smi")
    assert reply is not None and reply.facts == {} and said in reply.text


@pytest.mark.parametrize(
    "text",
    [
        "my training stops silently, python train.py prints nothing and the process is gone",
        "CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for execution on the device",
        "TypeError: Descriptors cannot not be created directly.",
    ],
)
def test_no_fact_is_asked_for_twice(text: str) -> None:
    asked = [made_of(question["fact"]) for question in Diagnoser.load().diagnose(text)["ask_for"]]
    assert len(asked) == len(set(asked))
