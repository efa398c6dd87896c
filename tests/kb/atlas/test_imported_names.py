"""The atlas, compared with real releases: ``imported_names.json`` says which of 300 random names each really has."""

import json
import typing

import pytest

from tests.kb.atlas.imported_names import HEADS, RECORD, plan, spans
from tfhelp.kb.atlas.atlas import Atlas


@pytest.fixture(scope="module")
def record() -> typing.Any:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def said(atlas: Atlas, name: str, package: str) -> set[str]:
    """The releases that have a name, according to the atlas."""
    found = atlas.lookup(name)
    versions = atlas.releases(package)
    spans = [span for span in found.releases if span.package == package] if found else []
    return {version for span in spans for version in versions[versions.index(span.first) : versions.index(span.last) + 1]}


def test_names_were_drawn_over_all_packages(record: typing.Any) -> None:
    assert len(record["names"]) == 300
    assert len(record["releases"]["tensorflow"]) >= 19
    assert {name.partition(".")[0] for name in record["names"]} == set(HEADS)


def test_the_atlas_knows_the_releases_of_drawn_names(atlas: Atlas, record: typing.Any) -> None:
    wrong = []
    for name, having in record["names"].items():
        package = HEADS[name.partition(".")[0]]
        asked = record["releases"][package]
        expected = spans(asked, said(atlas, name, package).intersection(asked))
        if expected != having:
            wrong.append((name, expected, having))
    assert len(wrong) <= 0.01 * len(record["names"]), wrong


def test_every_release_of_the_atlas_has_an_environment(atlas: Atlas) -> None:
    planned = {one.release.version for one in plan()}
    assert planned == set(atlas.releases("tensorflow"))
    beside = {name for one in plan() for name in one.beside}
    assert {f"tf_keras=={version}" for version in atlas.releases("tf_keras")} <= beside
