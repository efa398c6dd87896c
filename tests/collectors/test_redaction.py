"""Redaction: planted secrets never come out, near misses stay, and redacting twice is the same as once."""

import doctest
import string
import types

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfhelp.collectors import lazy_pattern, redaction
from tfhelp.collectors.redaction import blocks, frames, look_alikes, names, redact, redact_document

ALPHANUMERIC = string.ascii_letters + string.digits


def _text(alphabet: str, smallest: int, largest: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=smallest, max_size=largest)


# A name that is neither in our lists of generic ones nor in the frames of the templates below.
NAMES = st.builds(
    lambda start, middle, end: f"q{start}{middle}{end}z",
    _text(string.ascii_lowercase, 3, 6),
    st.sampled_from(["", ".", "-", "_"]),
    _text(string.ascii_lowercase + string.digits, 3, 6),
)
HOSTS = st.builds(lambda name, number: f"{name}{number}", _text("qwxz", 5, 8), st.integers(1, 999))
PASSWORDS = st.builds(
    lambda start, rest: start + rest, _text(string.ascii_letters, 1, 1), _text(ALPHANUMERIC + "!$%^*+-_./~", 9, 24)
)
IPV4 = st.builds(lambda *parts: ".".join(map(str, parts)), st.integers(10, 126), *[st.integers(1, 254)] * 3)
IPV6 = st.lists(st.integers(4096, 65535), min_size=8, max_size=8).map(lambda parts: ":".join(f"{part:x}" for part in parts))
MAC = st.lists(st.integers(0, 255), min_size=6, max_size=6).map(lambda parts: ":".join(f"{part:02x}" for part in parts))
RANDOM = _text(ALPHANUMERIC, 24, 40).map(lambda text: f"{text}7")

PLANTS = st.one_of(
    *[
        st.tuples(st.just(frame), secrets)
        for frames, secrets in [
            (
                [
                    '  File "/home/{}/train.py", line 3, in <module>',
                    "/Users/{}/miniconda3/bin/python",
                    r"C:\Users\{}\AppData\Local\x.dll",
                    "cd /mnt/c/Users/{}/p",
                ]
                + [
                    r'"C:\\Users\\{}\\data"',
                    "{}@gpu-3:~/project$ ls",
                    "[{}@login2 work]$ sbatch",
                    "drwxr-xr-x 2 {} staff 4096 Mar  1 data",
                    "USER={}",
                ]
                + ["ssh {}@gpu-3", '{{"username": "{}"}}'],
                NAMES,
            ),
            (
                [
                    "user@{}:/workspace$ python",
                    "retrieving CUDA diagnostic information for host: {}",
                    "srun: error: {}: task 0: Killed",
                    "Linux {} 5.15.0-91-generic #1 x86_64",
                ]
                + [
                    "*** JOB 8 ON {} CANCELLED AT 2024-01-01 DUE TO TIME LIMIT ***",
                    'TF_CONFIG={{"cluster": {{"worker": ["{}:2222"]}}}}',
                    "target: grpc://{}:2222",
                ]
                + ["{}.cluster.local", "{}.corp:8080 answered", "HOSTNAME={}"],
                HOSTS,
            ),
            (
                [
                    "password={}",
                    "password: {}",
                    'DB_PASSWORD="{}"',
                    "passwd = '{}'",
                    "https://someone:{}@example.com/x",
                    "--password {}",
                    "secret_key={}",
                ],
                PASSWORDS,
            ),
            (
                [
                    "api_key={}",
                    'os.environ["WANDB_API_KEY"] = "{}"',
                    "export COMET_API_KEY={}",
                    "access_token: {}",
                    "Authorization: Bearer {}",
                    "token={}",
                ]
                + [
                    '"key": "{}"',
                    "AZURE_STORAGE_KEY={}",
                    "https://example.com/f?sig={}",
                    "hf_{}",
                    "ghp_{}",
                    "sk-{}",
                    "xoxb-{}",
                    "github_pat_{}",
                    "glpat-{}",
                ]
                + [
                    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
                    "aws_secret_access_key = {}",
                    "eyJ{}.eyJabcdefgh.xyz",
                ],
                RANDOM,
            ),
            (
                [
                    "ipv4:{}:2222",
                    "inet {} netmask",
                    "{}:2222 refused",
                    "ping {}",
                    "http://{}/x",
                    '"{}:2222"',
                    "connect to {} failed",
                ],
                IPV4,
            ),
            (["inet6 {} prefixlen 64", "ipv6:[{}]:2222", "at {} now"], IPV6),
            (["ether {} txqueuelen", "link/ether {}"], MAC),
            (["mail {}@example.org now", "Author: X <{}@uni-example.edu>", "{}@mail.example.co.uk"], NAMES),
        ]
        for frame in frames
    ]
)
FILLERS = st.one_of(
    st.text(max_size=40),
    st.text(string.printable, max_size=60),
    st.sampled_from(
        [
            "Epoch 1/10",
            "2024-01-01 10:00:00.123456: I tensorflow/core/x.cc:12] ok",
            "password",
            "token=",
            "/home/",
            "@",
            "://",
            "Traceback (most recent call last):",
        ]
        + [
            "-----END",
            "Killed",
            "shape=[1,2]",
            "ssh ",
            '"',
            "'",
            "\\",
            "IP-1",
            "/home/USER-1/",
            "Bearer ",
            "C:\\Users\\",
            "= ",
            ": ",
        ]
    ),
)
COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def _planted(plant: tuple[str, str], before: str, behind: str) -> None:
    frame, secret = plant
    text = f"{before}\n{frame.format(secret)}\n{behind}"
    redacted = redact(text)
    assert secret not in redacted
    assert redacted.count("\n") == text.count("\n")


