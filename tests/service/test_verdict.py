"""When a complaint in words gets a choice of entries, and when it gets none; the confidences are set by hand."""

import math

import pytest

from tests.faults.knowledge import diagnoser
from tfhelp.service.diagnosis.candidates import Candidate
from tfhelp.service.diagnosis.features import Surroundings
from tfhelp.service.diagnosis.verdict import Decision, decide

ACCOUNT = (
    "I train a small Keras network on 4000 pictures of leaves, and it was fine for weeks. Since I moved the folder to another "
    "disk on Monday, each epoch takes 3 times as long as before, and I have no idea where to look."
)
LOG = "2026-11-02 10:00:00.123456: W tensorflow/core/framework/cpu_allocator_impl.cc:82] Allocation of 512 exceeds 10% of free system memory."
NAMES = ("gpu-underused", "fit-hangs", "nan-loss")


def decided(text: str, confidences: tuple[float, ...], ours: int = 1, elsewhere: float = 0.0, twin: bool = False) -> Decision:
    """The decision on a text if its candidates have these confidences.

    Args:
        text: what was pasted.
        confidences: of the candidates, best first.
        ours: how many kinds of signs of TensorFlow the text has.
        elsewhere: probability that it is about other software.
        twin: whether the first candidate resembles an entry that it is not.
    """
    reading = diagnoser().read(text)
    none_of_them = 1 - sum(confidences)
    reading.candidates = []
    for name, confidence in zip(NAMES, confidences, strict=False):
        candidate = Candidate(name)
        candidate.score = math.log(confidence / none_of_them)
        reading.candidates.append(candidate)
    reading.candidates[0].near_twin = twin
    reading.around = Surroundings(signs_of_ours=ours, out_of_scope=elsewhere, elsewhere=elsewhere)
    return decide(reading, diagnoser().knowledge, 3)


def test_an_account_about_keras_gets_the_entry_that_stands_out_and_its_rivals() -> None:
    found = decided(ACCOUNT, (0.25, 0.05, 0.01))
    assert (found.verdict, [shown.candidate.entry for shown in found.shown]) == ("undecided", ["gpu-underused", "fit-hangs"])


def test_a_rival_is_named_even_if_it_is_unlikely() -> None:
    found = decided(ACCOUNT, (0.25, 0.01))
    assert (found.verdict, [shown.candidate.entry for shown in found.shown]) == ("undecided", ["gpu-underused", "fit-hangs"])


@pytest.mark.parametrize(
    ("text", "confidences", "ours", "elsewhere", "twin"),
    [
        pytest.param(ACCOUNT, (0.12, 0.1), 1, 0.0, False, id="no entry stands out"),
        pytest.param(ACCOUNT, (0.25, 0.05), 0, 0.0, False, id="nothing names TensorFlow or Keras"),
        pytest.param(ACCOUNT, (0.25, 0.05), 1, 0.5, False, id="it may be about other software"),
        pytest.param(ACCOUNT, (0.25, 0.05), 1, 0.0, True, id="the first entry is one that the text only resembles"),
        pytest.param(ACCOUNT, (0.25,), 1, 0.0, False, id="there is no rival"),
        pytest.param(f"{ACCOUNT}\n{LOG}", (0.25, 0.05), 1, 0.0, False, id="a program printed a part of it"),
    ],
)
def test_no_choice_is_given(text: str, confidences: tuple[float, ...], ours: int, elsewhere: float, twin: bool) -> None:
    assert decided(text, confidences, ours, elsewhere, twin).verdict in ("unknown", "nothing-failed")


def test_a_message_of_other_software_gets_no_entry_unless_the_text_names_ours() -> None:
    text = "Segmentation fault (core dumped)"
    sure = (0.9, 0.05)
    assert decided(text, sure, ours=0, elsewhere=0.8).verdict == "unknown"
    assert decided(text, sure, ours=1, elsewhere=0.8).verdict == "diagnosed"
    assert decided(text, sure, ours=0, elsewhere=0.6).verdict == "diagnosed"
    assert decided(f"Epoch 3/20\n{text}", sure, ours=0, elsewhere=0.8).verdict == "diagnosed"


def test_a_few_words_get_a_choice_without_an_entry_that_stands_out() -> None:
    assert decided("keras is slow", (0.1, 0.08, 0.05), ours=0).verdict == "undecided"


def test_a_complaint_above_the_output_of_a_finished_run_is_answered() -> None:
    run = (
        "Epoch 1/2\n4/4 - 1s - 300ms/step - accuracy: 0.5000 - loss: 0.9560\n"
        "Epoch 2/2\n4/4 - 0s - 20ms/step - accuracy: 1.0000 - loss: 0.0316\n"
    )
    complaint = "Keras 3.5, TensorFlow 2.17\nAccuracy is lost after save_weights/load_weights\n"
    assert diagnoser().diagnose(run)["verdict"] == "nothing-failed"
    assert diagnoser().diagnose(complaint + run)["matches"][0]["entry"] == "weights-loaded-but-wrong"


