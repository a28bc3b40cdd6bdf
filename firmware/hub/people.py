"""Who may do what at the hub: accounts, invitations, the tables that have joined, and who has done what."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

import sqlalchemy as sa
from werkzeug.security import check_password_hash, generate_password_hash

from engine.core import Json
from firmware.hub.contract import is_name
from firmware.hub.database import TROUBLE, audit, insert_once, invitations, people, tables

ROLES = ("spectator", "arbiter", "director")
"""Each may do what those before it may."""
DAY = 24 * 3600.0
SHORTEST = 8
MOST_AUDIT = 500


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    role: str
    has_password: bool
    mark: str
    """Changes with the password: a session that was begun before it ends."""

    def may(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


def _hashed(token: str) -> str:
    # A token is as long as a key: nobody can guess it from its hash, however quick the hash is.
    return sha256(token.encode()).hexdigest()


class People:
    def __init__(self, engine: sa.Engine, wall: Callable[[], float]) -> None:
        self._engine, self._wall = engine, wall
        self._decoy = generate_password_hash(secrets.token_hex(8))

    # Tables

    def invite_table(self, name: str) -> str:
        """A token with which a table of this name joins, once."""
        if not is_name(name):
            raise ValueError("name")
        token = secrets.token_urlsafe(12)
        made = {"name": name, "made": self._wall(), "token": _hashed(token), "expires": self._wall() + DAY}
        with self._engine.begin() as db:
            known = sa.update(tables).where(tables.c.name == name)
            if not db.execute(known.values(token=made["token"], expires=made["expires"])).rowcount:
                db.execute(insert_once(self._engine, tables), made)
        return token

    def let_in(self, name: str, password: str) -> bool:
        """Whether a table may come in: with its secret, or with a token and the secret it will have from now on."""
        token, _, secret = password.rpartition(":")
        try:
            with self._engine.begin() as db:
                row = db.execute(sa.select(tables).where(tables.c.name == name)).mappings().first()
                if row is None:
                    return False
                if row["secret"] is not None and compare_digest(row["secret"], _hashed(secret)):
                    # It may show its token again: it did not hear that it was let in.
                    return True
                if not token or row["token"] is None or row["expires"] < self._wall():
                    return False
                if not compare_digest(row["token"], _hashed(token)):
                    return False
                used = sa.update(tables).where(tables.c.name == name, tables.c.token == row["token"])
                return db.execute(used.values(secret=_hashed(secret), token=None, expires=None)).rowcount == 1
        except TROUBLE:
            return False

    def tables(self) -> list[Json]:
        with self._engine.connect() as db:
            rows = db.execute(sa.select(tables).order_by(tables.c.name)).mappings().all()
        return [
            {
                "name": row["name"],
                "joined": row["secret"] is not None,
                "invited": row["token"] is not None and row["expires"] > self._wall(),
            }
            for row in rows
        ]

    def remove_table(self, name: str) -> bool:
        with self._engine.begin() as db:
            return db.execute(sa.delete(tables).where(tables.c.name == name)).rowcount == 1

    # People

    def invite(self, role: str, seconds: float = DAY) -> str:
        """A token with which somebody comes in with this role, once."""
        assert role in ROLES
        token = secrets.token_urlsafe(18)
        with self._engine.begin() as db:
            row = {"token": _hashed(token), "role": role, "expires": self._wall() + seconds, "used": None}
            db.execute(sa.insert(invitations), row)
        return token

    def accept(self, token: str, name: str, password: str) -> Person | None:
        """Somebody makes an account by an invitation; None if that does not hold. `ValueError` says which part of the
        account cannot be: `name`, `taken` or `password`."""
        name = " ".join(name.split())
        if not 1 <= len(name) <= 40 or not name.isprintable():
            raise ValueError("name")
        if not SHORTEST <= len(password) <= 200:
            raise ValueError("password")
        id_ = secrets.token_hex(8)
        row = {
            "id": id_,
            "name": name,
            "password": generate_password_hash(password),
            "made": self._wall(),
        }
        with self._engine.begin() as db:
            of_token = invitations.c.token == _hashed(token)
            role = db.execute(sa.select(invitations.c.role).where(of_token)).scalar()
            free = (of_token, invitations.c.used.is_(None), invitations.c.expires > self._wall())
            if db.execute(sa.update(invitations).where(*free).values(used=id_)).rowcount != 1:
                return None
            if not db.execute(insert_once(self._engine, people), row | {"role": role}).rowcount:
                db.rollback()
                raise ValueError("taken")
        return self.person(id_)

    def role_of(self, token: str) -> str | None:
        """What an invitation that still holds is for."""
        with self._engine.connect() as db:
            asked = sa.select(invitations.c.role).where(
                invitations.c.token == _hashed(token),
                invitations.c.used.is_(None),
                invitations.c.expires > self._wall(),
            )
            found: str | None = db.execute(asked).scalar()
        return found

    def log_in(self, name: str, password: str) -> Person | None:
        with self._engine.connect() as db:
            row = db.execute(sa.select(people).where(people.c.name == " ".join(name.split()))).mappings().first()
        # As long as for one whom we know.
        known = row["password"] if row is not None and row["password"] else self._decoy
        is_right = check_password_hash(known, password[:200])
        return self.person(row["id"]) if row is not None and is_right and row["password"] else None

    def person(self, id_: str) -> Person | None:
        with self._engine.connect() as db:
            row = db.execute(sa.select(people).where(people.c.id == id_)).mappings().first()
        if row is None:
            return None
        mark = sha256(f"{row['password']}/{row['role']}".encode()).hexdigest()[:16]
        return Person(row["id"], row["name"], row["role"], row["password"] is not None, mark)

    def everybody(self) -> list[Json]:
        with self._engine.connect() as db:
            rows = db.execute(sa.select(people.c.id, people.c.name, people.c.role).order_by(people.c.name))
            return [dict(row) for row in rows.mappings()]

    def has_director(self) -> bool:
        with self._engine.connect() as db:
            return bool(db.execute(sa.select(sa.func.count()).where(people.c.role == "director")).scalar())

    def remove(self, id_: str) -> str | None:
        """Remove an account; its name. The last director stays."""
        with self._engine.begin() as db:
            row = db.execute(sa.select(people).where(people.c.id == id_)).mappings().first()
            directors = db.execute(sa.select(sa.func.count()).where(people.c.role == "director")).scalar()
            if row is None or (row["role"] == "director" and directors == 1):
                return None
            db.execute(sa.delete(people).where(people.c.id == id_))
            return str(row["name"])

    # The audit log

    def note(self, who: str, deed: str, about: str, address: str) -> None:
        row = {"at": self._wall(), "who": who[:60], "deed": deed[:40], "about": about[:500], "address": address[:60]}
        with self._engine.begin() as db:
            db.execute(sa.insert(audit), row)

    def notes(self) -> list[Json]:
        """The last of them, newest first."""
        with self._engine.connect() as db:
            rows = db.execute(sa.select(audit).order_by(audit.c.id.desc()).limit(MOST_AUDIT)).mappings()
            return [dict(row) for row in rows]
