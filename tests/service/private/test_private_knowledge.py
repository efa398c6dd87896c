"""Private knowledge in answers: found, marked, checked, cached, and without effect on the shipped entries."""

import json
import pathlib
import shutil
import subprocess
import sys
import typing

import pytest

from tests.service.private.conftest import HERE, KB, over
from tfhelp.kb import compiled, private, private_build
from tfhelp.kb.load import load_entries
from tfhelp.kb.overlay import OverlaidKnowledge
from tfhelp.service.curation.own_cases import own_cases
from tfhelp.service.diagnosis.diagnoser import Diagnoser, load_vectors
from tfhelp.service.diagnosis.long_text import LONG

LEASE = "gannetctl: LeaseError: no lease for pool 'a100' within 600 s"
CASES = [json.loads(line) for line in (HERE / "texts.jsonl").read_text(encoding="utf-8").splitlines()]


def first(answer: typing.Any) -> str | None:
    return answer["matches"][0]["entry"] if answer["matches"] else None


def test_texts_that_no_entry_has_seen_get_the_right_private_entry(diagnoser: Diagnoser) -> None:
    wanted = [case for case in CASES if case["entry"]]
    wrong = [case["id"] for case in wanted if first(diagnoser.diagnose(case["text"])) != case["entry"]]
    assert len(wanted) == 30
    assert len(wrong) <= 1, wrong  # a log that ends in "Killed": the kernel is named first


def test_near_misses_get_no_private_entry(diagnoser: Diagnoser) -> None:
    others = [case for case in CASES if not case["entry"]]
    false = [case["id"] for case in others if any("private" in match for match in diagnoser.diagnose(case["text"])["matches"])]
    assert len(others) == 30
    assert len(false) <= 2, false


def test_an_answer_says_that_it_is_the_teams(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(LEASE)
    [match] = answer["matches"]
    assert (match["entry"], match["private"]) == ("gannet-no-lease", str(KB))
    assert f"gannet-no-lease is from your team's knowledge: {KB}." in answer["notes"]
    assert answer["verdict"] == "diagnosed"
    assert answer["kb_version"].startswith(compiled.load(compiled.PATH).version + "+")


def _seen(answer: typing.Any) -> object:
    """The content of an answer, without its time and the knowledge base's version."""
    return {name: value for name, value in answer.items() if name not in ("took_ms", "kb_version")}


def _moved(shipped: compiled.Knowledge, diagnoser: Diagnoser, every: int) -> list[str]:
    alone = Diagnoser(shipped, load_vectors, warm=True)
    cases = own_cases(load_entries()[0])[::every]
    return [
        f"{case.item.entry.id} {case.name}"
        for case in cases
        if _seen(alone.diagnose(case.text, case.facts)) != _seen(diagnoser.diagnose(case.text, case.facts))
    ]


def test_shipped_answers_stay_what_they_are(shipped: compiled.Knowledge, diagnoser: Diagnoser) -> None:
    assert _moved(shipped, diagnoser, 40) == []


@pytest.mark.slow
def test_all_shipped_answers_stay_what_they_are(shipped: compiled.Knowledge, diagnoser: Diagnoser) -> None:
    assert _moved(shipped, diagnoser, 1) == []


def test_a_cold_process_finds_the_same(shipped: compiled.Knowledge) -> None:
    knowledge = OverlaidKnowledge(shipped, [private.part_of(str(KB), shipped)])
    assert first(Diagnoser(knowledge, load_vectors).diagnose(LEASE)) == "gannet-no-lease"
    assert first(Diagnoser(knowledge, None).diagnose(LEASE)) == "gannet-no-lease"


def test_a_message_that_is_known_needs_no_encoder(shipped: compiled.Knowledge) -> None:
    def refused(_: str) -> typing.Any:
        raise AssertionError("the encoder was asked for")

    knowledge = OverlaidKnowledge(shipped, [private.part_of(str(KB), shipped)])
    assert Diagnoser(knowledge, refused).diagnose(LEASE)["verdict"] == "diagnosed"


def test_a_long_log_is_searched_for_private_messages(shipped: compiled.Knowledge, diagnoser: Diagnoser) -> None:
    filler = [f"INFO:gannet:shard train-{number:05} opened in {number % 97} ms" for number in range(9_000)]
    text = "\n".join([*filler[:5_000], LEASE, *filler[5_000:]])
    assert len(text) > LONG
    answer = diagnoser.diagnose(text)
    assert first(answer) == "gannet-no-lease"
    assert answer["matches"][0]["matched"][0]["line"] == 5_001
    assert first(Diagnoser(shipped, load_vectors, warm=True).diagnose(text)) != "gannet-no-lease"


def test_the_shipped_entries_can_be_yielded_to(shipped: compiled.Knowledge, team_kb: pathlib.Path) -> None:
    path = team_kb / "cluster" / "gannet-quota-eviction" / "entry.yaml"
    path.write_text(path.read_text().replace("causes:", "  yields_to: [no-such-entry]\n\ncauses:", 1))
    part = private.part_of(str(team_kb), shipped)
    assert "gannet-quota-eviction" not in part.knowledge.summaries
    assert len(part.faults) == 1 and "no entry is called no-such-entry" in part.faults[0]
    path.write_text(path.read_text().replace("no-such-entry", "host-out-of-memory"))
    part = private.part_of(str(team_kb), shipped)
    assert part.faults == []
    assert part.knowledge.summaries["gannet-quota-eviction"]["yields_to"] == ["host-out-of-memory"]


def test_a_broken_entry_does_not_affect_other_entries(shipped: compiled.Knowledge, team_kb: pathlib.Path) -> None:
    path = team_kb / "data" / "gannet-shard-moved" / "entry.yaml"
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if line.startswith("severity:"))
    lines[place - 1] = "severity: awful"
    path.write_text("\n".join(lines))
    diagnoser = over(shipped, team_kb, vectors=None)
    answer = diagnoser.diagnose(LEASE)
    assert first(answer) == "gannet-no-lease"
    assert any(f"{path}:{place}: severity: " in note and "was left out" in note for note in answer["notes"])
    assert first(diagnoser.diagnose("gannet.data.ShardMovedError: shard a has moved to generation 7")) is None