NO_LIBRARIES = (
    "2022-08-02 10:22:17.451077: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library "
    "'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file: No such file or directory\n"
    "2022-08-02 10:22:17.451137: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1850] Cannot dlopen some GPU libraries.\n"
    "Skipping registering GPU devices...\n"
)
NO_KEY = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    depth = config["depth"]\nKeyError: \'depth\'\n'
NO_GPU = (
    'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    first = tf.config.list_physical_devices("GPU")[0]\n'
    "IndexError: list index out of range\n"
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("How can I feed the output of my Keras encoder into two heads?", "unknown"),
        ("fit in Keras: batch_size and steps_per_epoch, what is the difference", "unknown"),
        ("How can I avoid that my Keras encoder trains slowly?", "diagnosed"),
        ("How can I feed the output of my Keras encoder into two heads? It raises an exception.", "diagnosed"),
    ],
)
def test_a_question_about_something_that_has_not_failed_is_not_answered_by_similarity(text: str, verdict: str) -> None:
    assert decided(text, (0.9, 0.05)).verdict == verdict


def test_warnings_of_a_run_that_went_on_do_not_explain_how_it_ended() -> None:
    found = diagnoser().diagnose(NO_LIBRARIES + NO_KEY)
    assert (found["verdict"], found["nearest"][0]["entry"]) == ("unknown", "gpu-libraries-not-loaded")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(NO_LIBRARIES, id="nothing else failed"),
        pytest.param(NO_LIBRARIES + NO_GPU, id="the program looked for a GPU"),
        pytest.param(
            f"Why does it not use my GPU? This is what it prints.\n\n{NO_LIBRARIES}{NO_KEY}", id="the user asks about it"
        ),
        pytest.param(NO_KEY + NO_LIBRARIES, id="the failure came before"),
    ],
)
def test_warnings_are_the_answer_if_nothing_else_ended_the_run(text: str) -> None:
    found = diagnoser().diagnose(text)
    assert found["matches"][0]["entry"] == "gpu-libraries-not-loaded"


IGNORED_ARGUMENT = "/usr/lib/python3/dist-packages/keras/src/optimizers/base_optimizer.py:33: UserWarning: Argument `decay` is no longer supported and will be ignored.\n  warnings.warn(\n"


def test_a_warning_of_python_does_not_explain_the_exception_after_it() -> None:
    alone = diagnoser().diagnose(IGNORED_ARGUMENT)
    assert alone["matches"][0]["entry"] == "optimizer-unknown-variable"
    found = diagnoser().diagnose(IGNORED_ARGUMENT + NO_KEY)
    assert (found["verdict"], found["nearest"][0]["entry"]) == ("unknown", "optimizer-unknown-variable")


def test_a_fact_that_repeats_a_line_does_not_show_whose_text_it_is() -> None:
    found = diagnoser().read("After a few hundred frames my renderer ends with a CUDA error:\nAborted (core dumped)\n")
    crash = next(item for item in found.candidates if item.entry == "native-crash")
    assert crash.facts and crash.hits
    found.candidates = [crash]
    found.around = Surroundings(signs_of_ours=0, out_of_scope=0.8, elsewhere=0.8)
    crash.score = 4.0
    assert decide(found, diagnoser().knowledge, 3).verdict == "unknown"


def test_a_loss_that_grows_by_powers_of_ten_is_a_failure_although_the_run_ended_well() -> None:
    epochs = "".join(f"8/8 - 0s - 11ms/step - loss: {loss}\n" for loss in ("2.4120", "88102.5000", "7153728191397875417088.0000"))
    found = diagnoser().diagnose(epochs)
    assert found["verdict"] == "diagnosed"
    assert (found["matches"][0]["entry"], found["matches"][0]["causes"][0]["cause"]) == ("nan-loss", "learning-rate-too-high")
    calm = diagnoser().diagnose(epochs.replace("7153728191397875417088", "1").replace("88102", "2"))
    assert not calm["matches"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which CUDA version do I need for TensorFlow 2.10?", True),
        ("Is TF 2.15 compatible with CUDA 12.4?", True),
        ("Which version of the network is best for small pictures?", False),
    ],
)
def test_a_question_which_releases_fit_together_is_sent_to_the_plan(text: str, named: bool) -> None:
    answer = diagnoser().diagnose(text)
    assert answer["verdict"] in ("unknown", "undecided")
    assert any("tfhelp plan" in note for note in answer.get("notes", [])) == named
