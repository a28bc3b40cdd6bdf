"""The first version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    """A text that is found by how it begins, whatever language the database speaks."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("secret", sa.String(64)),
        sa.Column("token", sa.String(64)),
        sa.Column("expires", sa.Float),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("password", sa.String(200)),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("used", sa.String(16)),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String(60), nullable=False),
        sa.Column("deed", sa.String(40), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("address", sa.String(60), nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False, index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("started", sa.String(40), nullable=False),
        sa.Column("received", sa.Float, nullable=False, index=True),
        sa.Column("game", sa.String(40), nullable=False, index=True),
        sa.Column("variant", sa.String(40)),
        sa.Column("start", sa.JSON, nullable=False),
        sa.Column("covered", sa.Boolean, nullable=False),
        sa.Column("next", sa.Integer, nullable=False),
        sa.Column("actions", sa.Integer, nullable=False, index=True),
        sa.Column("illegal", sa.Integer, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("ended", sa.Float, index=True),
        sa.Column("opening", _bytewise(200), nullable=False, index=True),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("folded", _bytewise(80), nullable=False, index=True),
        sa.Column("colour", sa.String(12), nullable=False),
        sa.Column("level", sa.Integer),
        sa.Column("won", sa.Boolean),
    )
    op.create_table(
        "events",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("covered", sa.Boolean, nullable=False),
        sa.Column("action", sa.String(60), index=True),
        sa.Column("rule", sa.String(60)),
        sa.Column("seat", sa.Integer),
    )
    op.create_index(
        "broken",
        "events",
        ["rule", "match"],
        postgresql_where=sa.text("rule IS NOT NULL"),
        sqlite_where=sa.text("rule IS NOT NULL"),
    )


def downgrade() -> None:
    for name in ("events", "seats", "matches", "audit", "invitations", "people", "tables", "settings"):
        op.drop_table(name)