def _as_shipped(team_kb: pathlib.Path, name: str, more: str = "") -> pathlib.Path:
    """The first entry, with the id of a shipped one."""
    folder = team_kb / "memory" / name
    shutil.copytree(team_kb / "cluster" / "gannet-no-lease", folder)
    path = folder / "entry.yaml"
    text = path.read_text().replace("id: gannet-no-lease", f"id: {name}{more}").replace("family: cluster", "family: memory")
    path.write_text(
        text.replace("gannetctl: LeaseError", "gannetctl: MemoryLeaseError").replace("pool \\S+ granted", "pool \\S+ lent")
    )
    return path


def test_an_id_of_a_shipped_entry_is_refused_with_file_and_line(shipped: compiled.Knowledge, team_kb: pathlib.Path) -> None:
    path = _as_shipped(team_kb, "gpu-out-of-memory")
    part = private.part_of(str(team_kb), shipped)
    assert part.faults == [
        f"{path}:1: id: tfhelp has an entry gpu-out-of-memory; take another id, or say 'overrides: gpu-out-of-memory' to replace it"
    ]
    knowledge = OverlaidKnowledge(shipped, [part])
    assert knowledge.entry("gpu-out-of-memory") == shipped.entry("gpu-out-of-memory")


def test_an_override_replaces_the_shipped_entry(shipped: compiled.Knowledge, team_kb: pathlib.Path) -> None:
    _as_shipped(team_kb, "gpu-out-of-memory", "\noverrides: gpu-out-of-memory")
    diagnoser = over(shipped, team_kb, vectors=None)
    assert diagnoser.knowledge.entry("gpu-out-of-memory")["causes"][0]["id"] == "pool-is-full"
    answer = diagnoser.diagnose("gannetctl: MemoryLeaseError: no lease for pool 'a100' within 600 s")
    assert (first(answer), answer["matches"][0]["private"]) == ("gpu-out-of-memory", str(team_kb))
    assert [row.pattern for row in diagnoser.knowledge.signatures if row.entry == "gpu-out-of-memory"] != []
    assert not any(row in shipped.signatures for row in diagnoser.knowledge.signatures if row.entry == "gpu-out-of-memory")


