"""Read the compatibility tables from their YAML files, validate them, and prepare them for the compiled knowledge file.

Only the build and tests use this module. A running program reads the compiled form through ``tfhelp.kb.tables``.
"""

import json
import typing
from pathlib import Path

import yaml
from pydantic import BaseModel, ValidationError

from tfhelp.kb import compat_models
from tfhelp.kb.tables import Row, Tables

# PyYAML's C loader, if available, is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FOLDER = Path(__file__).parent / "compat"
MODELS: dict[str, type[BaseModel]] = {
    "tensorflow": compat_models.TensorFlowTable,
    "cuda": compat_models.CudaTable,
    "xid": compat_models.XidTable,
    "exit": compat_models.ExitTable,
}


class TableError(ValueError):
    """A table does not match its model. The message names the file, the place and the fault."""


def compile_tables(folder: Path = FOLDER) -> dict[str, Row]:
    """Read and validate every table.

    Args:
        folder: the folder of ``tensorflow.yaml``, ``cuda.yaml``, ``xid.yaml`` and ``exit.yaml``.

    Returns:
        table name -> JSON-ready dict (keys are strings), the form that ``Tables`` loads.

    Raises:
        TableError: a file is missing or is not YAML, or a figure does not match its model.
    """
    compiled = {}
    for name, model in MODELS.items():
        path = folder / f"{name}.yaml"
        try:
            document = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise TableError(f"{path}: {error}") from error
        _validate(model, document, str(path))
        compiled[name] = _json_ready(document)
    _validate_releases(compiled, folder / "tensorflow.yaml")
    return compiled


def tables(folder: Path = FOLDER) -> Tables:
    """The tables directly from the YAML files, in the form that a running program uses."""
    return Tables(compile_tables(folder).__getitem__)


def _validate(model: type[BaseModel], document: object, place: str) -> None:
    try:
        model.model_validate(document)
    except ValidationError as error:
        found = [f"{'.'.join(map(str, one['loc'])) or 'the whole document'}: {one['msg']}" for one in error.errors()[:3]]
        raise TableError(f"{place}: {'; '.join(found)}") from error


def _validate_releases(compiled: dict[str, Row], path: Path) -> None:
    """Validate each release as it is read: joined with the values of its line."""
    joined = Tables(compiled.__getitem__)
    for version in joined.release_versions(stable_only=False):
        _validate(compat_models.Release, joined.release(version), f"{path}: release {version}")


def _json_ready(document: typing.Any) -> Row:
    """A document as JSON would return it: keys become strings."""
    ready: Row = json.loads(json.dumps(document))
    return ready
