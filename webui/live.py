"""The live page: the board as it stands, whose turn it is, and what the referee says."""

from __future__ import annotations

from flask import Blueprint, render_template

blueprint = Blueprint("live", __name__)


@blueprint.get("/")
def live() -> str:
    return render_template("live.html")
