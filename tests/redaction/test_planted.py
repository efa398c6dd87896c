"""Redaction of random secrets of many kinds in many places: none comes through, and nothing else is damaged."""

import re
import typing

import pytest

from tests.benchmarks.test_linear_patterns import poison_of
from tests.collectors.pumping import Used
from tests.faults.knowledge import causes, read
from tests.redaction import planting
from tests.redaction.contexts import CONTEXTS
from tests.redaction.kinds import KINDS
from tfhelp.collectors.redaction import redact, redact_document
from tfhelp.collectors.redaction.rule import Rule, Signs
from tfhelp.collectors.redaction.rules import RULES

HELD_OUT = "never looked at"
MOST_CHANGED = 0.01  # share of texts in which no secret was planted


def _through(seed: str, count: int) -> list[tuple[str, str, str]]:
    return [
        (case.plant.kind, case.context, secret) for case in planting.cases(seed, count) for secret in planting.let_through(case)
    ]


def test_there_are_enough_kinds_and_places() -> None:
    assert len(KINDS) >= 60
    assert len(CONTEXTS) >= 20


@pytest.mark.parametrize("seed", [*planting.KEPT_SEEDS, HELD_OUT])
def test_no_planted_secret_comes_through(seed: str) -> None:
    assert _through(seed, 1_000) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*planting.KEPT_SEEDS, HELD_OUT])
def test_none_of_ten_thousand_comes_through(seed: str) -> None:
    assert _through(seed, 10_000) == []


def test_the_count_notices_what_comes_through() -> None:
    case = next(case for case in planting.cases("development", 500) if case.plant.kind == "openai")
    assert planting.let_through(case, case.text) == [*case.plant.secrets]
    assert planting.let_through(case, case.plant.secrets[0][5:25]) == [*case.plant.secrets]
    assert planting.let_through(case, "nothing") == []


def test_redacting_a_planted_text_twice_is_once() -> None:
    for case in planting.cases("twice", 1_000):
        once = redact(case.text)
        assert redact(once) == once
        assert len(once.splitlines()) == len(case.text.splitlines())


def test_a_rules_sign_is_in_every_line_in_which_its_pattern_matches() -> None:
    signs = Signs(RULES)
    for case in planting.cases("signs", 1_500):
        for line in case.text.split("\n"):
            told = signs.of(line)
            missing = [rule.pattern._source for rule in RULES if rule not in told and _matches(rule, line)]
            assert missing == [], line


def _matches(rule: Rule, line: str) -> bool:
    return any(
        not rule.spares(found) and any(found[group] and kind for group, kind in enumerate(rule.kinds, 1))
        for found in re.finditer(rule.pattern._source, line, rule.pattern._flags)
    )


def test_a_private_key_is_found_whose_first_line_has_a_colour_inside() -> None:
    text = "-----BEGIN PRIVATE \x1b[32mKEY-----\nMIIEabcdefghijklmnopqrstuvwxyz0123\n-----END PRIVATE \x1b[32mKEY-----"
    assert "MIIE" not in redact(text)


def test_a_document_with_planted_secrets_shows_none() -> None:
    for case in planting.cases("documents", 500):
        document = redact_document({"text": case.text, "lines": case.text.split("\n"), "deep": [{"x": [case.text]}]})
        assert planting.let_through(case, str(document).replace("\\\\", "\\")) == []


def test_recordings_without_secrets_stay_as_they_are() -> None:
    texts: list[str] = [read(path)["output"] for _, path in causes(".recorded.json")]
    changed = sum(redact(text) != text for text in texts)
    assert changed <= MOST_CHANGED * len(texts)


