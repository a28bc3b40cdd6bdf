"""The page as an app: a manifest, and a worker that shows a page of its own while the table cannot be reached.

The worker keeps nothing that tells of a table: no page, no state, no picture. What it shows is never an old verdict.
"""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, render_template
from flask_babel import gettext as _
from werkzeug.wrappers import Response

blueprint = Blueprint("install", __name__)

ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    answer = jsonify(
        name="Magister Ludi",
        short_name="Magister",
        description=_("The referee at the table"),
        id="/",
        start_url="/",
        scope="/",
        display="standalone",
        background_color="#f6f3ec",
        theme_color="#17614f",
        icons=[
            {"src": f"/static/{file}", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get("/offline")
def offline() -> str:
    """What the worker shows while nobody answers."""
    return render_template("offline.html")


@blueprint.get("/worker.js")
def worker() -> Response:
    """Another version of the program is another worker, which forgets what the one before has kept."""
    script = render_template("worker.js", version=current_app.config["HOUSE"].version)
    answer = Response(script, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
