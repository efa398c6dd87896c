"""The command line as a user runs it: the real program in a separate process."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tfhelp.service.doors.cli.command_line import main

DTYPE = "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:AddV2]"
DJANGO = "django.db.utils.OperationalError: no such table: auth_user"


def tfhelp(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tfhelp.service", *arguments],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | environment,
    )


def test_an_answer_names_entry_cause_evidence_and_fix() -> None:
    done = tfhelp("ask", "--no-collect", DTYPE)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "dtype-mismatch" in text
    assert "line 1: " in text
    assert "astype(np.float32)" in text
    assert "\x1b" not in text


def test_a_pipe_a_file_and_an_argument_are_read_alike(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "error.log"
    file.write_text(DTYPE)
    outputs = {
        tfhelp("ask", "--no-collect", DTYPE).stdout,
        tfhelp("ask", "--no-collect", "-f", str(file)).stdout,
        tfhelp("ask", "--no-collect", stdin=DTYPE.encode()).stdout,
        tfhelp("ask", "--no-collect", "-", stdin=DTYPE.encode("utf-16")).stdout,
    }
    assert len(outputs) == 1


def test_without_a_command_a_text_a_file_and_a_pipe_are_asked(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "error.log"
    file.write_text(DTYPE)
    asked = tfhelp("ask", "--no-collect", DTYPE).stdout
    assert tfhelp(DTYPE, "--no-collect").stdout == asked
    assert tfhelp("--no-collect", stdin=DTYPE.encode()).stdout == asked
    named = tfhelp(str(file), "--no-collect")
    assert named.stdout == asked
    assert named.stderr.decode() == f"tfhelp: {file} is a file; its content is the text\n"
    assert tfhelp("--exit-code", "137", "--no-collect").returncode == 0
    assert tfhelp("condense", str(file)).stdout == tfhelp("condense", "-f", str(file)).stdout


def test_a_miss_without_an_id_is_named_by_its_place(tmp_path: pathlib.Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"text": "nothing is said here", "entry": "dtype-mismatch"}) + "\n")
    said = tfhelp("eval", str(cases)).stdout.decode()
    assert f"\n{cases}:1: wanted dtype-mismatch, got no answer\n" in said


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"entry": "dtype-mismach"}, "there is no entry 'dtype-mismach'; did you mean 'dtype-mismatch'?"),
        ({"entry": "ours-alone"}, "there is no entry 'ours-alone'; for an entry of your own, give its folder with --kb"),
        ({"entry": None, "entries_ok": ["dtype-mismach"]}, "did you mean 'dtype-mismatch'?"),
        (
            {"entry": "no-gradients", "cause": "tape-used-twise"},
            "there is no cause 'tape-used-twise'; did you mean 'tape-used-twice'?",
        ),
        ({"entry": "no-gradients", "cause": "xyz"}, "there is no cause 'xyz' in no-gradients"),
        ({"entry": ["no-gradients"]}, ":1: 'entry' must be an id or null"),
        ({"entry": None, "causes_ok": "xyz"}, ":1: 'causes_ok' must be a list of ids"),
    ],
)
def test_a_case_names_entries_and_causes_that_exist(tmp_path: pathlib.Path, case: dict[str, object], message: str) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"text": "nothing is said here", **case}) + "\n")
    done = tfhelp("eval", str(cases))
    assert done.returncode == 2 and done.stdout == b""
    assert f"{cases}:1" in done.stderr.decode() and message in done.stderr.decode()


def test_a_mistyped_command_is_named() -> None:
    done = tfhelp("docter")
    assert done.returncode == 2
    assert "did you mean 'tfhelp doctor'?" in done.stderr.decode()
    assert tfhelp("Killed", "--no-collect").returncode == 0


def test_exit_status_tells_an_answer_from_an_abstention() -> None:
    assert tfhelp("ask", "--no-collect", DJANGO).returncode == 1
    assert tfhelp("ask", "--no-collect", "--exit-code", "137").returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs Linux's full device")
@pytest.mark.parametrize("command", [["ask", "--no-collect", DTYPE], ["explain", "dtype-mismatch"]])
def test_a_full_disk_behind_standard_output_is_reported(command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tfhelp.service", *command], stdout=full, stderr=subprocess.PIPE, timeout=120, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "tfhelp: cannot write all of it: No space left on device\n"


def test_json_is_the_contracts_document() -> None:
    answer = json.loads(tfhelp("ask", "--no-collect", "--json", DTYPE).stdout)
    assert {"abstained", "matches", "benign", "facts", "ask_for", "kb_version", "took_ms"} <= answer.keys()
    first = answer["matches"][0]
    assert {"entry", "title", "severity", "role", "confidence", "matched", "causes"} <= first.keys()
    cause = first["causes"][0]
    assert {"cause", "title", "confidence", "verdict", "evidence", "fix"} <= cause.keys()
    assert {"summary", "steps", "verify", "wrong_when", "proof", "sources"} <= cause["fix"].keys()
    assert {"say", "safety"} <= cause["fix"]["steps"][0].keys()
    assert tfhelp("ask", "--no-collect", "--json", DJANGO).returncode == 1


def test_a_file_whose_name_has_a_space_stands_for_its_content(tmp_path: pathlib.Path) -> None:
    (tmp_path / "my train.log").write_text("ValueError: Shapes (None, 10) and (None, 1) are incompatible\n")
    done = tfhelp("ask", "--no-collect", str(tmp_path / "my train.log"))
    assert b"labels-logits-mismatch" in done.stdout
    assert tfhelp("ask", "--no-collect", "see my other.log").returncode in (0, 1)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["ask"], b"", "the text is empty"),
        (["ask", "  "], b"", "the text is empty"),
        (["ask", "-f", "/no/such/file"], b"", "cannot read /no/such/file: No such file or directory"),
        (["no-such-train.log"], b"", "there is no file no-such-train.log"),
        (["report", "no-such-train.log"], b"", "there is no file no-such-train.log"),
        (["ask", "x", "-f", "y"], b"", "give the text as an argument or as a file"),
        (["report", ""], b"", "the text is empty; a report needs the error"),
        (["report"], b"", "the text is empty"),
        (["ask", "x", "--top", "0"], b"", "--top must be at least 1"),
        (["ask", "x", "--server", "nowhere"], b"", "expected a URL"),
        (["ask", "x", "--server", "http://127.0.0.1:9", "--no-collect"], b"", "http://127.0.0.1:9 does not answer"),
        (["ask", "x", "--python", "/no/python"], b"", "/no/python"),
        (["explain", "gpu-out-of-memry"], b"", "did you mean gpu-out-of-memory"),
        (["eval", "/no/cases.jsonl"], b"", "cannot read /no/cases.jsonl"),
        (["kb", "new", "Not An Id", "--family", "training"], b"", "lower-case words joined by hyphens"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_status_2(arguments: list[str], stdin: bytes, message: str) -> None:
    done = tfhelp(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"os": {"nam": "linux"}}', "os.nam: no such fact"),
        ('{"os": ', "facts.json:1: not JSON"),
        ("[]", "expected a JSON object"),
        ('{"derived": {"killed": true}}', "derived facts are computed"),
        ('{"python": {"version": 3.8}}', "python.version: expected text, got a number"),
    ],
)
def test_bad_facts_are_named(tmp_path: pathlib.Path, content: str, message: str) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text(content)
    done = tfhelp("ask", "--no-collect", "--facts", str(facts), DTYPE)
    assert done.returncode == 2
    assert message in done.stderr.decode()


def test_any_bytes_are_read() -> None:
    for stdin in (
        bytes(range(256)) * 40,
        b"\xff\xfe\x00",
        b"\x00" * 1000,
        "Käse ☃".encode("latin-1", "replace"),
        b"\x1b[2J\x1b]0;x\x07boo",
    ):
        done = tfhelp("ask", "--no-collect", stdin=stdin)
        assert done.returncode in (1, 2), done.stderr
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout


def test_a_long_log_is_read_whole(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "long.log"
    with file.open("w") as log:
        for step in range(300_000):
            log.write(f"INFO:tensorflow:global_step/sec: {step / 7:.4f} and some more words to make it longer\n")
            if step == 200_000:
                log.write(DTYPE + "\n")
    assert file.stat().st_size > 20 << 20
    done = tfhelp("ask", "--no-collect", "--json", "-f", str(file))
    answer = json.loads(done.stdout)
    assert answer["matches"][0]["entry"] == "dtype-mismatch"
    assert answer["matches"][0]["matched"][0]["line"] == 200_002


def test_explain_lists_and_shows() -> None:
    assert b"dtype-mismatch" in tfhelp("explain").stdout
    shown = tfhelp("explain", "dtype-mismatch").stdout.decode()
    assert "numpy-float64-input" in shown
    assert "mixed-precision-half" in shown
    assert json.loads(tfhelp("explain", "--json", "dtype-mismatch").stdout)["id"] == "dtype-mismatch"


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ("tf.keras.Model.fit", 0, ["TensorFlow 1.15 or older to 2.21", "workers=", "keras.Model.fit"]),
        ("tensorflow.Session", 0, ["newest release does not have it", "tf.compat.v1.Session takes its place"]),
        ("tf.debugging.assert_shape", 1, ["No release that I know of has the name", "tf.debugging.assert_shapes"]),
        ("AUTOTUNE", 1, ["tf.data.AUTOTUNE"]),
        (
            "ValueError: `subset` must be either 'training' or 'validation', received: both",
            0,
            ["Keras can raise", "subset = both"],
        ),
        ("the walrus has no tusks today", 1, ["no Python code of TensorFlow or Keras that I know"]),
        ("out of memory", 0, ["gpu-out-of-memory", "host-out-of-memory", "The machine runs out of RAM"]),
        ("multi-gpu hang", 0, ["multi-gpu-hang"]),
        ("cudnn", 0, ["cudnn-init-failed", "cudnn-version-mismatch"]),
        ("tf.keras.layers.Den", 1, ["No release that I know of has the name", "tf.keras.layers.Dense"]),
    ],
)
def test_explain_knows_names_and_messages(asked: str, status: int, said: list[str]) -> None:
    done = tfhelp("explain", asked)
    shown = " ".join(done.stdout.decode().split())
    assert (done.returncode, done.stderr) == (status, b"")
    assert [words for words in said if words not in shown] == []


def test_explain_shows_the_page_of_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "tfh505"]) == 0
    shown = capsys.readouterr().out
    assert main(["lint", "--explain", "TFH505"]) == 0
    assert shown == capsys.readouterr().out and "learning_rate" in shown
    assert main(["explain", "--json", "TFH505"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] == "TFH505"
    assert main(["explain", "TFH55"]) == 2
    assert "no rule 'TFH55'; did you mean TFH505" in capsys.readouterr().err


def test_explain_gives_names_and_messages_as_json() -> None:
    name = json.loads(tfhelp("explain", "--json", "tf.Session").stdout)
    assert (name["existed"], name["gone"], name["same"]) == (True, True, ["tf.compat.v1.Session"])
    assert json.loads(tfhelp("explain", "--json", "the walrus has no tusks today").stdout) is None


def test_condense_shows_the_failure() -> None:
    lines = tfhelp("condense", stdin=f"Epoch 1/3\n{DTYPE}\n".encode()).stdout.decode().splitlines()
    assert lines[1].startswith(">")
    assert any(line.startswith("InvalidArgumentError") for line in lines[2:])


def test_report_is_redacted_markdown() -> None:
    text = 'File "/home/maria/train.py", line 3\nValueError: password=hunter2hunter2 at 10.1.2.3'
    report = tfhelp("report", "--no-collect", text).stdout.decode()
    assert report.startswith("### What happens")
    for secret in ("maria", "hunter2hunter2", "10.1.2.3"):
        assert secret not in report


def test_a_closed_output_pipe_is_not_an_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m tfhelp.service explain | head -1", shell=True, capture_output=True, timeout=60, check=False
    )
    assert done.stderr == b""


# What `ask` may import with a decisive signature and no facts of the machine: each of these costs more than bare Python.
_HEAVY = {
    "pydantic",
    "numpy",
    "yaml",
    "faiss",
    "onnxruntime",
    "fastapi",
    "dataclasses",
    "importlib.metadata",
    "asyncio",
    "subprocess",
    "logging",
}


@pytest.mark.parametrize("arguments", [["ask", "--no-collect", DTYPE], ["--help"], ["--version"], ["ask", "--help"]])
def test_the_cold_path_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from tfhelp.service.doors.cli.command_line import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        "print('MODULES', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stderr.partition("MODULES")[2].split())
    assert "tfhelp.service.doors.cli.command_line" in loaded
    assert loaded & _HEAVY == set()