@pytest.mark.parametrize(
    "line",
    [
        "Running optimization pass: LowerFunctionalOpsPass",
        "mlir_graph_optimization_pass.cc:176] None of the MLIR Optimization Passes are enabled",
        "[[{{node Conv2D}}]] [Op:__inference_train_function_953]",
        "Detected at node CollectiveReduceV2 defined at (most recent call last):",
        'Tin=[DT_INT64], Tout=[DT_FLOAT], token="pyfunc_3", _device="/job:localhost/replica:0/task:0/cpu:0"',
        "The user's limit on processes is reached",
        "one pass is shorter than steps_per_epoch; Pass channels=3 to the decoder",
        "commit 8f14e45fceea167a5a36dedd4bea2543c1f2d3a4 of tensorflow",
        "--hash=sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        "Fingerprint not found. Saved model loading will continue. fingerprint=16127371230561453",
        "KeyError: 'block_1a_conv2d/kernel:0'; Key conv2d_1/kernel not found in checkpoint",
        "_CHECKPOINTABLE_OBJECT_GRAPH model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE",
        "0x7f2a3b4c5d6e in tensorflow::BaseGPUDevice::ComputeHelper(tensorflow::OpKernel*)",
        '  File "/home/user/venv/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 122',
        "HTTPSConnectionPool(host='storage.googleapis.com', port=443): Max retries exceeded",
        "x@w.kernel + inputs@self.weights; foo@bar.service; react@next.js",
        "limit: 17179869184, InUse: 16106127360, MaxInUse: 16106127360, NumAllocs: 4711",
        "sort_key = lambda item: item[1]; primary_key=id; feature_key: 'image/encoded'",
        "dataset.cache('/scratch/train.cache')",
        "GPU 0 MIG-1g.5gb, driver 535.129.03, CUDA 12.2, cuDNN 8.9.4.25",
        "conv_pw_1/kernel: 3x3; pw = layers.Conv2D(64, 1)(x); ph=16, pw=16, pw: 1x1 pw=conv2d_3",
        "echo y | sudo apt-get install -y cuda; echo 'options nvidia NVreg_x=1' | sudo tee /etc/modprobe.d/nvidia.conf",
        "docker run -p 8888:8888 tensorflow/tensorflow; mongod -p 27017; python train.py -k 3 -p 8080 -P fp16 -w 8",
        "tf.config.experimental_connect_to_host('grpc://localhost:8470'); cluster.connect('local', 'train', shape)",
        'echo "$TOKEN" | docker login -u x --password-stdin; echo $PASS | sudo -S ls',
        "https://files.pythonhosted.org/packages/t/tensorflow/tensorflow-2.16.1.tar.gz",
    ],
)
def test_words_of_tensorflow_stay(line: str) -> None:
    assert redact(line) == line


def test_versions_in_a_facts_document_are_no_addresses() -> None:
    facts = {
        "packages": {"nvidia-cudnn-cu12": "9.1.0.70"},
        "cuda": {"cudnn_version": "8.6.0.163"},
        "host": {"address": "10.1.0.70"},
    }
    assert redact_document(facts) == facts | {"host": {"address": "IP-1"}}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(RULES)))
def test_rules_are_linear(number: int) -> None:
    pattern = RULES[number].pattern
    used = Used(f"rule {number}", "tfhelp.collectors.redaction", pattern._source, pattern._flags, frozenset(("sub",)))
    assert poison_of(used) is None


@pytest.mark.parametrize(
    "piece", ["\\n", "\\\\", "\\r\\n", "\\u00e9", "\x1b[1m", "{[", "-----BEGIN PRIVATE KEY-----", "password:\\n", '"']
)
def test_what_is_repeated_without_end_is_read_to_its_end(piece: str) -> None:
    text = piece * 5_000
    assert redact(redact(text)) == redact(text)


def _lines_looked_at(text: str) -> list[str]:
    looked_at: list[str] = []
    original = Signs.of

    def counted(self: Signs, line: str) -> typing.Any:
        looked_at.append(line)
        return original(self, line)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Signs, "of", counted)
        redact(text)
    return looked_at


def test_rules_of_one_line_cost_no_more_in_many_lines() -> None:
    """Each different line is examined a bounded number of times, and equal lines once."""
    assert len(_lines_looked_at("\n".join(f"10.0.{number % 250}.7 step {number}" for number in range(2_000)))) <= 2_000 * 4
    assert len(_lines_looked_at("10.0.0.7 step\n" * 2_000)) <= 8


@pytest.mark.parametrize(
    ("before", "piece", "behind"),
    [
        ("https://", "bob:pw@", "example.com/x"),
        ("", "x://bob:pw", "@example.com/x"),
        ("TOKEN=~$ HF_", "T/home/alesb", ""),
        ("password=Zq8Xy7Vw6 ", "P/home/x1/dense_1-BEGIN ", ""),
    ],
)
def test_a_line_is_looked_at_a_few_times_however_long_it_is(before: str, piece: str, behind: str) -> None:
    """No secret is taken away piece by piece, and none announces the next: passes are counted, and each reads the whole line."""
    text = before + piece * 1_000 + behind
    assert len(_lines_looked_at(text)) <= 16
    assert redact(redact(text)) == redact(text)
