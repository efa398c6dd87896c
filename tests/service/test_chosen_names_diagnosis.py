"""The names of folders and scripts change no answer: neither another program's name nor TensorFlow's own."""

import pathlib
import re
import zlib

import pytest

from tfhelp.kb.load import load_entries
from tfhelp.service.curation.recordings import facts_of_recording, read_recording
from tfhelp.service.diagnosis.diagnoser import Diagnoser

ENTRIES = pathlib.Path(__file__).parents[2] / "kb" / "entries"
SCRIPT = re.compile(r"(/home/user/project/)\w+\.py")


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def answered(diagnoser: Diagnoser, text: str, facts: dict[str, object] | None = None) -> tuple[str, str, str]:
    document = diagnoser.diagnose(text, facts)
    first = next(iter(document["matches"]), None)
    return document["verdict"], first["entry"] if first else "", first["causes"][0]["cause"] if first else ""


@pytest.mark.parametrize(
    ("environment", "project", "script"),
    [
        ("/opt/conda/envs/pytorch", "/home/user/torch", "lr_scheduler.py"),
        ("/srv/django/env", "/srv/django/jax", "torch_compare.py"),
    ],
)
def test_a_failure_stays_ours_in_folders_named_after_other_programs(
    environment: str, project: str, script: str, diagnoser: Diagnoser
) -> None:
    for path in sorted(ENTRIES.rglob("*.recorded.json")):
        if zlib.crc32(f"{path.parent.name} {path.name} {script}".encode()) % 3:
            continue
        output = read_recording(path)["output"]
        moved = SCRIPT.sub(rf"\g<1>{script}", output)
        moved = moved.replace("/home/user/venv", environment).replace("/home/user/project", project)
        facts = facts_of_recording(path)
        assert answered(diagnoser, moved, facts) == answered(diagnoser, output, facts), path


def test_a_failure_of_other_software_stays_theirs_in_folders_named_after_tensorflow(diagnoser: Diagnoser) -> None:
    moved_texts = 0
    for item in load_entries(ENTRIES)[0]:
        for near_miss in item.examples.near_misses:
            moved = re.sub(r"/(?:[\w.-]+/)*lib/python3", "/opt/conda/envs/tensorflow/lib/python3", near_miss.text)
            moved = re.sub(r'File "(?![^"]*/lib/python3|<)[^"]*?([\w-]+\.py)"', r'File "/home/me/keras/\1"', moved)
            if 'File "' in near_miss.text and moved != near_miss.text:
                moved_texts += 1
                assert answered(diagnoser, moved) == answered(diagnoser, near_miss.text), moved
    assert moved_texts > 50
