"""A memory as JSON lines: a first line that names the format, then one line for each diagnosis with its feedback.

Exported lines that are imported and exported again are identical.
"""

import base64
import json
import typing

import pydantic
import sqlalchemy as sa

from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.memory import Said
from tfhelp.service.memory.rows import entry_of, packed, plain, redacted, unpacked
from tfhelp.service.memory.tables import FAILURES, FEEDBACK, INCIDENTS

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]

FORMAT, VERSION = "tfhelp-memory", 1
_BATCH = 200
_HEX = r"^[0-9a-f]*$"
_VECTOR_BYTES = 4 * 384
_HASHES = ("uid", "token_hash", "fingerprint", "sender", "log", "digest")


class _Strict(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class SaidLine(_Strict):
    """One sender's feedback on a diagnosis."""

    sender: str = pydantic.Field(max_length=32, pattern=_HEX)
    at: float
    said: Said
    words: str
    by: str
    cause: str


class IncidentLine(_Strict):
    """A kept diagnosis: its columns, without its number in the database."""

    uid: str = pydantic.Field(min_length=32, max_length=32, pattern=_HEX)
    token_hash: str = pydantic.Field(min_length=64, max_length=64, pattern=_HEX)
    at: float
    fingerprint: str = pydantic.Field(min_length=32, max_length=32, pattern=_HEX)
    fingerprint_version: int = pydantic.Field(ge=0, lt=2**31)
    message: str
    kb_version: str
    verdict: str = pydantic.Field(max_length=20)
    entry: str
    cause: str
    sender: str = pydantic.Field(max_length=32, pattern=_HEX)
    job: str
    log: str = pydantic.Field(max_length=32, pattern=_HEX)
    digest: str = pydantic.Field(max_length=32, pattern=_HEX)
    again: bool
    epochs: int | None = pydantic.Field(ge=0, lt=2**31)
    steps: int | None = pydantic.Field(ge=0, lt=2**63)
    condensed: str
    answer: Json
    given: Json
    vector: str | None
    feedback: list[SaidLine]


def export(memory: "TeamMemory", which: sa.ColumnElement[bool] | None = None) -> typing.Iterator[str]:
    """The lines of a memory, oldest diagnosis first, each without its line end.

    Args:
        memory: the memory to export.
        which: a condition on incidents; None for all of them.
    """
    yield json.dumps({"format": FORMAT, "version": VERSION})
    both = INCIDENTS.outerjoin(FAILURES, FAILURES.c.fingerprint == INCIDENTS.c.fingerprint)
    query = sa.select(INCIDENTS, FAILURES.c.vector).select_from(both).order_by(INCIDENTS.c.at, INCIDENTS.c.uid)
    with reading(memory.engine) as connection:
        for row in connection.execute(query if which is None else query.where(which)).mappings().yield_per(_BATCH):
            said = sa.select(FEEDBACK).where(FEEDBACK.c.incident == row["id"]).order_by(FEEDBACK.c.at, FEEDBACK.c.sender)
            yield json.dumps(_line(dict(row), [dict(one) for one in connection.execute(said).mappings()]))


def _line(row: Json, said: list[Json]) -> Json:
    del row["id"]
    row["answer"], row["given"] = unpacked(row["answer"]), json.loads(row["given"])
    row["vector"] = None if row["vector"] is None else base64.b64encode(row["vector"]).decode("ascii")
    row["feedback"] = [{name: one[name] for name in SaidLine.model_fields} for one in said]
    return row


def import_lines(memory: "TeamMemory", lines: typing.Iterable[str], name: str) -> tuple[int, int]:
    """Import lines, all or none of them. A diagnosis that the memory already has is not changed.

    Args:
        memory: the memory to import into.
        lines: from ``export``. They are redacted again.
        name: the file's name, for messages.

    Returns:
        The number of new diagnoses, and of those that were there already.

    Raises:
        InputError: a line is invalid; the message names it.
    """
    rows = enumerate(lines, 1)
    _check_head(next(rows, (1, ""))[1], name)
    new = known = 0
    with memory.engine.begin() as connection:
        for number, text in rows:
            if not text.strip():
                continue
            line = _read(text, f"{name}, line {number}")
            same = sa.select(INCIDENTS.c.id).where(sa.or_(INCIDENTS.c.uid == line.uid, INCIDENTS.c.token_hash == line.token_hash))
            if connection.scalar(same) is not None:
                known += 1
                continue
            new += 1
            values, said = _row(line)
            memory.keep_vector(connection, line.fingerprint, _vector(line.vector))
            identifier = connection.execute(sa.insert(INCIDENTS).values(**values)).inserted_primary_key
            for one in said:
                connection.execute(sa.insert(FEEDBACK).values(incident=identifier[0] if identifier else None, **one))
    memory.renew_fingerprints()
    return new, known


def _check_head(text: str, name: str) -> None:
    try:
        head = json.loads(text)
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InputError(f"{name}: the first line is not that of an exported memory; 'tfhelp memory export' writes one")
    if head.get("version") != VERSION:
        raise InputError(f"{name}: version {head.get('version')!r} of the format; this tfhelp reads version {VERSION}")


def _read(text: str, where: str) -> IncidentLine:
    try:
        line = IncidentLine.model_validate(json.loads(text))
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        raise InputError(f"{where}: {field}: {first['msg'].lower()}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{where}: not JSON") from None
    if len({one.sender for one in line.feedback}) < len(line.feedback):
        raise InputError(f"{where}: feedback: the same sender occurs twice")
    return line


def _row(line: IncidentLine) -> tuple[Json, list[Json]]:
    """The columns of an incident and of its feedback; everything that a user may have written is redacted."""
    whole = line.model_dump(exclude={"vector"})
    hashes = {name: whole.pop(name) for name in _HASHES}
    cleaned = redacted(whole)
    said = [_plain({**one, "sender": asked.sender}) for one, asked in zip(cleaned.pop("feedback"), line.feedback, strict=True)]
    answer, given = cleaned.pop("answer"), cleaned.pop("given")
    columns = {"answer": packed(answer), "given": json.dumps(given)}
    row = {**_plain(cleaned), **hashes, **columns}
    return row, [
        {**one, "fingerprint": row["fingerprint"], "entry": row["entry"], "named": entry_of(one["cause"])} for one in said
    ]


def _plain(row: Json) -> Json:
    return {key: plain(value) if isinstance(value, str) else value for key, value in row.items()}


def _vector(text: str | None) -> bytes | None:
    """The bytes of a vector; None if it is invalid, so that the incident is just not found by similarity."""
    try:
        content = base64.b64decode(text or "", validate=True)
    except ValueError:
        return None
    return content if len(content) == _VECTOR_BYTES else None
