"""The hub's database: SQLite in a file, or PostgreSQL; Alembic brings it up to date."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from firmware.machine.errors import UsageError

TROUBLE = (SQLAlchemyError, CommandError)
_LOCK = 0x4D4C7564
"""Of which one hub at a time may bring a PostgreSQL database up to date."""

metadata = sa.MetaData()


settings = sa.Table("settings", metadata, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.Text))
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("secret", sa.String),
    sa.Column("token", sa.String),
    sa.Column("expires", sa.Float),
    sa.Column("made", sa.Float),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("name", sa.String),
    sa.Column("role", sa.String),
    sa.Column("password", sa.String),
    sa.Column("made", sa.Float),
)
invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("token", sa.String, primary_key=True),
    sa.Column("role", sa.String),
    sa.Column("expires", sa.Float),
    sa.Column("used", sa.String),
)
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float),
    sa.Column("who", sa.String),
    sa.Column("deed", sa.String),
    sa.Column("about", sa.Text),
    sa.Column("address", sa.String),
)
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("table_name", sa.String),
    sa.Column("number", sa.Integer),
    sa.Column("started", sa.String),
    sa.Column("received", sa.Float),
    sa.Column("game", sa.String),
    sa.Column("variant", sa.String),
    sa.Column("start", sa.JSON),
    sa.Column("covered", sa.Boolean),
    sa.Column("next", sa.Integer),
    sa.Column("actions", sa.Integer),
    sa.Column("illegal", sa.Integer),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("ended", sa.Float),
    sa.Column("opening", sa.String),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("name", sa.String),
    sa.Column("folded", sa.String),
    sa.Column("colour", sa.String),
    sa.Column("level", sa.Integer),
    sa.Column("won", sa.Boolean),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.String),
    sa.Column("seconds", sa.Float),
    sa.Column("kind", sa.String),
    sa.Column("payload", sa.JSON),
    sa.Column("covered", sa.Boolean),
    sa.Column("action", sa.String),
    sa.Column("rule", sa.String),
    sa.Column("seat", sa.Integer),
)
deeds = sa.Table(
    "deeds",
    metadata,
    sa.Column("tournament", sa.String, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float),
    sa.Column("who", sa.String),
    sa.Column("kind", sa.String),
    sa.Column("payload", sa.JSON),
)


def open_database(url: str) -> sa.Engine:
    """The database there, brought up to date; raises `UsageError` where it cannot be had."""
    try:
        named = sa.make_url(url)
        if named.drivername in ("postgresql", "postgres"):
            named = named.set(drivername="postgresql+psycopg")
        if named.get_backend_name() not in ("sqlite", "postgresql"):
            raise UsageError(f"{named.get_backend_name()} databases are not supported: use sqlite:/// or postgresql://")
        engine = sa.create_engine(named, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise UsageError("that is not the address of a database: write postgresql://NAME:PASSWORD@HOST/NAME") from error
    if engine.dialect.name == "sqlite":
        if named.database and named.database != ":memory:":
            _make_folder(Path(named.database))
        event.listen(engine, "connect", _prepare_sqlite)
    try:
        _bring_up_to_date(engine)
    except TROUBLE as error:
        engine.dispose()
        raise UsageError(f"cannot use the database {named.render_as_string()}: {reason(error)}") from error
    return engine


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot use the database {path}: {error.strerror}") from error


def _prepare_sqlite(db: SqliteConnection, _: object) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    # A commit is on the disk when the table is told so.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA busy_timeout = 10000")


def _bring_up_to_date(engine: sa.Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.connect() as connection:
        # Several hubs may start at once.
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def insert_once(engine: sa.Engine, table: sa.Table) -> Any:  # noqa: ANN401 - one of two types with the same methods
    """An INSERT that leaves rows alone that are there already."""
    if engine.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def reason(error: Exception) -> str:
    """What the database says, in one line."""
    said = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(str(said).split())[:300]


def get_setting(engine: sa.Engine, name: str, default: str = "") -> str:
    with engine.connect() as db:
        return db.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar() or default


def set_setting(engine: sa.Engine, name: str, value: str) -> None:
    with engine.begin() as db:
        if not db.execute(sa.update(settings).where(settings.c.name == name).values(value=value)).rowcount:
            db.execute(insert_once(engine, settings), {"name": name, "value": value})