@pytest.mark.parametrize(
    ("name", "overrides", "message"),
    [
        ("my-own", "my-own", "tfhelp has no entry my-own that could be replaced"),
        ("my-own", "gpu-out-of-memory", "an entry takes the place of the entry with its own id"),
    ],
)
def test_an_override_of_nothing_is_a_fault(
    shipped: compiled.Knowledge, team_kb: pathlib.Path, name: str, overrides: str, message: str
) -> None:
    _as_shipped(team_kb, name, f"\noverrides: {overrides}")
    [fault] = private.part_of(str(team_kb), shipped).faults
    assert message in fault


def test_if_two_folders_have_the_same_id_the_first_counts(
    shipped: compiled.Knowledge, team_kb: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    other = tmp_path / "other-kb"
    shutil.copytree(team_kb / "cluster" / "gannet-no-lease", other / "gannet-no-lease")
    diagnoser = over(shipped, team_kb, other, vectors=None)
    answer = diagnoser.diagnose(LEASE)
    assert answer["matches"][0]["private"] == str(team_kb)
    assert [match["entry"] for match in answer["matches"]] == ["gannet-no-lease"]
    assert any(f"{other}/gannet-no-lease/entry.yaml:1: id: {team_kb}" in note for note in answer["notes"])


def test_a_folder_is_compiled_once_for_each_state(
    shipped: compiled.Knowledge, team_kb: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = private.part_of(str(team_kb), shipped)
    compile_folder = private_build.compile_folder
    monkeypatch.setattr(private_build, "compile_folder", None)
    assert private.part_of(str(team_kb), shipped).knowledge.summaries == before.knowledge.summaries
    monkeypatch.setattr(private_build, "compile_folder", compile_folder)
    path = team_kb / "cluster" / "gannet-no-lease" / "entry.yaml"
    path.write_text(path.read_text().replace("The launcher gets no GPU lease", "No GPUs from the pool"))
    after = private.part_of(str(team_kb), shipped)
    assert after.key != before.key
    assert after.knowledge.summaries["gannet-no-lease"]["title"] == "No GPUs from the pool"


def test_a_damaged_cache_is_made_again(shipped: compiled.Knowledge, team_kb: pathlib.Path) -> None:
    part = private.part_of(str(team_kb), shipped)
    kept = pathlib.Path(private.cache_file(str(team_kb), f"{part.key}.bin"))
    content = kept.read_bytes()
    for damaged in (content[:-40], b"", b'{"format": 5}\n'):
        kept.write_bytes(damaged)
        assert private.part_of(str(team_kb), shipped).knowledge.summaries == part.knowledge.summaries
        assert kept.read_bytes() == content


def test_a_cache_that_cannot_be_written_costs_only_time(
    shipped: compiled.Knowledge, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TFHELP_CACHE", str(tmp_path / "file" / "cache"))
    assert len(private.part_of(str(KB), shipped).knowledge.summaries) == 10


def test_two_processes_at_once_get_the_same(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFHELP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(private.VARIABLE, str(KB))
    program = "from tfhelp.kb import compiled; k = compiled.load(); print(k.version, len(k.entries()), k.entry('gannet-no-lease')['id'])"
    started = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[0] for process in started]
    assert said[0] == said[1] != ""
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".bin"]


def test_old_states_leave_the_cache(
    shipped: compiled.Knowledge, team_kb: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFHELP_CACHE", str(tmp_path / "cache"))
    for number in range(7):
        (team_kb / "cluster" / "gannet-no-lease" / "note.yaml").write_text(str(number))
        private.part_of(str(team_kb), shipped)
    assert len(list((tmp_path / "cache").glob("*.bin"))) == 4


def test_the_variable_names_folders_for_everything_that_loads(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    assert compiled.load().parts == []
    monkeypatch.setenv(private.VARIABLE, str(KB))
    assert [part.folder for part in compiled.load().parts] == [str(KB)]
    assert compiled.load(compiled.PATH).parts == []
    monkeypatch.setenv(private.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(compiled.KnowledgeError, match="nowhere: private knowledge .* there is no such folder"):
        compiled.load()


def test_an_empty_folder_changes_nothing(shipped: compiled.Knowledge, tmp_path: pathlib.Path) -> None:
    diagnoser = over(shipped, tmp_path)
    text = "my model does not learn, the loss stays where it is"
    assert _seen(diagnoser.diagnose(text)) == _seen(Diagnoser(shipped, load_vectors, warm=True).diagnose(text))
