"""The model of ``experiments.yaml``, which is read and validated when the knowledge base is compiled."""

import typing
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from tfhelp.kb import templates
from tfhelp.kb.compat_tables import TableError
from tfhelp.kb.facts import fact_table

PATH = Path(__file__).with_name("experiments.yaml")
_CHOICES = "one of "


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Need(_Part):
    """A fact that must hold for the experiment to make sense."""

    fact: str
    is_: bool | str | int | dict[str, typing.Any] = Field(alias="is")


class Experiment(_Part):
    """One experiment; ``experiments.yaml`` explains each field."""

    title: str
    changes: str
    variables: dict[str, str | None] = {}
    hook: str | None = None
    cost: float = Field(gt=0, description="duration as a multiple of the first run's")
    needs: list[Need] = []
    outcomes: dict[str, str]


class Experiments(RootModel[dict[str, Experiment]]):
    """All experiments by name."""


def compile_experiments(path: Path = PATH) -> dict[str, typing.Any]:
    """Experiments as JSON-ready rows, by name.

    Raises:
        TableError: the file does not match the model, or an experiment does not match its fact.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        experiments = Experiments.model_validate(document).root
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TableError(f"{path}: {error}") from error
    except ValidationError as error:
        found = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3]]
        raise TableError(f"{path}: {'; '.join(found)}") from error
    for fault in _faults(experiments):
        raise TableError(f"{path}: {fault}")
    return {name: item.model_dump(mode="json", by_alias=True) for name, item in experiments.items()}


def _faults(experiments: dict[str, Experiment]) -> typing.Iterator[str]:
    types = fact_table()
    with_outcomes = {path.removeprefix("tried."): kind for path, kind in types.items() if path.startswith("tried.")}
    asked = {name: kind for name, kind in with_outcomes.items() if kind.startswith(_CHOICES)}
    if asked.keys() != experiments.keys():
        yield f"experiments and facts differ: {', '.join(sorted(asked.keys() ^ experiments.keys()))}"
    for name, item in experiments.items():
        choices = set(asked.get(name, "").removeprefix(_CHOICES).split("|"))
        if choices != item.outcomes.keys():
            yield f"{name}: outcomes are {', '.join(sorted(choices))}"
        if not item.hook and not item.variables:
            yield f"{name}: it changes nothing"
        for need in item.needs:
            if need.fact not in types and not need.fact.startswith("derived."):
                yield f"{name}: no fact is called {need.fact}"
        for sentence in item.outcomes.values():
            templates.holes(sentence)
