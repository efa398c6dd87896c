"""``--kb`` and ``tfhelp kb`` as people type them."""

import json
import pathlib
import shutil

import httpx
import pytest

from tests.service.private.conftest import KB
from tests.service.serving import Server
from tfhelp.kb import private
from tfhelp.kb.load import ENTRIES
from tfhelp.service.curation import new_entry
from tfhelp.service.doors.cli.command_line import main

LEASE = "gannetctl: LeaseError: no lease for pool 'a100' within 600 s"


@pytest.fixture(autouse=True)
def _forget_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command writes its folders into the environment, which here is that of the test process."""
    monkeypatch.setenv(private.VARIABLE, "")


def test_ask_takes_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--no-collect", "--json", "--kb", str(KB), LEASE]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["matches"][0]["private"] == str(KB)


def test_the_text_says_whose_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--no-collect", "--kb", str(KB), LEASE]) == 0
    assert "is from your team's knowledge:" in " ".join(capsys.readouterr().out.split())


def test_several_folders_count(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["ask", "--no-collect", "--json", "--kb", str(tmp_path / "empty"), "--kb", str(KB), LEASE]) == 0
    assert json.loads(capsys.readouterr().out)["matches"][0]["entry"] == "gannet-no-lease"


@pytest.mark.parametrize(
    "command", [["ask", "x"], ["explain"], ["kb", "check"], ["serve"], ["lint", "x.py"], ["doctor"], ["mcp"], ["lsp"]]
)
def test_a_path_that_is_not_a_folder_is_refused(
    command: list[str], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--kb", str(tmp_path / "nowhere")]) == 2
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.slow
def test_the_processes_of_a_server_know_the_folder(cache: pathlib.Path) -> None:
    with Server.real("--workers", "2", "--kb", str(KB), environment={"TFHELP_CACHE": str(cache)}) as server:
        answer = httpx.post(f"{server.url}/api/v1/diagnose", json={"text": LEASE}, timeout=60).json()
        page = httpx.get(f"{server.url}/entries/gannet-no-lease", timeout=60)
    assert answer["matches"][0]["private"] == str(KB)
    assert page.status_code == 200


def test_a_server_has_its_own_folders(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--kb", str(KB), "--server", "http://127.0.0.1:1", LEASE]) == 2
    assert "start that server with --kb" in capsys.readouterr().err


def test_explain_shows_private_entries(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--kb", str(KB), "gannet-no-lease"]) == 0
    said = capsys.readouterr().out
    assert "The pool has no free GPUs" in said
    assert "From your team's knowledge:" in said
    assert main(["explain", "--kb", str(KB)]) == 0
    assert "gannet-no-lease" in capsys.readouterr().out


def test_eval_scores_with_private_entries(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"text": LEASE, "entry": "gannet-no-lease"}) + "\n")
    assert main(["eval", "--json", "--kb", str(KB), str(cases)]) == 0
    assert json.loads(capsys.readouterr().out)["misses"] == []


def test_eval_reads_what_people_said_of_kept_answers(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    def incident(uid: str, *feedback: tuple[float, str, str]) -> str:
        said = [{"sender": "", "at": at, "said": said, "words": "", "by": "", "cause": cause} for at, said, cause in feedback]
        return json.dumps(
            {"uid": uid * 32, "condensed": LEASE, "entry": "gannet-no-lease", "cause": "pool-is-full", "feedback": said}
        )

    lines = [
        json.dumps({"format": "tfhelp-memory", "version": 1}),
        incident("a", (1.0, "helped", "")),
        incident("b", (1.0, "helped", ""), (2.0, "something-else", "gpu-out-of-memory/batch-too-large")),
        incident("c", (1.0, "something-else", "")),
        incident("d"),
    ]
    cases = tmp_path / "memory.jsonl"
    cases.write_text("\n".join(lines) + "\n")
    assert main(["eval", "--json", "--kb", str(KB), str(cases)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [(miss["id"], miss["wanted"], miss["got"]) for miss in result["misses"]] == [
        ("b" * 12, "gpu-out-of-memory", ["gannet-no-lease"])
    ]
    assert {family: row[:2] for family, row in result["families"].items()} == {"cluster": [1, 1], "memory": [1, 0]}


def test_a_new_entry_goes_into_the_folder_and_check_says_what_is_missing(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "team-kb"
    assert main(["kb", "new", "no-lease", "--kb", str(folder)]) == 0
    path = folder / "team" / "no-lease" / "entry.yaml"
    assert str(path) in capsys.readouterr().out
    assert main(["kb", "check", "--kb", str(folder), "--no-answers"]) == 1
    said = capsys.readouterr().out
    assert f"{path}:3: title: is empty; fill it in" in said
    assert main(["kb", "new", "no-lease", "--kb", str(folder)]) == 2
    assert "no-lease exists" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["lib/python3.11/site-packages/team", "usr/lib/python3/dist-packages"])
def test_nothing_is_written_into_an_installation(where: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "new", "no-lease", "--kb", str(tmp_path / where)]) == 2
    assert "is inside an installation of Python packages; name a folder of your own" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_installed_tfhelp_takes_no_entry(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = tmp_path / "site-packages" / "tfhelp" / "kb" / "entries"
    monkeypatch.setattr(new_entry, "ENTRIES", installed)
    monkeypatch.setattr(new_entry.begin, "__defaults__", (installed,))
    assert main(["kb", "new", "no-lease", "--family", "training"]) == 2
    assert "belongs to an installed tfhelp" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_family_is_asked_for_where_there_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "new", "no-lease"]) == 2
    assert "--family is missing" in capsys.readouterr().err
    assert not list(ENTRIES.glob("*/no-lease"))


def test_the_folder_is_clean_and_its_answers_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", "--kb", str(KB)]) == 0
    assert capsys.readouterr().err.endswith("clean\n")


def test_check_names_file_line_and_field(team_kb: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = team_kb / "cluster" / "gannet-no-lease" / "entry.yaml"
    lines = entry.read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if "text: 'within" in line)
    lines[place - 1] = "        text: '(unclosed'"
    entry.write_text("\n".join(lines))
    assert main(["kb", "check", "--kb", str(team_kb), "--no-answers", "gannet-no-lease"]) == 1
    assert f"{entry}:{place}: causes.0.checks.0.text: " in capsys.readouterr().out


def test_check_asks_the_examples(team_kb: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = team_kb / "cluster" / "gannet-no-lease" / "examples.yaml"
    examples.write_text(examples.read_text().replace("must_match:\n", "must_match:\n  - text: the coffee is cold\n", 1))
    assert main(["kb", "check", "--kb", str(team_kb), "gannet-no-lease"]) == 1
    assert "must_match.0: must be gannet-no-lease, is abstained on" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--kb", str(KB), "gannet-no-lese"], ["dtype-mismach"]])
def test_check_of_a_mistyped_id_says_that_there_is_none(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "check", *arguments]) == 2
    said = capsys.readouterr().err
    assert f"no entry is called '{arguments[-1]}'; did you mean " in said
    assert "gannet-no-lease" in said or "dtype-mismatch" in said


def test_check_of_an_installed_tfhelp_names_the_way_out(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tfhelp.kb.load

    monkeypatch.setattr(tfhelp.kb.load.entry_folders, "__defaults__", (tmp_path,))
    assert main(["kb", "check"]) == 2
    assert "name a folder of your own: tfhelp kb check --kb DIR" in capsys.readouterr().err


def test_a_fact_that_nothing_makes_is_a_fault(team_kb: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = team_kb / "cluster" / "gannet-no-lease" / "entry.yaml"
    entry.write_text(entry.read_text().replace("text: 'within \\d+ s'", "fact: gpu.colour\n        is: green"))
    assert main(["kb", "check", "--kb", str(team_kb), "--no-answers"]) == 1
    assert "gpu.colour: no such fact" in capsys.readouterr().out


def test_an_entry_without_examples_is_a_fault(team_kb: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = team_kb / "cluster" / "gannet-no-lease" / "examples.yaml"
    examples.write_text("near_misses: [coffee]\n")
    assert main(["kb", "check", "--kb", str(team_kb), "--no-answers"]) == 1
    assert f"{examples}:1: must_match: no text that must match" in capsys.readouterr().out


def test_entries_may_lie_without_a_family(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(KB / "cluster" / "gannet-no-lease", tmp_path / "gannet-no-lease")
    assert main(["kb", "check", "--kb", str(tmp_path), "--no-answers"]) == 0
