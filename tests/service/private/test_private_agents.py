"""``--kb`` for agents and editors, as they start ``tfhelp mcp`` and ``tfhelp lsp``."""

import pathlib
import typing

import pytest

from tests.service.agents.editor import Editor
from tests.service.agents.session import connected, stdio
from tests.service.private.conftest import KB

OLD_RATE = "import tensorflow as tf\nopt = tf.keras.optimizers.Adam(lr=0.1)\n"


@pytest.fixture
def rate_kb(team_kb: pathlib.Path) -> pathlib.Path:
    """The team's folder with an entry that the rule on lr= points to."""
    entry = team_kb / "training" / "gannet-plan-mismatch" / "entry.yaml"
    folder = entry.parent.rename(entry.parent.with_name("team-rate"))
    fact = "\n  facts:\n    - {says: 'the program passes lr=', fact: code.lr_argument, is: true, strength: decisive}"
    written = (folder / entry.name).read_text().replace("id: gannet-plan-mismatch", "id: team-rate")
    (folder / entry.name).write_text(written.replace("\nmatches:", f"\nmatches:{fact}"))
    return team_kb


def test_an_agent_is_told_of_the_teams_entries() -> None:
    with connected(stdio("--kb", str(KB))) as session:
        entry = session.document("explain", words="gannet-no-lease")
        found = session.document("explain", words="gannet lease")
        assert entry["kind"] == "entry" and entry["causes"]
        assert found["kind"] == "found" and "gannet-no-lease" in [row["entry"] for row in found["candidates"]]


def test_an_editor_shows_the_teams_entry_on_the_page_of_a_rule(rate_kb: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for folder, wanted in (((), "optimizer-unknown-variable"), (("--kb", str(rate_kb)), "team-rate")):
        with Editor(tmp_path, arguments=typing.cast("tuple[str, ...]", folder)) as editor:
            uri = (tmp_path / f"{wanted}.py").as_uri()
            assert [problem.code for problem in editor.open(uri, OLD_RATE)] == ["TFH505"]
            assert f"`tfhelp explain {wanted}`" in editor.hover(uri, 1, 20)
