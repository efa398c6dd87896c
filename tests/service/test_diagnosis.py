"""The one function that every door calls, on the real knowledge base."""

import types
import typing

import pytest

from tfhelp.kb.fact_sheet import FactError
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.doors.formats.markdown import markdown

Json = dict[str, typing.Any]

CPU_NOISE = """\
I0000 00:00:1795172608.535670    8215 cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will not be used.
E0000 00:00:1795172612.101368    8215 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)
"""
DTYPE = "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:AddV2]"
DJANGO = "django.db.utils.OperationalError: no such table: auth_user"
OOM = (
    "ResourceExhaustedError: OOM when allocating tensor with shape[256,512,512] and type float on "
    "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:Conv2D]"
)


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def first(answer: Json) -> str | None:
    return answer["matches"][0]["entry"] if answer["matches"] else None


def test_the_failure_is_found_in_the_noise_and_its_line_is_named(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(CPU_NOISE * 30 + "Epoch 1/3\n" + DTYPE)
    assert first(answer) == "dtype-mismatch"
    assert answer["matches"][0]["matched"][0]["line"] == 62
    assert answer["matches"][0]["confidence"] > 0.9
    assert {row["entry"] for row in answer["benign"]} == {"benign-no-gpu"}


def test_the_same_question_has_the_same_answer(diagnoser: Diagnoser) -> None:
    one, other = diagnoser.diagnose(OOM), diagnoser.diagnose(OOM)
    del one["took_ms"], other["took_ms"]
    assert one == other


def test_answers_that_took_nearly_the_same_time_are_told_apart(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory takes answers of one failure with the same time for one answer."""
    times = iter([1.0, 1.001488001, 2.0, 2.001488009])
    monkeypatch.setattr("tfhelp.service.diagnosis.diagnoser.time", types.SimpleNamespace(perf_counter=lambda: next(times)))
    assert diagnoser.diagnose(OOM)["took_ms"] != diagnoser.diagnose(OOM)["took_ms"]


def test_what_a_signature_captures_is_a_fact_with_its_line(diagnoser: Diagnoser) -> None:
    facts = diagnoser.diagnose("Epoch 1/3\n" + OOM)["facts"]
    assert facts["log"]["failed_shape"] == "256,512,512"
    assert facts["_about"]["log.failed_shape"]["source"] == "log line 2"


def test_a_text_of_harmless_lines_is_answered_as_harmless(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(CPU_NOISE)
    assert (answer["abstained"], first(answer)) == (False, "benign-no-gpu")
    assert all(match["severity"] == "benign" for match in answer["matches"])


@pytest.mark.parametrize(
    "text",
    [
        DJANGO,
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity)",
        "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree",
        "hello, how are you?",
        "{}",
        "psycopg2.OperationalError: FATAL:  remaining connection slots are reserved",
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    import flask\nModuleNotFoundError: No module named 'flask'",
    ],
)
def test_a_failure_of_other_software_is_not_answered_even_among_tensorflows_lines(diagnoser: Diagnoser, text: str) -> None:
    assert diagnoser.diagnose(text)["abstained"]
    assert all(match["severity"] == "benign" for match in diagnoser.diagnose(CPU_NOISE + text)["matches"])


@pytest.mark.parametrize(
    ("said", "printed", "entry"),
    [
        (
            "While I train the network, the GPU runs out of memory after a few seconds.",
            "ERROR: LoadError: Out of GPU memory trying to allocate 1.221 GiB",
            "gpu-out-of-memory",
        ),
        (
            'Since yesterday the container ends at once with an "Illegal instruction" error.',
            "/opt/zorb # ./zorb\nIllegal instruction (core dumped)",
            "illegal-instruction",
        ),
    ],
)
def test_words_about_a_failure_of_other_software_are_no_sign(diagnoser: Diagnoser, said: str, printed: str, entry: str) -> None:
    assert diagnoser.diagnose(f"{said}\n\n{printed}")["verdict"] == "unknown"
    assert first(diagnoser.diagnose(f"I use Keras. {said}")) == entry


@pytest.mark.parametrize(
    "text",
    [
        DJANGO,
        "npm ERR! code ERESOLVE",
        "build: /src/app.c:3: fatal error",
        "E0000 00:00:1795172612.101368 8215 a.cc:1] what is this",
    ],
)
def test_an_unknown_failure_among_harmless_lines_is_not_called_harmless(diagnoser: Diagnoser, text: str) -> None:
    assert diagnoser.diagnose(CPU_NOISE + text)["abstained"]


_RAISED = """\
Traceback (most recent call last):
  File "/home/user/project/train.py", line 9, in <module>
    model.fit(rows, epochs=2)
  File "/home/user/venv/lib/python3.11/site-packages/keras/src/trainers/data_adapters/py_dataset_adapter.py", line 80, in check
    raise ValueError(message)
ValueError: Your `PyDataset` class should call `super().__init__(**kwargs)` in its constructor
"""
_IN_DEL = """\
finished
Exception ignored in: <function AtomicFunction.__del__ at 0x7fd0a1b2c3d0>
Traceback (most recent call last):
  File "/opt/venv/lib/python3.11/site-packages/tensorflow/python/eager/polymorphic_function/atomic_function.py", line 291, in __del__
TypeError: 'NoneType' object is not subscriptable
"""


@pytest.mark.parametrize(("text", "harmless"), [(_RAISED, False), (_RAISED.split("\n")[-2][12:], True), (_IN_DEL, True)])
def test_words_that_are_harmless_as_a_warning_end_the_program_as_an_exception(
    diagnoser: Diagnoser, text: str, harmless: bool
) -> None:
    assert (diagnoser.diagnose(text)["verdict"] == "nothing-failed") == harmless


@pytest.mark.parametrize(
    "text",
    [
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:",
        "ValueError: Exception encountered when calling Sequential.call().",
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    model.fit(x)\nValueError: in user code:\n',
    ],
)
def test_a_message_without_its_end_is_asked_for(diagnoser: Diagnoser, text: str) -> None:
    answer = diagnoser.diagnose(text)
    assert answer["abstained"] and any("The message is not complete" in note for note in answer["notes"])
    assert "notes" not in diagnoser.diagnose("ValueError: something is wrong")


def test_an_abstention_helps(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(
        "ValueError: the frobnicator of /home/maria/train.py is out of tune, token=ghp_0123456789abcdefghijklmnopqrstuvwxyz"
    )
    assert answer["abstained"]
    assert answer["matches"] == []
    assert "frobnicator" in answer["report"]
    assert "maria" not in answer["report"]
    assert "ghp_0123456789" not in answer["report"]


@pytest.mark.parametrize(
    ("facts", "entry"),
    [
        ({"run": {"exit_code": 137}}, "host-out-of-memory"),
        ({"run": {"exit_code": 139}}, "native-crash"),
        ({"run": {"signal": "SIGBUS"}}, "shared-memory-too-small"),
    ],
)
def test_an_exit_code_is_answered_without_any_text(diagnoser: Diagnoser, facts: Json, entry: str) -> None:
    assert first(diagnoser.diagnose("", facts)) == entry


def test_facts_decide_between_the_causes(diagnoser: Diagnoser) -> None:
    busy = {
        "gpus": [
            {
                "memory_total_mib": 8192,
                "memory_used_mib": 7900,
                "processes": [{"pid": 4711, "name": "jupyter", "memory_mib": 7600}],
            }
        ]
    }
    cause = diagnoser.diagnose(OOM, busy)["matches"][0]["causes"][0]
    assert cause["cause"] == "other-process-holds-memory"
    assert any(evidence["outcome"] == "holds" and "4711" in evidence["because"] for evidence in cause["evidence"])
    assert any("4711" in step.get("snippet", {}).get("code", "") for step in cause["fix"]["steps"])


def test_the_text_wins_over_what_was_given_and_both_over_this_machine(diagnoser: Diagnoser) -> None:
    text = "Python 3.8.10 (default, May 26 2023, 14:05:08)\n[GCC 9.4.0] on linux\n" + DTYPE
    collected = {"python": {"version": "3.11.7"}, "host": {"memory_total_mib": 1.0}}
    answer = diagnoser.diagnose(text, {"python": {"version": "3.9"}}, collected=collected)
    assert answer["facts"]["python"]["version"] == "3.8.10"
    assert "host" not in answer["facts"]
    assert {row["fact"] for row in answer["stepped_back"]} >= {"python.version", "host.memory_total_mib"}


def test_a_log_with_a_value_in_each_line_does_not_fill_the_answer(diagnoser: Diagnoser) -> None:
    config = '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": %d}}'
    text = "\n".join(f"TF_CONFIG='{config % number}'" for number in range(60))
    answer = diagnoser.diagnose(f"{text}\n{DTYPE}", {"python": {"version": "3.9"}}, collected={"python": {"version": "3.11.7"}})
    rows = [row["fact"] for row in answer["stepped_back"]]
    assert rows.count("env.TF_CONFIG") == 20
    assert "python.version" in rows


def test_facts_that_do_not_fit_are_refused_by_name(diagnoser: Diagnoser) -> None:
    with pytest.raises(FactError, match="os.nam: no such fact"):
        diagnoser.diagnose(DTYPE, {"os": {"nam": "linux"}})


def test_top_limits_the_matches(diagnoser: Diagnoser) -> None:
    assert len(diagnoser.diagnose(DTYPE, top=1)["matches"]) == 1


def test_a_likeness_names_the_line_of_the_failure_and_not_the_first_one(diagnoser: Diagnoser) -> None:
    text = 'x\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\n    check(labels)\n'
    answer = diagnoser.diagnose(f"{text}ValueError: the logits and the labels of the keras model have different shapes")
    likened = [row for match in answer["matches"] for row in match["matched"] if row["by"] in ("vector", "lexical")]
    assert likened
    assert all("have different shapes" in row["text"] for row in likened)


@pytest.mark.parametrize(
    "text",
    [
        "Solved: tensorflow did not see my GPU because the wheel was the one for the CPU. Now everything works.",
        "Update: I fixed it by lowering the learning rate, the loss is not nan any more.",
        "The hang in the first epoch of model.fit was resolved by updating the driver.",
    ],
)
def test_a_report_that_the_problem_is_solved_is_not_a_failure(diagnoser: Diagnoser, text: str) -> None:
    answer = diagnoser.diagnose(text)
    assert (answer["verdict"], answer["matches"]) == ("nothing-failed", [])
    assert "The text says that the problem is solved." in markdown(answer)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("I solved the import, but tensorflow still does not see my GPU.", "gpu-not-detected"),
        ("The loss of my keras model is nan. How can this be solved?", "nan-loss"),
        ("A lower learning rate has not solved it, the loss of my keras model is nan.", "nan-loss"),
        ("I fixed the path.\n" + OOM, "gpu-out-of-memory"),
    ],
)
def test_what_is_not_or_only_partly_solved_is_a_failure(diagnoser: Diagnoser, text: str, entry: str) -> None:
    assert first(diagnoser.diagnose(text)) == entry


@pytest.mark.parametrize(
    "text",
    [
        "It would be nice if tensorflow could stop a job before slurm kills it and save a checkpoint.",
        "I would like a keras callback that frees the GPU memory between two models.",
        "Please add support for TPU pods to model.fit.",
    ],
)
def test_a_wish_is_not_a_failure(diagnoser: Diagnoser, text: str) -> None:
    answer = diagnoser.diagnose(text)
    assert (answer["verdict"], answer["matches"]) == ("nothing-failed", [])
    assert "The text asks for a feature or proposes a change, and reports no failure." in markdown(answer)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("The loss of my keras model is nan. It would be great to have a hint.", "nan-loss"),
        ("tensorflow does not see my GPU. It would be nice if somebody could help me.", "gpu-not-detected"),
        ("Feature request: less memory.\n" + OOM, "gpu-out-of-memory"),
    ],
)
def test_a_wish_beside_a_failure_does_not_hide_it(diagnoser: Diagnoser, text: str, entry: str) -> None:
    assert first(diagnoser.diagnose(text)) == entry


KERNEL_CRASHED = (
    "The Kernel crashed while executing code in the current cell or a previous cell. "
    "Please review the code in the cell(s) to identify a possible cause of the failure."
)
BOOSTED_TREES = """\
settings = {"objective": "regression", "device": "gpu", "num_leaves": 255}
rows = lgb.Dataset(features, target)
booster = lgb.train(settings, rows, num_boost_round=800)

[LightGBM] [Info] Total Bins 18360
[LightGBM] [Info] Number of data points in the train set: 61044, number of used features: 72
"""


def test_the_code_beside_a_message_of_any_program_shows_whose_it_is(diagnoser: Diagnoser) -> None:
    assert first(diagnoser.diagnose(KERNEL_CRASHED)) == "notebook-kernel-died"
    assert diagnoser.diagnose(f"{BOOSTED_TREES}\n{KERNEL_CRASHED}")["verdict"] == "unknown"
    ours = BOOSTED_TREES + "model = keras.Sequential([keras.layers.Dense(1)])\n"
    assert first(diagnoser.diagnose(f"{ours}\n{KERNEL_CRASHED}")) == "notebook-kernel-died"


def test_words_that_people_say_of_any_program_count_less_without_a_name(diagnoser: Diagnoser) -> None:
    said = "{} uses the cpu instead of the gpu"
    ours, other = (diagnoser.read(said.format(name)) for name in ("tensorflow", "the video converter"))
    scores = [next(item.score for item in found.candidates if item.entry == "gpu-not-detected") for found in (ours, other)]
    assert scores[0] > scores[1] + 2


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("The weight file has 16 layers and my model 18, load_weights refuses it.", "checkpoint-mismatch"),
        (
            "I fit a keras model in two Jupyter notebooks at a time, and after a minute the kernel is gone.",
            "notebook-kernel-died",
        ),
        ("My Colab session always reconnects when I train the keras model.", "notebook-kernel-died"),
        (
            "I wanted 100 epochs, training is done after 12, callbacks=[EarlyStopping(patience=2)] in keras",
            "training-stops-silently",
        ),
    ],
)
def test_a_program_message_in_a_users_own_words_is_known(diagnoser: Diagnoser, text: str, entry: str) -> None:
    assert first(diagnoser.diagnose(text)) == entry


ANOTHER_LIBRARY_FAILED = """\
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    frame.to_parquet(path)
  File "/home/user/venv/lib/python3.11/site-packages/pandas/core/frame.py", line 220, in to_parquet
    raise ImportError("no engine")
ImportError: no engine
"""


@pytest.mark.parametrize(
    "before",
    [
        "Epoch 2/2\n782/782 ━━━━━━━━━━━━━━━━━━━━ 2s 2ms/step - accuracy: 0.9312 - loss: 0.2251\n",
        "Epoch 1/2 loss 0.31\nEpoch 2/2 loss 0.21\nTraining finished.\n",
    ],
)
def test_something_failed_if_another_library_failed_after_the_training(diagnoser: Diagnoser, before: str) -> None:
    assert diagnoser.diagnose(before)["verdict"] == "nothing-failed"
    assert diagnoser.diagnose(before + ANOTHER_LIBRARY_FAILED)["verdict"] == "unknown"


def test_a_traceback_of_another_library_that_breaks_off_is_a_failure(diagnoser: Diagnoser) -> None:
    bar = "Fetching 3 files: 100%|██████████| 3/3 [00:00<00:00, 1201.12it/s]\n"
    cut = "".join(ANOTHER_LIBRARY_FAILED.splitlines(keepends=True)[:-2])
    assert diagnoser.diagnose(bar + cut)["verdict"] == "unknown"


def test_an_installation_that_pip_gave_up_did_not_go_well(diagnoser: Diagnoser) -> None:
    text = """\
Collecting tensorflow
Requirement already satisfied: numpy in ./lib/python3.6/site-packages (from tensorflow)
Installing collected packages: wrapt, tensorflow
Could not install packages due to an EnvironmentError: [Errno 13] Permission denied: '/opt/lib/python3.6/site-packages/wrapt'
"""
    assert diagnoser.diagnose(text)["verdict"] != "nothing-failed"


@pytest.mark.parametrize(
    ("ending", "entry"),
    [
        ("exited with code 137", "host-out-of-memory"),
        ("Segmentation fault (core dumped)", "native-crash"),
        ("exited with code 132", "illegal-instruction"),
    ],
)
def test_an_ending_counts_where_a_training_may_have_ended(diagnoser: Diagnoser, ending: str, entry: str) -> None:
    assert first(diagnoser.diagnose(ending)) == entry
    assert first(diagnoser.diagnose(f"$ python train.py\nepoch 3 loss 0.2\n{ending}")) == entry
    shop = diagnoser.diagnose(f"orders is ready for connections on port 3306\norders wrote 12 invoices\n{ending}")
    assert not shop["matches"] or shop["matches"][0]["confidence"] < 0.9


def test_an_ending_that_was_observed_counts_whatever_the_program_printed(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose("orders wrote 12 invoices", {"run": {"exit_code": 139}})
    assert first(answer) == "native-crash"


def test_another_framework_in_one_sentence_is_that_of_the_next(diagnoser: Diagnoser) -> None:
    assert first(diagnoser.diagnose("The loss becomes nan after the first iteration.")) == "nan-loss"
    answer = diagnoser.diagnose("I use pytorch 0.4 and get loss nan.\n\nThe loss becomes nan after the first iteration.")
    assert not answer["matches"]


@pytest.mark.parametrize("top", [1, 2, 3])
def test_an_undecided_answer_names_no_more_entries_than_asked_for(diagnoser: Diagnoser, top: int) -> None:
    answer = diagnoser.diagnose("", {"code": {"activation_with_from_logits": True, "dataset_not_batched": True}}, top)
    assert (answer["verdict"], len(answer["matches"])) == ("undecided", top)


def test_a_fault_of_the_script_is_doubtful_beside_another_failure_that_is_known(diagnoser: Diagnoser) -> None:
    facts = {"code": {"model_outside_scope": True}}
    alone = diagnoser.diagnose("", facts)["matches"][0]
    assert (alone["entry"], alone["confidence"] >= 0.75) == ("variable-outside-scope", True)
    beside = {match["entry"]: match["confidence"] for match in diagnoser.diagnose(OOM, facts)["matches"]}
    assert beside["gpu-out-of-memory"] >= 0.75
    assert beside.get("variable-outside-scope", 0.0) < 0.25


@pytest.mark.parametrize(
    "text",
    [
        "keras",
        "numpy",
        "keras 怎么保存模型",
        "keras: как сохранить модель",
        "请问我的 model.fit 和 val_acc 应该怎么写才好呢，谢谢大家",
    ],
)
def test_a_text_with_too_few_words_that_can_be_compared_names_no_entry(diagnoser: Diagnoser, text: str) -> None:
    assert diagnoser.diagnose(text)["verdict"] == "unknown"


def test_signs_in_a_text_with_few_such_words_still_count(diagnoser: Diagnoser) -> None:
    assert first(diagnoser.diagnose("用 keras，无论怎么调整参数，val_acc 都没有变化")) == "model-does-not-learn"


@pytest.mark.parametrize(("text", "entry"), [("oom", "gpu-out-of-memory"), ("overfitting", "validation-worse-than-training")])
def test_one_rare_word_is_enough(diagnoser: Diagnoser, text: str, entry: str) -> None:
    assert first(diagnoser.diagnose(text)) == entry


@pytest.mark.parametrize(
    "words",
    [
        "My server failed to load the model, which I trained yesterday.",
        "The device has encountered an unrecoverable error",
        "After an hour the program exits.",
        "I get the message 'Killed' and nothing else.",
        "Converting my model fails - it worked with the last release.",
        "It runs, but the predictions are completely wrong.",
        "Why is it stopping by itself?",
        "It prints this, then the program hangs.",
        "Each epoch is incredibly slow.",
        "Quantization error: Got a tensor of type STRING but expected FLOAT32",
    ],
)
def test_harmless_lines_below_words_on_a_failure_are_no_all_clear(diagnoser: Diagnoser, words: str) -> None:
    harmless = (
        "2026-03-02 10:00:05.2: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT"
    )
    assert diagnoser.diagnose(f"I start my script and see this.\n\n{harmless}")["verdict"] == "nothing-failed"
    assert diagnoser.diagnose(f"{words}\n\n{harmless}")["verdict"] == "unknown"


def test_names_of_tensorflow_1_are_no_failure_where_tensorflow_1_ran(diagnoser: Diagnoser) -> None:
    session = ">>> import tensorflow as tf\n>>> sess = tf.Session()\n"
    hangs = "I tensorflow/core/common_runtime/local_device.cc:40] Local device intra op parallelism threads: 24\nIt hangs here."
    missing = "AttributeError: module 'tensorflow' has no attribute 'Session'"
    assert "tf1-api-removed" not in [match["entry"] for match in diagnoser.diagnose(session + hangs)["matches"]]
    assert first(diagnoser.diagnose(session + missing)) == "tf1-api-removed"