PIECES = st.lists(st.one_of(FILLERS, PLANTS.map(lambda plant: plant[0].format(plant[1]))), max_size=6)


def _twice(parts: list[str], separator: str) -> None:
    text = separator.join(parts)
    once = redact(text)
    assert redact(once) == once
    assert len(once.split("\n")) == len(text.split("\n"))
    assert len(once.splitlines()) == len(text.splitlines())


test_a_planted_secret_never_comes_out = settings(COMMON, max_examples=700)(given(PLANTS, FILLERS, FILLERS)(_planted))
test_redacting_twice_is_once_and_lines_stay = settings(COMMON, max_examples=300)(
    given(PIECES, st.sampled_from(["", " ", "\n"]))(_twice)
)


@pytest.mark.slow
@settings(COMMON, max_examples=7000)
@given(PLANTS, FILLERS, FILLERS)
def test_no_planted_secret_comes_out_of_thousands(plant: tuple[str, str], before: str, behind: str) -> None:
    _planted(plant, before, behind)


@pytest.mark.slow
@settings(COMMON, max_examples=3000)
@given(PIECES, st.sampled_from(["", " ", "\n"]))
def test_redacting_twice_is_once_for_thousands(parts: list[str], separator: str) -> None:
    _twice(parts, separator)


@pytest.mark.parametrize(
    "line",
    [
        "nvidia-cudnn-cu11 8.9.4.25",
        "nvidia-cublas-cu11==11.10.3.66",
        "nvidia-cuda-nvrtc-cu11       11.8.0.86",
        "libcudnn8=8.0.5.39-1+cuda11.1",
        "opencv-python            4.5.1.48",
        "cuDNN 8.6.0.163, CUDA version 11.8.0.86",
        "libcudnn.so.8.0.5.39 not found",
        "2024-03-01 10:00:12.123456: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1616] Created device /job:localhost/"
        "replica:0/task:0/device:GPU:0",
        "name: GeForce RTX 2070, pci bus id: 0000:01:00.0, compute capability: 7.5",
        "OOM when allocating tensor with shape[32,224,224,3] and type float on /job:localhost/replica:0/task:0/device:GPU:0 "
        "by allocator GPU_0_bfc",
        "terminate called after throwing an instance of 'std::bad_alloc' at 0x7f2a3b4c5d6e in add::bad()",
        "max_tokens=512 pad_token='[PAD]' num_tokens: 100000 eos_token_id=50256 oov_token='<OOV>' tokenizer=BertTokenizerFast",
        "SavedModel: signature_def['serving_default'] input_signature=[tf.TensorSpec(shape=(None, 28))]",
        "KeyError: 'key'  token = tokenizer.encode(text)  password=None  api_key=$API_KEY  secret=os.environ['X']",
        '  File "/usr/lib/python3.8/site-packages/tensorflow/python/keras/engine/training.py", line 108, in _method_wrapper',
        "/home/user/project /home/ubuntu/run /Users/runner/work /root/x /home/jovyan/work root@localhost:/# ls",
        "y = x@w.T  @tf.function  a @ b.kernel  git@github.com:tensorflow/tensorflow.git",
        "generator-signature-mismatch: first batches; signature: (None, 28); the Linux wheels 2.3.0, and 4.1",
        "threading.local() _thread._local tf.config.internal 127.0.0.1:6006 0.0.0.0:8000 ::1 10:00:12",
        "SecretStr('**********')  cd x;PWD=/y;PWD=$HOME;pwd=.  ?next=https%3A%2F%2Fh.example.com%2Fa%40b",
        "\U0001f469\u200d\U0001f52c ran it \u202aon\u202c the GPU",
        "export PWD=/workspace  Epoch 1/10 ETA: 1:02:03 GPU-0 MIG-1g.5gb",
        'TF_CONFIG={"cluster": {"worker": ["localhost:12345", "worker-1:2222"]}, "task": {"type": "worker", "index": 0}}',
        "NotFoundError: Key model/dense_1/kernel not found in checkpoint",
        "Key: image_raw_2023_v1.  Data types don't match.",
        "key: 'layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE'",
        "Detected at node 'conv2d_1' defined at (most recent call last):",
        "You must feed a value for placeholder tensor 'input_1' [[node input_1]]",
        "Running on tpu_v3-8",
        "running on Python3.10, running on Ubuntu-22.04, running on 4-GPU machine",
        "Эпоха 3: нет места на диске; отр 3, токен не найден: проверьте сеть и ключ",
        "错误：无法读取文件（ｄａｔａ．ｃｓｖ），第３轮，损失：０．５",
        "ΣΦΑΛΜΑ: το κλειδί δεν βρέθηκε, και η μνήμη είναι 8 GB",
        "step: | 3\n  loss: 0.5 down\n| token | count |\n|-------|-------|\n|  the  |  3  |",
        "FileNotFoundError: [Errno 2] No such file or directory: 'DATASET\\cat.jpg'",
        "No file or directory found at MODELS\\model.h5; add CUDA\\v11.2\\bin to PATH",
    ],
)
def test_what_only_looks_like_a_secret_stays(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (
            "carol@gpu07:~$ cat /home/carol/x; ls /data/carol/imagenet",
            "USER-1@HOST-1:~$ cat /home/USER-1/x; ls /data/USER-1/imagenet",
        ),
        ("/home/carol/a /home/dave/b /Users/carol/c", "/home/USER-1/a /home/USER-2/b /Users/USER-1/c"),
        (r"C:\Users\Carol Smith\AppData\Local\x.py", r"C:\Users\USER-1\AppData\Local\x.py"),
        ("10.2.3.4:2222 -> 10.2.3.5:2222, 10.2.3.4", "IP-1:2222 -> IP-2:2222, IP-1"),
        ("https://carol:hunter2@example.com/x.git", "https://CREDENTIALS-1@example.com/x.git"),
        ("AKIAIOSFODNN7EXAMPLE", "AWS-KEY-1"),
        (
            "uname_result(system='Linux', node='kepler3', release='5.4.0')",
            "uname_result(system='Linux', node='HOST-1', release='5.4.0')",
        ),
        (
            "https://b.s3.amazonaws.com/f?X-Amz-Signature=0a1b2c3d4e&x=1",
            "https://b.s3.amazonaws.com/f?X-Amz-Signature=SECRET-1&x=1",
        ),
        ("USER-3 was here, /home/carol/x", "USER-3 was here, /home/USER-4/x"),
        ("pass\u200bword=Zq8Xy7Vw6Ut5 c\u2060arol@corp.example.com", "password=SECRET-1 MAIL-1"),
        ("\ufeffpassword\u00ad: |\n  Zq8Xy7Vw6Ut5", "\ufeffpassword\u00ad: |\n  SECRET-1"),
        ("ｐａｓｓｗｏｒｄ：Zq8Xy7Vw6，ok", "ｐａｓｓｗｏｒｄ：SECRET-1，ok"),
        ("pаsswоrd=Zq8 раѕѕԝоrԁ=Zq9", "pаsswоrd=SECRET-1 раѕѕԝоrԁ=SECRET-2"),
        (r'{"\uff50\uff41\uff53\uff53": "Zq8"}', '{"ｐａｓｓ": "SECRET-1"}'),
        ("ｐａｓｓｗｏｒｄ：\n  Zq8Xy7Vw6", "ｐａｓｓｗｏｒｄ：\n  SECRET-1"),
        ("密码：ｚｑ８ｘｙ７", "密码：SECRET-1"),
        ("2026-01-01 INFO config: password: |\n  correct horse\n\n  battery\nstart", None),
        (
            "2026-01-01 1:02 INFO x: password: |\n2026-01-01 1:03 INFO x:   correct horse\n2026-01-01 1:03 INFO x: lr: 0.1 ok",
            None,
        ),
        ("INFO x: - password: >-  # of the database\nINFO x:     correct horse\nINFO x: - name: model a", None),
        ("x - INFO - password: |\nx - INFO -   correct horse\nx - INFO -   battery\nx - INFO - ok it is", None),
        ("INFO x password: |\nINFO x   correct horse\nINFO x\nINFO x  \nINFO x   battery\nINFO x done it", None),
        (
            r'{"log":"password: |\n","time":"1"}'
            "\n"
            r'{"log":"  correct horse\n","time":"2"}'
            "\n"
            r'{"log":"  battery\n","time":"2"}'
            "\n"
            r'{"log":"a: b c\n","time":"2"}',
            None,
        ),
        (r'{"log":"password:\n"}', r'{"log":"password:\n"}'),
        (
            r'{"log":"-----BEGIN PRIVATE KEY-----\n","time":"1:09"}'
            "\n"
            r'{"log":"MIIEpAIBAAKC\n","time":"1:10"}'
            "\n"
            r'{"log":"-----END PRIVATE KEY-----\n","time":"1:11"}',
            None,
        ),
        (
            r'{"log":"name: DB_KEY\n","time":"9"}'
            "\n"
            r'{"log":"value: Zq8Xy7Vw6Ut5\n","time":"10"}',
            r'{"log":"name: DB_KEY\n","time":"9"}'
            "\n"
            r'{"log":"value: SECRET-1\n","time":"10"}',
        ),
        (r'{"\ud835\udc29\ud835\udc1a\ud835\udc2c\ud835\udc2c": "Zq8"}', '{"𝐩𝐚𝐬𝐬": "SECRET-1"}'),
        ("    password: |\n  lr: 0.1 ok", "    password: |\n  lr: 0.1 ok"),
        ("DB_PASSWORD: !!str |2\n    Zq8Xy7Vw6", "DB_PASSWORD: !!str |2\n    SECRET-1"),
        ("db:\n  password: >-\n    Zq8Xy7Vw6Ut5", "db:\n  password: >-\n    SECRET-1"),
        ("DRIVER={SQL};SERVER=s;UID=sa;PWD=Zq8Xy7Vw6Ut5;", "DRIVER={SQL};SERVER=s;UID=USER-1;PWD=SECRET-1;"),
        ("?odbc_connect=UID%3Dsa%3BPWD%3DZq8%21Xy7Vw6%3BServer%3Ds", "?odbc_connect=UID%3Dsa%3BPWD%3DSECRET-1%3BServer%3Ds"),
        ("next=https%3A%2F%2Fcarol%3AZq8Xy7Vw6%40h.example.com", "next=https%3A%2F%2FCREDENTIALS-1%40h.example.com"),
        ("Settings(token=SecretStr('Zq8Xy7Vw6Ut5'))", "Settings(token=SecretStr('SECRET-1'))"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKC\nabc+/==\n-----END RSA PRIVATE KEY-----\nend", None),
    ],
)
def test_tokens_name_their_kind_and_keep_the_form(text: str, redacted: str | None) -> None:
    result = redact(text)
    if redacted is None:
        redacted = text
        for secret, token in _REPLACED.items():
            redacted = redacted.replace(secret, token)
    assert result == redacted


