"""The file of a memory in SQLite: whether it is still there, and whether it can be written.

SQLite does not notice that its file was deleted. It goes on with the open file, which no name leads to, and all that is written there
is lost when the process ends. So each use of a connection looks at the file first, and a missing file is never created again.
"""

import os
import sqlite3
import typing

import sqlalchemy as sa

_GONE = "its file was deleted or moved; put it back, or start the server again"
_SAYINGS = {
    "SQLITE_FULL": "its disk is full",
    "SQLITE_READONLY": "its file or its folder cannot be written",
    "SQLITE_CANTOPEN": "its file cannot be opened",
    "SQLITE_BUSY": "another program has locked its file",
    "SQLITE_CORRUPT": "its file is damaged",
    "SQLITE_NOTADB": "its file is damaged",
    "SQLITE_IOERR_WRITE": "its file cannot grow: the disk fails, or a limit on the size of files is reached",
    "SQLITE_IOERR": "its disk fails",
}


class FileGoneError(sa.exc.SQLAlchemyError):
    """The file is not where it was when the memory was opened."""


def follow_file(engine: sa.Engine, path: str) -> None:
    """Have every use of the engine fail while its file is missing, and connect again if another file has taken its place.

    Args:
        engine: of an SQLite file that exists.
        path: the file's path.
    """
    path = os.path.abspath(path)

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: sa.Dialect, record: typing.Any, positional: typing.Any, named: typing.Any) -> typing.Any:
        record.info["file"] = _identity(path)
        return dialect.connect(*positional, **named)

    @sa.event.listens_for(engine, "checkout")
    def look(connection: object, record: typing.Any, proxy: object) -> None:
        if _identity(path) != record.info["file"]:
            raise sa.exc.DisconnectionError("another file has its path")


def _identity(path: str) -> tuple[int, int]:
    """The file's device and number. Raises: FileGoneError: there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        raise FileGoneError(_GONE) from None
    return status.st_dev, status.st_ino


def fault_of_file(engine: sa.Engine) -> str:
    """What keeps the file from being written, as the rest of a sentence about the memory; empty if it can be written.

    Four bytes in the head of the file that SQLite leaves to programs are written, because only a write shows whether the disk is full.
    """
    try:
        with engine.begin() as connection:
            number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version = {1 + int(number) % 2}")
    except FileGoneError as error:
        return str(error)
    except sa.exc.DBAPIError as error:
        return said_of(error)
    return ""


def said_of(error: sa.exc.DBAPIError) -> str:
    """What an error of SQLite says about the file, as the rest of a sentence about the memory."""
    name = getattr(error.orig, "sqlite_errorname", "") if isinstance(error.orig, sqlite3.Error) else ""
    for known, words in _SAYINGS.items():
        if name.startswith(known):
            return words
    raise error
