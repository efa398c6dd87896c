"""The pages under docs: their links are valid, their commands exist, and their example works."""

import pathlib
import re

import pytest

from tfhelp.kb import private
from tfhelp.service.doors.cli.command_line import COMMANDS, main

ROOT = pathlib.Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
_LINK = re.compile(r"\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: pathlib.Path) -> set[str]:
    """The headings of a page, in GitHub's form of an anchor."""
    found = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_leads_to_a_page_and_a_heading(page: pathlib.Path) -> None:
    for target, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(there), f"{page.name}: {target}#{anchor}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_command_that_a_page_names_exists(page: pathlib.Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^    |\| )tfhelp ([a-z]+)\b", text, re.MULTILINE))
    assert named <= set(COMMANDS), named - set(COMMANDS)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    wanted = set(re.findall(r"(?:`|^    )make ([a-z-]+)", text, re.MULTILINE))
    assert wanted <= targets, wanted - targets


def test_every_page_is_listed() -> None:
    listed = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.name != "README.md" and f"({page.name})" not in listed] == []


def test_the_table_of_the_benchmark_can_be_rewritten() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for command in ("bench", "bench-growth", "bench-incidents"):
        assert page.count(f"<!-- {command} -->") == page.count(f"<!-- /{command} -->") == 1
    assert page.index("<!-- bench -->") < page.index("| What | tfhelp |") < page.index("<!-- /bench -->")


def test_the_example_of_a_private_entry_is_clean(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(private.VARIABLE, "")
    monkeypatch.setenv("TFHELP_CACHE", str(tmp_path / "cache"))
    page = (ROOT / "docs" / "private-knowledge.md").read_text(encoding="utf-8")
    entry, examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    folder = tmp_path / "team-kb" / "cluster" / "cluster-has-no-lease"
    folder.mkdir(parents=True)
    (folder / "entry.yaml").write_text(entry, encoding="utf-8")
    (folder / "examples.yaml").write_text(examples, encoding="utf-8")
    assert main(["kb", "check", "--kb", str(tmp_path / "team-kb")]) == 0, capsys.readouterr().out