_REPLACED = {
    "MIIEpAIBAAKC": "PRIVATE-KEY-1",
    "abc+/==": "PRIVATE-KEY-2",
    "correct horse": "SECRET-1",
    "battery": "SECRET-2",
}


def test_the_lines_of_blocks_are_looked_at_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block inside a block, and so on, must not be read from each of its headers to its end."""
    looked_at: list[str] = []
    look = blocks.secret_in

    def counted(header: blocks.Header, line: str) -> tuple[int, int, int] | None:
        looked_at.append(line)
        return look(header, line)

    monkeypatch.setattr(blocks, "secret_in", counted)
    list(blocks.secrets([" " * depth + "api_key: |" for depth in range(1_000)]))
    list(blocks.secrets(["password: |"] * 1_000))
    assert len(looked_at) <= 2 * 2_000


@pytest.mark.parametrize("module", [frames, lazy_pattern, look_alikes, redaction])
def test_the_samples_in_the_docstrings_are_true(module: types.ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_a_document_keeps_its_form_and_gives_equal_secrets_equal_tokens() -> None:
    document = {
        "python": {"executable": "/home/carol/venv/bin/python", "bits": 64},
        "text": ["carol@gpu07:~$ x", None, True, 3.5],
        "hf_token": "s3cr3tvalue",
        "max_tokens": "512",
    }
    assert redact_document(document) == {
        "python": {"executable": "/home/USER-1/venv/bin/python", "bits": 64},
        "text": ["USER-1@HOST-1:~$ x", None, True, 3.5],
        "hf_token": "SECRET-1",
        "max_tokens": "512",
    }


def test_names_are_learned_once_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that names many hosts took time that grew with its square, in the process that serves everybody."""
    seen: list[str] = []

    def is_telling(kind: str, name: str) -> bool:
        seen.append(name)
        return whether(kind, name)

    whether = names.is_telling
    monkeypatch.setattr(names, "is_telling", is_telling)
    redacted = redact_document([{"row": f"Failed to connect to host qwx{number}-z"} for number in range(300)])
    assert redacted[299] == {"row": "Failed to connect to host HOST-300"}
    assert len(seen) == 200
