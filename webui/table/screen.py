"""The table's own screen: address and PIN for the phones of whoever stands before it, and for nobody else."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, make_response, render_template
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.invitation import code_of, is_own_screen

blueprint = Blueprint("screen", __name__)


@blueprint.app_context_processor
def _whose() -> Json:
    return {"own_screen": is_own_screen()}


@blueprint.get("/screen")
def screen() -> Response:
    if not is_own_screen():
        abort(404)
    access = current_app.config["ACCESS"]
    answer = make_response(render_template("screen.html", code=code_of(access), access=access))
    answer.headers["Cache-Control"] = "no-store"
    return answer
